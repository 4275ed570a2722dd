/**
 * Runs that broke off after they had begun to write. There is no transaction across tables: a run says first what it is about to do, then
 * writes the target, then says that it is done. What it said, and the history of the target, tell the next run how far it came.
 */
import { Fault } from '../../core/fault.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { auditName, deleteRows, hasTable, type Pending, writeAudit } from './audit.ts';
import { type Commit, commitOf } from './commit.ts';
import { hostMark, mayLive, type Session } from './driver.ts';
import { describeTable, type TargetTable } from './introspect.ts';
import { literal } from './quote.ts';
import { parseTableName } from './table-name.ts';

export interface HealRequest {
  readonly session: Session;
  readonly audit: AuditOptions;
  /** As in the audit tables. */
  readonly target: string;
  /** The run that asks. */
  readonly runId: string | undefined;
  /** Nothing is written; a run that was done but for its end counts as done. */
  readonly readOnly: boolean;
}

/** Brings the broken-off runs of a target to their end, and answers what they have loaded. */
export async function healRuns(request: HealRequest): Promise<readonly Pending[]> {
  const { session, audit, target, runId } = request;
  if (!(await hasTable(session, audit, 'runs'))) return [];
  const rows = await session.rows(
    `SELECT record FROM ${auditName(session, audit, 'runs')} WHERE status = 'started' AND target = ${literal(target)}`,
  );
  const done: Pending[] = [];
  for (const row of rows) {
    const { pending } = JSON.parse(String(row['record'])) as { pending?: Pending };
    if (pending === undefined || pending.record.run_id === runId || isAlive(pending)) continue;
    if (await healRun(request, pending)) done.push(pending);
  }
  return done;
}

/** Runs of this process that are under way. */
export const liveRuns = new Set<string>();

function isAlive({ owner, record }: Pending): boolean {
  const isOwn = owner.pid === process.pid && owner.host === hostMark();
  return isOwn ? liveRuns.has(record.run_id) : mayLive(owner);
}

/** Whether the run had loaded its rows. */
async function healRun({ session, audit, target, readOnly }: HealRequest, pending: Pending): Promise<boolean> {
  const { record, loadToken, fileTokens } = pending;
  const table = await describeTable(session, parseTableName(target, session.defaultSchema));
  const commit = table?.format === 'delta' ? await commitOf(session, table.sql, record.run_id) : plainCommit(table, pending);
  if (readOnly) return commit !== undefined;
  if (commit === undefined) {
    await deleteRows(session, audit, { table: 'quarantine', runId: record.run_id });
    await deleteRows(session, audit, { table: 'files', runId: record.run_id });
    await writeAudit(session, audit, { record: brokenOff(record), loadToken, fileTokens }, false);
    return false;
  }
  for (const one of ['issues', 'partitions', 'files'] as const) await deleteRows(session, audit, { table: one, runId: record.run_id });
  await writeAudit(session, audit, { record: completed(record, commit), loadToken, fileTokens }, false);
  return true;
}

/** A table without versions has only its number of rows to tell by. */
function plainCommit(table: TargetTable | undefined, { record, rowsBefore }: Pending): Commit | undefined {
  const rows = table?.rows ?? 0;
  if (record.mode !== 'append') return undefined;
  if (rows === rowsBefore) return undefined;
  if (rows === rowsBefore + record.counts.loaded) return { version: 0, metrics: new Map() };
  throw new Fault(
    'TARGET_INCOMPATIBLE',
    `the run ${record.run_id} broke off while it appended to ${record.target.table}, a table without versions, and it cannot be told whether its rows are in`,
    {
      fix: `Look whether they are; then delete the row of that run from the table of runs, and load again, with --force or without the files that are in.`,
    },
  );
}

const withNote = (record: RunRecord, note: string): RunRecord => ({
  ...record,
  notes: [...record.notes, note],
  finished_at: new Date().toISOString(),
});

const brokenOff = (record: RunRecord): RunRecord => ({
  ...withNote(record, 'the run broke off before it had loaded anything; a later run found it and noted this'),
  status: 'failed',
  committed: false,
  exit: 2,
  counts: { ...record.counts, loaded: 0, inserted: 0, updated: 0, unchanged: 0, deleted: 0, quarantined: 0, superseded: 0 },
});

function completed(record: RunRecord, { metrics }: Commit): RunRecord {
  const inserted = metrics.get('numTargetRowsInserted') ?? metrics.get('numOutputRows') ?? record.counts.loaded;
  const updated = metrics.get('numTargetRowsUpdated') ?? 0;
  return {
    ...withNote(record, 'the run broke off after it had loaded its rows, before it could verify them; a later run found it and noted this'),
    status: 'finished',
    counts: { ...record.counts, inserted, updated, unchanged: Math.max(0, record.counts.loaded - inserted - updated) },
  };
}
