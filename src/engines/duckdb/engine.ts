import { resolve } from 'node:path';
import { Fault, invariant } from '../../core/fault.ts';
import { builtInRule } from '../../core/model/policy.ts';
import type { Column } from '../../core/model/schema.ts';
import { printType } from '../../core/model/type-text.ts';
import type { Plan, SourceGroup } from '../../core/plan/plan.ts';
import type { Engine, Inferred, OpenRequest, SourceInput, StageInput, Statement, TargetDescription } from '../../run/engine.ts';
import { firstInvalidRecord } from '../../sources/invalid-json.ts';
import { readLedger, readRuns, writeAudit, writeQuarantine } from './audit.ts';
import { changeSql } from './changes.ts';
import { coerceSql } from './coerce/coerce.ts';
import { sqlType } from './coerce/sql-type.ts';
import { databaseExists, makeDatabase, openSession, removeDatabase, type Session } from './driver.ts';
import { countEffects, type Origins, readOrigins } from './effects.ts';
import { decideFates, type Fates } from './fates.ts';
import { inferTypes, type InferUnit } from './infer.ts';
import { describeTable, parseTableName, tableSql } from './introspect.ts';
import { predictLoad } from './predict.ts';
import { applyLoad, deleteSql, insertSql, type LoadContext, mergeSql, partitionEffects } from './load.ts';
import { literal } from './quote.ts';
import { querySql, sourceShapes } from './shapes.ts';
import { stageTable } from './stage-columns.ts';
import { canonicalFile, readableFiles, stageSource, type Staged } from './stage.ts';
import { makeUnit, type ReadableFile, type Unit } from './stage-units.ts';
import { verifyLoad } from './verify.ts';
import { rawSelect } from './raw-levels.ts';

/** What one run has staged. */
interface Work {
  readonly plan: Plan;
  readonly staged: Staged;
  readonly fates: Fates;
  readonly origins: Origins;
  readonly source: SourceInput;
}

/** The file behind `duckdb:FILE`, `FILE.duckdb` or `:memory:`. */
const filePath = (url: string): string => {
  const path = url.replace(/^duckdb:(\/\/)?/, '');
  return path === ':memory:' || path === '' ? ':memory:' : resolve(path);
};

