/** Finds the records of JSON files as the law sees them: how many, on which line each starts, and where a document breaks. */
import { textOf } from './decode.ts';
import { type BrokenJson, JsonStructure } from './json-structure.ts';
import { type MalformedLine, NdjsonLines } from './ndjson-lines.ts';
import { notedLines } from './noted-lines.ts';
import { checkSignal } from './read-bytes.ts';
import type { SourceFile } from './source-file.ts';

export type { BrokenJson } from './json-structure.ts';
export type { MalformedLine } from './ndjson-lines.ts';

export interface JsonScanOptions {
  /** Record numbers, ascending, whose physical line is wanted. */
  readonly want?: readonly number[] | undefined;
  /** Stop once the wanted lines are found; the other results are then those of the part that was read. */
  readonly linesOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface NdjsonScanOptions extends JsonScanOptions {
  /** Only malformed lines are looked for; `want` is passed over. */
  readonly invalidOnly?: boolean | undefined;
  /** Takes each malformed line as it is found; the result then lists none. */
  readonly onMalformed?: ((line: MalformedLine) => void) | undefined;
}

export interface NdjsonScan {
  /** Lines that are not blank, whether they hold JSON or not. */
  readonly records: number;
  /** Physical line of each wanted record that exists. */
  readonly lines: ReadonlyMap<number, number>;
  /** Lines with bytes that do not decode. Whether the others are JSON is not looked at. */
  readonly malformed: readonly MalformedLine[];
}

export interface JsonScan {
  /** Elements of the array, or values at the top of the document, objects or not. */
  readonly records: number;
  /** Physical line on which each wanted record that exists starts. */
  readonly lines: ReadonlyMap<number, number>;
  /** Where the document stops being well-formed; what was found before stands. */
  readonly broken?: BrokenJson;
}

/** Scans a file of one record a line, in constant memory. @throws SOURCE_UNREADABLE, INTERRUPTED. */
export async function scanNdjson(file: SourceFile, options: NdjsonScanOptions = {}): Promise<NdjsonScan> {
  return await scanNdjsonText(textOf(file, options.signal), options);
}

/** The same over UTF-8 text in chunks that split no character. */
export async function scanNdjsonText(text: AsyncIterable<Buffer>, options: NdjsonScanOptions = {}): Promise<NdjsonScan> {
  const malformed: MalformedLine[] = [];
  const noted = notedLines(options.invalidOnly ? [] : (options.want ?? []));
  const lines = new NdjsonLines({ onRecord: noted.note, onMalformed: options.onMalformed ?? ((line) => malformed.push(line)) });
  for await (const chunk of text) {
    checkSignal(options.signal);
    lines.feed(chunk);
    if (foundAll(options, noted.lines)) break;
  }
  lines.end();
  return { records: lines.records, lines: noted.lines, malformed };
}

/** Scans a file of one array, or of objects one after the other, in constant memory. @throws SOURCE_UNREADABLE, INTERRUPTED. */
export async function scanJsonRecords(file: SourceFile, options: JsonScanOptions = {}): Promise<JsonScan> {
  return await scanJsonText(textOf(file, options.signal), file.json === 'array' ? 'array' : 'objects', options);
}

/** The same over UTF-8 text in chunks that split no character. */
export async function scanJsonText(
  text: AsyncIterable<Buffer>,
  shape: 'array' | 'objects',
  options: JsonScanOptions = {},
): Promise<JsonScan> {
  const noted = notedLines(options.want ?? []);
  const structure = new JsonStructure(shape, noted.note);
  for await (const chunk of text) {
    checkSignal(options.signal);
    structure.feed(chunk);
    if (structure.broken !== undefined) break;
    if (foundAll(options, noted.lines)) return { records: structure.records, lines: noted.lines };
  }
  structure.end();
  const { records, broken } = structure;
  return { records, lines: noted.lines, ...(broken === undefined ? {} : { broken }) };
}

const foundAll = ({ linesOnly, want }: JsonScanOptions, lines: ReadonlyMap<number, number>): boolean =>
  linesOnly === true && lines.size >= (want?.length ?? 0);
