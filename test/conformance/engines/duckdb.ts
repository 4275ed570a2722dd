/** How the suite reaches DuckDB: the rendered coercions in the four levels of the staging query, over a table of the rows. */
import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { builtInRule } from '../../../src/core/model/policy.ts';
import type { LogicalType } from '../../../src/core/model/type.ts';
import { coerceSql } from '../../../src/engines/duckdb/coerce/coerce.ts';
import { sqlType } from '../../../src/engines/duckdb/coerce/sql-type.ts';
import type { PlainValue } from '../../harness/case-value.ts';
import type { Question } from '../corpus.ts';
import type { Asked, ComparedRunning, Harness } from '../suite.ts';
import type { Outcome } from '../verdict.ts';

export const duckdb: Harness<ComparedRunning> = {
  name: 'DuckDB',
  start: async (zone) => {
    const instance = await DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      threads: '1',
    });
    const connection = await instance.connect();
    await connection.run(`SET TimeZone = '${zone}'`);
    return {
      cast: '`TRY_CAST`',
      evaluate: (batch) => evaluate(connection, batch),
      plain: (batch) => plainCasts(connection, batch),
      version: async () => String((await connection.runAndReadAll('SELECT version()')).getRows()[0]?.[0]),
      stop: async () => {
        connection.closeSync();
        instance.closeSync();
      },
    };
  },
  exceptions: {},
};

/** The rows as a table `given(n, raw)`; the raw value has the type that a reader would give it. */
async function give(connection: DuckDBConnection, asked: Asked): Promise<void> {
  const { from, rows } = asked;
  const type = from.form === 'typed' ? sqlType(from.type) : 'VARCHAR';
  await connection.run(`CREATE OR REPLACE TEMP TABLE given (n INTEGER, raw ${type})`);
  if (from.form === 'typed') {
    const values = rows.map(({ given }, n) => `(${n}, ${valueSql(from.type, given)})`);
    await connection.run(`INSERT INTO given VALUES ${values.join(', ')}`);
  } else {
    await append(
      connection,
      rows.map(({ given }) => (isNestedJson(asked) && given !== null ? marked(String(given)) : given)),
    );
  }
}

/** Texts as they are: no character of them passes through SQL. */
async function append(connection: DuckDBConnection, texts: readonly PlainValue[]): Promise<void> {
  const appender = await connection.createAppender('given');
  texts.forEach((text, n) => {
    appender.appendInteger(n);
    if (text === null) appender.appendNull();
    else appender.appendVarchar(String(text));
    appender.endRow();
  });
  appender.closeSync();
}

const nestedKinds: readonly string[] = ['struct', 'list', 'map'];
const isNestedJson = ({ from, to }: Question): boolean => from.form === 'json' && nestedKinds.includes(to.kind);

/** Stands before number tokens inside nested JSON, as the reader marks them: DuckDB's own JSON functions would take them through a double. */
const mark = '#conformance#';
const marked = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${mark}${token}"`));

/** Bytes in hexadecimal: no character means anything to the engine. */
const textSql = (value: PlainValue): string => `decode(unhex('${Buffer.from(String(value), 'utf8').toString('hex')}'))`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A typed value from the way CONVENTIONS.md writes it. */
function valueSql(type: LogicalType, value: PlainValue | undefined): string {
  if (value === null || value === undefined) return `CAST(NULL AS ${sqlType(type)})`;
  if (type.kind === 'binary') return `unhex('${value}')`;
  if (type.kind === 'list')
    return `CAST([${(value as PlainValue[]).map((item) => valueSql(type.element, item)).join(', ')}] AS ${sqlType(type)})`;
  if (type.kind === 'struct') {
    const object = value as { readonly [name: string]: PlainValue };
    return `struct_pack(${type.fields.map(({ name, type: inner }) => `${quoted(name)} := ${valueSql(inner, object[name])}`).join(', ')})`;
  }
  if (type.kind === 'map') {
    const entries = Object.entries(value as object) as [string, PlainValue][];
    const [keys, values] = [entries.map(([key]) => valueSql(type.key, key)), entries.map(([, item]) => valueSql(type.value, item))];
    return `CAST(map([${keys.join(', ')}], [${values.join(', ')}]) AS ${sqlType(type)})`;
  }
  const offset = type.kind === 'timestamptz' && !/Z$/.test(String(value)) ? 'a timestamptz is written with Z' : undefined;
  if (offset !== undefined) throw new Error(offset);
  return `CAST(${textSql(value)} AS ${sqlType(type)})`;
}

