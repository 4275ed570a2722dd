/** Which staged rows are left out, and why, beyond those whose values are refused. */
import { Fault } from '../../core/fault.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { DuplicateKeys } from '../../run/effects.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';
import type { Place } from './place.ts';
import { comparable, fateTable, type StagedColumn, type StageLayout, stageTable } from './stage-columns.ts';

export interface Fates {
  readonly duplicates: DuplicateKeys;
  readonly outside: number;
  /** Whether any row is left out. */
  readonly any: boolean;
}

const none: DuplicateKeys = { keys: 0, rows: 0, examples: [], superseded: 0, tied: 0 };

export interface FatesRequest {
  readonly session: Session;
  readonly place: Place;
  readonly plan: Plan;
  readonly layout: StageLayout;
  readonly maxExamples: number;
}

export async function decideFates(request: FatesRequest): Promise<Fates> {
  const { plan } = request;
  if (plan.mode === 'overwrite-partition') return markOutside(request);
  if (plan.mode === 'merge') return markDuplicates(request);
  return { duplicates: none, outside: 0, any: false };
}

/** Rows that lie in no partition named by the plan. */
async function markOutside({ place, plan: { partition }, layout }: FatesRequest): Promise<Fates> {
  const nothing = { duplicates: none, outside: 0, any: false };
  if (partition === null || partition.values === 'present') return nothing;
  const columns = partition.columns.flatMap((name) => stagedColumn(layout, name) ?? []);
  if (columns.length < partition.columns.length) return nothing;
  const inside = partition.values.map(
    (values) => `(${columns.map((column, i) => `${column.name} = ${constantOf(column, values[i])}`).join(' AND ')})`,
  );
  const test = `NOT coalesce(${inside.join(' OR ') || 'false'}, false)`;
  const row = await place.store(fateTable, `SELECT n, 'outside' AS fate FROM ${stageTable} WHERE NOT reject AND ${test}`, {
    n: 'count(*)',
  });
  const outside = Number(row['n']);
  return { duplicates: none, outside, any: outside > 0 };
}

/** A text of the plan as a value of a column; it is known to be one. */
export const constantOf = ({ type }: Pick<StagedColumn, 'type'>, value: string | undefined): string =>
  `CAST(${literal(value ?? '')} AS ${type})`;

export const stagedColumn = (layout: StageLayout, name: string): StagedColumn | undefined =>
  layout.columns.find((column) => column.planned.target.name === name);

/**
 * Of the rows of one key the latest by `order_by` wins; copies that are equal in every column count as one. Where different rows tie
 * for the latest, none wins: they are set aside, and older rows of the key are superseded.
 */
async function markDuplicates(request: FatesRequest): Promise<Fates> {
  const { session, place, plan, layout, maxExamples } = request;
  const columns = plan.key.flatMap((name) => stagedColumn(layout, name) ?? []);
  const odd = columns.find((column) => !column.isComparable);
  if (odd) throw new Fault('GAP', `the key column ${odd.planned.target.name} holds a map, and Spark cannot compare maps`);
  if (columns.length !== plan.key.length || columns.length === 0) return { duplicates: none, outside: 0, any: false };
  const keys = columns.map((column) => column.name);
  const list = keys.join(', ');
  const several = `SELECT ${list}, count(*) AS m, min(n) AS first FROM ${stageTable} WHERE NOT reject GROUP BY ${list} HAVING count(*) > 1`;
  const total = await session.one(`SELECT count(*) AS k, coalesce(sum(m), 0) AS r FROM (${several})`);
  if (total['k'] === '0') return { duplicates: none, outside: 0, any: false };
  const row = await place.store(fateTable, fateSql(request, { keys, several }), {
    superseded: "count_if(fate = 'superseded')",
    tied: "count_if(fate = 'tied')",
  });
  const shown = await session.rows(
    `SELECT concat_ws(',', ${keys.map((key) => `CAST(${key} AS STRING)`).join(', ')}) AS k FROM (${several}) ORDER BY first LIMIT ${maxExamples}`,
  );
  const duplicates = {
    keys: Number(total['k']),
    rows: Number(total['r']),
    examples: shown.map((one) => String(one['k'])),
    superseded: Number(row['superseded']),
    tied: Number(row['tied']),
  };
  return { duplicates, outside: 0, any: duplicates.superseded + duplicates.tied > 0 };
}

/** `n` and fate of each row of a key that several rows have, but for the one that wins. */
function fateSql({ plan, layout }: FatesRequest, { keys, several }: { keys: readonly string[]; several: string }): string {
  const order = plan.merge.orderBy === undefined ? undefined : stagedColumn(layout, plan.merge.orderBy);
  const list = keys.join(', ');
  const mine = keys.map((key) => `s.${key}`).join(', ');
  const rank =
    order === undefined ? '1' : `rank() OVER (PARTITION BY ${mine} ORDER BY ${comparable(order, `s.${order.name}`)} DESC NULLS LAST)`;
  const whole = layout.columns.map((column) => comparable(column, `s.${column.name}`)).join(', ');
  const join = keys.map((key) => `s.${key} = d.${key}`).join(' AND ');
  // `variant` numbers the different rows of a key that share its first place.
  return (
    `WITH ranked AS (SELECT s.n, ${keys.map((key) => `s.${key} AS ${key}`).join(', ')}, struct(${whole}) AS whole, ${rank} AS place ` +
    `FROM ${stageTable} s JOIN (${several}) d ON ${join} WHERE NOT s.reject), ` +
    `tied AS (SELECT n, ${list}, variant, min(n) OVER (PARTITION BY ${list}, variant) AS first FROM ` +
    `(SELECT n, ${list}, dense_rank() OVER (PARTITION BY ${list} ORDER BY whole) AS variant FROM ranked WHERE place = 1)), ` +
    `settled AS (SELECT n, first, max(variant) OVER (PARTITION BY ${list}) AS variants FROM tied) ` +
    `SELECT n, 'superseded' AS fate FROM ranked WHERE place > 1 ` +
    `UNION ALL SELECT n, CASE WHEN variants > 1 AND n = first THEN 'tied' ELSE 'superseded' END FROM settled WHERE NOT (variants = 1 AND n = first)`
  );
}

/** The rows that go into the target, under an alias. */
export function batchSql(fates: Fates, alias = 's'): string {
  const left = fates.any ? ` LEFT ANTI JOIN ${fateTable} f ON f.n = b.n` : '';
  return `(SELECT b.* FROM ${stageTable} b${left} WHERE NOT b.reject) ${alias}`;
}
