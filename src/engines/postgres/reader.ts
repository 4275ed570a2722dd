/**
 * Copies the records of a source, as they came, into tables of the server. Files are read by the embedded reader, so that a malformed record is
 * the same on every engine; what that reader cannot take is mended here.
 */
import { Fault, invariant } from '../../core/fault.ts';
import type { Plan, SourceGroup } from '../../core/plan/plan.ts';
import type { Broken, Malformed } from '../../run/effects.ts';
import { transcode } from '../../sources/decode.ts';
import { firstInvalidRecord } from '../../sources/invalid-json.ts';
import { type CsvScan, scanCsv } from '../../sources/scan-csv.ts';
import { scanNdjson } from '../../sources/scan-json.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import { unreadableParquet } from '../duckdb/parquet-fault.ts';
import { ident as readerIdent } from '../duckdb/quote.ts';
import { jsonLevel } from '../duckdb/raw-levels.ts';
import { copyPath, makeUnit, needsCanonical, needsDecoding, type ReadableFile, type Unit } from '../duckdb/stage-units.ts';
import type { Session } from './driver.ts';
import { rawColumns } from './raw-levels.ts';
import { jsonWithoutNul, type NulMark, withoutNul, writeTyped } from './raw-types.ts';
import { rawTable } from './stage-columns.ts';
import { transfer } from './transfer.ts';

export interface ReadRequest {
  readonly session: Session;
  readonly reader: Reader;
  readonly plan: Plan;
  /** All files of the run; the groups of the plan point into it. */
  readonly files: readonly SourceFile[];
  readonly nul: NulMark;
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

/** Most columns that a table can have, less those that are ours. https://www.postgresql.org/docs/current/limits.html */
const mostColumns = 1_590;

/** Makes the raw table of a group. */
export async function createRaw(session: Session, group: number, shape: SourceGroup): Promise<void> {
  const columns = rawColumns(shape);
  if (columns.length > mostColumns)
    throw new Fault('GAP', `the source has ${columns.length} columns, and a table of PostgreSQL can hold ${mostColumns} of them`, {
      fix: 'Leave columns out, or load into another engine.',
    });
  const list = ['n bigint', 'file integer', ...columns.map(({ name, type }) => `${name} ${type}`)];
  await session.run(
    `DROP TABLE IF EXISTS ${rawTable(group)}; CREATE TEMP TABLE ${rawTable(group).replace('pg_temp.', '')} (${list.join(', ')})`,
  );
}

export async function copyFiles(request: ReadRequest): Promise<Copied> {
  const copying = new Copying(request);
  for (const [group, shape] of request.plan.groups.entries()) {
    await createRaw(request.session, group, shape);
    for (const ordinal of shape.files) await copying.add(group, ordinal);
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

  async #addReadable(group: number, readable: ReadableFile, maxLine?: number): Promise<void> {
    const { file } = readable;
    const unit = makeUnit({ plan: this.#request.plan, group, files: [readable], ...(maxLine === undefined ? {} : { maxLine }) });
    if (file.format !== 'csv' && file.json !== 'lines') return this.#addPlain(unit, readable);
    this.#reads += 1;
    const rejects = `schemalign_rejects_${this.#reads}`;
    const rows = await this.#copy(unit, rejects).catch((error: unknown) => {
      const isReader = error instanceof Fault && error.code === 'ENGINE_REJECTED' && /CSV|state machine|Invalid Input/.test(error.message);
      if (isReader && file.format === 'csv') return undefined;
      throw error;
    });
    if (rows === undefined) return this.#addCanonical(group, readable);
    await this.#settleRejects(unit, { readable, rejects, rows });
  }

  /** A reader that sets nothing aside: Parquet, JSON documents. */
  async #addPlain(unit: Unit, { file, ordinal }: ReadableFile): Promise<void> {
    const { reader, signal } = this.#request;
    try {
      this.#keep(ordinal, await this.#copy(unit));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'ENGINE_REJECTED') throw error;
      if (!/Malformed JSON|JSON in file/.test(error.message)) throw await unreadableParquet(reader, [file], error);
      const broken = await firstInvalidRecord(file, signal);
      if (broken === undefined)
        throw new Fault('SOURCE_FORMAT', 'the reader cannot parse this JSON', { cause: error, place: { file: file.path } });
      this.broken.push({ file: ordinal, ...broken });
    }
  }

