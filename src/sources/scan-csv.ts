/** Finds the records of a CSV file as the law sees them: how many, where, which are malformed; and copies the good ones. */
import { invariant } from '../core/fault.ts';
import { CsvCopy } from './csv-copy.ts';
import { CsvMachine, type MalformedRecord } from './csv-machine.ts';
import { textOf } from './decode.ts';
import { notedLines } from './noted-lines.ts';
import { checkSignal } from './read-bytes.ts';
import type { CsvDialect, SourceFile } from './source-file.ts';

export type { MalformedRecord } from './csv-machine.ts';

export interface CsvScanOptions {
  /** Fields a record must have. */
  readonly fields: number;
  /** Record numbers, ascending, whose physical line is wanted. */
  readonly want?: readonly number[] | undefined;
  /**
   * Writes the good records to this path, without header, as UTF-8 with comma, double quotes and `\n`. Every field is quoted but the
   * unquoted empty ones; values keep their bytes.
   */
  readonly copyTo?: string | undefined;
  /** Takes each malformed record as it is found; the result then lists none. For files with more of them than memory should hold. */
  readonly onMalformed?: ((record: MalformedRecord) => void) | undefined;
  /** Stop once the wanted lines are found; the other results are then those of the part that was read. */
  readonly linesOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CsvScan {
  /** Good and malformed records; the header is not counted. */
  readonly records: number;
  readonly malformed: readonly MalformedRecord[];
  /** First physical line of each wanted record that exists. */
  readonly lines: ReadonlyMap<number, number>;
}

/** Scans an examined file in constant memory. @throws SOURCE_UNREADABLE, INTERRUPTED. */
export async function scanCsv(file: SourceFile, options: CsvScanOptions): Promise<CsvScan> {
  invariant(file.csv !== undefined, 'only a CSV file with a known dialect can be scanned as CSV');
  return await scanCsvText(textOf(file, options.signal), file.csv, options);
}

/** The same over text that is at hand: UTF-8 without byte-order mark, in chunks that split no character. */
export async function scanCsvText(text: AsyncIterable<Buffer>, dialect: CsvDialect, options: CsvScanOptions): Promise<CsvScan> {
  const malformed: MalformedRecord[] = [];
  const noted = notedLines(options.want ?? []);
  const copy = options.copyTo === undefined ? undefined : new CsvCopy(options.copyTo);
  const machine = new CsvMachine({
    dialect,
    copy,
    fields: options.fields,
    onMalformed: options.onMalformed ?? ((record) => malformed.push(record)),
    onRecord: noted.note,
    linesOnly: options.linesOnly,
  });
  try {
    for await (const chunk of text) {
      checkSignal(options.signal);
      machine.feed(chunk);
      if (options.linesOnly === true && noted.lines.size >= (options.want?.length ?? 0)) break;
    }
    machine.end();
    copy?.finish();
  } catch (error) {
    copy?.abandon();
    throw error;
  }
  return { records: machine.records, malformed, lines: noted.lines };
}
