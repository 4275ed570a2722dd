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
import { sparkServer } from '../../harness/spark-server.ts';
import type { Question } from '../corpus.ts';
import type { Asked, ComparedRunning, Harness } from '../suite.ts';
import type { Outcome } from '../verdict.ts';

/** The harness of the server that the tests share; undefined where there is no Java or no Maven. */
export async function spark(): Promise<Harness<ComparedRunning> | undefined> {
  const server = await sparkServer();
  return server === undefined ? undefined : sparkAt(server.url);
}

/** The harness of a server. */
function sparkAt(url: string): Harness<ComparedRunning> {
  return {
    name: 'Spark',
    start: async (zone) => {
      const client = await openSpark(url, { config: { 'spark.sql.session.timeZone': zone, ...settings[zone] } });
      return {
        cast: '`try_cast`, and `from_json` for a JSON token,',
        evaluate: (asked) => evaluate(client, asked),
        plain: (asked) => plainCasts(client, asked),
        version: async () => client.version,
        stop: () => client.close(),
      };
    },
    exceptions: {},
  };
}

/** In one zone by generated code, which takes longer to make than these rows to be read; in the others interpreted, as the optimizer does it. */
const generated = {
  'spark.sql.codegen.factoryMode': 'CODEGEN_ONLY',
  'spark.sql.optimizer.excludedRules': 'org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation',
};

const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = { UTC: generated };

/** More than these are sent as a table: SQL of so many takes long to be read. */
const mostInline = 500;

/** The rows as SQL of a table `given(n, raw)`. */
async function give(client: SparkClient, { from, rows }: Pick<Asked, 'from' | 'rows'>): Promise<string> {
  const type: LogicalType = from.form === 'typed' ? from.type : { kind: 'string' };
  if (type.kind === 'string' && rows.length > mostInline) {
    const texts = rows.map(({ given }, n) => [String(n), given === null ? null : String(given)]);
    await client.view('given', ['n', 'raw'], texts);
    return 'given';
  }
  const values = rows.map(({ given }, n) => `(${n}, ${valueSql(type, given)})`);
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
function coercionQuery({ from, to, rule, paths }: Question, given: string): string {
  const complete = { ...builtInRule, ...rule };
  const nested = new Map(Object.entries(paths).map(([path, own]) => [path, { ...complete, ...own }]));
  const sql = coerceSql(
    { path: 'v', from, to, rule: complete, nested },
    { raw: '`raw`', text: '`text`', strict: '`strict`' },
    { nul: true },
  );
  const raw = from.form === 'json' ? `(SELECT n, ${tokenOf('raw')} AS raw FROM ${given})` : given;
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
  const rows = await inOrder(client, coercionQuery(asked, await give(client, asked)));
  return rows.map(([, value, rejects, issues]) => {
    if (rejects === null) throw new Error('rejects must never be NULL');
    const faults = (issues ?? []) as unknown as Outcome['faults'];
    return { value: rejects === true ? undefined : plainOf(asked.to, value ?? null), faults };
  });
}

async function plainCasts(client: SparkClient, asked: Asked): Promise<readonly (PlainValue | undefined)[]> {
  const { from, to, rows } = asked;
  // The JSON value is what `from_json` makes of it; Spark has no type for a token.
  const cast =
    from.form === 'json' ? `from_json(concat('{"v":', raw, '}'), ${literal(`v ${sqlType(to)}`)}).v` : `try_cast(raw AS ${sqlType(to)})`;
  try {
    const cells = await inOrder(client, `SELECT n, ${cast} AS value FROM ${await give(client, asked)}`);
    const { day } = await client.one('SELECT CAST(current_date() AS STRING) AS day');
    return cells.map(([, value], i) => undated(plainOf(to, value ?? null), { given: rows[i]?.given ?? null, day: String(day) }));
  } catch {
    return rows.map(() => undefined);
  }
}

/** Spark reads `10:30` as that time of the day of the run, and `now` and the like; the page is not to change with the day. */
function undated(value: PlainValue, { given, day }: { readonly given: PlainValue; readonly day: string }): PlainValue {
  const isOfDay = typeof value === 'string' && value.startsWith(day) && !String(given).includes(day);
  return isOfDay ? value.replace(day, 'today') : value;
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
