/** Stages a source: one pass that reads, casts, flags and keeps what the later steps need, outside of any transaction. */
import { Fault, invariant } from '../../core/fault.ts';
import type { SourceGroup } from '../../core/plan/plan.ts';
import { transcode } from '../../sources/decode.ts';
import { type CsvScan, scanCsv } from '../../sources/scan-csv.ts';
import { firstInvalidRecord } from '../../sources/invalid-json.ts';
import { scanNdjson } from '../../sources/scan-json.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { CoerceContext } from './coerce/sql-coercion.ts';
import type { Session } from './driver.ts';
import { unreadableParquet } from './parquet-fault.ts';
import { buildSql, createStage, type GroupSql, type StagedUnit, type StageRequest } from './stage-build.ts';
import { layoutStage, type StageLayout, stageTable } from './stage-columns.ts';
import { keepFlagged, keptColumns } from './stage-flagged.ts';
import { NotePool } from './stage-sql.ts';
import { copyPath, makeUnit, needsCanonical, needsDecoding, type ReadableFile, type Unit } from './stage-units.ts';

/** A record that is no row: it never reached the staging table. */
export interface MalformedRecord {
  readonly file: number;
  readonly record: number;
  readonly line: number;
  readonly reason: string;
  readonly raw: string;
}

/** A document whose structure breaks off, so that its records cannot be told apart. */
export interface BrokenDocument {
  readonly file: number;
  readonly record: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Staged {
  readonly layout: StageLayout;
  readonly notes: NotePool;
  readonly units: readonly StagedUnit[];
  readonly malformed: readonly MalformedRecord[];
  readonly broken: readonly BrokenDocument[];
}

export async function stageSource(request: StageRequest): Promise<Staged> {
  const { session, plan } = request;
  const units = await firstUnits(request);
  const kept = await keptColumns(request, units);
  const layout = layoutStage(plan, request.rescue, [...new Map([...kept.values()].map((column) => [column.name, column])).values()]);
  const notes = new NotePool();
  const build = { request, layout, notes, context: contextOf(request), kept };
  const groups = plan.groups.map((_, group) => buildSql(build, group, false));
  const exact = (group: number): GroupSql => buildSql(build, group, true);
  await session.run(createStage(layout, notes));
  const staging = new Staging(request, { of: (group) => groups[group] as GroupSql, exact });
  for (const unit of units) await staging.add(unit);
  await keepFlagged(session, staging.units, layout.kept);
  return { layout, notes, units: staging.units, malformed: staging.malformed, broken: staging.broken };
}

function contextOf({ files }: StageRequest): CoerceContext {
  const digest = files
    .map((file) => file.sha256.slice(0, 12))
    .join('')
    .slice(0, 24);
  return { nul: files.length === 0 || files.some((file) => file.format === 'parquet' || file.facts.nul), numberMark: `#${digest || 'n'}#` };
}

async function firstUnits(request: StageRequest): Promise<readonly Unit[]> {
  const { plan, files, session } = request;
  const units: Unit[] = [];
  for (const [group, shape] of plan.groups.entries()) {
    if (request.query !== undefined) units.push(makeUnit({ plan, group, files: [], query: request.query }));
    else for (const part of await readableFiles(session, shape, files)) units.push(makeUnit({ plan, group, files: part }));
  }
  return units;
}

/** The files of a group as the engine can read them, in parts that one call of a reader can take. Empty files are left out. */
export async function readableFiles(
  session: Session,
  shape: SourceGroup,
  files: readonly SourceFile[],
): Promise<readonly (readonly ReadableFile[])[]> {
  const readable: ReadableFile[] = [];
  for (const ordinal of shape.files) {
    const file = files[ordinal];
    invariant(file, 'a group points to a file of the run');
    if (!file.facts.empty || file.format === 'parquet') readable.push(await readableFile(session, ordinal, file));
  }
  return partByReader(readable, shape);
}

/** Files that one call of a reader can take together. */
function partByReader(files: readonly ReadableFile[], shape: SourceGroup): readonly (readonly ReadableFile[])[] {
  const parts = new Map<string, ReadableFile[]>();
  // A typed column of this name hides the one in which the reader counts its files.
  const hidesFiles = shape.form === 'typed' && shape.columns.some(({ name, readAs }) => (readAs ?? name).toLowerCase() === 'file_index');
  for (const file of files) {
    const key =
      file.canonical || hidesFiles
        ? `alone ${file.ordinal}`
        : `${file.decoded} ${file.file.compression} ${file.file.json ?? ''} ${file.file.csv?.skipLines ?? 0}`;
    const part = parts.get(key) ?? [];
    part.push(file);
    parts.set(key, part);
  }
  return [...parts.values()];
}

async function readableFile(session: Session, ordinal: number, file: SourceFile): Promise<ReadableFile> {
  if (needsCanonical(file)) return canonicalFile(session, { ordinal, file, path: file.absolute, canonical: false, decoded: false });
  if (!needsDecoding(file)) return { ordinal, file, path: file.absolute, canonical: false, decoded: false };
  const path = copyPath(session.scratch, ordinal, 'decoded');
  await transcode(file, path);
  return { ordinal, file, path, canonical: false, decoded: true };
}

/** Scans of the files that were rewritten in a session, by position. */
const copies = new WeakMap<Session, Map<number, CsvScan>>();

/** The good records of a file rewritten into a plain form that no reader can misread. A file is rewritten once in a session. */
export async function canonicalFile(session: Session, readable: ReadableFile, signal?: AbortSignal): Promise<ReadableFile> {
  const { file, ordinal } = readable;
  const path = copyPath(session.scratch, ordinal, 'canonical');
  const known = copies.get(session) ?? new Map<number, CsvScan>();
  copies.set(session, known);
  if (!known.has(ordinal))
    known.set(ordinal, await scanCsv(file, { fields: file.csv?.header.length ?? 0, copyTo: path, ...(signal ? { signal } : {}) }));
  return { ordinal, file, path, canonical: true, decoded: true };
}

/** Fills the staging table unit by unit, and mends units in which the engine's reader met something it cannot take. */
class Staging {
  readonly units: StagedUnit[] = [];
  readonly malformed: MalformedRecord[] = [];
  readonly broken: BrokenDocument[] = [];
  readonly #request: StageRequest;
  readonly #build: { readonly of: (group: number) => GroupSql; readonly exact: (group: number) => GroupSql };
  #rows = 0;
  #reads = 0;

