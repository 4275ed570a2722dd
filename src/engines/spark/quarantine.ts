/** Refused records with their text, origin and all reasons. Rows go from table to table inside the server. */
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Effects } from '../../run/effects.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import { auditName, createTable, insisting } from './audit.ts';
import type { Session } from './driver.ts';
import { malformedOf } from './effects.ts';
import { literal } from './quote.ts';
import { fateTable, rawTable, stageTable } from './stage-columns.ts';
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

/** Comes once in a run: what is taken back takes these rows along. */
export async function writeQuarantine(session: Session, request: QuarantineRequest): Promise<void> {
  const { audit, staged, effects } = request;
  if (effects.quarantined === 0) return;
  const name = auditName(session, audit, 'quarantine');
  await createTable(session, audit, 'quarantine');
  await sendPlaces(session, request);
  const refused = effects.quarantined - staged.malformed.length;
  const parts = [
    ...(refused > 0 ? staged.groups.map(({ raw }, group) => recordsSql(request, raw.record, group)) : []),
    ...malformedSql(request),
  ];
  await insisting(() => session.hold(`INSERT INTO ${name} ${parts.join(' UNION ALL ')}`));
}

const filesView = 'schemalign_files';
const shiftsView = 'schemalign_shifts';
const linesView = 'schemalign_lines';
const malformedView = 'schemalign_malformed';

/** Temporary views for names and first numbers of files, shifts of record numbers by malformed records, lines of examples, malformed records. */
async function sendPlaces({ client }: Session, { files, staged, effects }: QuarantineRequest): Promise<void> {
  const paths = [...staged.files].map(([file, { first }]) => [String(file), files[file]?.path ?? null, String(first)]);
  await client.view(filesView, ['file', 'path', 'first'], paths);
  const shifts = [...staged.files.keys()].flatMap((file) =>
    malformedOf(staged.malformed, file).map((record, i) => [String(file), String(record - i), String(i + 1)]),
  );
  await client.view(shiftsView, ['file', 'after', 'shift'], shifts);
  const lines = new Map(
    effects.examples.flatMap(({ file, record, line }) =>
      file === null || record === null || line === null ? [] : [[`${file} ${record}`, [file, record, line].map(String)] as const],
    ),
  );
  await client.view(linesView, ['file', 'record', 'line'], [...lines.values()]);
  const records = staged.malformed.map(({ file, record, line, reason, raw }) => [
    files[file]?.path ?? '',
    String(record),
    String(line),
    JSON.stringify([{ path: null, code: `malformed_record:${reason}`, outcome: 'rejected', value: null }]),
    raw,
  ]);
  await client.view(malformedView, ['path', 'record', 'line', 'issues', 'raw'], records);
}

const jsonOptions = "map('ignoreNullFields', 'false')";

/** The refused rows of a group: a good row comes after a malformed record when its own number among the good ones is at least the record's number less the malformed ones before it. */
function recordsSql({ runId, job, keyPath, partitionPath, effects }: QuarantineRequest, record: string, group: number): string {
  const issue = (path: string, code: string): string => literal(JSON.stringify([{ path, code, outcome: 'rejected', value: null }]));
  const hasFates = effects.duplicates.tied + effects.outside > 0;
  const refused = `SELECT n, file, to_json(issues, ${jsonOptions}) AS issues FROM ${stageTable} WHERE reject`;
  const left =
    ` UNION ALL SELECT b.n, b.file, CASE f.fate WHEN 'tied' THEN ${issue(keyPath, 'duplicate_key')} ELSE ${issue(partitionPath, 'outside_partition')} END ` +
    `FROM ${fateTable} f JOIN ${stageTable} b ON b.n = f.n WHERE f.fate <> 'superseded'`;
  const numbered =
    `SELECT s.n, s.file, s.issues, f.path, s.n - CAST(f.first AS BIGINT) + 1 AS own FROM (${refused}${hasFates ? left : ''}) s ` +
    `LEFT JOIN ${filesView} f ON f.file = CAST(s.file AS STRING)`;
  const placed =
    `SELECT p.n, any_value(p.file) AS file, any_value(p.path) AS path, any_value(p.issues) AS issues, any_value(p.own) + coalesce(max(CAST(x.shift AS BIGINT)), 0) AS record ` +
    `FROM (${numbered}) p LEFT JOIN ${shiftsView} x ON x.file = CAST(p.file AS STRING) AND CAST(x.after AS BIGINT) <= p.own GROUP BY p.n`;
  return (
    `SELECT ${literal(runId)}, ${literal(job)}, p.path, p.record, CAST(l.line AS BIGINT), p.issues, r.raw, CAST(NULL AS STRING) FROM (${placed}) p ` +
    `JOIN (SELECT n, ${record} AS raw FROM ${rawTable(group)}) r ON r.n = p.n ` +
    `LEFT JOIN ${linesView} l ON l.file = CAST(p.file AS STRING) AND l.record = CAST(p.record AS STRING)`
  );
}

function malformedSql({ runId, job, staged }: QuarantineRequest): readonly string[] {
  if (staged.malformed.length === 0) return [];
  return [
    `SELECT ${literal(runId)}, ${literal(job)}, path, CAST(record AS BIGINT), CAST(line AS BIGINT), issues, raw, CAST(NULL AS STRING) FROM ${malformedView}`,
  ];
}
