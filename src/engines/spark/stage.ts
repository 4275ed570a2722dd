/** Stages a source: hands its records over, then casts, flags and counts them in one pass. The target is not touched. */
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';
import type { Broken, Malformed } from '../../run/effects.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import { issueType } from './coerce/policy-sql.ts';
import type { CoerceContext } from './coerce/sql-coercion.ts';
import type { Row, Session } from './driver.ts';
import { type Place, viewOf } from './place.ts';
import { type Copied, copyFiles, type FileRows, groupFolder } from './reader.ts';
import { querySelect } from './shapes.ts';
import { layoutStage, rawTable, type StageLayout, stageTable } from './stage-columns.ts';
import { type GroupSql, groupSql, NotePool } from './stage-sql.ts';

export interface StageRequest {
  readonly session: Session;
  /** Opened when files are read. */
  readonly reader: () => Promise<Reader>;
  /** Folder that is shared with the server, for what is read of files. */
  readonly folder: string;
  readonly place: Place;
  readonly plan: Plan;
  /** All files of the run; the groups of the plan point into it. */
  readonly files: readonly SourceFile[];
  /** SELECT of a table or query source. */
  readonly query?: string;
  readonly rescue: PlannedColumn | null;
  readonly onProgress?: (rows: number, share: number | undefined) => void;
  readonly signal?: AbortSignal;
}

export interface Staged {
  readonly layout: StageLayout;
  readonly notes: NotePool;
  readonly groups: readonly GroupSql[];
  /** By position of the file; of a table or query, 0. */
  readonly files: ReadonlyMap<number, FileRows>;
  readonly malformed: readonly Malformed[];
  readonly broken: readonly Broken[];
  readonly totals: StageTotals;
  /** The statement that casts, for those who want to see it. */
  readonly sql: string;
}

/** What was counted while the rows were stored. */
export interface StageTotals {
  readonly rows: number;
  readonly rejected: number;
  readonly flagged: number;
  /** Records with names that the plan does not know. */
  readonly unknown: number;
  /** Bits that any row has set, by mask. */
  readonly bits: ReadonlyMap<string, bigint>;
}

export async function stageSource(request: StageRequest): Promise<Staged> {
  const { session, plan } = request;
  const layout = layoutStage(plan, request.rescue);
  const notes = new NotePool();
  const context = contextOf(request);
  const groups = plan.groups.map((_, group) => groupSql({ plan, layout, group, context, notes, rescue: request.rescue }));
  const copied = await copyRecords(request);
  const sql = stageSql(groups, layout, notes);
  const masks = [...layout.absentMasks, ...layout.extraMasks, ...notes.masks];
  const watch = setInterval(() => watchTasks(request, copied.rows), progressEvery);
  const counted = await request.place.store(stageTable, sql, counts(masks)).finally(() => clearInterval(watch));
  const totals = readTotals(counted, masks);
  const { malformed, broken } = copied;
  const files = request.query === undefined ? copied.files : new Map([[0, { first: 1, rows: totals.rows }]]);
  void session;
  return { layout, notes, groups, files, malformed, broken, totals, sql };
}

function watchTasks({ session, onProgress }: StageRequest, rows: number): void {
  const now = session.client.progress();
  onProgress?.(rows, now === undefined || now.tasks === 0 ? undefined : now.done / now.tasks);
}

const counts = (masks: readonly string[]): Readonly<Record<string, string>> => ({
  n: 'count(*)',
  rejected: 'count_if(reject)',
  flagged: 'count(issues)',
  unknown: 'count(unknown)',
  ...Object.fromEntries(masks.map((mask) => [mask, `bit_or(${mask})`])),
});

function readTotals(row: Row, masks: readonly string[]): StageTotals {
  const n = (name: string): number => Number(row[name] ?? 0);
  const bits = new Map(masks.map((mask) => [mask, BigInt(String(row[mask] ?? '0'))]));
  return { rows: n('n'), rejected: n('rejected'), flagged: n('flagged'), unknown: n('unknown'), bits };
}

const contextOf = ({ files }: StageRequest): CoerceContext => ({
  nul: files.length === 0 || files.some((file) => file.format === 'parquet' || file.facts.nul),
});

async function copyRecords(request: StageRequest): Promise<Copied> {
  const { session, plan, files, query, folder, onProgress, signal } = request;
  if (query === undefined) {
    const reader = await request.reader();
    const copied = await copyFiles({ reader, plan, files, folder, ...(onProgress ? { onProgress } : {}), ...(signal ? { signal } : {}) });
    for (const group of plan.groups.keys()) await viewOf(session, rawTable(group), groupFolder(folder, group));
    return copied;
  }
  const shape = plan.groups[0];
  invariant(shape, 'a query has one shape');
  // What the query yields is kept, as it may yield something else the next time.
  const row = await request.place.store(rawTable(0), querySelect(query, shape), { n: 'count(*)' });
  return { files: new Map(), malformed: [], broken: [], rows: Number(row['n']) };
}

function stageSql(groups: readonly GroupSql[], layout: StageLayout, notes: NotePool): string {
  if (groups.length > 0) return groups.map((group) => group.select()).join(' UNION ALL ');
  const columns = [
    'CAST(NULL AS BIGINT) AS n',
    'CAST(NULL AS INT) AS file',
    ...layout.columns.map((column) => `CAST(NULL AS ${column.type}) AS ${column.name}`),
    ...[...layout.absentMasks, ...layout.extraMasks, ...notes.masks].map((mask) => `0L AS ${mask}`),
    'CAST(NULL AS ARRAY<STRING>) AS unknown',
    'false AS reject',
    `CAST(NULL AS ARRAY<${issueType}>) AS issues`,
  ];
  return `SELECT ${columns.join(', ')} WHERE false`;
}

/** Milliseconds between two looks at the progress of a statement. */
const progressEvery = 500;
