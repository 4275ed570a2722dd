/** Stages a source: copies its records, then casts, flags and keeps in one pass what the later steps need. The target is not touched. */
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedColumn } from '../../core/plan/plan.ts';
import type { Broken, Malformed } from '../../run/effects.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import type { CoerceContext } from './coerce/sql-coercion.ts';
import type { Session } from './driver.ts';
import type { NativeColumn } from './introspect.ts';
import { type Copied, copyFiles, createRaw, type FileRows } from './reader.ts';
import { rawColumns } from './raw-levels.ts';
import { querySelect } from './shapes.ts';
import { type Bit, bitSet, flaggedTable, layoutStage, rawTable, type StageLayout, stageTable } from './stage-columns.ts';
import { type GroupSql, groupSql, NotePool } from './stage-sql.ts';

export interface StageRequest {
  readonly session: Session;
  /** Opened when files are read. */
  readonly reader: () => Promise<Reader>;
  readonly plan: Plan;
  readonly natives: ReadonlyMap<string, NativeColumn>;
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
  readonly nulMark: string | undefined;
  /** By position of the file; of a table or query, 0. */
  readonly files: ReadonlyMap<number, FileRows>;
  readonly malformed: readonly Malformed[];
  readonly broken: readonly Broken[];
  readonly totals: StageTotals;
  /** The statement that casts, for those who want to see it. */
  readonly sql: string;
}

/** What one look over the whole staging table tells. */
export interface StageTotals {
  readonly rejected: number;
  readonly flagged: number;
  /** Rows per file in which a bit is set, by bit and file; bits that no row has set are absent. */
  readonly bits: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

export async function stageSource(request: StageRequest): Promise<Staged> {
  const { session, plan } = request;
  const layout = layoutStage(plan, request.rescue, request.natives);
  const notes = new NotePool();
  const context = contextOf(request);
  const groups = plan.groups.map((_, group) => groupSql({ plan, layout, group, context, notes, rescue: request.rescue }));
  const copied = await copyRecords(request, context.nulMark);
  const sql = stageSql(groups, layout, notes);
  await session.run(`DROP TABLE IF EXISTS ${stageTable}; CREATE TEMP TABLE schemalign_stage AS ${sql}`);
  const totals = await keepFlagged(session, layout, notes);
  const { files, malformed, broken } = copied;
  return { layout, notes, groups, nulMark: context.nulMark, files, malformed, broken, totals, sql };
}

/** The mark for U+0000 is made of the bytes of the source, so that none of its texts can hold it by chance. */
function contextOf({ files }: StageRequest): CoerceContext {
  if (!files.some((file) => file.format === 'parquet' || file.facts.nul)) return {};
  const digest = files
    .map((file) => file.sha256.slice(0, 12))
    .join('')
    .slice(0, 24);
  return { nulMark: `#${digest}nul#` };
}

async function copyRecords(request: StageRequest, nulMark: string | undefined): Promise<Copied> {
  const { session, plan, files, query, onProgress, signal } = request;
  if (query === undefined) {
    const reader = await request.reader();
    const nul = { mark: nulMark ?? '' };
    return copyFiles({ session, reader, plan, files, nul, ...(onProgress ? { onProgress } : {}), ...(signal ? { signal } : {}) });
  }
  const shape = plan.groups[0];
  invariant(shape, 'a query has one shape');
  await createRaw(session, 0, shape);
  const rows = await readQuery(session, querySelect(query, rawColumns(shape)));
  onProgress?.(rows, undefined);
  return { files: new Map([[0, { first: 1, rows }]]), malformed: [], broken: [], rows };
}

/** What the query yields is kept, as it may yield something else the next time. Nothing that it calls can write. */
async function readQuery(session: Session, select: string): Promise<number> {
  await session.run('BEGIN READ ONLY');
  try {
    const rows = await session.run(`INSERT INTO ${rawTable(0)} ${select}`);
    await session.run('COMMIT');
    return rows;
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function stageSql(groups: readonly GroupSql[], layout: StageLayout, notes: NotePool): string {
  if (groups.length > 0) return groups.map((group) => group.select()).join(' UNION ALL ');
  const columns = [
    'NULL::bigint AS n',
    'NULL::integer AS file',
    ...layout.columns.map((column) => `NULL::${column.type} AS ${column.name}`),
    ...[...layout.absentMasks, ...layout.extraMasks, ...notes.masks].map((mask) => `NULL::bigint AS ${mask}`),
    'NULL::text AS unknown',
    'NULL::boolean AS reject',
    'NULL::jsonb AS issues',
  ];
  return `SELECT ${columns.join(', ')} WHERE false`;
}

/** Aggregates in one query: a result may have 1,664 columns. */
const bitsAtOnce = 1_500;

/** One look over all rows; the few that are flagged are then kept by themselves. */
async function keepFlagged(session: Session, layout: StageLayout, notes: NotePool): Promise<StageTotals> {
  const all = [...layout.columns.flatMap(({ absent }) => absent ?? []), ...layout.extras, ...notes.notes.map(({ bit }) => bit)];
  const bits = new Map<string, ReadonlyMap<number, number>>();
  for (let i = 0; i < all.length; i += bitsAtOnce) await countBits(session, all.slice(i, i + bitsAtOnce), bits);
  const totals = await session.one(`SELECT count(*) FILTER (WHERE reject) AS rejected, count(issues) AS flagged FROM ${stageTable}`);
  const flagged = Number(totals['flagged']);
  await session.run(
    `DROP TABLE IF EXISTS ${flaggedTable}; CREATE TEMP TABLE schemalign_flagged AS SELECT n, file, reject, issues FROM ${stageTable} WHERE ${flagged === 0 ? 'false' : 'issues IS NOT NULL'}`,
  );
  return { rejected: Number(totals['rejected']), flagged, bits };
}

async function countBits(session: Session, bits: readonly Bit[], found: Map<string, ReadonlyMap<number, number>>): Promise<void> {
  const counts = bits.map((bit, k) => `, count(*) FILTER (WHERE ${bitSet(bit)}) AS b${k}`).join('');
  const rows = await session.rows(`SELECT file${counts} FROM ${stageTable} GROUP BY file ORDER BY file`);
  for (const [k, bit] of bits.entries()) {
    const files = rows.map((row) => [Number(row['file']), Number(row[`b${k}`])] as const).filter(([, count]) => count > 0);
    if (files.length > 0) found.set(bitKey(bit), new Map(files));
  }
}

export const bitKey = ({ mask, bit }: Bit): string => `${mask}.${bit}`;
