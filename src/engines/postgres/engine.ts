import { redactUrl } from '../../config/redact.ts';
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedChange } from '../../core/plan/plan.ts';
import type { Schema } from '../../core/model/schema.ts';
import type { Effects } from '../../run/effects.ts';
import type { Engine, OpenRequest, StageInput, Statement, TargetDescription } from '../../run/engine.ts';
import { openSession as openReader, type Session as Reader } from '../duckdb/driver.ts';
import { openDuckdb } from '../duckdb/engine.ts';
import { readLedger, readRuns, writeAudit } from './audit.ts';
import { changeSql } from './changes.ts';
import { columnType } from './coerce/sql-type.ts';
import { defaultSql } from './default-sql.ts';
import { openSession, type Session } from './driver.ts';
import { countEffects } from './effects.ts';
import { decideFates, type Fates } from './fates.ts';
import { describeTable, type NativeColumn, tableNames } from './introspect.ts';
import { inferQuery, storableSchema } from './infer.ts';
import { applyLoad, deleteSql, insertSql, type LoadContext, type LoadSql, mergeSql, partitionEffects } from './load.ts';
import { predictLoad } from './predict.ts';
import { literal } from './quote.ts';
import { writeQuarantine } from './quarantine.ts';
import { querySql, sourceShapes } from './shapes.ts';
import { comparable, stageTable } from './stage-columns.ts';
import { type Staged, stageSource } from './stage.ts';
import { parseTableName, tableSql } from './table-name.ts';
import { verifyLoad } from './verify.ts';

/** What one run has staged. */
interface Work {
  readonly plan: Plan;
  readonly staged: Staged;
  readonly fates: Fates;
  readonly effects: Effects;
  readonly input: StageInput;
}

/** What an open engine knows. */
interface State {
  readonly session: Session;
  readonly request: OpenRequest;
  /** Columns of the tables that were described, beyond their logical types. */
  readonly natives: Map<string, ReadonlyMap<string, NativeColumn>>;
  /** The embedded reader of files, opened when the first file is read. */
  readonly reader: () => Promise<Reader>;
  work?: Work;
}

/** Connects for one run. The server must be version 16 or newer. */
export async function openPostgres(request: OpenRequest): Promise<Engine> {
  const session = await openSession(request.url, optionsOf(request));
  let reader: Promise<Reader> | undefined;
  const state: State = {
    session,
    request,
    natives: new Map(),
    reader: () => {
      reader ??= openReader(':memory:', readerOptions(request));
      return reader;
    },
  };
  const engine = makeEngine(state);
  return {
    ...engine,
    close: async () => {
      const opened = await reader?.catch(() => undefined);
      opened?.close();
      await session.close();
    },
  };
}

const readerOptions = ({ memoryLimit, signal }: OpenRequest) => ({
  ...(memoryLimit === undefined ? {} : { memoryLimit }),
  ...(signal === undefined ? {} : { signal }),
});

const optionsOf = (request: OpenRequest) => ({
  ...readerOptions(request),
  ...(request.sessionTimezone === undefined ? {} : { sessionTimezone: request.sessionTimezone }),
});

function makeEngine(state: State): Engine {
  const { session, request } = state;
  const current = (): LoadContext => contextOf(state);
  const nameOf = (table: string): string => tableSql(parseTableName(table, session.defaultSchema));
  return {
    name: 'postgres',
    url: redactUrl(request.url),
    defaultSchema: session.defaultSchema,
    typeName: columnType,
    describe: (table) => describe(state, table),
    tables: () => tableNames(session),
    shapes: (source) => sourceShapes(session, source, state.reader),
    infer: (source, groups, sample) =>
      source.spec.kind === 'query' ? inferQuery(session, { source, groups, sample }) : inferFiles(request, { source, groups, sample }),
    defaultSql: (column, text) => defaultSql(session, { column, native: nativeOf(state, column.name), text }),
    stage: (input) => stage(state, input),
    partitionsBefore: () => partitionEffects(current()),
    begin: (table) => begin(session, table === undefined ? undefined : nameOf(table)),
    commit: () => session.commit(),
    rollback: async () => void (await session.run('ROLLBACK')),
    changeSql: (table: string, change: PlannedChange, target: Schema) => changeSql(nameOf(table), change, target),
    changeSchema: async (statements) => {
      for (const statement of statements) await session.run(statement);
    },
    predict: (_plan, exists) => predictLoad(current(), exists),
    apply: () => applyLoad(current()),
    quarantine: async (audit, run, effects) => {
      const { work } = state;
      invariant(work, 'the source is staged before it is loaded');
      await writeQuarantine(session, {
        audit,
        ...run,
        effects,
        files: work.input.source.files,
        staged: work.staged,
        keyPath: work.plan.key.join(','),
        partitionPath: work.plan.partition?.columns.join(',') ?? '',
      });
    },
    verify: async (_plan, applied) => ({ checks: await verifyLoad(current(), applied) }),
    contentHash: (table) => contentHash(session, nameOf(table)),
    batchHash: () => batchHash(current()),
    ledger: (audit, target) => readLedger(session, audit, target),
    writeAudit: (audit, write) => writeAudit(session, audit, write),
    runs: (audit) => readRuns(session, audit),
    statements: (plan) => (state.work ? statements({ ...current(), plan }, state.work) : []),
    close: () => session.close(),
  };
}