/** Opens the database for one run. A database that does not exist is only made by a run that may write. */
export async function openDuckdb(request: OpenRequest): Promise<Engine> {
  const path = filePath(request.url);
  const isThere = databaseExists(path);
  const inMemory = (request.readOnly || !request.mayCreate) && !isThere;
  let kept = isThere || inMemory || path === ':memory:' || !(await makeDatabase(path));
  const session = await openSession(inMemory ? ':memory:' : path, {
    readOnly: request.readOnly && !inMemory,
    ...(request.memoryLimit === undefined ? {} : { memoryLimit: request.memoryLimit }),
    ...(request.sessionTimezone === undefined ? {} : { sessionTimezone: request.sessionTimezone }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const engine = makeEngine(session, request.url, request.signal);
  return {
    ...engine,
    isMissing: !isThere && path !== ':memory:',
    commit: async () => {
      await engine.commit();
      kept = true;
    },
    close: async () => {
      if (!kept) removeDatabase(path);
      await engine.close();
    },
  };
}

function makeEngine(session: Session, url: string, signal: AbortSignal | undefined): Engine {
  let work: Work | undefined;
  const current = (): LoadContext => {
    invariant(work, 'the source is staged before it is loaded');
    return { session, plan: work.plan, layout: work.staged.layout, fates: work.fates };
  };
  return {
    name: 'duckdb',
    url,
    defaultSchema: 'main',
    typeName: sqlType,
    describe: (table) => describe(session, table),
    tables: async () =>
      (
        await session.rows(
          "SELECT schema_name || '.' || table_name AS t FROM duckdb_tables() WHERE NOT temporary AND NOT internal ORDER BY t",
        )
      ).map((row) => String(row['t'])),
    shapes: (source) => sourceShapes(session, source),
    infer: (source, groups, sample) => infer(session, { source, groups, sample }),
    defaultSql: (column, text) => defaultSql(session, column, text),
    stage: async (input) => {
      work = await stage(session, input, signal);
      const { plan, staged, fates, origins } = work;
      return countEffects({ session, plan, staged, fates, origins, maxExamples: input.maxExamples });
    },
    partitionsBefore: () => partitionEffects(current()),
    begin: async () => {
      await session.run('BEGIN TRANSACTION');
      return false;
    },
    commit: () => session.commit(),
    rollback: () => session.run('ROLLBACK'),
    changeSql,
    changeSchema: async (statements) => {
      for (const statement of statements) await session.run(statement);
    },
    predict: (_plan, exists) => predictLoad(current(), exists),
    apply: () => applyLoad(current()),
    quarantine: async (audit, run, effects) => {
      invariant(work, 'the source is staged before it is loaded');
      await writeQuarantine(session, {
        audit,
        ...run,
        effects,
        files: work.source.files,
        staged: work.staged,
        origins: work.origins,
        keyPath: work.plan.key.join(','),
        partitionPath: work.plan.partition?.columns.join(',') ?? '',
      });
    },
    verify: async (_plan, applied) => ({ checks: await verifyLoad(current(), applied) }),
    contentHash: (table) => contentHash(session, table),
    batchHash: () => batchHash(current()),
    ledger: (audit, target) => readLedger(session, audit, target),
    writeAudit: (audit, write) => writeAudit(session, audit, write),
    runs: (audit) => readRuns(session, audit),
    statements: (plan) => (work ? statements({ ...current(), plan }, work) : []),
    close: async () => session.close(),
  };
}

async function describe(session: Session, table: string): Promise<TargetDescription | undefined> {
  const ref = parseTableName(table);
  const found = await describeTable(session, ref);
  return (
    found && {
      schema: found.schema,
      name: `${ref.schema}.${ref.table}`,
      uniqueKeys: found.uniqueKeys,
      rows: found.rows,
      isView: found.isView,
    }
  );
}

async function stage(session: Session, input: StageInput, signal: AbortSignal | undefined): Promise<Work> {
  const { plan, source } = input;
  const rescue = plan.onExtra === 'rescue' ? (plan.columns.find((column) => column.target.name === '_rescued') ?? null) : null;
  const staged = await stageSource({
    session,
    plan,
    files: source.files,
    rescue,
    ...(source.spec.kind === 'query' ? { query: querySql(source.spec) } : {}),
    ...(input.onProgress ? { onProgress: input.onProgress } : {}),
    ...(signal ? { signal } : {}),
  });
  const fates = await decideFates(session, plan, staged.layout, input.maxExamples);
  return { plan, staged, fates, source, origins: await readOrigins(session, staged) };
}

interface InferRequest {
  readonly source: SourceInput;
  readonly groups: readonly SourceGroup[];
  readonly sample: number | null;
}

async function infer(session: Session, request: InferRequest): Promise<Inferred> {
  const { source, sample } = request;
  const attempt = async (probe: boolean): Promise<Inferred> =>
    inferTypes(session, await inferUnits(session, request, probe), sample !== null);
  const isCsv = source.files.some((file) => file.format === 'csv');
  return attempt(false)
    .catch((error: unknown) => {
      // Each file is read by itself then, to learn which of them the reader cannot take as it is.
      if (isCsv && error instanceof Fault && error.code === 'ENGINE_REJECTED') return attempt(true);
      throw error;
    })
    .catch(async (error: unknown) => {
      throw await brokenJson(source.files, error);
    });
}

async function inferUnits(session: Session, { source, groups, sample }: InferRequest, probe: boolean): Promise<readonly InferUnit[]> {
  const plan = { groups } as unknown as Plan;
  const limit = sample === null ? '' : ` LIMIT ${sample}`;
  const query = source.spec.kind === 'query' ? querySql(source.spec) : undefined;
  const units: InferUnit[] = [];
  const add = (group: SourceGroup, unit: Unit): void =>
    void units.push({ group, sql: `SELECT * FROM (${rawSelect(group, unit)})${limit}` });
  for (const [number, group] of groups.entries()) {
    const parts = query === undefined ? await inferableFiles(session, { group, source, probe }) : [[]];
    for (const files of parts) add(group, makeUnit({ plan, group: number, files, ...(query === undefined ? {} : { query }) }));
  }
  return units;
}

/** Where a document that the engine cannot parse breaks off; any other error unchanged. */
async function brokenJson(files: SourceInput['files'], error: unknown): Promise<unknown> {
  if (!(error instanceof Fault) || error.code !== 'ENGINE_REJECTED') return error;
  for (const file of files) {
    const broken = file.json === undefined || file.json === 'lines' ? undefined : await firstInvalidRecord(file);
    if (broken === undefined) continue;
    const place = { file: file.path, line: broken.line, column: broken.column };
    return new Fault('SOURCE_FORMAT', `the document breaks off: ${broken.message}`, { cause: error, place });
  }
  return error;
}

interface InferFiles {
  readonly group: SourceGroup;
  readonly source: SourceInput;
  /** Whether to find out which files the reader cannot take. */
  readonly probe: boolean;
}

/** The files of a group in parts that the reader can take; those that it cannot read as they are come as rewritten copies. */
async function inferableFiles(session: Session, { group, source, probe }: InferFiles): Promise<readonly (readonly ReadableFile[])[]> {
  const parts: (readonly ReadableFile[])[] = [];
  for (const files of await readableFiles(session, group, source.files)) {
    const unit = makeUnit({ plan: { groups: [group] } as unknown as Plan, group: 0, files });
    const isCsv = files.every((file) => file.file.format === 'csv' && !file.canonical);
    const readable =
      !probe ||
      !isCsv ||
      (await session.rows(`SELECT count(r0) AS n FROM ${unit.from()}`).then(
        () => true,
        () => false,
      ));
    if (readable) parts.push(files);
    else for (const file of files) parts.push([await canonicalFile(session, file)]);
  }
  return parts;
}

/** The default's text, read by the law of the column's type, as a literal cast. */
async function defaultSql(session: Session, column: Column, text: string): Promise<string> {
  const coercion = {
    path: column.name,
    from: { form: 'text' as const },
    to: column.type,
    rule: { ...builtInRule, trim: 'never' as const, binary: 'hex' as const },
    nested: new Map(),
  };
  const sql = coerceSql(coercion, { raw: 'r', text: 't', strict: 's' }, { nul: true });
  const row = await session.one(
    `SELECT ${sql.strict} IS NULL AS refused, (${sql.strict})::VARCHAR AS v FROM (SELECT r, ${sql.text} AS t FROM (SELECT ${literal(text)} AS r))`,
  );
  if (row['refused'] === true) {
    throw new Fault('CONFIG_INVALID', `the default ${JSON.stringify(text)} of column ${column.name} is no ${printType(column.type)}`, {
      fix: 'Write a default that the column can hold.',
    });
  }
  return `CAST(${literal(String(row['v']))} AS ${sqlType(column.type)})`;
}

async function contentHash(session: Session, table: string): Promise<string> {
  const row = await session.one(
    `SELECT count(*)::VARCHAR || ':' || coalesce(sum(hash(t)::HUGEINT), 0)::VARCHAR AS h FROM ${tableSql(parseTableName(table))} t`,
  );
  return String(row['h']);
}

/** Of all rows read, refused ones included. */
async function batchHash({ session, layout }: LoadContext): Promise<string> {
  const columns = ['reject', ...layout.kept.map((column) => column.name), ...layout.columns.map((column) => column.name)].join(', ');
  const row = await session.one(
    `SELECT count(*)::VARCHAR || ':' || coalesce(sum(hash(${columns})::HUGEINT), 0)::VARCHAR AS h FROM ${stageTable}`,
  );
  return String(row['h']);
}

function statements(context: Omit<LoadContext, 'session'>, work: Work): readonly Statement[] {
  const staging = work.staged.units.map(
    (unit): Statement => ({
      sql: `INSERT INTO ${stageTable} ${unit.sql.select({ from: unit.from(), file: unit.file })}`,
      purpose: 'stage',
      because: [],
    }),
  );
  const load =
    context.plan.mode === 'merge'
      ? [mergeSql(context)]
      : context.plan.mode === 'append'
        ? [insertSql(context)]
        : [deleteSql(context), insertSql(context)];
  return [...staging, ...load.map((sql): Statement => ({ sql, purpose: 'load', because: [] }))];
}
