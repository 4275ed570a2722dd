/** Which staged rows are left out, and why, beyond those whose values are refused. */
import type { Plan } from '../../core/plan/plan.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';
import { fateTable, type StageLayout, stageTable, type StagedColumn } from './stage-columns.ts';
import type { DuplicateKeys } from '../../run/effects.ts';

export interface Fates {
  readonly duplicates: DuplicateKeys;
  readonly outside: number;
  /** Whether any row is left out. */
  readonly any: boolean;
}

const none: DuplicateKeys = { keys: 0, rows: 0, examples: [], superseded: 0, tied: 0 };

export async function decideFates(session: Session, plan: Plan, layout: StageLayout, maxExamples: number): Promise<Fates> {
  await session.run(`CREATE OR REPLACE TEMP TABLE ${fateTable} (row BIGINT, fate VARCHAR)`);
  const outside = await markOutside(session, plan, layout);
  const duplicates = plan.mode === 'merge' ? await markDuplicates(session, plan, layout, maxExamples) : none;
  return { duplicates, outside, any: outside + duplicates.superseded + duplicates.tied > 0 };
}

/** Rows that lie in no partition named by the plan. */
async function markOutside(session: Session, plan: Plan, layout: StageLayout): Promise<number> {
  const { partition } = plan;
  if (plan.mode !== 'overwrite-partition' || partition === null || partition.values === 'present') return 0;
  const columns = partition.columns.map((name) => stagedColumn(layout, name));
  if (columns.some((column) => column === undefined)) return 0;
  const inside = partition.values.map(
    (values) => `(${columns.map((column, i) => partitionTest(column as StagedColumn, values[i] ?? '')).join(' AND ')})`,
  );
  await session.run(
    `INSERT INTO ${fateTable} SELECT rowid, 'outside' FROM ${stageTable} WHERE NOT reject AND NOT coalesce(${inside.join(' OR ') || 'false'}, false)`,
  );
  const count = await session.one(`SELECT count(*) AS n FROM ${fateTable} WHERE fate = 'outside'`);
  return Number(count['n']);
}

function partitionTest(column: StagedColumn, value: string): string {
  return `${column.name} = TRY_CAST(${literal(value)} AS ${sqlType(column.planned.target.type)})`;
}

export const stagedColumn = (layout: StageLayout, name: string): StagedColumn | undefined =>
  layout.columns.find((column) => column.planned.target.name === name);

/**
 * Of the rows of one key the latest by `order_by` wins; copies that are equal in every column count as one. Where different rows tie
 * for the latest, none wins: they are set aside, and older rows of the key are superseded.
 */
async function markDuplicates(session: Session, plan: Plan, layout: StageLayout, maxExamples: number): Promise<DuplicateKeys> {
  const keys = plan.key.map((name) => stagedColumn(layout, name)?.name).filter((name) => name !== undefined);
  if (keys.length !== plan.key.length || keys.length === 0) return none;
  const list = keys.join(', ');
  await session.run(
    `CREATE OR REPLACE TEMP TABLE schemalign_keys AS SELECT ${list} FROM ${stageTable} WHERE NOT reject GROUP BY ${list} HAVING count(*) > 1`,
  );
  const total = await session.one('SELECT count(*) AS keys FROM schemalign_keys');
  if (Number(total['keys']) === 0) return none;
  const order = plan.merge.orderBy === undefined ? undefined : stagedColumn(layout, plan.merge.orderBy)?.name;
  const rank = order === undefined ? '1' : `rank() OVER (PARTITION BY ${list} ORDER BY ${order} DESC NULLS LAST)`;
  await session.run(
    `CREATE OR REPLACE TEMP TABLE schemalign_ranked AS SELECT rowid AS "row", ${list}, ${rank} AS place ` +
      `FROM ${stageTable} SEMI JOIN schemalign_keys USING (${list}) WHERE NOT reject`,
  );
  await session.run(`INSERT INTO ${fateTable} SELECT "row", 'superseded' FROM schemalign_ranked WHERE place > 1`);
  await settleTies(session, layout, list);
  const shown = await session.rows(
    `SELECT concat_ws(',', ${keys.map((key) => `${key}::VARCHAR`).join(', ')}) AS k FROM schemalign_ranked GROUP BY ${list} ORDER BY min("row") LIMIT ${maxExamples}`,
  );
  const fates = await session.one(
    `SELECT count(*) FILTER (fate = 'superseded') AS superseded, count(*) FILTER (fate = 'tied') AS tied, (SELECT count(*) FROM schemalign_ranked) AS "rows" FROM ${fateTable}`,
  );
  return {
    keys: Number(total['keys']),
    rows: Number(fates['rows']),
    examples: shown.map((row) => String(row['k'])),
    superseded: Number(fates['superseded']),
    tied: Number(fates['tied']),
  };
}

/** Rows that share the first place of their key: copies of one another count as one row, different ones set each other aside. */
async function settleTies(session: Session, layout: StageLayout, keys: string): Promise<void> {
  const whole = `{${layout.columns.map((column) => `'${column.name}': ${column.name}`).join(', ')}}`;
  await session.run(`
    CREATE OR REPLACE TEMP TABLE schemalign_tied AS
    SELECT rowid AS "row", ${keys}, ${whole} AS whole FROM ${stageTable} WHERE rowid IN (
      SELECT unnest(list("row")) FROM schemalign_ranked WHERE place = 1 GROUP BY ${keys} HAVING count(*) > 1)`);
  await session.run(`
    INSERT INTO ${fateTable}
    SELECT "row", CASE WHEN variants > 1 AND "row" = first THEN 'tied' ELSE 'superseded' END
    FROM (
      SELECT "row", min("row") OVER (PARTITION BY ${keys}, whole) AS first, count(DISTINCT whole) OVER (PARTITION BY ${keys}) AS variants
      FROM schemalign_tied)
    WHERE NOT (variants = 1 AND "row" = first)`);
}

/** FROM clause of the rows that go into the target. */
export function batchSql(fates: Fates): string {
  return `${stageTable} WHERE NOT reject${fates.any ? ` AND rowid NOT IN (SELECT "row" FROM ${fateTable})` : ''}`;
}
