/** One read of the source: the FROM clause of some files of a group, and how its rows are told apart again afterwards. */
import { join } from 'node:path';
import { invariant } from '../../core/fault.ts';
import type { Plan, SourceGroup } from '../../core/plan/plan.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { readCsv, readJsonRecords, readLines, readParquet } from './reader.ts';

/** A file as DuckDB gets to see it: itself, or a copy that was decoded or rewritten. */
export interface ReadableFile {
  /** Position in the files of the run. */
  readonly ordinal: number;
  readonly file: SourceFile;
  readonly path: string;
  /** Rewritten: comma, quoted, UTF-8, no header, malformed records left out. */
  readonly canonical: boolean;
  /** Decoded to UTF-8 and decompressed. */
  readonly decoded: boolean;
}

export interface Unit {
  readonly group: number;
  readonly files: readonly ReadableFile[];
  readonly maxLine?: number;
  /** FROM clause; `rejects` names the table for what the reader sets aside. */
  readonly from: (rejects?: string) => string;
  /** SQL of the file's position. */
  readonly file: string;
}

export interface UnitRequest {
  readonly plan: Plan;
  readonly group: number;
  readonly files: readonly ReadableFile[];
  /** SELECT of a table or query source. */
  readonly query?: string;
  readonly maxLine?: number;
}

export function makeUnit(request: UnitRequest): Unit {
  const { plan, group, files, query } = request;
  const shape = plan.groups[group];
  invariant(shape, 'a unit belongs to a group');
  const from = query === undefined ? fileReader(request, shape) : () => `(${query})`;
  return { group, files, from, file: fileSql(files), ...(request.maxLine === undefined ? {} : { maxLine: request.maxLine }) };
}

function fileSql(files: readonly ReadableFile[]): string {
  const [first] = files;
  if (files.length <= 1) return `${first?.ordinal ?? 0}::UINTEGER`;
  return `([${files.map((file) => file.ordinal).join(', ')}][file_index::INTEGER + 1])::UINTEGER`;
}

function fileReader({ files, maxLine }: UnitRequest, shape: SourceGroup): Unit['from'] {
  const [first] = files;
  invariant(first, 'a group of files has files');
  const paths = files.map((file) => file.path);
  const compression = first.decoded || first.canonical ? 'none' : first.file.compression;
  const several = files.length > 1 ? 'file_index, ' : '';
  const more = maxLine === undefined ? {} : { maxLine };
  if (first.file.format === 'parquet') return () => readParquet(paths);
  if (first.file.format === 'csv') {
    const csv = first.file.csv;
    const dialect =
      first.canonical || csv === undefined
        ? { delimiter: ',', quote: '"', hasHeader: false, skipLines: 0, newline: '\n' as const }
        : { delimiter: csv.delimiter, quote: csv.quote, hasHeader: csv.hasHeader, skipLines: csv.skipLines, newline: csv.newline };
    return (rejects) =>
      readCsv({ paths, compression, ...dialect, fields: shape.columns.length, ...more, ...(rejects === undefined ? {} : { rejects }) });
  }
  if (first.file.json === 'lines') {
    return (rejects) =>
      `(SELECT ${several}line FROM ${readLines({ paths, compression, ...more, ...(rejects === undefined ? {} : { rejects }) })} ` +
      `WHERE line IS NULL OR starts_with(line, '{') OR trim(line, ' ' || chr(9) || chr(13)) <> '')`;
  }
  const layout = first.file.json === 'array' ? 'array' : 'unstructured';
  return () => `(SELECT ${several}json::VARCHAR AS line FROM ${readJsonRecords(paths, layout, compression)})`;
}

/** Whether the engine would read the bytes otherwise than the law says, so that a rewritten copy is read instead. */
export const needsCanonical = (file: SourceFile): boolean => file.format === 'csv' && (file.facts.oddQuotes || file.facts.mixedNewlines);

/** Whether the engine must be given a decoded copy. */
export const needsDecoding = (file: SourceFile): boolean =>
  file.format !== 'parquet' && (file.encoding === 'utf-16le' || file.encoding === 'utf-16be' || file.encoding === 'latin-1');

export const copyPath = (scratch: string, ordinal: number, kind: 'decoded' | 'canonical'): string =>
  join(scratch, `${kind}-${ordinal}.txt`);
