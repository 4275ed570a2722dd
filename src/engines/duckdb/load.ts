/** Writes the staged rows into the target, inside the caller's transaction. */
import { invariant } from '../../core/fault.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { PartitionEffect } from '../../run/effects.ts';
import type { Applied } from '../../run/engine.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { Session } from './driver.ts';
import { batchSql, type Fates, stagedColumn } from './fates.ts';
import { parseTableName, tableSql } from './introspect.ts';
import { ident, literal } from './quote.ts';
import { bitSet, type StagedColumn, type StageLayout } from './stage-columns.ts';

export interface LoadContext {
  readonly session: Session;
  readonly plan: Plan;
  readonly layout: StageLayout;
  readonly fates: Fates;
}

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

export const targetSql = (plan: Plan): string => tableSql(parseTableName(plan.table));

const targetName = (column: StagedColumn): string => ident(column.planned.target.name);

async function countTarget({ session, plan }: LoadContext): Promise<number> {
  return Number((await session.one(`SELECT count(*) AS n FROM ${targetSql(plan)}`))['n']);
}

async function execute(session: Session, sql: string): Promise<number> {
  return Number((await session.one(sql))['Count']);
}

async function append(context: LoadContext): Promise<Applied> {
  const inserted = await execute(context.session, insertSql(context));
  return { inserted, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: inserted > 0 };
}

export function insertSql({ plan, layout, fates }: Omit<LoadContext, 'session'>): string {
  const { columns } = layout;
  return `INSERT INTO ${targetSql(plan)} (${columns.map(targetName).join(', ')}) SELECT ${columns.map((column) => column.name).join(', ')} FROM ${batchSql(fates)}`;
}

/** The value that an update would store: what is there, where the record does not have the column at all. */
const updateValue = (column: StagedColumn): string =>
  column.absent === null
    ? `s.${column.name}`
    : `CASE WHEN ${bitSet({ ...column.absent, mask: `s.${column.absent.mask}` })} THEN t.${targetName(column)} ELSE s.${column.name} END`;

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
  const tests = valueColumns(context).map((column) =>
    added.has(column.planned.target.name)
      ? `s.${column.name} IS NOT NULL`
      : `t.${targetName(column)} IS DISTINCT FROM ${updateValue(column)}`,
  );
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

export function mergeSql(context: Omit<LoadContext, 'session'>): string {
  const { plan, layout, fates } = context;
  const rest = valueColumns(context);
  const set = rest.map((column) => `${targetName(column)} = ${updateValue(column)}`).join(', ');
  const matched = rest.length === 0 ? '' : `WHEN MATCHED AND (${changedSql(context)}) THEN UPDATE SET ${set} `;
  return (
    `MERGE INTO ${targetSql(plan)} t USING (SELECT * FROM ${batchSql(fates)}) s ON ${keyJoinSql(context)} ${matched}` +
    `WHEN NOT MATCHED THEN INSERT (${layout.columns.map(targetName).join(', ')}) VALUES (${layout.columns.map((column) => `s.${column.name}`).join(', ')})`
  );
}

async function merge(context: LoadContext): Promise<Applied> {
  const { session, fates } = context;
  const before = await countTarget(context);
  // Keys are single by now, so that an empty table takes plain rows: the same result at a fifth less cost.
  const changed = await execute(session, before === 0 ? insertSql(context) : mergeSql(context));
  const inserted = (await countTarget(context)) - before;
  const loaded = before === 0 ? changed : Number((await session.one(`SELECT count(*) AS n FROM ${batchSql(fates)}`))['n']);
  return { inserted, updated: changed - inserted, unchanged: loaded - changed, deleted: 0, partitions: [], wrote: changed > 0 };
}

