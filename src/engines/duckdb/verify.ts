/** Step 6: what is in the target now, held against what was aligned. */
import type { RunCheck } from '../../core/record/run-record.ts';
import type { Applied } from '../../run/engine.ts';
import type { LogicalType } from '../../core/model/type.ts';
import { batchSql } from './fates.ts';
import { changedSql, keyJoinSql, type LoadContext, scopeSql, targetSql } from './load.ts';
import { ident, literal } from './quote.ts';
import { type Bit, bitSet, type StagedColumn } from './stage-columns.ts';
import type { Row } from './driver.ts';

/** DuckDB numbers the rows that a transaction has added from here on until it commits. */
const firstUncommittedRow = 36028797018960000n;

/** Types whose extremes are compared. Those of texts are left out: the content is compared anyway, and they take longest to find. */
const comparable = new Set<LogicalType['kind']>(['boolean', 'int', 'decimal', 'float', 'date', 'time', 'timestamp', 'timestamptz', 'uuid']);

/** `applied` is null when no load went before: then an append is checked by looking for each row in the whole target. */
export async function verifyLoad(context: LoadContext, applied: Applied | null): Promise<readonly RunCheck[]> {
  if (context.plan.mode === 'merge') return verifyMerge(context);
  // A column of this name hides the engine's own numbers.
  const hasRowid = context.plan.columns.some(({ target }) => target.name.toLowerCase() === 'rowid');
  if (context.plan.mode === 'append' && (applied === null || hasRowid)) return verifyContained(context);
  const scope = context.plan.mode === 'append' ? `rowid >= ${firstUncommittedRow}` : scopeSql(context);
  return [...(await verifyScope(context, scope)), ...(await verifyPartitions(context, scope))];
}

const check = (name: string, path: string | null, { expected, actual }: { expected: unknown; actual: unknown }): RunCheck => {
  const text = (value: unknown): string => (value === null || value === undefined ? 'NULL' : String(value));
  return { name, path, expected: text(expected), actual: text(actual), ok: text(expected) === text(actual) };
};

/**
 * Each staged row finds exactly one row of its key, and is equal to it in every column. Where that holds for all rows at once, the nulls
 * and extremes of the target's rows are those of the staged ones; only where it does not, each column is looked at by itself.
 */
async function verifyMerge(context: LoadContext): Promise<readonly RunCheck[]> {
  const { session, plan, layout, fates } = context;
  const join = `FROM (SELECT * FROM ${batchSql(fates)}) s JOIN ${targetSql(plan)} t ON ${keyJoinSql(context)}`;
  const compared = await comparedByHash(context);
  const expected = await stagedFacts(context, compared);
  if (await isMerged(context, { compared, expected, join })) {
    const found = { ...expected, ...Object.fromEntries(layout.columns.map((_, i) => [`e${i}`, expected['n'] ?? null])) };
    const rows = check('rows', null, { expected: expected['n'], actual: found['n'] });
    return [rows, ...layout.columns.flatMap((column, i) => columnChecks(column, { i, expected, found, equal: true }))];
  }
  const pieces = layout.columns.flatMap((column, i) => {
    const there = `t.${ident(column.planned.target.name)}`;
    const kept = column.absent === null ? '' : `${bitSet({ ...column.absent, mask: `s.${column.absent.mask}` })} OR `;
    const equal = `count(*) FILTER (${kept}${there} IS NOT DISTINCT FROM s.${column.name}) AS e${i}`;
    return [equal, `count(*) - count(${there}) AS n${i}`, ...extremes(column, there, i)];
  });
  const found = await session.one(`SELECT count(*) AS n${pieces.map((piece) => `, ${piece}`).join('')} ${join}`);
  const rows = check('rows', null, { expected: expected['n'], actual: found['n'] });
  return [rows, ...layout.columns.flatMap((column, i) => columnChecks(column, { i, expected, found, equal: true }))];
}

interface Merged {
  /** Columns whose content hash `expected.h` tells. */
  readonly compared: readonly StagedColumn[] | undefined;
  readonly expected: Row;
  /** FROM clause of staged rows, `s`, beside those of the target, `t`. */
  readonly join: string;
}

