/** The audit tables: what every run leaves beside the target. Same names and columns on every engine; here they are Delta tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../core/fault.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Finding } from '../../core/record/finding.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { AuditWrite, LedgerEntry } from '../../run/engine.ts';
import { sparkErrorOf } from './connect/spark-error.ts';
import type { Session } from './driver.ts';
import { ident, literal } from './quote.ts';

/** Every audit table, with its columns as SQL. docs/reference/audit-tables.md gives their meaning. */
export const auditTables = {
  runs:
    'run_id STRING, job STRING, source STRING, source_fingerprint STRING, target STRING, mode STRING, load_token STRING, plan_hash STRING, status STRING, ' +
    'rows_read BIGINT, rows_loaded BIGINT, rows_inserted BIGINT, rows_updated BIGINT, rows_unchanged BIGINT, rows_quarantined BIGINT, rows_superseded BIGINT, ' +
    'values_altered BIGINT, values_nulled BIGINT, exit INT, record STRING, started_at TIMESTAMP, finished_at TIMESTAMP, tool_version STRING',
  issues:
    'run_id STRING, issue STRING, detail STRING, code STRING, column_path STRING, severity STRING, expected_type STRING, actual_type STRING, ' +
    'row_count BIGINT, examples STRING, fingerprint STRING, recorded_at TIMESTAMP',
  quarantine:
    'run_id STRING, job STRING, source_file STRING, source_row BIGINT, source_line BIGINT, issues STRING, raw STRING, replayed_by STRING',
  partitions: 'run_id STRING, `partition` STRING, rows_before BIGINT, rows_after BIGINT',
  files: 'run_id STRING, target STRING, file STRING, size BIGINT, sha256 STRING, rows_read BIGINT, load_token STRING',
} as const;

export type AuditTable = keyof typeof auditTables;

const auditSchema = (session: Session, audit: AuditOptions): string => ident(audit.schema ?? session.defaultSchema);

export const auditName = (session: Session, audit: AuditOptions, table: AuditTable): string =>
  `${auditSchema(session, audit)}.${ident(`${audit.prefix}${table}`)}`;

/** The audit tables that are there. What was seen once is not asked for again. */
const seen = new WeakMap<Session, Set<string>>();

async function tablesThere(session: Session, audit: AuditOptions): Promise<ReadonlySet<string>> {
  const known = seen.get(session);
  if (known !== undefined) return known;
  const rows = await session.rows(`SHOW TABLES IN ${auditSchema(session, audit)}`).catch(() => []);
  const found = new Set(rows.map((row) => String(row['tableName']).toLowerCase()));
  seen.set(session, found);
  return found;
}

export async function hasTable(session: Session, audit: AuditOptions, table: AuditTable): Promise<boolean> {
  return (await tablesThere(session, audit)).has(`${audit.prefix}${table}`.toLowerCase());
}

/** Makes an audit table that is not there yet. */
export async function createTable(session: Session, audit: AuditOptions, table: AuditTable): Promise<void> {
  if (await hasTable(session, audit, table)) return;
  needDelta(session);
  if (audit.schema !== undefined) await session.hold(`CREATE SCHEMA IF NOT EXISTS ${auditSchema(session, audit)}`);
  await insisting(() => session.hold(`CREATE TABLE IF NOT EXISTS ${auditName(session, audit, table)} (${auditTables[table]}) USING delta`));
  seen.get(session)?.add(`${audit.prefix}${table}`.toLowerCase());
}

/** @throws Fault GAP */
export function needDelta({ hasDelta }: Session): void {
  if (hasDelta) return;
  throw new Fault('GAP', 'the Spark server has no Delta Lake, which loads need for their target or at least for the audit tables', {
    fix: 'Start the server with the jars delta-spark and delta-storage, and the two settings of docs/guide/spark.md.',
  });
}

const auditText = (value: string | null): string => (value === null ? 'NULL' : literal(value));

/**
 * The rows of a run in one of the tables, in place of those that are there: so that it may be done again. In a table that has none of the run
 * `isFirst` says so, and the rows are simply added, which no other writer can come in the way of.
 */
async function putRows(
  { session, audit, table, runId, isFirst }: { session: Session; audit: AuditOptions; table: AuditTable; runId: string; isFirst: boolean },
  rows: readonly (readonly string[])[],
): Promise<void> {
  if (rows.length === 0 && isFirst) return;
  await createTable(session, audit, table);
  const name = auditName(session, audit, table);
  const columns = auditTables[table].split(', ').map((column) => column.split(' ') as [string, string]);
  const first = rows.slice(0, chunk);
  const values = (some: readonly (readonly string[])[]): string =>
    some.length === 0
      ? `SELECT ${columns.map(([, type]) => `CAST(NULL AS ${type})`).join(', ')} WHERE false`
      : `VALUES ${some.map((row) => `(${row.map((value, i) => `CAST(${value} AS ${columns[i]?.[1]})`).join(', ')})`).join(', ')}`;
  await insisting(() => session.hold(`INSERT INTO ${name} ${isFirst ? '' : `REPLACE WHERE run_id = ${literal(runId)} `}${values(first)}`));
  for (let i = chunk; i < rows.length; i += chunk) await session.hold(`INSERT INTO ${name} ${values(rows.slice(i, i + chunk))}`);
}

const chunk = 500;

const attempts = 12;

/** Of several runs that make the same table at once, all but one find its folder begun, or the table there. */
const races = ['DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION', 'TABLE_OR_VIEW_ALREADY_EXISTS', 'DELTA_TABLE_ALREADY_EXISTS'];

function isRace(error: unknown): boolean {
  if (!(error instanceof Fault)) return false;
  return error.code === 'ENGINE_CONFLICT' || races.some((name) => sparkErrorOf(error)?.is(name) === true);
}

