/** Finds out how a CSV file is written from its head, as far as the user has not said. */
import { Fault } from '../core/fault.ts';
import type { FileSource } from '../core/model/policy.ts';
import { type HeadRecord, headRecords } from './csv-head.ts';
import type { CsvDialect } from './source-file.ts';

/** The first text of a file. */
export interface Head {
  readonly text: string;
  /** The text is the whole file. */
  readonly whole: boolean;
  /** Bytes of the text could not be decoded; U+FFFD stands for them. */
  readonly undecodable: boolean;
  /** Name of the file in messages. */
  readonly shown: string;
  /** Names of the target's columns, to tell headers by. */
  readonly targetNames: readonly string[];
}

/** Preferred first when nothing else decides. */
const delimiters = [',', ';', '\t', '|'] as const;
/** Records that are looked at to choose a delimiter. */
const sampleSize = 100;
const number = /^[+-]?(?:\d[\d.,_' ]*|[.,]\d+)(?:[eE][+-]?\d+)?%?$/u;
const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}.*)?$/u;

/** @throws SOURCE_FORMAT when the header cannot be read, CONFIG_INVALID when a named delimiter or quote is no single ASCII character. */
export function detectDialect(head: Head, source: FileSource): CsvDialect {
  const quote = namedMark(source.quote, 'quote', true) ?? '"';
  const named = namedMark(source.delimiter, 'delimiter', false);
  if (named !== undefined && named === quote) throw new Fault('CONFIG_INVALID', 'the delimiter and the quote are the same character');
  const blank = blankLines(head.text);
  const rest = { ...head, text: head.text.slice(blank.characters) };
  const delimiter = named ?? chooseDelimiter(rest, quote, source.header);
  const [first] = headRecords(rest.text, { delimiter, quote }, blank.lines);
  if (first === undefined) return { delimiter, quote, header: [], hasHeader: false, skipLines: blank.lines, headerLines: 0, newline: '\n' };
  const hasHeader = source.header ?? looksLikeHeader(first.cells, head.targetNames);
  if (hasHeader) checkHeader(first, head, quote);
  return {
    delimiter,
    quote,
    header: hasHeader ? first.cells : first.cells.map((_, index) => `column${index + 1}`),
    hasHeader,
    skipLines: blank.lines,
    headerLines: hasHeader ? first.endLine - first.line + 1 : 0,
    newline: first.newline ?? '\n',
  };
}

/** A delimiter or quote that the user named, with `\t` and `tab` understood. */
function namedMark(named: string | undefined, what: string, mayBeEmpty: boolean): string | undefined {
  if (named === undefined || (named === '' && mayBeEmpty)) return named;
  const mark = named === '\\t' || named.toLowerCase() === 'tab' ? '\t' : named;
  const fits = mark.length === 1 && mark > '\0' && mark < '\x7f' && mark !== '\n' && mark !== '\r';
  if (!fits) throw new Fault('CONFIG_INVALID', `the ${what} ${JSON.stringify(named)} is not one ASCII character`);
  return mark;
}

/** Lines at the start that hold nothing but spaces. */
function blankLines(text: string): { readonly characters: number; readonly lines: number } {
  const blank = /^(?: *(?:\r\n|\r|\n))*/u.exec(text)?.[0] ?? '';
  return { characters: blank.length, lines: blank.match(/\r\n|\r|\n/gu)?.length ?? 0 };
}

interface Candidate {
  readonly delimiter: string;
  /** Header cells that are names of the target. */
  readonly matches: number;
  /** Share of records with as many fields as the first; 0 when that is a single one. */
  readonly share: number;
  readonly fields: number;
}

function chooseDelimiter(head: Head, quote: string, header: boolean | undefined): string {
  const names = header === false ? new Set<string>() : folded(head.targetNames);
  const candidates = delimiters.filter((delimiter) => delimiter !== quote).map((delimiter) => judged(head, { delimiter, quote }, names));
  const [best] = candidates.toSorted((a, b) => b.matches - a.matches || b.share - a.share || b.fields - a.fields);
  return best !== undefined && (best.matches > 0 || best.share > 0) ? best.delimiter : ',';
}

function judged(head: Head, marks: { delimiter: string; quote: string }, names: ReadonlySet<string>): Candidate {
  const records: HeadRecord[] = [];
  for (const record of headRecords(head.text, marks)) {
    // The last record of a head that is not the whole file may be cut.
    if (!head.whole && record.newline === undefined && records.length > 0) break;
    records.push(record);
    if (records.length === sampleSize) break;
  }
  const cells = records[0]?.cells ?? [];
  const alike = records.filter((record) => record.fault === undefined && record.cells.length === cells.length).length;
  const matches = cells.filter((cell) => names.has(fold(cell))).length;
  return { delimiter: marks.delimiter, matches, share: cells.length > 1 ? alike / records.length : 0, fields: cells.length };
}

const fold = (name: string): string => name.normalize('NFC').trim().toLowerCase();
const folded = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(fold));

function looksLikeHeader(cells: readonly string[], targetNames: readonly string[]): boolean {
  const names = folded(targetNames);
  if (cells.some((cell) => names.has(fold(cell)))) return true;
  const values = cells.map((cell) => cell.trim());
  const isData = (value: string): boolean => number.test(value) || date.test(value);
  if (values.every((value) => value === '' || isData(value))) return false;
  return names.size === 0 || !values.some(isData);
}

function checkHeader(first: HeadRecord, head: Head, quote: string): void {
  const place = { file: head.shown, line: first.line };
  if (first.fault === 'unclosed') throw new Fault('SOURCE_FORMAT', `the header has a quote ${quote} that is never closed`, { place });
  if (first.fault === 'after_quote') throw new Fault('SOURCE_FORMAT', `the header has text after a closing quote ${quote}`, { place });
  if (!head.whole && first.newline === undefined) throw new Fault('SOURCE_FORMAT', 'the first line is too long for a header', { place });
  if (head.undecodable && first.cells.some((cell) => cell.includes('\uFFFD'))) {
    const fix = 'Name the encoding, for instance `--encoding latin-1`.';
    throw new Fault('SOURCE_FORMAT', 'the header is not text in the encoding of the file', { place, fix });
  }
}
