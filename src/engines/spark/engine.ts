import { join } from 'node:path';
import { redactUrl } from '../../config/redact.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Effects } from '../../run/effects.ts';
import type { Engine, Inferred, LedgerEntry, OpenRequest, StageInput, Statement, TargetDescription } from '../../run/engine.ts';
import { openSession as openReader, type Session as Reader } from '../duckdb/driver.ts';
import { openDuckdb } from '../duckdb/engine.ts';
import { readLedger, readRuns } from './audit.ts';
import { changeSql } from './changes.ts';
import { defaultSql } from './default-sql.ts';
import { openSession, settingsOfFewRows } from './driver.ts';
import { countEffects } from './effects.ts';
import { decideFates } from './fates.ts';
import { healRuns } from './heal.ts';
import { inferQuery, storableSchema } from './infer.ts';
import { describeTable, latestVersion, tableNames } from './introspect.ts';
import { checkFormat, contentSql, insertSql, type LoadContext, mergeSql, partitionEffects, replaceSql, stagedForms } from './load.ts';
import { dropLeftovers, makeShared, ownTables, type Place, sharedFolder } from './place.ts';
import { predictLoad } from './predict.ts';
import { contextOf, type State, type Work } from './state.ts';
import { announce, apply, begin, changeSchema, commit, quarantine, rollback } from './writing.ts';
import { ident } from './quote.ts';
import { querySql, sourceShapes } from './shapes.ts';
import { stageSource } from './stage.ts';
import { stageTable } from './stage-columns.ts';
import { parseTableName, schemaSql, tableSql } from './table-name.ts';
import { columnType, comparableColumns } from './types.ts';
import { verifyLoad } from './verify.ts';

