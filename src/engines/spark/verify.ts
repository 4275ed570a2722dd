/** Step 6: what is in the target now, held against what was aligned. */
import type { LogicalType } from '../../core/model/type.ts';
import type { RunCheck } from '../../core/record/run-record.ts';
import type { Applied } from '../../run/engine.ts';
import type { Commit } from './commit.ts';
import type { Row } from './driver.ts';
import { batchSql } from './fates.ts';
import {
  changedSql,
  contentSql,
  keyJoinSql,
  type LoadContext,
  partitionColumns,
  partitionValues,
  scopeSql,
  stagedForms,
  storedForms,
  targetName,
} from './load.ts';
import { literal } from './quote.ts';
import { bitSet, comparable, type StagedColumn } from './stage-columns.ts';

/** Types whose extremes are compared. Those of texts are left out: the content is compared anyway. */
const ordered = new Set<LogicalType['kind']>(['int', 'decimal', 'float', 'date', 'timestamp', 'timestamptz']);

/** `commit` is the version that the load has made; null when it made none, or the table has no versions. */
export async function verifyLoad(context: LoadContext, applied: Applied | null, commit: Commit | null): Promise<readonly RunCheck[]> {
  const { mode } = context.plan;
  const history = commit === null || applied === null ? [] : historyChecks(context, applied, commit);
  if (mode === 'merge') return [...history, ...(await verifyMerge(context))];
  if (mode === 'append') return [...history, ...(await verifyAppend(context, applied, commit))];
  const scope = scopeSql(context, await partitionValues(context));
  return [...history, ...(await verifyScope(context, scope)), ...(await verifyPartitions(context, scope))];
}

const check = (name: string, path: string | null, { expected, actual }: { expected: unknown; actual: unknown }): RunCheck => {
  const text = (value: unknown): string => (value === null || value === undefined ? 'NULL' : String(value));
  return { name, path, expected: text(expected), actual: text(actual), ok: text(expected) === text(actual) };
};

/** What Delta itself counted while it wrote. Of an overwrite it also counts the rows that it only copied. */
function historyChecks({ plan }: LoadContext, applied: Applied, { metrics }: Commit): readonly RunCheck[] {
  const told = (what: string, metric: string, expected: number): readonly RunCheck[] => {
    const actual = metrics.get(metric);
    return actual === undefined ? [] : [check(`rows ${what}, by the history of the table`, null, { expected, actual })];
  };
  if (plan.mode === 'append') return told('written', 'numOutputRows', applied.inserted);
  if (plan.mode !== 'merge') return [];
  return [...told('inserted', 'numTargetRowsInserted', applied.inserted), ...told('updated', 'numTargetRowsUpdated', applied.updated)];
}

/**
 * Each staged row finds exactly one row of its key, and is equal to it in every column. Where that holds for all rows at once, the nulls
 * and extremes of the target's rows are those of the staged ones; only where it does not, each column is looked at by itself.
 */
async function verifyMerge(context: LoadContext): Promise<readonly RunCheck[]> {
  const { session, target, layout, fates, loaded } = context;
  const join = `FROM ${batchSql(fates)} JOIN ${target} t ON ${keyJoinSql(context)}`;
  const facts = layout.columns.flatMap((column, i) => columnFacts(column, `s.${column.name}`, i)).map((piece) => `, ${piece}`);
  const whole = await session.one(`SELECT count(*) AS n, count_if(NOT (${changedSql(context)})) AS same${facts.join('')} ${join}`);
  if (Number(whole['n']) === loaded && Number(whole['same']) === loaded) {
    const found = { ...whole, ...Object.fromEntries(layout.columns.map((_, i) => [`e${i}`, whole['n'] ?? null])) };
    return mergeChecks(context, whole, found);
  }
  const pieces = layout.columns.flatMap((column, i) => {
    const there = `t.${targetName(column)}`;
    const kept = column.absent === null ? '' : `${bitSet(column.absent, 's.')} OR `;
    const same = `${comparable(column, there)} <=> ${comparable(column, `s.${column.name}`)}`;
    return [`count_if(${kept}${same}) AS e${i}`, ...columnFacts(column, there, i)];
  });
  const expected = await stagedFacts(context);
  return mergeChecks(context, expected, await session.one(`SELECT count(*) AS n${pieces.map((piece) => `, ${piece}`).join('')} ${join}`));
}

function mergeChecks({ layout, loaded }: LoadContext, expected: Row, found: Row): readonly RunCheck[] {
  const rows = check('rows', null, { expected: loaded, actual: found['n'] });
  return [rows, ...layout.columns.flatMap((column, i) => columnChecks(column, { i, expected, found, equal: true }))];
}

/** Nulls and extremes of a column. */
function columnFacts(column: StagedColumn, value: string, i: number): readonly string[] {
  const nulls = `count(*) - count(${value}) AS n${i}`;
  if (!ordered.has(column.planned.target.type.kind)) return [nulls];
  return [nulls, `CAST(min(${value}) AS STRING) AS lo${i}`, `CAST(max(${value}) AS STRING) AS hi${i}`];
}

