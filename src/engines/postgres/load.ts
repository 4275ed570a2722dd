/** Writes the staged rows into the target, inside the caller's transaction. */
import { invariant } from '../../core/fault.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { PartitionEffect } from '../../run/effects.ts';
import type { Applied } from '../../run/engine.ts';
import type { Session } from './driver.ts';
import { batchSql, type Fates, stagedColumn, typeOf } from './fates.ts';
import { ident, literal } from './quote.ts';
import { bitSet, comparable, type StagedColumn, type StageLayout } from './stage-columns.ts';

export interface LoadContext {
  readonly session: Session;
  readonly plan: Plan;
  /** The target as SQL. */
  readonly target: string;
  readonly layout: StageLayout;
  readonly fates: Fates;
  /** Rows that go into the target. */
  readonly loaded: number;
}

export type LoadSql = Omit<LoadContext, 'session' | 'loaded'>;

export async function applyLoad(context: LoadContext): Promise<Applied> {
  switch (context.plan.mode) {
    case 'merge':
      return merge(context);
    case 'append':
      return append(context);
    default:
      return overwrite(context);
  }
}

export const targetName = (column: StagedColumn): string => ident(column.planned.target.name);

async function append(context: LoadContext): Promise<Applied> {
  const inserted = await context.session.run(insertSql(context));
  return { inserted, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: inserted > 0 };
}

export function insertSql({ target, layout, fates }: LoadSql): string {
  const { columns } = layout;
  return `INSERT INTO ${target} (${columns.map(targetName).join(', ')}) SELECT ${columns.map((column) => `s.${column.name}`).join(', ')} FROM ${batchSql(fates)}`;
}

const isAbsent = (column: StagedColumn): string => (column.absent === null ? 'false' : bitSet(column.absent, 's.'));

/** The value that an update would store: what is there, where the record does not have the column at all. */
const updateValue = (column: StagedColumn): string =>
  column.absent === null ? `s.${column.name}` : `CASE WHEN ${isAbsent(column)} THEN t.${targetName(column)} ELSE s.${column.name} END`;

/** Equality of the key columns of the target, `t`, and a staged row, `s`. */
export function keyJoinSql({ plan, layout }: Pick<LoadContext, 'plan' | 'layout'>): string {
  const pairs = plan.key.map((name) => {
    const key = stagedColumn(layout, name);
    invariant(key, 'the key columns are staged');
    return `t.${targetName(key)} = s.${key.name}`;
  });
  return pairs.join(' AND ');
}

const valueColumns = ({ plan, layout }: Pick<LoadContext, 'plan' | 'layout'>): readonly StagedColumn[] =>
  layout.columns.filter((column) => !plan.key.includes(column.planned.target.name));

