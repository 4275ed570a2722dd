/**
 * Hands the records of files to the server, as they came. The embedded reader takes them apart, so that a malformed record is the same on
 * every engine, and writes them as Parquet into a folder that the server reads; what it cannot take is mended here.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, invariant } from '../../core/fault.ts';
import type { LogicalType } from '../../core/model/type.ts';
import type { Plan, SourceGroup } from '../../core/plan/plan.ts';
import type { Broken, Malformed } from '../../run/effects.ts';
import { transcode } from '../../sources/decode.ts';
import { firstInvalidRecord } from '../../sources/invalid-json.ts';
import { type CsvScan, scanCsv } from '../../sources/scan-csv.ts';
import { scanNdjson } from '../../sources/scan-json.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import { nestedExtrasSql, typedExtrasSql } from '../duckdb/nested-extras.ts';
import { unreadableParquet } from '../duckdb/parquet-fault.ts';
import { ident as readerIdent, literal as readerLiteral } from '../duckdb/quote.ts';
import { jsonLevel } from '../duckdb/raw-levels.ts';
import { copyPath, makeUnit, needsCanonical, needsDecoding, type ReadableFile, type Unit } from '../duckdb/stage-units.ts';
import { jsonExtras, jsonSources } from './raw-levels.ts';

export interface ReadRequest {
  readonly reader: Reader;
  readonly plan: Plan;
  /** All files of the run; the groups of the plan point into it. */
  readonly files: readonly SourceFile[];
  /** Folder for what is written, with one folder for each group. */
  readonly folder: string;
  readonly onProgress?: (rows: number, share: number | undefined) => void;
  readonly signal?: AbortSignal;
}

/** Where the records of a file lie: numbers from `first` on, one for each record that is not among the malformed. */
export interface FileRows {
  readonly first: number;
  readonly rows: number;
}

export interface Copied {
  readonly files: ReadonlyMap<number, FileRows>;
  readonly malformed: readonly Malformed[];
  readonly broken: readonly Broken[];
  readonly rows: number;
}

export const groupFolder = (folder: string, group: number): string => join(folder, `group-${group}`);

export async function copyFiles(request: ReadRequest): Promise<Copied> {
  const copying = new Copying(request);
  for (const [group, shape] of request.plan.groups.entries()) {
    mkdirSync(groupFolder(request.folder, group), { recursive: true });
    for (const ordinal of shape.files) await copying.add(group, ordinal);
    await copying.finish(group);
  }
  return { files: copying.files, malformed: copying.malformed, broken: copying.broken, rows: copying.rows };
}

/** Copies file by file. */
class Copying {
  readonly files = new Map<number, FileRows>();
  readonly malformed: Malformed[] = [];
  readonly broken: Broken[] = [];
  readonly #request: ReadRequest;
  rows = 0;
  #reads = 0;
  #parts = 0;

  constructor(request: ReadRequest) {
    this.#request = request;
  }

  async add(group: number, ordinal: number): Promise<void> {
    const file = this.#request.files[ordinal];
    invariant(file, 'a group points to a file of the run');
    if (file.facts.empty && file.format !== 'parquet') return;
    const whole = { ordinal, file, path: file.absolute, canonical: false, decoded: false };
    if (needsCanonical(file)) return this.#addCanonical(group, whole);
    if (!needsDecoding(file)) return this.#addReadable(group, whole);
    const path = copyPath(this.#request.reader.scratch, ordinal, 'decoded');
    await transcode(file, path);
    return this.#addReadable(group, { ...whole, path, decoded: true });
  }

  /** A group of which no file was written gets a file without rows, which tells its columns. */
  async finish(group: number): Promise<void> {
    const shape = this.#shapeOf(group);
    if (shape.files.some((ordinal) => this.files.has(ordinal))) return;
    const names =
      shape.form === 'json'
        ? ['line VARCHAR', 'malformed VARCHAR', ...this.#jsonColumns(group)]
        : shape.columns.map((column, i) => `r${i} ${emptyType(shape, column.type)}`);
    const columns = ['n BIGINT', 'file INTEGER', ...names, 'unknown VARCHAR[]'].map((column) => {
      const [name, ...type] = column.split(' ');
      return `NULL::${type.join(' ')} AS ${name}`;
    });
    await this.#write(group, `SELECT ${columns.join(', ')} WHERE false`);
  }

  #jsonColumns(group: number): readonly string[] {
    const { plan } = this.#request;
    return [
      ...jsonSources(plan, group).flatMap((_, i) => [`v${i} VARCHAR`, `a${i} BOOLEAN`]),
      ...jsonExtras(plan, group).map((position) => `x${position} VARCHAR`),
    ];
  }

  async #addReadable(group: number, readable: ReadableFile, maxLine?: number): Promise<void> {
    const { file } = readable;
    const unit = makeUnit({ plan: this.#request.plan, group, files: [readable], ...(maxLine === undefined ? {} : { maxLine }) });
    if (file.format !== 'csv' && file.json !== 'lines') return this.#addPlain(unit, readable);
    this.#reads += 1;
    const rejects = `schemalign_rejects_${this.#reads}`;
    const written = await this.#copy(unit, rejects).catch((error: unknown) => {
      const isReader = error instanceof Fault && error.code === 'ENGINE_REJECTED' && /CSV|state machine|Invalid Input/.test(error.message);
      if (isReader && file.format === 'csv') return undefined;
      throw error;
    });
    if (written === undefined) return this.#addCanonical(group, readable);
    await this.#settleRejects(unit, { readable, rejects, written });
  }