function stagedFacts({ session, layout, fates }: LoadContext): Promise<Row> {
  const pieces = layout.columns.flatMap((column, i) => columnFacts(column, `s.${column.name}`, i));
  return session.one(
    `SELECT count(*) AS n, ${contentSql(stagedForms(layout))} AS h${pieces.map((piece) => `, ${piece}`).join('')} FROM ${batchSql(fates)}`,
  );
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
  if (column.absent !== null && equal) return checks;
  checks.push(check('nulls', path, { expected: expected[`n${i}`], actual: found[`n${i}`] }));
  if (expected[`lo${i}`] === undefined) return checks;
  return [
    ...checks,
    check('min', path, { expected: expected[`lo${i}`], actual: found[`lo${i}`] }),
    check('max', path, { expected: expected[`hi${i}`], actual: found[`hi${i}`] }),
  ];
}

/** The rows of the target in `scope` are the staged ones: as a multiset by hash, and where they are not, column by column. */
async function verifyScope(context: LoadContext, scope: string): Promise<readonly RunCheck[]> {
  const { session, target, layout } = context;
  const there = `FROM ${target} t WHERE ${scope}`;
  const pieces = layout.columns.flatMap((column, i) => columnFacts(column, `t.${targetName(column)}`, i)).map((piece) => `, ${piece}`);
  const found = await session.one(`SELECT count(*) AS n, ${contentSql(storedForms(layout))} AS h${pieces.join('')} ${there}`);
  const expected = await stagedFacts(context);
  const contents = expected['h'] === found['h'] ? [] : await columnContents(context, there);
  return [
    check('rows', null, { expected: expected['n'], actual: found['n'] }),
    check('content', null, { expected: expected['h'], actual: found['h'] }),
    ...contents,
    ...layout.columns.flatMap((column, i) => columnChecks(column, { i, expected, found, equal: false })),
  ];
}

async function columnContents({ session, layout, fates }: LoadContext, there: string): Promise<readonly RunCheck[]> {
  const each = (forms: readonly string[]): string => forms.map((form, i) => `${contentSql([form])} AS h${i}`).join(', ');
  const expected = await session.one(`SELECT ${each(stagedForms(layout))} FROM ${batchSql(fates)}`);
  const found = await session.one(`SELECT ${each(storedForms(layout))} ${there}`);
  return layout.columns.map(({ planned }, i) =>
    check('content', planned.target.name, { expected: expected[`h${i}`], actual: found[`h${i}`] }),
  );
}

/** Each partition in scope holds as many rows as were staged for it. Of those that do not, the first few are told. */
async function verifyPartitions({ session, plan, target, layout, fates }: LoadContext, scope: string): Promise<readonly RunCheck[]> {
  if (plan.mode !== 'overwrite-partition' || plan.partition === null) return [];
  const names = plan.partition.columns;
  const columns = partitionColumns(plan, layout);
  const label = names.map((name, i) => `concat(${literal(`${name}=`)}, coalesce(CAST(p${i} AS STRING), 'NULL'))`).join(', ');
  const rows = await session.rows(`
    SELECT concat_ws(', ', ${label}) AS name, sum(e) AS expected, sum(f) AS found FROM (
      SELECT ${columns.map((column, i) => `s.${column.name} AS p${i}`).join(', ')}, 1 AS e, 0 AS f FROM ${batchSql(fates)}
      UNION ALL SELECT ${columns.map((column) => `t.${targetName(column)}`).join(', ')}, 0, 1 FROM ${target} t WHERE ${scope})
    GROUP BY 1 HAVING sum(e) <> sum(f) ORDER BY 1 LIMIT 5`);
  return rows.map((row) =>
    check('partition rows', names.join(','), {
      expected: `${row['name']}: ${row['expected']}`,
      actual: `${row['name']}: ${row['found']}`,
    }),
  );
}

/** Rows that came with the load are told apart by the version of the table; where that cannot be, each row is looked for in all of it. */
async function verifyAppend(context: LoadContext, applied: Applied | null, commit: Commit | null): Promise<readonly RunCheck[]> {
  const { session, target, layout, fates } = context;
  if (applied !== null && !applied.wrote) return [];
  const staged = `SELECT ${stagedForms(layout).join(', ')} FROM ${batchSql(fates)}`;
  const stored = (version: string): string => `SELECT ${storedForms(layout).join(', ')} FROM ${target}${version} t`;
  if (applied === null || commit === null) {
    const row = await session.one(`SELECT count(*) AS n FROM (${staged} EXCEPT ALL ${stored('')})`);
    return [check('rows not in the target', null, { expected: '0', actual: row['n'] })];
  }
  const [now, then] = [commit.version, commit.version - 1].map((version) => contentAt(context, version));
  const row = await session.one(
    `SELECT (${now}) - (${then}) AS found, (SELECT ${hashSum(stagedForms(layout))} FROM ${batchSql(fates)}) AS expected`,
  );
  return [check('content', null, { expected: row['expected'], actual: row['found'] })];
}

const hashSum = (columns: readonly string[]): string => contentSql(columns).replace(/^concat\(count\(\*\), ':', (.*)\)$/s, '$1');

const contentAt = ({ target, layout }: LoadContext, version: number): string =>
  `SELECT ${hashSum(storedForms(layout))} FROM ${target} VERSION AS OF ${version} t`;
