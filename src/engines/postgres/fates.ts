/** Which staged rows are left out, and why, beyond those whose values are refused. */
import { Fault } from '../../core/fault.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { DuplicateKeys } from '../../run/effects.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';
import { comparable, fateTable, type StagedColumn, type StageLayout, stageTable } from './stage-columns.ts';

export interface Fates {
  readonly duplicates: DuplicateKeys;
  readonly outside: number;
  /** Whether any row is left out. */
  readonly any: boolean;
}

const none: DuplicateKeys = { keys: 0, rows: 0, examples: [], superseded: 0, tied: 0 };

export async function decideFates(session: Session, plan: Plan, layout: StageLayout, maxExamples: number): Promise<Fates> {
  await session.run(`DROP TABLE IF EXISTS ${fateTable}; CREATE TEMP TABLE schemalign_fate (n bigint, fate text)`);
  const outside = await markOutside(session, plan, layout);
  const duplicates = plan.mode === 'merge' ? await markDuplicates(session, plan, layout, maxExamples) : none;
  return { duplicates, outside, any: outside + duplicates.superseded + duplicates.tied > 0 };
}

/** Rows that lie in no partition named by the plan. */
async function markOutside(session: Session, plan: Plan, layout: StageLayout): Promise<number> {
  const { partition } = plan;
  if (plan.mode !== 'overwrite-partition' || partition === null || partition.values === 'present') return 0;
  const columns = partition.columns.flatMap((name) => stagedColumn(layout, name) ?? []);
  if (columns.length < partition.columns.length) return 0;
  const inside = partition.values.map((values) => `(${columns.map((column, i) => partitionTest(column, values[i] ?? '')).join(' AND ')})`);
  return session.run(
    `INSERT INTO ${fateTable} SELECT n, 'outside' FROM ${stageTable} WHERE NOT reject AND NOT coalesce(${inside.join(' OR ') || 'false'}, false)`,
  );
}

/** The value is one of the column's type: that was tried before anything was read. */
const partitionTest = (column: StagedColumn, value: string): string => `${column.name} = CAST(${literal(value)} AS ${typeOf(column)})`;

/** Without the collation, which is no part of a cast. */
export const typeOf = ({ type }: StagedColumn): string => type.replace(/ COLLATE .*$/s, '');

export const stagedColumn = (layout: StageLayout, name: string): StagedColumn | undefined =>
  layout.columns.find((column) => column.planned.target.name === name);

/**
 * Of the rows of one key the latest by `order_by` wins; copies that are equal in every column count as one. Where different rows tie
 * for the latest, none wins: they are set aside, and older rows of the key are superseded.
 */
async function markDuplicates(session: Session, plan: Plan, layout: StageLayout, maxExamples: number): Promise<DuplicateKeys> {
  const columns = plan.key.flatMap((name) => stagedColumn(layout, name) ?? []);
  if (columns.length !== plan.key.length || columns.length === 0) return none;
  const odd = columns.find((column) => !column.isComparable);
  if (odd) throw new Fault('GAP', `the key column ${odd.planned.target.name} is of the type json, which PostgreSQL cannot compare`);
  const keys = columns.map((column) => column.name);
  const list = keys.join(', ');
  await session.run(`
    DROP TABLE IF EXISTS pg_temp.schemalign_keys, pg_temp.schemalign_ranked;
    CREATE TEMP TABLE schemalign_keys AS SELECT ${list} FROM ${stageTable} WHERE NOT reject GROUP BY ${list} HAVING count(*) > 1`);
  const total = await session.one('SELECT count(*) AS keys FROM pg_temp.schemalign_keys');
  if (total['keys'] === '0') return none;
  await session.run('ANALYZE pg_temp.schemalign_keys');
  const rank = orderBy(plan, layout, list);
  const join = keys.map((key) => `k.${key} = s.${key}`).join(' AND ');
  await session.run(
    `CREATE TEMP TABLE schemalign_ranked AS SELECT s.n, ${keys.map((key) => `s.${key}`).join(', ')}, ${rank} AS place ` +
      `FROM ${stageTable} s JOIN pg_temp.schemalign_keys k ON ${join} WHERE NOT s.reject`,
  );
  await session.run(`INSERT INTO ${fateTable} SELECT n, 'superseded' FROM pg_temp.schemalign_ranked WHERE place > 1`);
  await settleTies(session, layout, keys);
  await session.run(`ANALYZE ${fateTable}`);
  const shown = await session.rows(
    `SELECT concat_ws(',', ${keys.map((key) => `${key}::text`).join(', ')}) AS k FROM pg_temp.schemalign_ranked GROUP BY ${list} ORDER BY min(n) LIMIT ${maxExamples}`,
  );
  const fates = await session.one(
    `SELECT count(*) FILTER (WHERE fate = 'superseded') AS superseded, count(*) FILTER (WHERE fate = 'tied') AS tied, (SELECT count(*) FROM pg_temp.schemalign_ranked) AS "rows" FROM ${fateTable}`,
  );
  return {
    keys: Number(total['keys']),
    rows: Number(fates['rows']),
    examples: shown.map((row) => String(row['k'])),
    superseded: Number(fates['superseded']),
    tied: Number(fates['tied']),
  };
}

