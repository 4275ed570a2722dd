/** The audit tables: what every run leaves beside the target. Same names and columns on every engine. */
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Finding } from '../../core/record/finding.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { Effects } from '../../run/effects.ts';
import type { AuditWrite, LedgerEntry } from '../../run/engine.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session } from './driver.ts';
import type { Origins } from './effects.ts';
import { ident, literal } from './quote.ts';
import { textsOf } from './fetch-rows.ts';
import { fateTable, flaggedTable, stageTable } from './stage-columns.ts';
import type { Staged } from './stage.ts';

/** Every audit table, with its columns as SQL. docs/reference/audit-tables.md gives their meaning. */
export const auditTables = {
  runs:
    'run_id VARCHAR, job VARCHAR, source VARCHAR, source_fingerprint VARCHAR, target VARCHAR, mode VARCHAR, load_token VARCHAR, plan_hash VARCHAR, status VARCHAR, ' +
    'rows_read BIGINT, rows_loaded BIGINT, rows_inserted BIGINT, rows_updated BIGINT, rows_unchanged BIGINT, rows_quarantined BIGINT, rows_superseded BIGINT, ' +
    'values_altered BIGINT, values_nulled BIGINT, exit INTEGER, record JSON, started_at TIMESTAMPTZ, finished_at TIMESTAMPTZ, tool_version VARCHAR',
  issues:
    'run_id VARCHAR, issue VARCHAR, detail VARCHAR, code VARCHAR, column_path VARCHAR, severity VARCHAR, expected_type VARCHAR, actual_type VARCHAR, ' +
    'row_count BIGINT, examples JSON, fingerprint VARCHAR, recorded_at TIMESTAMPTZ',
  quarantine:
    'run_id VARCHAR, job VARCHAR, source_file VARCHAR, source_row BIGINT, source_line BIGINT, issues JSON, raw VARCHAR, replayed_by VARCHAR',
  partitions: 'run_id VARCHAR, "partition" VARCHAR, rows_before BIGINT, rows_after BIGINT',
  files:
    'run_id VARCHAR, target VARCHAR, file VARCHAR, size BIGINT, sha256 VARCHAR, rows_read BIGINT, load_token VARCHAR, UNIQUE (target, load_token)',
} as const;

type AuditTable = keyof typeof auditTables;

const auditSchema = (audit: AuditOptions): string => audit.schema ?? 'main';

const auditName = (audit: AuditOptions, table: AuditTable): string => `${ident(auditSchema(audit))}.${ident(`${audit.prefix}${table}`)}`;

