/** The steps of a run that write, in their order, and the way back. There is no transaction: see heal.ts for what a broken-off run leaves. */
import { Fault, invariant } from '../../core/fault.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Effects } from '../../run/effects.ts';
import type { Applied, AuditWrite } from '../../run/engine.ts';
import { deleteRows, needDelta, type Pending, readLedger, readRuns, writeAudit, writeStarted } from './audit.ts';
import { commitOf, takeBack } from './commit.ts';
import { owner } from './driver.ts';
import { healRuns, liveRuns } from './heal.ts';
import { atVersion, describeTable, latestVersion } from './introspect.ts';
import { applyLoad, isDelta } from './load.ts';
import { writeQuarantine } from './quarantine.ts';
import { contextOf, type State } from './state.ts';
import { parseTableName, tableSql } from './table-name.ts';

/** What was counted holds for the version that was looked at. @throws Fault ENGINE_CONFLICT when there is a later one */
export async function begin(state: State, table: string): Promise<void> {
  const { session, tables } = state;
  needDelta(session);
  const base = tables.get(table);
  state.base = base;
  if (base === undefined || base.version === null) return;
  const latest = await latestVersion(session, base.sql);
  if (latest !== base.version) throw new Fault('ENGINE_CONFLICT', `another writer has made version ${latest} of the table meanwhile`);
}

export async function announce(state: State, audit: AuditOptions, write: AuditWrite): Promise<void> {
  const { session, base } = state;
  const { record } = write;
  await healRuns({ session, audit, target: record.target.table, runId: record.run_id, readOnly: false });
  state.announced = { audit, write };
  liveRuns.add(record.run_id);
  const pending: Pending = { ...write, owner: owner(), rowsBefore: base?.rows ?? 0 };
  await writeStarted(session, audit, pending);
}

export async function changeSchema(state: State, statements: readonly string[]): Promise<void> {
  const { session, work } = state;
  for (const statement of statements) await session.hold(statement);
  if (statements.length === 0 || work === undefined) return;
  const made = await describeTable(session, parseTableName(work.plan.table, session.defaultSchema));
  state.ours = made?.version ?? 0;
  state.changed = state.ours;
  if (state.base !== undefined) state.base = made && { ...made, rows: state.base.rows, version: state.base.version };
}

export async function apply(state: State): Promise<Applied> {
  const context = contextOf(state);
  state.isWriting = isDelta(context);
  const applied = await applyLoad(context);
  if (!applied.wrote || !isDelta(context)) {
    state.isWriting = false;
    return applied;
  }
  const found = await commitOf(context.session, context.target, context.runId);
  if (found === undefined) throw new Fault('ENGINE_CONFLICT', 'the load left no version in the history of the table');
  state.commit = found;
  state.isWriting = false;
  const expected = (state.ours ?? state.base?.version ?? -1) + 1;
  state.ours = found.version;
  if (found.version === expected) return { ...applied, rowsBefore: state.base?.rows ?? 0 };
  await checkTwice(state);
  const row = await context.session.one(`SELECT count(*) AS n FROM ${atVersion(context.target, found.version - 1)}`);
  return { ...applied, rowsBefore: Number(row['n']) };
}

/** Another run has written between: for an append it may have been the same rows. @throws Fault ENGINE_CONFLICT */
async function checkTwice(state: State): Promise<void> {
  const { announced, work, session } = state;
  if (announced === undefined || work?.plan.mode !== 'append') return;
  const { audit, write } = announced;
  const target = write.record.target.table;
  const mine = new Set([write.loadToken, ...write.fileTokens].filter((token) => token !== null));
  const theirs = await readRuns(session, audit);
  const begun = theirs.filter(
    ({ status, run_id, target: { table } }) => status === 'started' && table === target && run_id !== write.record.run_id,
  );
  const sums = new Set(begun.flatMap(({ source }) => source.files.map(({ sha256 }) => sha256)));
  const entries = await readLedger(session, audit, target);
  const taken = entries.some((entry) => mine.has(entry.load_token) && entry.run_id !== write.record.run_id);
  if (taken || [...mine].some((token) => sums.has(token)))
    throw new Fault('ENGINE_CONFLICT', 'another run has appended the same rows meanwhile');
}

export interface QuarantineCall {
  readonly audit: AuditOptions;
  readonly runId: string;
  readonly job: string;
  readonly effects: Effects;
}

export async function quarantine({ session, work }: State, call: QuarantineCall): Promise<void> {
  invariant(work, 'the source is staged before it is loaded');
  await writeQuarantine(session, {
    ...call,
    files: work.input.source.files,
    staged: work.staged,
    keyPath: work.plan.key.join(','),
    partitionPath: work.plan.partition?.columns.join(',') ?? '',
  });
}

/** The row of the run is written last: until then the run is one that has begun. */
export async function commit(state: State): Promise<void> {
  const { session, stuck } = state;
  for (const { audit, write } of state.waiting.splice(0)) {
    if (stuck === write.record.run_id) throw new Fault('ENGINE_CONFLICT', 'the run could not be taken back, so it stays as begun');
    const begun = state.announced?.write.record.run_id === write.record.run_id;
    await writeAudit(session, audit, write, !begun);
  }
  forget(state);
}

function forget(state: State): void {
  if (state.announced !== undefined) liveRuns.delete(state.announced.write.record.run_id);
  delete state.announced;
  delete state.commit;
  delete state.ours;
  delete state.changed;
  delete state.isWriting;
}

/** Takes back what the run has written, the target first. @throws Fault ENGINE_CONFLICT when others have written to it since */
export async function rollback(state: State): Promise<void> {
  const { session, announced } = state;
  state.waiting.splice(0);
  const runId = announced?.write.record.run_id;
  try {
    await takeBackTarget(state);
    if (announced === undefined || runId === undefined) return;
    for (const table of ['quarantine', 'runs'] as const) await deleteRows(session, announced.audit, { table, runId });
  } catch (error) {
    if (runId !== undefined) state.stuck = runId;
    throw error;
  } finally {
    forget(state);
  }
}

async function takeBackTarget(state: State): Promise<void> {
  const { session, base, work, announced } = state;
  if (work === undefined || announced === undefined) return;
  const target = tableSql(parseTableName(work.plan.table, session.defaultSchema));
  // A statement that was cut off may have been done all the same.
  const found = state.isWriting === true ? await commitOf(session, target, announced.write.record.run_id) : undefined;
  const commit = found ?? state.commit;
  const ours = commit?.version ?? state.ours;
  if (ours === undefined) return;
  if (base === undefined) await session.hold(`DROP TABLE IF EXISTS ${target}`);
  else if (base.version !== null) {
    // What others have written between the look at the table and our write must stay: then only our write is taken back.
    const isAlone = commit === undefined || commit.version === (state.changed ?? base.version) + 1;
    await takeBack(session, target, { from: ours, to: isAlone ? base.version : commit.version - 1 });
  }
}