  /** A reader that sets nothing aside: Parquet, JSON documents. */
  async #addPlain(unit: Unit, { file, ordinal }: ReadableFile): Promise<void> {
    const { reader, signal } = this.#request;
    try {
      this.#keep(ordinal, (await this.#copy(unit)).rows);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'ENGINE_REJECTED') throw error;
      if (!/Malformed JSON|JSON in file/.test(error.message)) throw await unreadableParquet(reader, [file], error);
      const broken = await firstInvalidRecord(file, signal);
      if (broken === undefined)
        throw new Fault('SOURCE_FORMAT', 'the reader cannot parse this JSON', { cause: error, place: { file: file.path } });
      this.broken.push({ file: ordinal, ...broken });
    }
  }

  async #settleRejects(
    unit: Unit,
    { readable, rejects, written }: { readable: ReadableFile; rejects: string; written: Written },
  ): Promise<void> {
    const { reader } = this.#request;
    const found = await reader.one(
      `SELECT count(*) AS n, coalesce(bool_or(error_type = 'LINE SIZE OVER MAXIMUM'), false) AS long FROM ${rejects}`,
    );
    if (found['n'] === '0') return this.#keep(readable.ordinal, written.rows);
    if (unit.maxLine === undefined && found['long'] === true) {
      rmSync(written.path);
      return this.#addReadable(unit.group, readable, longLine);
    }
    const malformed = await this.#explainRejects(unit.group, readable, written.rows);
    if (malformed === undefined) {
      rmSync(written.path);
      return this.#addCanonical(unit.group, readable);
    }
    this.malformed.push(...malformed);
    this.#keep(readable.ordinal, written.rows);
  }

  /** Finds record number, line and text of what the reader set aside. Undefined when the two do not agree on the records. */
  async #explainRejects(group: number, { file, ordinal }: ReadableFile, accepted: number): Promise<readonly Malformed[] | undefined> {
    const { signal } = this.#request;
    const options = signal ? { signal } : {};
    if (file.json === 'lines') {
      const scan = await scanNdjson(file, { want: [], ...options });
      if (scan.malformed.length > 0)
        return scan.malformed.map(({ record, line, raw }) => ({ file: ordinal, record, line, raw, reason: 'encoding' }));
      throw new Fault('SOURCE_FORMAT', 'the records of the file cannot be told apart', { place: { file: file.path } });
    }
    const scan = await scanCsv(file, { fields: this.#shapeOf(group).columns.length, ...options });
    if (scan.records - scan.malformed.length !== accepted) return undefined;
    return scan.malformed.map((record) => ({ ...record, file: ordinal }));
  }

  /** The good records of a file rewritten into a plain form that no reader can misread. */
  async #addCanonical(group: number, { file, ordinal }: ReadableFile): Promise<void> {
    const { plan, reader, signal } = this.#request;
    const path = copyPath(reader.scratch, ordinal, 'canonical');
    const scan: CsvScan = await scanCsv(file, { fields: file.csv?.header.length ?? 0, copyTo: path, ...(signal ? { signal } : {}) });
    this.malformed.push(...scan.malformed.map((record) => ({ ...record, file: ordinal })));
    const good = scan.records - scan.malformed.length;
    if (good === 0) return;
    const readable = { ordinal, file, path, canonical: true, decoded: true };
    const { rows } = await this.#copy(makeUnit({ plan, group, files: [readable], maxLine: longLine }));
    invariant(rows === good, `${file.path}: ${good} records were found, but ${rows} were read`);
    this.#keep(ordinal, rows);
  }

  #shapeOf(group: number): SourceGroup {
    const shape = this.#request.plan.groups[group];
    invariant(shape, 'a unit belongs to a group');
    return shape;
  }

  #keep(ordinal: number, rows: number): void {
    this.files.set(ordinal, { first: this.rows + 1, rows });
    this.rows += rows;
    this.#request.onProgress?.(this.rows, undefined);
  }

  async #copy(unit: Unit, rejects?: string): Promise<Written> {
    const { reader } = this.#request;
    const watch = setInterval(() => this.#request.onProgress?.(this.rows, reader.progress()), progressEvery);
    return this.#write(unit.group, this.#select(unit, rejects)).finally(() => clearInterval(watch));
  }

  async #write(group: number, select: string): Promise<Written> {
    const { reader, folder } = this.#request;
    this.#parts += 1;
    const path = join(groupFolder(folder, group), `part-${String(this.#parts).padStart(6, '0')}.parquet`);
    const done = await reader.one(`COPY (${select}) TO ${readerLiteral(path)} (FORMAT parquet)`);
    return { path, rows: Number(done['Count']) };
  }

  /** Query of the reader: number and file of each record, its raw values, and the names in it that the plan does not know. */
  #select(unit: Unit, rejects: string | undefined): string {
    const shape = this.#shapeOf(unit.group);
    const n = `${this.rows} + row_number() OVER () AS n, ${unit.files[0]?.ordinal ?? 0}::INTEGER AS file`;
    const from = unit.from(rejects);
    if (shape.form === 'json') return this.#jsonSelect(unit.group, { n, from });
    if (shape.form === 'text') {
      const values = shape.columns.map((_, i) => `, r${i}`).join('');
      // A blank line is no record; where there is one column it comes as a record without a value.
      return `SELECT ${n}${values}, NULL::VARCHAR[] AS unknown FROM ${from}${shape.columns.length === 1 ? ' WHERE r0 IS NOT NULL' : ''}`;
    }
    const values = shape.columns.map((column, i) => `${typedValue(readerIdent(column.readAs ?? column.name), column.type)} AS r${i}`);
    const unknown = this.#unknownTyped(unit.group);
    return `SELECT ${[n, ...values, `${unknown} AS unknown`].join(', ')} FROM ${from}`;
  }

  #unknownTyped(group: number): string {
    const { plan } = this.#request;
    const shape = this.#shapeOf(group);
    const lists = plan.columns.flatMap(({ sources, target }) => {
      const source = sources[group];
      const column = source ? shape.columns[source.index] : undefined;
      if (!source || column === undefined || source.coercion.from.form !== 'typed') return [];
      return (
        typedExtrasSql(readerIdent(column.readAs ?? column.name), { from: source.coercion.from.type, to: target.type }, target.name) ?? []
      );
    });
    return oneList(lists);
  }

  #jsonSelect(group: number, { n, from }: { n: string; from: string }): string {
    const { plan, files } = this.#request;
    const shape = this.#shapeOf(group);
    const sources = jsonSources(plan, group);
    const extras = jsonExtras(plan, group);
    const used = new Set([...sources.map((source) => source.index), ...extras]);
    const numberMark = `#${files
      .map((file) => file.sha256.slice(0, 12))
      .join('')
      .slice(0, 24)}#`;
    // The tokens leave the reader as they are written, digit by digit.
    const level = jsonLevel({ group: shape, numberMark, used, exactText: used });
    const token = (value: string): string =>
      `CASE WHEN contains(${value}, ${readerLiteral(numberMark)}) THEN regexp_replace(${value}, ${readerLiteral(`"${numberMark}([^"]*)"`)}, '\\1', 'g') ELSE ${value} END`;
    const values = [
      ...sources.flatMap((source, i) => [`${token(level.raw(source))} AS v${i}`, `coalesce(${level.absent(source)}, false) AS a${i}`]),
      ...extras.map((position) => `${level.extra(position)} AS x${position}`),
    ];
    const nested = plan.columns.flatMap(({ sources: planned, target }) => {
      const source = planned[group];
      return source ? (nestedExtrasSql(level.raw(source), target.type, target.name) ?? []) : [];
    });
    const unknown = oneList([...nested, ...(level.unknownKeys === undefined ? [] : [level.unknownKeys])]);
    const list = [n, 'line', `${level.malformed ?? 'NULL'} AS malformed`, ...values];
    // Where a record is malformed, nothing in it is looked for.
    return (
      `SELECT * EXCLUDE (u), CASE WHEN malformed IS NULL THEN u END AS unknown ` +
      `FROM (SELECT ${list.join(', ')}, ${unknown} AS u FROM (${level.sql({ from, file: '0' })}))`
    );
  }
}

