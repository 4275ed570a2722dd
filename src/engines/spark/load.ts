/** Writes the staged rows into the target: into a Delta table as one new version. */
import { Fault, invariant } from '../../core/fault.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { PartitionEffect } from '../../run/effects.ts';
import type { Applied } from '../../run/engine.ts';
import { marked } from './commit.ts';
import type { Row, Session } from './driver.ts';
import { batchSql, constantOf, type Fates, stagedColumn } from './fates.ts';
import type { TargetTable } from './introspect.ts';
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
  /** The target as it was described; undefined where it is not there yet. */
  readonly table: TargetTable | undefined;
  readonly runId: string;
  /** Partitions of the rows, once they were counted. */
  readonly known: { partitions?: readonly PartitionEffect[] };
}

export type LoadSql = Omit<LoadContext, 'session' | 'loaded' | 'table' | 'runId' | 'known'>;

export const isDelta = ({ table }: Pick<LoadContext, 'table'>): boolean => table === undefined || table.format === 'delta';

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

/** What cannot be done to a table that is no Delta table. @throws Fault GAP */
export function checkFormat(plan: Plan, table: TargetTable | undefined): void {
  if (table === undefined || table.format === 'delta' || table.isView) return;
  const fix = 'Make it a Delta table (CONVERT TO DELTA, or CREATE TABLE … USING delta AS SELECT), or choose another mode.';
  const what = `${plan.table} is a table of the format ${table.format}, not a Delta table`;
  if (plan.mode === 'merge') throw new Fault('GAP', `${what}: its rows cannot be changed, so nothing can be merged into it`, { fix });
  if (plan.changes.some(({ change }) => change === 'widen'))
    throw new Fault('GAP', `${what}: the types of its columns cannot be changed`, { fix });
  const own = plan.partition?.columns ?? [];
  if (plan.mode !== 'overwrite-partition') return;
  const there = table.partitionColumns;
  if (there.length === own.length && own.every((name) => there.includes(name))) return;
  throw new Fault('GAP', `${what}: only whole partitions of it can be overwritten, by ${there.join(', ') || 'no column, as it has none'}`, {
    fix,
  });
}

export const targetName = (column: StagedColumn): string => ident(column.planned.target.name);

/** Statement by statement, as a Delta table keeps what a run has done to it. */
async function write(context: LoadContext, sql: string, step = 1): Promise<Row | undefined> {
  const { session, runId } = context;
  const rows = isDelta(context) ? await marked(session, { runId, step }, sql) : await session.rows(sql);
  return rows[0];
}