/** Place of a row among those of its key. Texts are ordered by their code points, not by a language. */
function orderBy(plan: Plan, layout: StageLayout, keys: string): string {
  const order = plan.merge.orderBy === undefined ? undefined : stagedColumn(layout, plan.merge.orderBy);
  if (order === undefined) return '1';
  if (!order.isComparable) throw new Fault('GAP', `merge.order_by names a column of the type json, which PostgreSQL cannot compare`);
  const collation = order.planned.target.type.kind === 'string' && /text|char/.test(order.type) ? ' COLLATE "C"' : '';
  const partition = keys.replaceAll(/\bc\d+\b/g, 's.$&');
  return `rank() OVER (PARTITION BY ${partition} ORDER BY s.${order.name}${collation} DESC NULLS LAST)`;
}

/** Rows that share the first place of their key: copies of one another count as one row, different ones set each other aside. */
async function settleTies(session: Session, layout: StageLayout, keys: readonly string[]): Promise<void> {
  const list = keys.join(', ');
  const whole = layout.columns.map((column) => comparable(column, `s.${column.name}`)).join(', ');
  const join = keys.map((key) => `v.${key} = f.${key}`).join(' AND ');
  // `variant` numbers the different rows of a key.
  await session.run(`
    DROP TABLE IF EXISTS pg_temp.schemalign_tied;
    CREATE TEMP TABLE schemalign_tied AS
    SELECT n, ${list}, variant, min(n) OVER (PARTITION BY ${list}, variant) AS first FROM (
      SELECT s.n, ${keys.map((key) => `s.${key}`).join(', ')}, dense_rank() OVER (PARTITION BY ${keys.map((key) => `s.${key}`).join(', ')} ORDER BY ${whole}) AS variant
      FROM ${stageTable} s WHERE s.n IN (
        SELECT unnest(array_agg(n)) FROM pg_temp.schemalign_ranked WHERE place = 1 GROUP BY ${list} HAVING count(*) > 1)) x;
    INSERT INTO ${fateTable}
    SELECT f.n, CASE WHEN v.variants > 1 AND f.n = f.first THEN 'tied' ELSE 'superseded' END
    FROM pg_temp.schemalign_tied f JOIN (SELECT ${list}, max(variant) AS variants FROM pg_temp.schemalign_tied GROUP BY ${list}) v ON ${join}
    WHERE NOT (v.variants = 1 AND f.n = f.first)`);
}

/** The rows that go into the target, under an alias. */
export function batchSql(fates: Fates, alias = 's'): string {
  const left = fates.any ? ` AND NOT EXISTS (SELECT 1 FROM ${fateTable} f WHERE f.n = b.n)` : '';
  return `(SELECT * FROM ${stageTable} b WHERE NOT b.reject${left}) ${alias}`;
}