/** Whether the rows of the target that have a staged key are the staged rows: by hash where that tells, else by comparison. */
async function isMerged(context: LoadContext, { compared, expected, join }: Merged): Promise<boolean> {
  const { session, plan, fates } = context;
  if (compared !== undefined) {
    const total = await session.one(`SELECT count(*) AS n FROM ${targetSql(plan)}`);
    // As many rows as were staged: when these are the same, nothing else is in the table.
    const matched = total['n'] === expected['n'] ? '' : ` t SEMI JOIN (SELECT * FROM ${batchSql(fates)}) s ON ${keyJoinSql(context)}`;
    const there = compared.map((column) => ident(column.planned.target.name));
    const found = await session.one(`SELECT count(*) AS n, ${contentSql(there)} AS h FROM ${targetSql(plan)}${matched}`);
    if (found['n'] === expected['n'] && found['h'] === expected['h']) return true;
  }
  const whole = await session.one(`SELECT count(*) AS n, count(*) FILTER (NOT (${changedSql(context)})) AS same ${join}`);
  return whole['n'] === expected['n'] && whole['same'] === whole['n'];
}

/** The columns that every staged row has; a column that no row has is kept as it is. Undefined when only some rows have one. */
async function comparedByHash({ session, layout, fates }: LoadContext): Promise<readonly StagedColumn[] | undefined> {
  const isUnknown = ({ planned }: StagedColumn): boolean => planned.sources.some((source) => source !== null);
  const unknown = layout.columns.flatMap((column) => (column.absent !== null && isUnknown(column) ? [column.absent] : []));
  const masks = [...new Set(unknown.map(({ mask }) => mask))].map(
    (mask) => `coalesce(bit_or(${mask}), 0)::VARCHAR AS or_${mask}, coalesce(bit_and(${mask}), 0)::VARCHAR AS and_${mask}`,
  );
  const bits = masks.length === 0 ? {} : await session.one(`SELECT ${masks.join(', ')} FROM ${batchSql(fates)}`);
  const isSet = (kind: string, { mask, bit }: Bit): boolean => ((BigInt(String(bits[`${kind}_${mask}`])) >> BigInt(bit)) & 1n) === 1n;
  if (unknown.some((absent) => isSet('or', absent) && !isSet('and', absent))) return undefined;
  const compared = layout.columns.filter((column) => column.absent === null || (isUnknown(column) && !isSet('or', column.absent)));
  return compared.length === 0 ? undefined : compared;
}

/** Hash of rows as a multiset: equal for equal rows in any order. */
const contentSql = (columns: readonly string[]): string => `coalesce(sum(hash(${columns.join(', ')})::HUGEINT), 0)::VARCHAR`;

function extremes(column: StagedColumn, value: string, i: number): readonly string[] {
  return comparable.has(column.planned.target.type.kind) ? [`min(${value})::VARCHAR AS lo${i}`, `max(${value})::VARCHAR AS hi${i}`] : [];
}

/** Nulls and extremes of the staged rows, and the hash of some of their columns. */
function stagedFacts({ session, layout, fates }: LoadContext, hashed: readonly StagedColumn[] = []): Promise<Row> {
  const pieces = layout.columns.flatMap((column, i) => [`count(*) - count(${column.name}) AS n${i}`, ...extremes(column, column.name, i)]);
  if (hashed.length > 0) pieces.push(`${contentSql(hashed.map((column) => column.name))} AS h`);
  return session.one(`SELECT count(*) AS n${pieces.map((piece) => `, ${piece}`).join('')} FROM ${batchSql(fates)}`);
}

interface ColumnFacts {
  readonly i: number;
  readonly expected: Row;
  readonly found: Row;
  readonly equal: boolean;
}