/** Names of the tables in the audit schema. */
async function tablesThere(session: Session, audit: AuditOptions): Promise<ReadonlySet<string>> {
  const rows = await session.rows(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = ${literal(auditSchema(audit))}`,
  );
  return new Set(rows.map((row) => String(row['table_name'])));
}

async function hasTable(session: Session, audit: AuditOptions, table: AuditTable): Promise<boolean> {
  return (await tablesThere(session, audit)).has(`${audit.prefix}${table}`);
}

/** Makes the audit tables that are not there yet. */
async function createAuditTables(session: Session, audit: AuditOptions): Promise<void> {
  const there = await tablesThere(session, audit);
  const missing = (Object.keys(auditTables) as AuditTable[]).filter((table) => !there.has(`${audit.prefix}${table}`));
  if (missing.length === 0) return;
  await session.run(`CREATE SCHEMA IF NOT EXISTS ${ident(auditSchema(audit))}`);
  for (const table of missing) await session.run(`CREATE TABLE ${auditName(audit, table)} (${auditTables[table]})`);
}

const text = (value: string | null): string => (value === null ? 'NULL' : literal(value));

export async function writeAudit(session: Session, audit: AuditOptions, { record, loadToken, fileTokens }: AuditWrite): Promise<void> {
  await createAuditTables(session, audit);
  await insertRows(session, auditName(audit, 'runs'), [runRow(record, loadToken)]);
  await insertRows(
    session,
    auditName(audit, 'issues'),
    record.findings.map((finding) => issueRow(record, finding)),
  );
  await insertRows(
    session,
    auditName(audit, 'partitions'),
    record.partitions.map(({ values, before, after }) => [
      literal(record.run_id),
      literal(partitionText(values)),
      String(before),
      String(after),
    ]),
  );
  if (record.committed) await insertRows(session, auditName(audit, 'files'), fileRows(record, fileTokens));
}

const instant = (value: string | null): string => (value === null ? 'NULL' : `${literal(value)}::TIMESTAMPTZ`);

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
    ...heads.map(text),
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
    const texts = [record.run_id, record.target.table, file.path].map(text);
    return [[...texts, String(file.size), literal(file.sha256), String(file.read), text(tokens[i] ?? null)]];
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
    literal(finding.consequence),
    literal(finding.code),
    text(finding.path),
    literal(finding.severity),
    text(finding.expected),
    text(finding.actual),
    String(finding.count),
    literal(JSON.stringify(finding.examples)),
    literal(finding.fingerprint),
    `${literal(record.finished_at ?? record.started_at)}::TIMESTAMPTZ`,
  ];
}

const chunk = 500;

async function insertRows(session: Session, table: string, rows: readonly (readonly string[])[]): Promise<void> {
  for (let i = 0; i < rows.length; i += chunk) {
    await session.run(
      `INSERT INTO ${table} VALUES ${rows
        .slice(i, i + chunk)
        .map((row) => `(${row.join(', ')})`)
        .join(', ')}`,
    );
  }
}

export interface QuarantineRequest {
  readonly audit: AuditOptions;
  readonly runId: string;
  readonly job: string;
  readonly files: readonly SourceFile[];
  readonly staged: Staged;
  readonly origins: Origins;
  readonly effects: Effects;
  /** Key or partition columns, for the issues of rows that were left out for them. */
  readonly keyPath: string;
  readonly partitionPath: string;
}

/** Refused records with their text, origin and all reasons. Rows go from table to table inside the engine. */
export async function writeQuarantine(session: Session, request: QuarantineRequest): Promise<void> {
  const { audit, staged } = request;
  if (request.effects.quarantined === 0) return;
  await createAuditTables(session, audit);
  await prepareOrigins(session, request);
  const table = auditName(audit, 'quarantine');
  const head = `${literal(request.runId)}, ${literal(request.job)}, f.path, p.record, l.line`;
  const joins =
    'JOIN schemalign_places p ON p.r = s.r LEFT JOIN schemalign_files f ON f.file = p.file LEFT JOIN schemalign_lines l ON l.file = p.file AND l.record = p.record';
  await session.run(
    `INSERT INTO ${table} SELECT ${head}, to_json(s.issues), s.raw, NULL FROM (SELECT "row" AS r, issues, raw FROM ${flaggedTable} WHERE reject) s ${joins}`,
  );
  const fates = { tied: ['duplicate_key', request.keyPath], outside: ['outside_partition', request.partitionPath] } as const;
  for (const unit of staged.units) {
    const source = `SELECT ${unit.firstRow} + row_number() OVER () - 1 AS r, ${unit.raw.record} AS raw FROM (${textsOf(unit)})`;
    for (const [fate, [code, path]] of Object.entries(fates)) {
      if (!(await hasFate(session, fate))) continue;
      const issues = `[{'path': ${literal(path)}, 'code': ${literal(code)}, 'outcome': 'rejected', 'value': NULL::VARCHAR}]`;
      await session.run(
        `INSERT INTO ${table} SELECT ${head}, to_json(${issues}), s.raw, NULL FROM (${source}) s ${joins} WHERE s.r IN (SELECT "row" FROM ${fateTable} WHERE fate = ${literal(fate)})`,
      );
    }
  }
  await insertRows(
    session,
    table,
    staged.malformed.map((record) => [
      literal(request.runId),
      literal(request.job),
      literal(request.files[record.file]?.path ?? ''),
      String(record.record),
      String(record.line),
      literal(JSON.stringify([{ path: null, code: `malformed_record:${record.reason}`, outcome: 'rejected', value: null }])),
      literal(record.raw),
      'NULL',
    ]),
  );
}

async function hasFate(session: Session, fate: string): Promise<boolean> {
  return (await session.one(`SELECT count(*) AS n FROM ${fateTable} WHERE fate = ${literal(fate)}`))['n'] !== '0';
}

/** Temporary tables that give file, record number and, for examples, line of each refused row. */
async function prepareOrigins(session: Session, { files, origins, effects }: QuarantineRequest): Promise<void> {
  await session.run('CREATE OR REPLACE TEMP TABLE schemalign_files (file UINTEGER, path VARCHAR, first BIGINT)');
  await insertRows(
    session,
    'schemalign_files',
    [...origins.files].map(([file, { first }]) => [String(file), text(files[file]?.path ?? null), String(first)]),
  );
  await session.run('CREATE OR REPLACE TEMP TABLE schemalign_shifts (file UINTEGER, after BIGINT, shift BIGINT)');
  const shifts = [...origins.malformed].flatMap(([file, records]) =>
    records.map((record, i) => [String(file), String(record - i), String(i + 1)]),
  );
  await insertRows(session, 'schemalign_shifts', shifts);
  await session.run('CREATE OR REPLACE TEMP TABLE schemalign_lines (file UINTEGER, record BIGINT, line BIGINT)');
  const lines = new Map(
    effects.examples.flatMap(({ file, record, line }) =>
      file === null || record === null || line === null ? [] : [[`${file} ${record}`, [file, record, line].map(String)] as const],
    ),
  );
  await insertRows(session, 'schemalign_lines', [...lines.values()]);
  // A good row comes after a malformed record when its own number among the good ones is at least the record's number less the malformed ones before it.
  await session.run(`
    CREATE OR REPLACE TEMP TABLE schemalign_places AS
    SELECT s.r, s.file, s.n + coalesce((SELECT max(x.shift) FROM schemalign_shifts x WHERE x.file = s.file AND x.after <= s.n), 0) AS record
    FROM (SELECT t.rowid AS r, t.file, t.rowid - f.first + 1 AS n FROM ${stageTable} t JOIN schemalign_files f USING (file)
          WHERE t.reject OR t.rowid IN (SELECT "row" FROM ${fateTable} WHERE fate <> 'superseded')) s`);
}

export async function readLedger(session: Session, audit: AuditOptions, target: string): Promise<readonly LedgerEntry[]> {
  if (!(await hasTable(session, audit, 'files'))) return [];
  const rows = await session.rows(
    `SELECT sha256, run_id, load_token FROM ${auditName(audit, 'files')} WHERE target = ${literal(target)} AND load_token IS NOT NULL`,
  );
  return rows.map((row) => ({ sha256: String(row['sha256']), run_id: String(row['run_id']), load_token: String(row['load_token']) }));
}

/** Run records, newest first. */
export async function readRuns(session: Session, audit: AuditOptions): Promise<readonly RunRecord[]> {
  if (!(await hasTable(session, audit, 'runs'))) return [];
  const rows = await session.rows(
    `SELECT record::VARCHAR AS record FROM ${auditName(audit, 'runs')} ORDER BY started_at DESC, run_id DESC`,
  );
  return rows.map((row) => JSON.parse(String(row['record'])) as RunRecord);
}
