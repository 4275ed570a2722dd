/** How DuckDB reads the files of a source as text, exactly as they stand. */
import { literal } from './quote.ts';

/** Names, not patterns: DuckDB would expand `[ * ?` in a file name. */
function fileLiteral(path: string): string {
  return literal(path.replace(/[[*?]/g, '[$&]'));
}

/** A folder named `dt=2026-09-01` is no column: a record has the columns that stand in its file. */
const asTheyStand = 'hive_partitioning=false';

const fileList = (paths: readonly string[]): string => `[${paths.map(fileLiteral).join(', ')}]`;

/** DuckDB takes the names of the characters, not the characters. */
const newlineName = { '\n': '\\n', '\r\n': '\\r\\n', '\r': '\\r' } as const;

export interface CsvRead {
  readonly paths: readonly string[];
  readonly delimiter: string;
  readonly quote: string;
  readonly hasHeader: boolean;
  readonly skipLines: number;
  readonly fields: number;
  readonly newline: '\n' | '\r\n' | '\r';
  readonly compression: string;
  /** Table that takes what the reader rejects; undefined reads the same good records again without keeping the others. */
  readonly rejects?: string;
  /** Largest record in bytes. */
  readonly maxLine?: number;
}

/**
 * Every field as text in columns r0, r1, …: NULL only for an unquoted empty field. Header cells never become SQL names.
 * https://duckdb.org/docs/stable/data/csv/overview
 */
export function readCsv(read: CsvRead): string {
  const columns = Array.from({ length: read.fields }, (_, i) => `'r${i}': 'VARCHAR'`).join(', ');
  const rejects =
    read.rejects === undefined
      ? 'ignore_errors=true'
      : `store_rejects=true, rejects_table=${literal(read.rejects)}, rejects_scan=${literal(`${read.rejects}_scans`)}`;
  return (
    `read_csv(${fileList(read.paths)}, ${asTheyStand}, auto_detect=false, header=${read.hasHeader}, skip=${read.skipLines}, delim=${literal(read.delimiter)}, ` +
    `quote=${literal(read.quote)}, escape=${literal(read.quote)}, nullstr='', allow_quoted_nulls=false, compression=${literal(read.compression)}, new_line=${literal(newlineName[read.newline])}, ` +
    `${read.maxLine === undefined ? '' : `max_line_size=${read.maxLine}, buffer_size=${read.maxLine * 4}, `}${rejects}, columns={${columns}})`
  );
}

export interface LinesRead {
  readonly paths: readonly string[];
  readonly compression: string;
  readonly rejects?: string;
  readonly maxLine?: number;
}

/** Each line of a file as it stands, in a column `line`; empty lines are left out by the reader, blank ones are not. */
export function readLines(read: LinesRead): string {
  const rejects =
    read.rejects === undefined
      ? 'ignore_errors=true'
      : `store_rejects=true, rejects_table=${literal(read.rejects)}, rejects_scan=${literal(`${read.rejects}_scans`)}`;
  return (
    `read_csv(${fileList(read.paths)}, ${asTheyStand}, auto_detect=false, header=false, delim=chr(1), quote='', escape='', nullstr=chr(2), strict_mode=false, ` +
    `compression=${literal(read.compression)}, ${read.maxLine === undefined ? '' : `max_line_size=${read.maxLine}, buffer_size=${read.maxLine * 4}, `}` +
    `${rejects}, columns={'line': 'VARCHAR'})`
  );
}

/** Each element of a JSON array, or each of several objects, as it stands, in a column `json`. */
export function readJsonRecords(paths: readonly string[], layout: 'array' | 'unstructured', compression: string): string {
  return `read_json_objects(${fileList(paths)}, ${asTheyStand}, format=${literal(layout)}, compression=${literal(compression === 'none' ? 'uncompressed' : compression)}, maximum_object_size=268435456)`;
}

export function readParquet(paths: readonly string[]): string {
  return `read_parquet(${fileList(paths)}, ${asTheyStand}, binary_as_string=false)`;
}

/** Query for the elements of a Parquet file's schema, each before those inside it: `name`, and how many it has in `num_children`. */
export function parquetSchema(path: string): string {
  return `SELECT name, num_children FROM parquet_schema(${fileList([path])})`;
}

/** `$."a"[0]."b"` for keys whatever their characters, and list positions from 0. */
export function jsonPath(steps: readonly (string | number)[]): string {
  return `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step.replace(/["\\]/g, '\\$&')}"`)).join('')}`;
}