/** Runs of other targets write into the same tables; whoever comes second does it again. */
export async function insisting<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRace(error) || attempt >= attempts) throw error;
      await sleep(100 * attempt * (0.5 + Math.random()));
    }
  }
}

/** The last row written is that of the run: with it the run is finished. */
export async function writeAudit(
  session: Session,
  audit: AuditOptions,
  { record, loadToken, fileTokens }: AuditWrite,
  isFirst: boolean,
): Promise<void> {
  const put = (table: AuditTable, rows: readonly (readonly string[])[], first = isFirst): Promise<void> =>
    putRows({ session, audit, table, runId: record.run_id, isFirst: first }, rows);
  await Promise.all([
    put(
      'issues',
      record.findings.map((finding) => issueRow(record, finding)),
      true,
    ),
    put(
      'partitions',
      record.partitions.map((one) => partitionRow(record, one)),
      true,
    ),
    record.committed ? put('files', fileRows(record, fileTokens), true) : undefined,
  ]);
  await put('runs', [runRow(record, loadToken, JSON.stringify(record))]);
}

const instant = (value: string | null): string => (value === null ? 'NULL' : `TIMESTAMP ${literal(value)}`);

/** What a run that is begun leaves, so that another one can end it. */
export interface Pending {
  readonly record: RunRecord;
  readonly loadToken: string | null;
  readonly fileTokens: readonly (string | null)[];
  readonly owner: { readonly host: string; readonly pid: number; readonly since: number };
  /** Rows of the target before the load: what tells whether it came to pass where a table has no versions. */
  readonly rowsBefore: number;
}

export async function writeStarted(session: Session, audit: AuditOptions, pending: Pending): Promise<void> {
  const { record, loadToken } = pending;
  const isFirst = true;
  await putRows({ session, audit, table: 'runs', runId: record.run_id, isFirst }, [
    runRow(record, loadToken, JSON.stringify({ ...record, pending })),
  ]);
}

/** Takes the rows of a run out of a table. */
export async function deleteRows(
  session: Session,
  audit: AuditOptions,
  { table, runId }: { table: AuditTable; runId: string },
): Promise<void> {
  if (!(await hasTable(session, audit, table))) return;
  await insisting(() => session.hold(`DELETE FROM ${auditName(session, audit, table)} WHERE run_id = ${literal(runId)}`));
}

function runRow(record: RunRecord, loadToken: string | null, json: string): readonly string[] {
  const { counts, source, target } = record;
  const heads = [
    record.run_id,
    record.job,
    source.description,
    source.fingerprint,
    target.table,
    record.mode,
    loadToken,
    record.plan_hash,
    record.status,
  ];
  const numbers = [
    counts.read,
    counts.loaded,
    counts.inserted,
    counts.updated,
    counts.unchanged,
    counts.quarantined,
    counts.superseded,
    counts.values_altered,
    counts.values_nulled,
    record.exit,
  ];
  return [
    ...heads.map(auditText),
    ...numbers.map(String),
    literal(json),
    instant(record.started_at),
    instant(record.finished_at),
    literal(record.tool_version),
  ];
}

/** Files that were read now, not those that an earlier run had loaded. */
function fileRows(record: RunRecord, tokens: readonly (string | null)[]): readonly (readonly string[])[] {
  return record.source.files.flatMap((file, i) => {
    if (file.skipped_by_run !== null) return [];
    const texts = [record.run_id, record.target.table, file.path].map(auditText);
    return [[...texts, String(file.size), literal(file.sha256), String(file.read), auditText(tokens[i] ?? null)]];
  });
}

function partitionRow({ run_id }: RunRecord, { values, before, after }: RunRecord['partitions'][number]): readonly string[] {
  return [literal(run_id), auditText(partitionText(values)), String(before), String(after)];
}

/** `dt=2026-09-01/region=EU`; empty for a whole table. */
const partitionText = (values: Readonly<Record<string, string | null>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value ?? 'NULL'}`)
    .join('/');

function issueRow(record: RunRecord, finding: Finding): readonly string[] {
  const issue = finding.reason === null ? finding.name : `${finding.name} (${finding.reason})`;
  return [
    literal(record.run_id),
    literal(issue),
    literal(finding.consequence),
    literal(finding.code),
    auditText(finding.path),
    literal(finding.severity),
    auditText(finding.expected),
    auditText(finding.actual),
    String(finding.count),
    literal(JSON.stringify(finding.examples)),
    literal(finding.fingerprint),
    instant(record.finished_at ?? record.started_at),
  ];
}

export async function readLedger(session: Session, audit: AuditOptions, target: string): Promise<readonly LedgerEntry[]> {
  if (!(await hasTable(session, audit, 'files'))) return [];
  const rows = await session.rows(
    `SELECT sha256, run_id, load_token FROM ${auditName(session, audit, 'files')} WHERE target = ${literal(target)} AND load_token IS NOT NULL`,
  );
  return rows.map((row) => ({ sha256: String(row['sha256']), run_id: String(row['run_id']), load_token: String(row['load_token']) }));
}

/** Run records, newest first. Of a run that is not ended, what it had found out when it began to write. */
export async function readRuns(session: Session, audit: AuditOptions): Promise<readonly RunRecord[]> {
  if (!(await hasTable(session, audit, 'runs'))) return [];
  const rows = await session.rows(`SELECT record FROM ${auditName(session, audit, 'runs')} ORDER BY started_at DESC, run_id DESC`);
  return rows.map((row) => {
    const { pending, ...record } = JSON.parse(String(row['record'])) as RunRecord & { pending?: unknown };
    return pending === undefined ? record : { ...record, committed: false };
  });
}
