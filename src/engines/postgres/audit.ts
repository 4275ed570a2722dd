/** The audit tables: what every run leaves beside the target. Same names and columns on every engine. */
import { Fault } from '../../core/fault.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Finding } from '../../core/record/finding.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { AuditWrite, LedgerEntry } from '../../run/engine.ts';
import type { Session } from './driver.ts';
import { ident, literal } from './quote.ts';

/** Every audit table, with its columns as SQL. docs/reference/audit-tables.md gives their meaning. */
const auditTables = {
  runs:
    'run_id text, job text, source text, source_fingerprint text, target text, mode text, load_token text, plan_hash text, status text, ' +
    'rows_read bigint, rows_loaded bigint, rows_inserted bigint, rows_updated bigint, rows_unchanged bigint, rows_quarantined bigint, rows_superseded bigint, ' +
    'values_altered bigint, values_nulled bigint, exit integer, record json, started_at timestamptz, finished_at timestamptz, tool_version text',
  issues:
    'run_id text, issue text, detail text, code text, column_path text, severity text, expected_type text, actual_type text, ' +
    'row_count bigint, examples json, fingerprint text, recorded_at timestamptz',
  quarantine: 'run_id text, job text, source_file text, source_row bigint, source_line bigint, issues json, raw text, replayed_by text',
  partitions: 'run_id text, "partition" text, rows_before bigint, rows_after bigint',
  files: 'run_id text, target text, file text, size bigint, sha256 text, rows_read bigint, load_token text, UNIQUE (target, load_token)',
} as const;

type AuditTable = keyof typeof auditTables;

const auditSchema = (session: Session, audit: AuditOptions): string => audit.schema ?? session.defaultSchema;

export const auditName = (session: Session, audit: AuditOptions, table: AuditTable): string =>
  `${ident(auditSchema(session, audit))}.${ident(`${audit.prefix}${table}`)}`;

/** Names of the tables in the audit schema. */
async function tablesThere(session: Session, audit: AuditOptions): Promise<ReadonlySet<string>> {
  const rows = await session.rows(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${literal(auditSchema(session, audit))} AND c.relkind IN ('r', 'p')`,
  );
  return new Set(rows.map((row) => String(row['name'])));
}

async function hasTable(session: Session, audit: AuditOptions, table: AuditTable): Promise<boolean> {
  return (await tablesThere(session, audit)).has(`${audit.prefix}${table}`);
}

const missingTables = (audit: AuditOptions, there: ReadonlySet<string>): readonly AuditTable[] =>
  (Object.keys(auditTables) as AuditTable[]).filter((table) => !there.has(`${audit.prefix}${table}`));

/** Makes the audit tables that are not there yet. Of several runs that would make them one does, and the others wait for it. */
export async function createAuditTables(session: Session, audit: AuditOptions): Promise<void> {
  if (missingTables(audit, await tablesThere(session, audit)).length === 0) return;
  const schema = auditSchema(session, audit);
  await session.run(`SELECT pg_advisory_xact_lock(hashtextextended(${literal(`schemalign audit ${schema}`)}, 0))`);
  const missing = missingTables(audit, await tablesThere(session, audit));
  if (missing.length > 0 && audit.schema !== undefined) await session.run(`CREATE SCHEMA IF NOT EXISTS ${ident(schema)}`);
  for (const table of missing) await session.run(`CREATE TABLE ${auditName(session, audit, table)} (${auditTables[table]})`);
}

/** No text of the server holds U+0000; its symbol stands for it. */
export const auditText = (value: string | null): string => (value === null ? 'NULL' : literal(value.replaceAll('\0', '\u2400')));

export async function writeAudit(session: Session, audit: AuditOptions, { record, loadToken, fileTokens }: AuditWrite): Promise<void> {
  await createAuditTables(session, audit);
  await insertRows(session, auditName(session, audit, 'runs'), [runRow(record, loadToken)]);
  await insertRows(
    session,
    auditName(session, audit, 'issues'),
    record.findings.map((finding) => issueRow(record, finding)),
  );
  await insertRows(
    session,
    auditName(session, audit, 'partitions'),
    record.partitions.map(({ values, before, after }) => [
      literal(record.run_id),
      auditText(partitionText(values)),
      String(before),
      String(after),
    ]),
  );
  if (record.committed) await writeFiles(session, audit, fileRows(record, fileTokens));
}

/** The ledger takes each token once: of two runs that append the same file the second learns of it here. */
async function writeFiles(session: Session, audit: AuditOptions, rows: readonly (readonly string[])[]): Promise<void> {
  await insertRows(session, auditName(session, audit, 'files'), rows).catch((error: unknown) => {
    const isTaken = error instanceof Fault && (error.cause as { code?: string } | undefined)?.code === uniqueViolation;
    throw isTaken ? new Fault('ENGINE_CONFLICT', 'another run has appended the same rows meanwhile', { cause: error }) : error;
  });
}

const uniqueViolation = '23505';

const instant = (value: string | null): string => (value === null ? 'NULL' : `${literal(value)}::timestamptz`);

function runRow(record: RunRecord, loadToken: string | null): readonly string[] {
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
    literal(JSON.stringify(record)),
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
    auditText(finding.consequence),
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

const chunk = 500;

export async function insertRows(session: Session, table: string, rows: readonly (readonly string[])[]): Promise<void> {
  for (let i = 0; i < rows.length; i += chunk) {
    await session.run(
      `INSERT INTO ${table} VALUES ${rows
        .slice(i, i + chunk)
        .map((row) => `(${row.join(', ')})`)
        .join(', ')}`,
    );
  }
}

export async function readLedger(session: Session, audit: AuditOptions, target: string): Promise<readonly LedgerEntry[]> {
  if (!(await hasTable(session, audit, 'files'))) return [];
  const rows = await session.rows(
    `SELECT sha256, run_id, load_token FROM ${auditName(session, audit, 'files')} WHERE target = ${auditText(target)} AND load_token IS NOT NULL`,
  );
  return rows.map((row) => ({ sha256: String(row['sha256']), run_id: String(row['run_id']), load_token: String(row['load_token']) }));
}

/** Run records, newest first. */
export async function readRuns(session: Session, audit: AuditOptions): Promise<readonly RunRecord[]> {
  if (!(await hasTable(session, audit, 'runs'))) return [];
  const rows = await session.rows(
    `SELECT record::text AS record FROM ${auditName(session, audit, 'runs')} ORDER BY started_at DESC, run_id COLLATE "C" DESC`,
  );
  return rows.map((row) => JSON.parse(String(row['record'])) as RunRecord);
}
