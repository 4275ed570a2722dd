/** Step 6: what is in the target now, held against what was aligned. */
import type { LogicalType } from '../../core/model/type.ts';
import type { RunCheck } from '../../core/record/run-record.ts';
import type { Applied } from '../../run/engine.ts';
import type { Row } from './driver.ts';
import { batchSql, stagedColumn } from './fates.ts';
import { changedSql, contentSql, keyJoinSql, type LoadContext, scopeSql, stagedForms, storedForms, targetName } from './load.ts';
import { literal } from './quote.ts';
import { bitSet, comparable, type StagedColumn } from './stage-columns.ts';

/** Rows that this transaction has written. */
const ofThisTransaction = 't.xmin = pg_current_xact_id()::xid';

/** Types whose extremes are compared. Those of texts are left out: the content is compared anyway, and they take longest to find. */
const ordered = new Set<LogicalType['kind']>(['int', 'decimal', 'float', 'date', 'time', 'timestamp', 'timestamptz']);

/** `applied` is null when no load went before: then an append is checked by looking for each row in the whole target. */
export async function verifyLoad(context: LoadContext, applied: Applied | null): Promise<readonly RunCheck[]> {
  const { mode } = context.plan;
  if (mode === 'merge') return verifyMerge(context, applied);
  if (mode === 'append' && applied === null) return verifyContained(context);
  const scope = mode === 'append' ? ofThisTransaction : scopeSql(context, 't');
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
async function verifyMerge(context: LoadContext, applied: Applied | null): Promise<readonly RunCheck[]> {
  const { session, target, layout, fates } = context;
  const join = `FROM ${batchSql(fates)} JOIN ${target} t ON ${keyJoinSql(context)}`;
  const expected = await stagedFacts(context);
  if ((await isAllThatIsThere(context, applied)) || (await isEach(context, expected, join))) {
    const found = { ...expected, ...Object.fromEntries(layout.columns.map((_, i) => [`e${i}`, expected['n'] ?? null])) };
    return mergeChecks(context, expected, found);
  }
  const pieces = layout.columns.flatMap((column, i) => {
    const there = `t.${targetName(column)}`;
    const kept = column.absent === null ? '' : `${bitSet(column.absent, 's.')} OR `;
    const same = `${comparable(column, there)} IS NOT DISTINCT FROM ${comparable(column, `s.${column.name}`)}`;
    return [`count(*) FILTER (WHERE ${kept}${same}) AS e${i}`, ...columnFacts(column, there, i)];
  });
  return mergeChecks(context, expected, await session.one(`SELECT count(*) AS n${pieces.map((piece) => `, ${piece}`).join('')} ${join}`));
}

/** Whether nothing was in the table before, and now nothing but the staged rows is: then no row has to be looked up by its key. */
async function isAllThatIsThere({ session, target, layout, fates, loaded }: LoadContext, applied: Applied | null): Promise<boolean> {
  if (applied === null || applied.inserted !== loaded) return false;
  // Not counted to its end: the table may be large.
  const there = await session.one(`SELECT count(*) AS n FROM (SELECT FROM ${target} LIMIT ${loaded + 1}) x`);
  if (Number(there['n']) !== loaded) return false;
  const found = await session.one(`SELECT ${contentSql(storedForms(layout))} AS h FROM ${target} t`);
  const staged = await session.one(`SELECT ${contentSql(stagedForms(layout))} AS h FROM ${batchSql(fates)}`);
  return found['h'] === staged['h'];
}

async function isEach(context: LoadContext, expected: Row, join: string): Promise<boolean> {
  const whole = await context.session.one(`SELECT count(*) AS n, count(*) FILTER (WHERE NOT (${changedSql(context)})) AS same ${join}`);
  return whole['n'] === expected['n'] && whole['same'] === whole['n'];
}

function mergeChecks({ layout }: LoadContext, expected: Row, found: Row): readonly RunCheck[] {
  const rows = check('rows', null, { expected: expected['n'], actual: found['n'] });
  return [rows, ...layout.columns.flatMap((column, i) => columnChecks(column, { i, expected, found, equal: true }))];
}

/** Nulls and extremes of a column. */
function columnFacts(column: StagedColumn, value: string, i: number): readonly string[] {
  const nulls = `count(*) - count(${value}) AS n${i}`;
  if (!ordered.has(column.planned.target.type.kind)) return [nulls];
  return [nulls, `min(${value})::text AS lo${i}`, `max(${value})::text AS hi${i}`];
}

function stagedFacts({ session, layout, fates }: LoadContext): Promise<Row> {
  const pieces = layout.columns.flatMap((column, i) => columnFacts(column, `s.${column.name}`, i));
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
  const { session, target, layout, fates } = context;
  const there = `FROM ${target} t WHERE ${scope}`;
  const pieces = layout.columns.flatMap((column, i) => columnFacts(column, `t.${targetName(column)}`, i)).map((piece) => `, ${piece}`);
  const found = await session.one(`SELECT count(*) AS n, ${contentSql(storedForms(layout))} AS h${pieces.join('')} ${there}`);
  const expected = await stagedFacts(context);
  const hash = await session.one(`SELECT ${contentSql(stagedForms(layout))} AS h FROM ${batchSql(fates)}`);
  const contents = hash['h'] === found['h'] ? [] : await columnContents(context, there);
  return [
    check('rows', null, { expected: expected['n'], actual: found['n'] }),
    check('content', null, { expected: hash['h'], actual: found['h'] }),
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
  const names = plan.mode === 'overwrite-partition' ? (plan.partition?.columns ?? []) : [];
  const columns = names.flatMap((name) => stagedColumn(layout, name) ?? []);
  if (names.length === 0 || columns.length < names.length) return [];
  const label = names.map((name, i) => `${literal(`${name}=`)} || coalesce(x.p${i}::text, 'NULL')`).join(` || ', ' || `);
  const rows = await session.rows(`
    SELECT ${label} AS name, sum(e) AS expected, sum(f) AS found FROM (
      SELECT ${columns.map((column, i) => `s.${column.name} AS p${i}`).join(', ')}, 1 AS e, 0 AS f FROM ${batchSql(fates)}
      UNION ALL SELECT ${columns.map((column) => `t.${targetName(column)}`).join(', ')}, 0, 1 FROM ${target} t WHERE ${scope}) x
    GROUP BY 1 HAVING sum(e) <> sum(f) ORDER BY 1 LIMIT 5`);
  return rows.map((row) =>
    check('partition rows', names.join(','), {
      expected: `${row['name']}: ${row['expected']}`,
      actual: `${row['name']}: ${row['found']}`,
    }),
  );
}

async function verifyContained({ session, target, layout, fates }: LoadContext): Promise<readonly RunCheck[]> {
  const row = await session.one(
    `SELECT count(*) AS n FROM (SELECT ${stagedForms(layout).join(', ')} FROM ${batchSql(fates)} EXCEPT ALL SELECT ${storedForms(layout).join(', ')} FROM ${target} t) x`,
  );
  return [check('rows not in the target', null, { expected: '0', actual: row['n'] })];
}