interface Written {
  readonly path: string;
  readonly rows: number;
}

/** NULL for a record without unknown names. */
function oneList(lists: readonly string[]): string {
  if (lists.length === 0) return 'NULL::VARCHAR[]';
  const all = lists.length === 1 ? `${lists[0]}` : `list_distinct(flatten([${lists.join(', ')}]))`;
  return `CASE WHEN len(${all}) > 0 THEN ${all} END`;
}

/** What Parquet or Spark has no type for travels as text. */
const asText = new Set<LogicalType['kind']>(['time', 'uuid', 'json', 'unknown']);

function typedValue(column: string, type: LogicalType | undefined): string {
  return type === undefined || asText.has(type.kind) ? `${column}::VARCHAR` : column;
}

function emptyType(shape: SourceGroup, type: LogicalType | undefined): string {
  const plain: Partial<Record<LogicalType['kind'], string>> = {
    boolean: 'BOOLEAN',
    int: 'BIGINT',
    float: 'DOUBLE',
    date: 'DATE',
    timestamp: 'TIMESTAMP',
    timestamptz: 'TIMESTAMPTZ',
    binary: 'BLOB',
  };
  if (shape.form === 'text' || type === undefined) return 'VARCHAR';
  return type.kind === 'decimal' ? `DECIMAL(${type.precision},${type.scale})` : (plain[type.kind] ?? 'VARCHAR');
}

/** Milliseconds between two looks at the progress of a statement. */
const progressEvery = 200;

/** Bytes that a record may take where the reader's usual two million are not enough. */
const longLine = 33_554_432;