  constructor(request: StageRequest, build: { readonly of: (group: number) => GroupSql; readonly exact: (group: number) => GroupSql }) {
    this.#request = request;
    this.#build = build;
  }

  async add(unit: Unit): Promise<void> {
    const [first] = unit.files;
    if (first?.canonical === true) return this.#addCanonical(first, unit.group);
    const format = first?.file.format;
    if (format !== 'csv' && first?.file.json !== 'lines') return this.#addPlain(unit);
    this.#reads += 1;
    const rejects = `schemalign_rejects_${this.#reads}`;
    const staged = await this.#tryInsert(unit, rejects);
    if (staged === undefined) return this.#addEach(unit);
    await this.#settleRejects(staged, rejects);
  }

  /** A reader that sets nothing aside: Parquet, tables, JSON documents. */
  async #addPlain(unit: Unit): Promise<void> {
    try {
      this.units.push(await this.#insert(unit));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'ENGINE_REJECTED') throw error;
      if (/Malformed JSON|JSON in file/.test(error.message)) await this.#findBreak(unit, error);
      else
        throw await unreadableParquet(
          this.#request.session,
          unit.files.map(({ file }) => file),
          error,
        );
    }
  }

  async #findBreak(unit: Unit, error: Fault): Promise<void> {
    for (const { file, ordinal } of unit.files) {
      const broken = await firstInvalidRecord(file, this.#request.signal);
      if (broken) this.broken.push({ file: ordinal, ...broken });
    }
    const [first] = unit.files;
    if (this.broken.length > 0 || first === undefined) return;
    throw new Fault('SOURCE_FORMAT', 'the engine cannot parse this JSON', { cause: error, place: { file: first.file.path } });
  }

  /** Undefined when the reader gave up on the form of a file. */
  async #tryInsert(unit: Unit, rejects: string): Promise<StagedUnit | undefined> {
    try {
      return await this.#insert(unit, rejects);
    } catch (error) {
      const isReader = error instanceof Fault && error.code === 'ENGINE_REJECTED' && /CSV|state machine|Invalid Input/.test(error.message);
      if (isReader && unit.files.every((file) => file.file.format === 'csv' && !file.canonical)) return undefined;
      throw error;
    }
  }