  async #settleRejects(unit: Unit, { readable, rejects, rows }: { readable: ReadableFile; rejects: string; rows: number }): Promise<void> {
    const { reader } = this.#request;
    const found = await reader.one(
      `SELECT count(*) AS n, coalesce(bool_or(error_type = 'LINE SIZE OVER MAXIMUM'), false) AS long FROM ${rejects}`,
    );
    if (found['n'] === '0') return this.#keep(readable.ordinal, rows);
    if (unit.maxLine === undefined && found['long'] === true) {
      await this.#forget(unit, readable);
      return this.#addReadable(unit.group, readable, longLine);
    }
    const malformed = await this.#explainRejects(unit.group, readable, rows);
    if (malformed === undefined) {
      await this.#forget(unit, readable);
      return this.#addCanonical(unit.group, readable);
    }
    this.malformed.push(...malformed);
    this.#keep(readable.ordinal, rows);
  }

  /** Finds record number, line and text of what the reader set aside. Undefined when the two do not agree on the records. */
  async #explainRejects(group: number, { file, ordinal }: ReadableFile, accepted: number): Promise<readonly Malformed[] | undefined> {
    const { plan, signal } = this.#request;
    const options = signal ? { signal } : {};
    if (file.json === 'lines') {
      const scan = await scanNdjson(file, { want: [], ...options });
      if (scan.malformed.length > 0)
        return scan.malformed.map(({ record, line, raw }) => ({ file: ordinal, record, line, raw, reason: 'encoding' }));
      throw new Fault('SOURCE_FORMAT', 'the records of the file cannot be told apart', { place: { file: file.path } });
    }
    const scan = await scanCsv(file, { fields: plan.groups[group]?.columns.length ?? 0, ...options });
    if (scan.records - scan.malformed.length !== accepted) return undefined;
    return scan.malformed.map((record) => ({ ...record, file: ordinal }));
  }

  /** The good records of a file rewritten into a plain form that no reader can misread. */
  async #addCanonical(group: number, { file, ordinal }: ReadableFile): Promise<void> {
    const { plan, reader, signal } = this.#request;
    const path = copyPath(reader.scratch, ordinal, 'canonical');
    const fields = file.csv?.header.length ?? 0;
    const scan: CsvScan = await scanCsv(file, { fields, copyTo: path, ...(signal ? { signal } : {}) });
    this.malformed.push(...scan.malformed.map((record) => ({ ...record, file: ordinal })));
    const good = scan.records - scan.malformed.length;
    if (good === 0) return;
    const readable = { ordinal, file, path, canonical: true, decoded: true };
    const rows = await this.#copy(makeUnit({ plan, group, files: [readable], maxLine: longLine }));
    invariant(rows === good, `${file.path}: ${good} records were found, but ${rows} were read`);
    this.#keep(ordinal, rows);
  }

  #keep(ordinal: number, rows: number): void {
    this.files.set(ordinal, { first: this.rows + 1, rows });
    this.rows += rows;
    this.#request.onProgress?.(this.rows, undefined);
  }

  async #forget(unit: Unit, { ordinal }: ReadableFile): Promise<void> {
    await this.#request.session.run(`DELETE FROM ${rawTable(unit.group)} WHERE file = ${ordinal}`);
  }

  async #copy(unit: Unit, rejects?: string): Promise<number> {
    const { session, reader, plan } = this.#request;
    const shape = plan.groups[unit.group];
    const ordinal = unit.files[0]?.ordinal ?? 0;
    invariant(shape, 'a unit belongs to a group');
    const columns = ['n', ...rawColumns(shape).map(({ name }) => name)];
    await session.run(`ALTER TABLE ${rawTable(unit.group)} ALTER COLUMN file SET DEFAULT ${ordinal}`);
    const watch = setInterval(() => this.#request.onProgress?.(this.rows, reader.progress()), progressEvery);
    return transfer({
      reader,
      session,
      select: this.#select(unit, shape, rejects),
      into: `${rawTable(unit.group)} (${columns.join(', ')})`,
    }).finally(() => clearInterval(watch));
  }

  /** Query of the reader: the number of each record, and its raw values. */
  #select(unit: Unit, shape: SourceGroup, rejects: string | undefined): string {
    const { nul } = this.#request;
    const n = `${this.rows} + row_number() OVER () AS n`;
    const from = unit.from(rejects);
    if (shape.form === 'json') return jsonSelect({ shape, n, from, nul });
    if (shape.form === 'typed') {
      const values = shape.columns.map(({ name, readAs, type }) =>
        writeTyped(readerIdent(readAs ?? name), type ?? { kind: 'unknown', text: '' }, nul),
      );
      return `SELECT ${[n, ...values].join(', ')} FROM ${from}`;
    }
    const holdsNul = unit.files[0]?.file.facts.nul === true;
    const values = shape.columns.map((_, i) => (holdsNul ? withoutNul(`r${i}`, nul) : `r${i}`));
    // A blank line is no record; where there is one column it comes as a record without a value.
    return `SELECT ${[n, ...values].join(', ')} FROM ${from}${values.length === 1 ? ' WHERE r0 IS NOT NULL' : ''}`;
  }
}

interface JsonSelect {
  readonly shape: SourceGroup;
  readonly n: string;
  readonly from: string;
  readonly nul: NulMark;
}

/** The record as it stands, why it is malformed, and the keys that the plan does not know. */
function jsonSelect({ shape, n, from, nul }: JsonSelect): string {
  const level = jsonLevel({ group: shape, numberMark: '', used: new Set(), exactText: new Set() });
  const line = jsonWithoutNul(withoutNul('line', nul), nul);
  const unknown = jsonWithoutNul(`to_json(${level.unknownKeys ?? 'NULL'})::VARCHAR`, nul);
  return `SELECT ${n}, ${line}, ${level.malformed ?? 'NULL'}, nullif(${unknown}, '[]') FROM (${level.sql({ from, file: '0' })})`;
}

/** Milliseconds between two looks at the progress of a statement. */
const progressEvery = 200;

/** Bytes that a record may take where the reader's usual two million are not enough. */
const longLine = 33_554_432;