async function append(context: LoadContext): Promise<Applied> {
  const { loaded } = context;
  if (loaded > 0) await write(context, insertSql(context));
  return { inserted: loaded, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: loaded > 0 };
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
    const differs = `NOT (${comparable(column, `t.${targetName(column)}`)} <=> ${comparable(column, `s.${column.name}`)})`;
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

/** Keys are single by now, so that a table made in this run takes plain rows: the same result at less cost. */
async function merge(context: LoadContext): Promise<Applied> {
  const { loaded, table } = context;
  if (table === undefined) return append(context);
  const row = loaded === 0 ? undefined : await write(context, mergeSql(context));
  const [inserted, updated] = [Number(row?.['num_inserted_rows'] ?? 0), Number(row?.['num_updated_rows'] ?? 0)];
  return { inserted, updated, unchanged: loaded - inserted - updated, deleted: 0, partitions: [], wrote: inserted + updated > 0 };
}

export function partitionColumns({ partition }: Plan, layout: StageLayout): readonly StagedColumn[] {
  return (partition?.columns ?? []).map((name) => {
    const staged = stagedColumn(layout, name);
    invariant(staged, 'the partition columns are staged');
    return staged;
  });
}

/** The rows of the target that an overwrite or replace takes the place of. */
export function scopeSql({ plan, layout }: Pick<LoadContext, 'plan' | 'layout'>, values: readonly (readonly (string | null)[])[]): string {
  if (plan.mode !== 'overwrite-partition') return 'true';
  const columns = partitionColumns(plan, layout);
  const tests = values.map((one) => {
    const parts = columns.map((column, i) => {
      const value = one[i] ?? null;
      return value === null ? `${targetName(column)} IS NULL` : `${targetName(column)} = ${constantOf(column, value)}`;
    });
    return `(${parts.join(' AND ')})`;
  });
  return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
}

/** Partitions named by the plan, or those of the rows. */
export async function partitionValues(context: LoadContext): Promise<readonly (readonly (string | null)[])[]> {
  const { plan, layout, session, fates } = context;
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return [];
  if (plan.partition.values !== 'present') return plan.partition.values;
  if (context.known.partitions)
    return context.known.partitions.map(({ values }) => plan.partition?.columns.map((name) => values[name] ?? null) ?? []);
  const columns = partitionColumns(plan, layout);
  const rows = await session.table(
    `SELECT DISTINCT ${columns.map((column) => `CAST(s.${column.name} AS STRING)`).join(', ')} FROM ${batchSql(fates)}`,
  );
  return rows.rows.map((row) => row.map((value) => (value === null ? null : String(value))));
}

/** Count and hash of rows as a multiset: equal for equal rows in any order. A NULL counts by its place. */
export const contentSql = (columns: readonly string[]): string =>
  `concat(count(*), ':', coalesce(sum(CAST(xxhash64(${columns.flatMap((column) => [column, `${column} IS NULL`]).join(', ')}) AS DECIMAL(38,0))), 0))`;

/** The staged columns, and those of the target, in forms that can be compared. */
export const stagedForms = ({ columns }: StageLayout): readonly string[] => columns.map((column) => comparable(column, `s.${column.name}`));
export const storedForms = ({ columns }: StageLayout): readonly string[] =>
  columns.map((column) => comparable(column, `t.${targetName(column)}`));

/** Whether the target's rows in scope are exactly the staged ones, as multisets; `there` are the columns of the target as they will be. */
export async function isSameContent(
  context: LoadContext,
  scope: string,
  there: readonly string[] = storedForms(context.layout),
): Promise<boolean> {
  const { session, target, layout, fates } = context;
  const row = await session.one(
    `SELECT (SELECT ${contentSql(stagedForms(layout))} FROM ${batchSql(fates)}) = (SELECT ${contentSql(there)} FROM ${target} t WHERE ${scope}) AS same`,
  );
  return row['same'] === true;
}

async function overwrite(context: LoadContext): Promise<Applied> {
  const { loaded, table } = context;
  const partitions = await partitionEffects(context);
  const deleted = partitions.reduce((sum, { before }) => sum + before, 0);
  const applied = { inserted: loaded, updated: 0, unchanged: 0, deleted, partitions, wrote: true };
  if (table === undefined) return { ...(await append(context)), partitions };
  const values = await partitionValues(context);
  if (deleted === loaded && (await isSameContent(context, scopeSql(context, values))))
    return { ...applied, inserted: 0, unchanged: loaded, deleted: 0, wrote: false };
  if (isDelta(context)) await write(context, replaceSql(context, { values, table, byName: context.session.isAtLeast(4, 2) }));
  else for (const sql of await plainOverwrites(context, values, table)) await context.session.run(sql);
  return applied;
}

export interface Replace {
  readonly values: readonly (readonly (string | null)[])[];
  readonly table: TargetTable | undefined;
  /** Whether the server takes the rows by name (since 4.2); otherwise every column has to be given, in its place. */
  readonly byName: boolean;
}

/** Rows in scope give way to the staged ones, in one version. */
export function replaceSql(context: LoadSql, { values, table, byName }: Replace): string {
  const { target, layout, fates } = context;
  const scope = scopeSql(context, values);
  const named = (columns: readonly string[]): string => `SELECT ${columns.join(', ')} FROM ${batchSql(fates)}`;
  if (byName) {
    const select = named(layout.columns.map((column) => `s.${column.name} AS ${targetName(column)}`));
    return `INSERT INTO ${target} BY NAME REPLACE WHERE ${scope} ${select}`;
  }
  return `INSERT INTO ${target} REPLACE WHERE ${scope} ${named(allColumns(layout, table))}`;
}

/** A value for each column of the table, in order. Expressions of generated columns name columns of the table, so the rows get those names first. */
function allColumns(layout: StageLayout, table: TargetTable | undefined): readonly string[] {
  invariant(table, 'what is replaced is there');
  return table.schema.columns.map(({ name, default: value, generated }) => {
    const staged = stagedColumn(layout, name);
    if (staged) return `s.${staged.name}`;
    if (generated === true) {
      throw new Fault('GAP', `the column ${name} is made by the table, and this version of Spark cannot replace rows without it`, {
        fix: 'Use Spark 4.2 or later, or the mode merge.',
      });
    }
    return value ?? 'NULL';
  });
}

/** A table of files is overwritten partition by partition, each as a whole. */
async function plainOverwrites(context: LoadContext, values: Replace['values'], table: TargetTable): Promise<readonly string[]> {
  const { plan, target, layout, fates } = context;
  const parts = new Set(plan.mode === 'overwrite-partition' ? plan.partition?.columns : []);
  const rest = table.schema.columns.filter(({ name }) => !parts.has(name));
  const list = rest.map(({ name, default: value }) => {
    const staged = stagedColumn(layout, name);
    return `${staged ? `s.${staged.name}` : (value ?? 'NULL')} AS ${ident(name)}`;
  });
  if (parts.size === 0) return [`INSERT OVERWRITE ${target} SELECT ${list.join(', ')} FROM ${batchSql(fates)}`];
  const columns = partitionColumns(plan, layout);
  return values.map((one) => {
    const [spec, tests] = [0, 1].map((kind) =>
      columns.map((column, i) => {
        const value = one[i] ?? null;
        if (kind === 0) return `${targetName(column)} = ${value === null ? 'NULL' : literal(value)}`;
        return value === null ? `s.${column.name} IS NULL` : `s.${column.name} = ${constantOf(column, value)}`;
      }),
    ) as [string[], string[]];
    return `INSERT OVERWRITE ${target} PARTITION (${spec.join(', ')}) SELECT ${list.join(', ')} FROM ${batchSql(fates)} WHERE ${tests.join(' AND ')}`;
  });
}

/** Rows per partition before, and after the load. For replace the whole table counts as one partition without values. */
export async function partitionEffects(context: LoadContext): Promise<readonly PartitionEffect[]> {
  const { plan, loaded, table, known } = context;
  if (plan.mode === 'replace') return [{ values: {}, before: table?.rows ?? 0, after: loaded }];
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return [];
  known.partitions ??= await countPartitions(context, plan.partition);
  return known.partitions;
}

async function countPartitions(
  { session, plan, target, layout, fates, table }: LoadContext,
  partition: NonNullable<Plan['partition']>,
): Promise<readonly PartitionEffect[]> {
  const columns = partitionColumns(plan, layout);
  const parts = columns.map((_, i) => `p${i}`).join(', ');
  const listed = partition.values === 'present' ? [] : partition.values;
  const sources = [
    `SELECT ${columns.map((column, i) => `s.${column.name} AS p${i}`).join(', ')}, 0L AS b, 1L AS a, 1 AS mine FROM ${batchSql(fates)}`,
    ...listed.map((values) => `SELECT ${columns.map((column, i) => constantOf(column, values[i])).join(', ')}, 0L, 0L, 1`),
    ...(table === undefined ? [] : [`SELECT ${columns.map((column) => `t.${targetName(column)}`).join(', ')}, 1L, 0L, 0 FROM ${target} t`]),
  ];
  const rows = await session.rows(
    `SELECT ${columns.map((_, i) => `CAST(p${i} AS STRING) AS p${i}`).join(', ')}, before, after FROM ` +
      `(SELECT ${parts}, sum(b) AS before, sum(a) AS after FROM (${sources.join(' UNION ALL ')}) GROUP BY ${parts} HAVING max(mine) = 1 ORDER BY ${parts})`,
  );
  return rows.map((row) => ({
    values: Object.fromEntries(partition.columns.map((name, i) => [name, row[`p${i}`] === null ? null : String(row[`p${i}`])])),
    before: Number(row['before']),
    after: Number(row['after']),
  }));
}