function contextOf({ session, work }: State): LoadContext {
  invariant(work, 'the source is staged before it is loaded');
  const target = tableSql(parseTableName(work.plan.table, session.defaultSchema));
  return { session, plan: work.plan, target, layout: work.staged.layout, fates: work.fates, loaded: work.effects.loaded };
}

async function describe({ session, natives }: State, table: string): Promise<TargetDescription | undefined> {
  const ref = parseTableName(table, session.defaultSchema);
  const found = await describeTable(session, ref);
  if (found === undefined) return undefined;
  natives.set(table, found.natives);
  return { schema: found.schema, name: `${ref.schema}.${ref.table}`, uniqueKeys: found.uniqueKeys, rows: found.rows, isView: found.isView };
}

const nativeOf = ({ natives }: State, column: string): NativeColumn | undefined =>
  [...natives.values()].map((columns) => columns.get(column)).find((native) => native !== undefined);

/**
 * From here to the end of the transaction nobody else writes to the table, while everybody may read it. Without that, two runs that find the
 * same key missing would both insert it, and what is counted and verified could be another run's.
 */
async function begin(session: Session, table: string | undefined): Promise<boolean> {
  await session.run('BEGIN');
  if (table === undefined) return false;
  try {
    const found = await session.one(`SELECT to_regclass(${literal(table)}) IS NOT NULL AS there`);
    // Of several runs that make the same table one does; the others wait for it, find it there, and begin anew.
    const mayLock = found['there'] === 't' && (await holdsRight(session, table));
    if (mayLock) await session.run(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    else await session.run(`SELECT pg_advisory_xact_lock(hashtextextended(${literal(`schemalign write ${table}`)}, 0))`);
    return true;
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const inferFiles: (request: OpenRequest, asked: Parameters<typeof inferQuery>[1]) => ReturnType<typeof inferQuery> = async (
  request,
  { source, groups, sample },
) => {
  const engine = await openDuckdb({ url: ':memory:', readOnly: true, mayCreate: false, ...readerOptions(request) });
  try {
    return storableSchema(await engine.infer(source, groups, sample));
  } finally {
    await engine.close();
  }
};

async function stage(state: State, input: StageInput): Promise<Effects> {
  const { session, natives, reader, request } = state;
  const { plan, source, maxExamples } = input;
  const rescue = plan.onExtra === 'rescue' ? (plan.columns.find((column) => column.target.name === '_rescued') ?? null) : null;
  const staged = await stageSource({
    session,
    reader,
    plan,
    natives: natives.get(plan.table) ?? new Map(),
    files: source.files,
    rescue,
    ...(source.spec.kind === 'query' ? { query: querySql(source.spec, session) } : {}),
    ...(input.onProgress ? { onProgress: input.onProgress } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  const fates = await decideFates(session, plan, staged.layout, maxExamples);
  const effects = await countEffects({ session, plan, staged, fates, maxExamples });
  state.work = { plan, staged, fates, effects, input };
  return effects;
}

/** Who may only insert cannot lock the table; runs of ours then keep each other off, and nobody else. */
async function holdsRight(session: Session, table: string): Promise<boolean> {
  const row = await session.one(`SELECT has_table_privilege(${literal(table)}, 'UPDATE, DELETE, TRUNCATE') AS may`);
  return row['may'] === 't';
}

async function contentHash(session: Session, table: string): Promise<string> {
  const row = await session.one(
    `SELECT count(*)::text || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS h FROM ${table} t`,
  );
  return String(row['h']);
}

/** Of all rows read, refused ones included. */
async function batchHash({ session, layout }: LoadContext): Promise<string> {
  const columns = ['s.reject', 's.issues', ...layout.columns.map((column) => comparable(column, `s.${column.name}`))].join(', ');
  const row = await session.one(
    `SELECT count(*)::text || ':' || coalesce(sum(hash_record_extended(ROW(${columns}), 0)), 0)::text AS h FROM ${stageTable} s`,
  );
  return String(row['h']);
}

function statements(context: LoadSql, work: Work): readonly Statement[] {
  const staging: Statement = { sql: `CREATE TEMP TABLE schemalign_stage AS ${work.staged.sql}`, purpose: 'stage', because: [] };
  const load =
    context.plan.mode === 'merge'
      ? [mergeSql(context)]
      : context.plan.mode === 'append'
        ? [insertSql(context)]
        : [deleteSql(context), insertSql(context)];
  return [staging, ...load.map((sql): Statement => ({ sql, purpose: 'load', because: [] }))];
}