/** The nested queries of the staging step, over `given`. */
function coercionQuery({ from, to, rule, paths }: Question): string {
  const complete = { ...builtInRule, ...rule };
  const nested = new Map(Object.entries(paths).map(([path, own]) => [path, { ...complete, ...own }]));
  const context = { nul: true, ...(isNestedJson({ from, to, rule, paths }) ? { numberMark: mark } : {}) };
  const sql = coerceSql({ path: 'v', from, to, rule: complete, nested }, { raw: 'raw', text: '"text"', strict: '"strict"' }, context);
  const staged = `SELECT *, ${sql.strict} AS "strict" FROM (SELECT *, ${sql.text} AS "text" FROM given)`;
  const value = `CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE "strict" END`;
  return `SELECT ${shownSql(to, value)},
      CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END,
      CASE WHEN ${sql.refused} THEN ${sql.issues} ELSE NULL END
    FROM (${staged}) ORDER BY n`;
}

/** The client drops a byte-order mark at the start of a text, hence the sign before it. */
const shownSql = (to: LogicalType, value: string): string => (to.kind === 'string' ? `'=' || (${value})` : value);
const unshown = (to: LogicalType, value: PlainValue): PlainValue =>
  to.kind === 'string' && value !== null ? String(value).slice(1) : value;

async function evaluate(connection: DuckDBConnection, batch: Asked): Promise<readonly Outcome[]> {
  await give(connection, batch);
  const rows = (await connection.runAndReadAll(coercionQuery(batch))).getRows();
  return rows.map(([value, rejects, issues]) => {
    const faults = (issues === null || issues === undefined ? [] : plainOf(issues)) as unknown as Outcome['faults'];
    return { value: rejects === true ? undefined : unshown(batch.to, plainOf(value ?? null)), faults };
  });
}

async function plainCasts(connection: DuckDBConnection, batch: Asked): Promise<readonly (PlainValue | undefined)[]> {
  const { from, to } = batch;
  await give(connection, { ...batch, to: { kind: 'string' } });
  const source = from.form === 'json' ? 'CAST(raw AS JSON)' : 'raw';
  try {
    const sql = `SELECT ${shownSql(to, `TRY_CAST(${source} AS ${sqlType(to)})`)} FROM given ORDER BY n`;
    const rows = (await connection.runAndReadAll(sql)).getRows();
    return rows.map(([value]) => unshown(to, plainOf(value ?? null)));
  } catch {
    return batch.rows.map(() => undefined);
  }
}

/** A value of the client as CONVENTIONS.md writes it. */
function plainOf(value: DuckDBValue): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, item]) => [name, plainOf(item)]));
  if (value instanceof DuckDBListValue) return value.items.map(plainOf);
  if (value instanceof DuckDBMapValue) return value.entries.map(({ key, value: item }) => [plainOf(key), plainOf(item)]);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  if (value instanceof DuckDBTimestampTZValue) return `${stampText(value.micros)}Z`;
  if (value instanceof DuckDBTimestampValue) return stampText(value.micros);
  return String(value);
}

/** Microseconds since 1970 as `yyyy-MM-dd HH:mm:ss.ffffff`; beyond what JavaScript can print, as they are. */
function stampText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const instant = new Date(Number((micros - fraction) / 1000n));
  if (Number.isNaN(instant.getTime())) return micros > 0n ? 'infinity' : '-infinity';
  return `${instant
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace('T', ' ')}.${String(fraction).padStart(6, '0')}`;
}
