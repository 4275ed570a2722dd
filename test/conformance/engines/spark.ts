/**
 * How the suite reaches Spark: the rendered coercions in the levels of the staging query, over inline rows. JSON tokens are made by the same
 * SQL as in the reader. Typed values have Spark's own types; those that it does not have are text, as in its tables.
 */
import { builtInRule } from '../../../src/core/model/policy.ts';
import type { LogicalType } from '../../../src/core/model/type.ts';
import { coerceSql } from '../../../src/engines/spark/coerce/coerce.ts';
import { tokenOf } from '../../../src/engines/spark/coerce/json-tokens.ts';
import { sqlType } from '../../../src/engines/spark/coerce/sql-type.ts';
import { type Cell, openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { literal } from '../../../src/engines/spark/quote.ts';
import type { PlainValue } from '../../harness/case-value.ts';
import type { Question } from '../corpus.ts';
import type { Asked, ComparedRunning, Harness } from '../suite.ts';
import type { Outcome } from '../verdict.ts';

/** The harness of a server. */
export function sparkAt(url: string): Harness<ComparedRunning> {
  return {
    name: 'Spark',
    start: async (zone) => {
      const client = await openSpark(url, { config: { 'spark.sql.session.timeZone': zone, ...settings[zone] } });
      return {
        cast: '`try_cast`',
        evaluate: (asked) => evaluate(client, asked),
        plain: (asked) => plainCasts(client, asked),
        version: async () => client.version,
        stop: () => client.close(),
      };
    },
    exceptions: {},
  };
}

/** Interpreted where only the zone is another: code for a query takes longer to make than a few rows to be read. */
const interpreted = { 'spark.sql.codegen.factoryMode': 'NO_CODEGEN', 'spark.sql.codegen.wholeStage': 'false' };

const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  UTC: interpreted,
  'America/New_York': interpreted,
  'Asia/Kathmandu': interpreted,
};

/** The rows as SQL of a table `given(n, raw)`. */
function given({ from, rows }: Pick<Asked, 'from' | 'rows'>): string {
  const type: LogicalType = from.form === 'typed' ? from.type : { kind: 'string' };
  const values = rows.map(({ given: value }, n) => `(${n}, ${valueSql(type, value)})`);
  return `(SELECT * FROM VALUES ${values.join(', ')} AS given(n, raw))`;
}

/** A typed value from the way CONVENTIONS.md writes it. */
function valueSql(type: LogicalType, value: PlainValue | undefined): string {
  if (value === null || value === undefined) return `CAST(NULL AS ${sqlType(type)})`;
  if (type.kind === 'binary') return `unhex('${value}')`;
  if (type.kind === 'list') {
    return `CAST(array(${(value as PlainValue[]).map((item) => valueSql(type.element, item)).join(', ')}) AS ${sqlType(type)})`;
  }
  if (type.kind === 'struct') {
    const object = value as { readonly [name: string]: PlainValue };
    return `named_struct(${type.fields.map((field) => `${literal(field.name)}, ${valueSql(field.type, object[field.name])}`).join(', ')})`;
  }
  if (type.kind === 'map') {
    const entries = Object.entries(value as object) as [string, PlainValue][];
    const pairs = entries.flatMap(([key, item]) => [valueSql(type.key, key), valueSql(type.value, item)]);
    return `CAST(map(${pairs.join(', ')}) AS ${sqlType(type)})`;
  }
  return `CAST(${literal(String(value))} AS ${sqlType(type)})`;
}

/** The nested queries of the staging step, over the rows. */
export function coercionQuery(asked: Question & Pick<Asked, 'rows'>): string {
  const { from, to, rule, paths } = asked;
  const complete = { ...builtInRule, ...rule };
  const nested = new Map(Object.entries(paths).map(([path, own]) => [path, { ...complete, ...own }]));
  const sql = coerceSql({ path: 'v', from, to, rule: complete, nested }, { raw: '`raw`', text: '`text`', strict: '`strict`' }, { nul: true });
  const raw = from.form === 'json' ? `(SELECT n, ${tokenOf('raw')} AS raw FROM ${given(asked)})` : given(asked);
  const staged = `SELECT *, ${sql.strict} AS \`strict\` FROM (SELECT *, ${sql.text} AS \`text\` FROM ${raw})`;
  return `SELECT n, CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE \`strict\` END AS value,
      CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END AS rejects,
      CASE WHEN ${sql.refused} THEN ${sql.issues} END AS issues
    FROM (${staged})`;
}

/** Rows of a query that counts them in its first column, in that order. */
async function inOrder(client: SparkClient, query: string): Promise<readonly (readonly Cell[])[]> {
  const { rows } = await client.table(query);
  return [...rows].sort(([a], [b]) => Number(a) - Number(b));
}

async function evaluate(client: SparkClient, asked: Asked): Promise<readonly Outcome[]> {
  const rows = await inOrder(client, coercionQuery(asked));
  return rows.map(([, value, rejects, issues]) => {
    if (rejects === null) throw new Error('rejects must never be NULL');
    const faults = (issues ?? []) as unknown as Outcome['faults'];
    return { value: rejects === true ? undefined : plainOf(asked.to, value ?? null), faults };
  });
}

async function plainCasts(client: SparkClient, asked: Asked): Promise<readonly (PlainValue | undefined)[]> {
  const { from, to, rows } = asked;
  // The JSON value is what `from_json` makes of it; Spark has no type for a token.
  const cast = from.form === 'json' ? `from_json(concat('{"v":', raw, '}'), ${literal(`v ${sqlType(to)}`)}).v` : `try_cast(raw AS ${sqlType(to)})`;
  try {
    const cells = await inOrder(client, `SELECT n, ${cast} AS value FROM ${given(asked)}`);
    return cells.map(([, value]) => plainOf(to, value ?? null));
  } catch {
    return rows.map(() => undefined);
  }
}

/** A cell as CONVENTIONS.md writes the value. */
function plainOf(type: LogicalType, cell: Cell): PlainValue {
  if (cell === null) return null;
  if (type.kind === 'list') return (cell as Cell[]).map((item) => plainOf(type.element, item));
  if (type.kind === 'map') {
    const entries = cell as unknown as readonly { readonly key: Cell; readonly value: Cell }[];
    return entries.map(({ key, value }) => [plainOf(type.key, key), plainOf(type.value, value)]);
  }
  if (type.kind === 'struct') {
    const object = cell as { readonly [name: string]: Cell };
    return Object.fromEntries(type.fields.map((field) => [field.name, plainOf(field.type, object[field.name] ?? null)]));
  }
  return cell as PlainValue;
}
