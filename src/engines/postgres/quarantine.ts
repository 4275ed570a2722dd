/** Refused records with their text, origin and all reasons. Rows go from table to table inside the server. */
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Effects } from '../../run/effects.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { auditName, auditText, createAuditTables, insertRows } from './audit.ts';
import type { Session } from './driver.ts';
import { malformedOf } from './effects.ts';
import { literal } from './quote.ts';
import { fateTable, flaggedTable, rawTable } from './stage-columns.ts';
import type { Staged } from './stage.ts';

export interface QuarantineRequest {
  readonly audit: AuditOptions;
  readonly runId: string;
  readonly job: string;
  readonly files: readonly SourceFile[];
  readonly staged: Staged;
  readonly effects: Effects;
  /** Key or partition columns, for the issues of rows that were left out for them. */
  readonly keyPath: string;
  readonly partitionPath: string;
}

const placesTable = 'pg_temp.schemalign_places';

export async function writeQuarantine(session: Session, request: QuarantineRequest): Promise<void> {
  const { audit, staged, effects } = request;
  if (effects.quarantined === 0) return;
  await createAuditTables(session, audit);
  await preparePlaces(session, request);
  const table = auditName(session, audit, 'quarantine');
  for (const [group, { raw }] of staged.groups.entries()) {
    await session.run(
      `INSERT INTO ${table} SELECT ${auditText(request.runId)}, ${auditText(request.job)}, f.path, p.record, l.line, p.issues, r.raw, NULL ` +
        `FROM ${placesTable} p JOIN (SELECT n, ${raw.record} AS raw FROM ${rawTable(group)}) r ON r.n = p.n ` +
        `LEFT JOIN pg_temp.schemalign_files f ON f.file = p.file ` +
        `LEFT JOIN pg_temp.schemalign_lines l ON l.file = p.file AND l.record = p.record ORDER BY p.n`,
    );
  }
  await insertRows(
    session,
    table,
    staged.malformed.map((record) => [
      auditText(request.runId),
      auditText(request.job),
      auditText(request.files[record.file]?.path ?? ''),
      String(record.record),
      String(record.line),
      literal(JSON.stringify([{ path: null, code: `malformed_record:${record.reason}`, outcome: 'rejected', value: null }])),
      auditText(record.raw),
      'NULL',
    ]),
  );
}

/** A temporary table with file, record number and reasons of each row that is set aside, and two for names of files and lines of examples. */
async function preparePlaces(session: Session, { files, staged, effects, keyPath, partitionPath }: QuarantineRequest): Promise<void> {
  await session.run(`
    DROP TABLE IF EXISTS ${placesTable}, pg_temp.schemalign_files, pg_temp.schemalign_shifts, pg_temp.schemalign_lines;
    CREATE TEMP TABLE schemalign_files (file integer, path text, first bigint);
    CREATE TEMP TABLE schemalign_shifts (file integer, after bigint, shift bigint);
    CREATE TEMP TABLE schemalign_lines (file integer, record bigint, line bigint)`);
  await insertRows(
    session,
    'pg_temp.schemalign_files',
    [...staged.files].map(([file, { first }]) => [String(file), auditText(files[file]?.path ?? null), String(first)]),
  );
  const shifts = [...staged.files.keys()].flatMap((file) =>
    malformedOf(staged.malformed, file).map((record, i) => [String(file), String(record - i), String(i + 1)]),
  );
  await insertRows(session, 'pg_temp.schemalign_shifts', shifts);
  const lines = new Map(
    effects.examples.flatMap(({ file, record, line }) =>
      file === null || record === null || line === null ? [] : [[`${file} ${record}`, [file, record, line].map(String)] as const],
    ),
  );
  await insertRows(session, 'pg_temp.schemalign_lines', [...lines.values()]);
  const issue = (path: string, code: string): string =>
    literal(JSON.stringify([{ path: path.replaceAll('\0', '\u2400'), code, outcome: 'rejected', value: null }]));
  const { nulMark } = staged;
  const issues = nulMark === undefined ? 'w.issues::text' : `replace(w.issues::text, ${literal(nulMark)}, ${literal('\u2400')})`;
  // A good row comes after a malformed record when its own number among the good ones is at least the record's number less the malformed ones before it.
  await session.run(`
    CREATE TEMP TABLE schemalign_places AS
    SELECT s.n, s.file, s.n - f.first + 1 + coalesce((SELECT max(x.shift) FROM pg_temp.schemalign_shifts x WHERE x.file = s.file AND x.after <= s.n - f.first + 1), 0) AS record,
      s.issues::json AS issues
    FROM (
      SELECT w.n, w.file, ${issues} AS issues FROM ${flaggedTable} w WHERE w.reject
      UNION ALL
      SELECT b.n, b.file, CASE t.fate WHEN 'tied' THEN ${issue(keyPath, 'duplicate_key')} ELSE ${issue(partitionPath, 'outside_partition')} END
      FROM ${fateTable} t JOIN pg_temp.schemalign_stage b ON b.n = t.n WHERE t.fate <> 'superseded') s
      JOIN pg_temp.schemalign_files f ON f.file = s.file`);
}