/** Opens a session for one run. */
export async function openSparkEngine(request: OpenRequest): Promise<Engine> {
  const session = await openSession(request);
  let reader: Promise<Reader> | undefined;
  const state: State = {
    session,
    request,
    tables: new Map(),
    stagings: 0,
    waiting: [],
    reader: () => {
      reader ??= openReader(':memory:', readerOptions(request));
      return reader;
    },
  };
  const engine = makeEngine(state);
  return {
    ...engine,
    close: async () => {
      await state.work?.place.drop();
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

function makeEngine(state: State): Engine {
  const { session, request } = state;
  const nameOf = (table: string): string => tableSql(parseTableName(table, session.defaultSchema));
  return {
    name: 'spark',
    url: redactUrl(request.url),
    defaultSchema: session.defaultSchema,
    typeName: columnType,
    describe: (table) => describe(state, table),
    tables: () => tableNames(session, ident(session.defaultSchema)),
    shapes: (source) => sourceShapes(session, source, state.reader),
    infer: (source, groups, sample) =>
      source.spec.kind === 'query' ? inferQuery(session, { source, groups, sample }) : inferFiles(request, { source, groups, sample }),
    defaultSql: (column, text) => defaultSql(session, column, text),
    stage: (input) => stage(state, input),
    partitionsBefore: () => partitionEffects(contextOf(state)),
    begin: async (table) => {
      if (table !== undefined) await begin(state, table);
      return false;
    },
    commit: () => commit(state),
    rollback: () => rollback(state),
    changeSql: (table, change, target) => changeSql(nameOf(table), change, target),
    changeSchema: (statements) => changeSchema(state, statements),
    predict: (_plan, exists) => predictLoad({ ...contextOf(state), ...(exists ? {} : { table: undefined }) }),
    announce: (audit, write) => announce(state, audit, write),
    apply: () => apply(state),
    quarantine: (audit, run, effects) => quarantine(state, { audit, ...run, effects }),
    verify: async (_plan, applied) => ({ checks: await verifyLoad(contextOf(state), applied, state.commit ?? null) }),
    contentHash: (table) => contentHash(state, table),
    batchHash: () => batchHash(contextOf(state)),
    ledger: (audit, target) => ledger(state, audit, target),
    writeAudit: async (audit, write) => void state.waiting.push({ audit, write }),
    runs: (audit) => readRuns(session, audit),
    statements: (plan) => (state.work ? statements(state, { ...state.work, plan }) : []),
    close: () => session.close(),
  };
}

async function describe(state: State, table: string): Promise<TargetDescription | undefined> {
  const { session, tables } = state;
  const ref = parseTableName(table, session.defaultSchema);
  const at = state.work?.plan.table === table ? state.commit?.version : undefined;
  const found = await describeTable(session, ref, at);
  if (found === undefined) tables.delete(table);
  else tables.set(table, found);
  return found && { schema: found.schema, name: `${ref.schema}.${ref.table}`, uniqueKeys: [], rows: found.rows, isView: found.isView };
}

const inferFiles = async (request: OpenRequest, { source, groups, sample }: Parameters<typeof inferQuery>[1]): Promise<Inferred> => {
  const engine = await openDuckdb({ url: ':memory:', readOnly: true, mayCreate: false, ...readerOptions(request) });
  try {
    return storableSchema(await engine.infer(source, groups, sample));
  } finally {
    await engine.close();
  }
};

async function stage(state: State, input: StageInput): Promise<Effects> {
  const { session, reader, request, tables } = state;
  const { plan, source, maxExamples } = input;
  checkFormat(plan, tables.get(plan.table));
  await state.work?.place.drop();
  const rescue = plan.onExtra === 'rescue' ? (plan.columns.find((column) => column.target.name === '_rescued') ?? null) : null;
  const query = source.spec.kind === 'query' ? querySql(source.spec, session) : undefined;
  const size = source.files.reduce((sum, file) => sum + file.size, 0);
  if (query === undefined && size < fewBytes) await session.client.setConfig(settingsOfFewRows);
  state.stagings += 1;
  const folder = query === undefined ? join(makeShared((await reader()).scratch), `run-${state.stagings}`) : '';
  const place = query === undefined ? sharedFolder(session, folder) : await tablesBeside(state, plan);
  const common = { ...(input.onProgress ? { onProgress: input.onProgress } : {}), ...(request.signal ? { signal: request.signal } : {}) };
  const staged = await stageSource({
    session,
    reader,
    folder,
    place,
    plan,
    files: source.files,
    rescue,
    ...(query === undefined ? {} : { query }),
    ...common,
  });
  const fates = await decideFates({ session, place, plan, layout: staged.layout, maxExamples });
  const effects = await countEffects({ session, plan, staged, fates, maxExamples });
  state.work = { plan, staged, fates, effects, input, place, known: {} };
  return effects;
}

/** Files below this size hold few rows. */
const fewBytes = 4_194_304;

/** Own tables lie in the schema of the target, which is there even when the table is not. */
async function tablesBeside({ session }: State, plan: Plan): Promise<Place> {
  const ref = parseTableName(plan.table, session.defaultSchema);
  const schema = /^(?:delta|parquet)$/i.test(ref.schema) ? ident(session.defaultSchema) : schemaSql(ref);
  await dropLeftovers(session, schema);
  return ownTables(session, schema);
}

async function contentHash({ session, tables }: State, name: string): Promise<string> {
  const table = tables.get(name) ?? (await describeTable(session, parseTableName(name, session.defaultSchema)));
  if (table === undefined) return 'none';
  if (table.format === 'delta') return `delta:${table.id}:${await latestVersion(session, table.sql)}`;
  const row = await session.one(`SELECT ${contentSql(comparableColumns(table.schema.columns))} AS h FROM ${table.sql} t`);
  return String(row['h']);
}

/** Of all rows read, refused ones included. */
async function batchHash({ session, layout }: LoadContext): Promise<string> {
  const columns = ['s.reject', 's.issues', ...stagedForms(layout)];
  const row = await session.one(`SELECT ${contentSql(columns)} AS h FROM ${stageTable} s`);
  return String(row['h']);
}

async function ledger({ session, request }: State, audit: AuditOptions, target: string): Promise<readonly LedgerEntry[]> {
  const done = await healRuns({ session, audit, target, runId: undefined, readOnly: request.readOnly });
  const entries = await readLedger(session, audit, target);
  const known = new Set(entries.map(({ load_token }) => load_token));
  const unended = done.flatMap(({ record, fileTokens }) =>
    record.source.files.flatMap(({ sha256 }, i): LedgerEntry[] => {
      const token = fileTokens[i] ?? null;
      return token === null || known.has(token) ? [] : [{ sha256, run_id: record.run_id, load_token: token }];
    }),
  );
  return [...entries, ...unended];
}

function statements(state: State, work: Work): readonly Statement[] {
  const context = { ...contextOf(state), plan: work.plan };
  const staging: Statement = { sql: `CREATE TEMPORARY VIEW ${stageTable} AS ${work.staged.sql}`, purpose: 'stage', because: [] };
  const { mode, partition } = work.plan;
  const values =
    partition === null || partition.values === 'present'
      ? (work.known.partitions ?? []).map((one) => Object.values(one.values))
      : partition.values;
  const load =
    mode === 'merge'
      ? mergeSql(context)
      : mode === 'append' || context.table === undefined
        ? insertSql(context)
        : replaceSql(context, { values, table: context.table, byName: state.session.isAtLeast(4, 2) });
  return [staging, { sql: load, purpose: 'load', because: [] }];
}