/** Whether an update would change anything; `added` columns are not in the target yet. */
export function changedSql(context: Pick<LoadContext, 'plan' | 'layout'>, added: ReadonlySet<string> = new Set()): string {
  const tests = valueColumns(context).map((column) => {
    if (added.has(column.planned.target.name)) return `s.${column.name} IS NOT NULL`;
    const differs = `${comparable(column, `t.${targetName(column)}`)} IS DISTINCT FROM ${comparable(column, `s.${column.name}`)}`;
    return column.absent === null ? differs : `(NOT ${isAbsent(column)} AND ${differs})`;
  });
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

export function mergeSql(context: LoadSql): string {
  const { target, layout, fates } = context;
  const rest = valueColumns(context);
  const set = rest.map((column) => `${targetName(column)} = ${updateValue(column)}`).join(', ');
  const matched = rest.length === 0 ? '' : `WHEN MATCHED AND (${changedSql(context)}) THEN UPDATE SET ${set} `;
  return (
    `MERGE INTO ${target} t USING ${batchSql(fates)} ON ${keyJoinSql(context)} ${matched}` +
    `WHEN NOT MATCHED THEN INSERT (${layout.columns.map(targetName).join(', ')}) VALUES (${layout.columns.map((column) => `s.${column.name}`).join(', ')})`
  );
}

/** Keys are single by now, so that an empty table takes plain rows: the same result at less cost. */
async function merge(context: LoadContext): Promise<Applied> {
  const { session, target, loaded } = context;
  const isEmpty = (await session.one(`SELECT NOT EXISTS (SELECT 1 FROM ${target}) AS empty`))['empty'] === 't';
  if (isEmpty) return append(context);
  const { changed, inserted } = await runMerge(context);
  return { inserted, updated: changed - inserted, unchanged: loaded - changed, deleted: 0, partitions: [], wrote: changed > 0 };
}

/** From version 17 on the server tells what became of each row; before, the rows of the table are counted. */
async function runMerge(context: LoadContext): Promise<{ readonly changed: number; readonly inserted: number }> {
  const { session } = context;
  if (session.version >= tellsActions) {
    const row = await session.one(
      `WITH merged AS (${mergeSql(context)} RETURNING merge_action() AS action) SELECT count(*) AS changed, count(*) FILTER (WHERE action = 'INSERT') AS inserted FROM merged`,
    );
    return { changed: Number(row['changed']), inserted: Number(row['inserted']) };
  }
  const before = await countTarget(context);
  const changed = await session.run(mergeSql(context));
  return { changed, inserted: (await countTarget(context)) - before };
}

const tellsActions = 170_000;

async function countTarget({ session, target }: LoadContext): Promise<number> {
  return Number((await session.one(`SELECT count(*) AS n FROM ${target}`))['n']);
}

/** The rows of the target that an overwrite or replace takes the place of. */
export function scopeSql({ plan, layout, fates }: Pick<LoadContext, 'plan' | 'layout' | 'fates'>, alias: string): string {
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return 'true';
  const columns = partitionColumns(plan, layout);
  if (plan.partition.values === 'present') {
    const pairs = columns.map((column) => `p.${column.name} IS NOT DISTINCT FROM ${alias}.${targetName(column)}`);
    return `EXISTS (SELECT 1 FROM (SELECT DISTINCT ${columns.map((column) => column.name).join(', ')} FROM ${batchSql(fates)}) p WHERE ${pairs.join(' AND ')})`;
  }
  const tests = plan.partition.values.map(
    (values) => `(${columns.map((column, i) => `${alias}.${targetName(column)} = ${valueSql(column, values[i])}`).join(' AND ')})`,
  );
  return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
}

function partitionColumns({ partition }: Plan, layout: StageLayout): readonly StagedColumn[] {
  return (partition?.columns ?? []).map((name) => {
    const staged = stagedColumn(layout, name);
    invariant(staged, 'the partition columns are staged');
    return staged;
  });
}

const valueSql = (column: StagedColumn, value: string | undefined): string => `CAST(${literal(value ?? '')} AS ${typeOf(column)})`;

/** Count and hash of rows as a multiset: equal for equal rows in any order. */
export const contentSql = (columns: readonly string[]): string =>
  `count(*)::text || ':' || coalesce(sum(hash_record_extended(ROW(${columns.join(', ')}), 0)), 0)::text`;

/** The staged columns, and those of the target, in forms that can be compared. */
export const stagedForms = ({ columns }: StageLayout): readonly string[] => columns.map((column) => comparable(column, `s.${column.name}`));
export const storedForms = ({ columns }: StageLayout): readonly string[] =>
  columns.map((column) => comparable(column, `t.${targetName(column)}`));

/** Whether the target's rows in scope are exactly the staged ones, as multisets; `there` are the columns of the target as they will be. */
export async function isSameContent(context: LoadContext, there: readonly string[] = storedForms(context.layout)): Promise<boolean> {
  const { session, target, layout, fates } = context;
  const batch = await session.one(`SELECT ${contentSql(stagedForms(layout))} AS h FROM ${batchSql(fates)}`);
  const stored = await session.one(`SELECT ${contentSql(there)} AS h FROM ${target} t WHERE ${scopeSql(context, 't')}`);
  return batch['h'] === stored['h'];
}

async function overwrite(context: LoadContext): Promise<Applied> {
  const { session, loaded } = context;
  const partitions = await partitionEffects(context);
  if (await isSameContent(context)) return { inserted: 0, updated: 0, unchanged: loaded, deleted: 0, partitions, wrote: false };
  const deleted = await session.run(deleteSql(context));
  const inserted = await session.run(insertSql(context));
  return { inserted, updated: 0, unchanged: 0, deleted, partitions, wrote: true };
}

export const deleteSql = (context: LoadSql): string => `DELETE FROM ${context.target} t WHERE ${scopeSql(context, 't')}`;

/** Rows per partition before, and after the load. For replace the whole table counts as one partition without values. */
export async function partitionEffects(context: LoadContext): Promise<readonly PartitionEffect[]> {
  const { session, plan, target, layout, fates, loaded } = context;
  if (plan.mode === 'replace') return [{ values: {}, before: await countTarget(context), after: loaded }];
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return [];
  const names = plan.partition.columns;
  const columns = partitionColumns(plan, layout);
  const listed =
    plan.partition.values === 'present'
      ? ''
      : plan.partition.values
          .map((values) => ` UNION ALL SELECT ${columns.map((column, i) => valueSql(column, values[i])).join(', ')}, 0, 0`)
          .join('');
  const rows = await session.rows(`
    SELECT ${columns.map((_, i) => `p${i}::text AS p${i}`).join(', ')}, sum(b) AS before, sum(a) AS after FROM (
      SELECT ${columns.map((column, i) => `t.${targetName(column)} AS p${i}`).join(', ')}, 1 AS b, 0 AS a FROM ${target} t WHERE ${scopeSql(context, 't')}
      UNION ALL SELECT ${columns.map((column) => `s.${column.name}`).join(', ')}, 0, 1 FROM ${batchSql(fates)}${listed}
    ) x GROUP BY ${columns.map((_, i) => `x.p${i}`).join(', ')} ORDER BY ${columns.map((_, i) => `x.p${i}`).join(', ')}`);
  return rows.map((row) => ({
    values: Object.fromEntries(names.map((name, i) => [name, row[`p${i}`] ?? null])),
    before: Number(row['before']),
    after: Number(row['after']),
  }));
}