/** The rows of the target that an overwrite or replace takes the place of. */
export function scopeSql({ plan, layout, fates }: Omit<LoadContext, 'session'>, alias = ''): string {
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return 'true';
  const columns = plan.partition.columns.map((name) => {
    const staged = stagedColumn(layout, name);
    invariant(staged, 'the partition columns are staged');
    return staged;
  });
  const prefix = alias === '' ? '' : `${alias}.`;
  if (plan.partition.values === 'present') {
    const pairs = columns.map((column) => `p.${column.name} IS NOT DISTINCT FROM ${prefix}${targetName(column)}`);
    return `EXISTS (SELECT 1 FROM (SELECT DISTINCT ${columns.map((column) => column.name).join(', ')} FROM ${batchSql(fates)}) p WHERE ${pairs.join(' AND ')})`;
  }
  const tests = plan.partition.values.map(
    (values) =>
      `(${columns.map((column, i) => `${prefix}${targetName(column)} = CAST(${literal(values[i] ?? '')} AS ${sqlType(column.planned.target.type)})`).join(' AND ')})`,
  );
  return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
}

const hashes = (columns: readonly string[]): string =>
  `count(*)::VARCHAR || ':' || coalesce(sum(hash(${columns.join(', ')})::HUGEINT), 0)::VARCHAR`;

/** Whether the target's rows in scope are exactly the staged ones, as multisets; `there` are the columns of the target as they will be. */
export async function isSameContent(
  context: LoadContext,
  there: readonly string[] = context.layout.columns.map(targetName),
): Promise<boolean> {
  const { session, plan, layout, fates } = context;
  const batch = await session.one(`SELECT ${hashes(layout.columns.map((column) => column.name))} AS h FROM ${batchSql(fates)}`);
  const stored = await session.one(`SELECT ${hashes(there)} AS h FROM ${targetSql(plan)} WHERE ${scopeSql(context)}`);
  return batch['h'] === stored['h'];
}

async function overwrite(context: LoadContext): Promise<Applied> {
  const { session, fates } = context;
  const partitions = await partitionEffects(context);
  if (await isSameContent(context)) {
    const same = Number((await session.one(`SELECT count(*) AS n FROM ${batchSql(fates)}`))['n']);
    return { inserted: 0, updated: 0, unchanged: same, deleted: 0, partitions, wrote: false };
  }
  const deleted = await execute(session, deleteSql(context));
  const inserted = await execute(session, insertSql(context));
  return { inserted, updated: 0, unchanged: 0, deleted, partitions, wrote: true };
}

export const deleteSql = (context: Omit<LoadContext, 'session'>): string =>
  `DELETE FROM ${targetSql(context.plan)} WHERE ${scopeSql(context)}`;

/** Rows per partition before, and after the load. For replace the whole table counts as one partition without values. */
export async function partitionEffects(context: LoadContext): Promise<readonly PartitionEffect[]> {
  const { session, plan, layout, fates } = context;
  if (plan.mode === 'replace') {
    const row = await session.one(
      `SELECT (SELECT count(*) FROM ${targetSql(plan)}) AS before, (SELECT count(*) FROM ${batchSql(fates)}) AS after`,
    );
    return [{ values: {}, before: Number(row['before']), after: Number(row['after']) }];
  }
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return [];
  const names = plan.partition.columns;
  const columns = names.map((name) => stagedColumn(layout, name) as StagedColumn);
  const parts = columns.map((_, i) => `p${i}`);
  const listed =
    plan.partition.values === 'present'
      ? ''
      : plan.partition.values
          .map(
            (values) =>
              ` UNION ALL SELECT ${columns.map((column, i) => `CAST(${literal(values[i] ?? '')} AS ${sqlType(column.planned.target.type)})`).join(', ')}, 0, 0`,
          )
          .join('');
  const rows = await session.rows(`
    SELECT ${parts.map((part) => `${part}::VARCHAR AS ${part}`).join(', ')}, sum(b)::BIGINT AS before, sum(a)::BIGINT AS after FROM (
      SELECT ${columns.map((column, i) => `${targetName(column)} AS p${i}`).join(', ')}, 1 AS b, 0 AS a FROM ${targetSql(plan)} WHERE ${scopeSql(context)}
      UNION ALL SELECT ${columns.map((column) => column.name).join(', ')}, 0, 1 FROM ${batchSql(fates)}${listed}
    ) GROUP BY ALL ORDER BY ALL`);
  return rows.map((row) => ({
    values: Object.fromEntries(names.map((name, i) => [name, row[`p${i}`] === null ? null : String(row[`p${i}`])])),
    before: Number(row['before']),
    after: Number(row['after']),
  }));
}