function columnChecks(column: StagedColumn, { i, expected, found, equal }: ColumnFacts): readonly RunCheck[] {
  const path = column.planned.target.name;
  const checks = equal ? [check('equal rows', path, { expected: expected['n'], actual: found[`e${i}`] })] : [];
  if (column.absent !== null) return checks;
  checks.push(check('nulls', path, { expected: expected[`n${i}`], actual: found[`n${i}`] }));
  if (expected[`lo${i}`] === undefined) return checks;
  return [
    ...checks,
    check('min', path, { expected: expected[`lo${i}`], actual: found[`lo${i}`] }),
    check('max', path, { expected: expected[`hi${i}`], actual: found[`hi${i}`] }),
  ];
}

/** The rows of the target in `scope` are the staged ones: as a multiset by hash, and column by column. */
async function verifyScope(context: LoadContext, scope: string): Promise<readonly RunCheck[]> {
  const { session, plan, layout, fates } = context;
  const there = layout.columns.map((column) => ident(column.planned.target.name));
  const staged = layout.columns.map((column) => column.name);
  const hashes = (columns: readonly string[]): string =>
    columns.map((column, i) => `coalesce(sum(hash(${column})::HUGEINT), 0)::VARCHAR AS h${i}`).join(', ');
  const pieces = layout.columns.flatMap((column, i) => [
    `count(*) - count(${there[i]}) AS n${i}`,
    ...extremes(column, there[i] as string, i),
  ]);
  const found = await session.one(
    `SELECT count(*) AS n, ${contentSql(there)} AS h${pieces.map((piece) => `, ${piece}`).join('')}, ${hashes(there)} FROM ${targetSql(plan)} WHERE ${scope}`,
  );
  const expected = await stagedFacts(context);
  const hash = await session.one(`SELECT ${contentSql(staged)} AS h, ${hashes(staged)} FROM ${batchSql(fates)}`);
  return [
    check('rows', null, { expected: expected['n'], actual: found['n'] }),
    check('content', null, { expected: hash['h'], actual: found['h'] }),
    ...layout.columns.flatMap((column, i) => [
      check('content', column.planned.target.name, { expected: hash[`h${i}`], actual: found[`h${i}`] }),
      ...columnChecks({ ...column, absent: null }, { i, expected, found, equal: false }),
    ]),
  ];
}

/** Each partition in scope holds as many rows as were staged for it. Of those that do not, the first few are told. */
async function verifyPartitions({ session, plan, layout, fates }: LoadContext, scope: string): Promise<readonly RunCheck[]> {
  const names = plan.mode === 'overwrite-partition' ? (plan.partition?.columns ?? []) : [];
  const staged = names.map((name) => layout.columns.find((column) => column.planned.target.name === name)?.name);
  if (names.length === 0 || staged.includes(undefined)) return [];
  const list = (columns: readonly (string | undefined)[]): string => columns.map((column, i) => `${column} AS p${i}`).join(', ');
  const label = names.map((name, i) => `${literal(`${name}=`)} || coalesce(p${i}::VARCHAR, 'NULL')`).join(` || ', ' || `);
  const rows = await session.rows(`
    SELECT ${label} AS name, sum(e) AS expected, sum(f) AS found FROM (
      SELECT ${list(staged)}, 1 AS e, 0 AS f FROM ${batchSql(fates)}
      UNION ALL SELECT ${list(names.map(ident))}, 0, 1 FROM ${targetSql(plan)} WHERE ${scope})
    GROUP BY name HAVING sum(e) <> sum(f) ORDER BY name LIMIT 5`);
  return rows.map((row) =>
    check('partition rows', names.join(','), {
      expected: `${row['name']}: ${row['expected']}`,
      actual: `${row['name']}: ${row['found']}`,
    }),
  );
}

async function verifyContained({ session, plan, layout, fates }: LoadContext): Promise<readonly RunCheck[]> {
  const there = layout.columns.map((column) => ident(column.planned.target.name)).join(', ');
  const staged = layout.columns.map((column) => column.name).join(', ');
  const row = await session.one(
    `SELECT count(*) AS n FROM (SELECT ${staged} FROM ${batchSql(fates)} EXCEPT ALL SELECT ${there} FROM ${targetSql(plan)})`,
  );
  return [check('rows not in the target', null, { expected: '0', actual: row['n'] })];
}