  async #addEach(unit: Unit): Promise<void> {
    for (const file of unit.files) await this.#addCanonical(file, unit.group);
  }

  async #insert(unit: Unit, rejects?: string): Promise<StagedUnit> {
    const { session } = this.#request;
    const built = this.#build.of(unit.group);
    const select = built.sql.select({ from: unit.from(rejects), file: unit.file });
    const watch = setInterval(() => this.#request.onProgress?.(this.#rows, session.progress()), progressEvery);
    const result = await session.one(`INSERT INTO ${stageTable} ${select}`).finally(() => clearInterval(watch));
    const rows = Number(result['Count']);
    const staged = { ...unit, firstRow: this.#rows, rows, ...built, exact: () => this.#build.exact(unit.group) };
    this.#rows += rows;
    this.#request.onProgress?.(this.#rows, undefined);
    return staged;
  }

  async #settleRejects(unit: StagedUnit, rejects: string): Promise<void> {
    const { session } = this.#request;
    const found = await session.rows(
      `SELECT file_id, count(DISTINCT line_byte_position) AS n, bool_or(error_type = 'LINE SIZE OVER MAXIMUM') AS long FROM ${rejects} GROUP BY file_id`,
    );
    if (found.length === 0) return void this.units.push(unit);
    if (unit.maxLine === undefined && found.some((row) => row['long'] === true)) return this.#again(unit);
    const bad = new Set(found.map((row) => Number(row['file_id'])));
    const counts = await session.rows(`SELECT file, count(*) AS n FROM ${stageTable} WHERE rowid >= ${unit.firstRow} GROUP BY file`);
    const accepted = new Map(counts.map((row) => [Number(row['file']), Number(row['n'])]));
    for (const [position, readable] of unit.files.entries()) {
      if (!bad.has(position)) continue;
      const agrees = await this.#explainRejects(readable, unit.group, accepted.get(readable.ordinal) ?? 0);
      if (!agrees) return this.#restage(unit);
    }
    this.units.push(unit);
  }

  /** Reads again with room for longer records. */
  async #again(unit: StagedUnit): Promise<void> {
    await this.#forget(unit);
    await this.add(makeUnit({ plan: this.#request.plan, group: unit.group, files: unit.files, maxLine: longLine }));
  }

  async #restage(unit: StagedUnit): Promise<void> {
    await this.#forget(unit);
    const ordinals = new Set(unit.files.map((file) => file.ordinal));
    this.malformed.splice(0, this.malformed.length, ...this.malformed.filter((record) => !ordinals.has(record.file)));
    if (unit.files.some((file) => file.file.format !== 'csv')) {
      throw new Fault('SOURCE_FORMAT', 'the records of the file cannot be told apart', { place: { file: unit.files[0]?.file.path ?? '' } });
    }
    await this.#addEach(unit);
  }

  async #forget(unit: StagedUnit): Promise<void> {
    await this.#request.session.run(`DELETE FROM ${stageTable} WHERE rowid >= ${unit.firstRow}`);
  }

  /** Finds record number, line and text of what the reader set aside. False when the two do not agree on the records. */
  async #explainRejects(readable: ReadableFile, group: number, accepted: number): Promise<boolean> {
    const { plan, signal } = this.#request;
    const options = signal ? { signal } : {};
    if (readable.file.json === 'lines') {
      const scan = await scanNdjson(readable.file, { want: [], ...options });
      this.malformed.push(
        ...scan.malformed.map((record) => ({
          file: readable.ordinal,
          record: record.record,
          line: record.line,
          raw: record.raw,
          reason: 'encoding',
        })),
      );
      return scan.malformed.length > 0;
    }
    const scan = await scanCsv(readable.file, { fields: plan.groups[group]?.columns.length ?? 0, ...options });
    this.malformed.push(...scan.malformed.map((record) => ({ ...record, file: readable.ordinal })));
    return scan.records - scan.malformed.length === accepted;
  }

  async #addCanonical(readable: ReadableFile, group: number): Promise<void> {
    const { plan, session, signal } = this.#request;
    const file = await canonicalFile(session, readable, signal);
    const scan = copies.get(session)?.get(readable.ordinal);
    invariant(scan, 'a rewritten file was scanned');
    this.malformed.push(...scan.malformed.map((record) => ({ ...record, file: readable.ordinal })));
    const good = scan.records - scan.malformed.length;
    if (good === 0) return;
    const staged = await this.#insert(makeUnit({ plan, group, files: [file], maxLine: longLine }));
    invariant(staged.rows === good, `${readable.file.path}: ${good} records were found, but ${staged.rows} were read`);
    this.units.push(staged);
  }
}

/** Milliseconds between two looks at the progress of a statement. */
const progressEvery = 200;

/** Bytes that a record may take where the reader's usual two million are not enough. */
const longLine = 33_554_432;
