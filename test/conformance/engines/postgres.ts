/**
 * How the suite reaches PostgreSQL: the rendered coercions in the levels of the staging query, over a table of the rows. Typed values are in
 * columns of their own type: structs in a composite one, lists in an array; maps, of which there is no type, in jsonb.
 */
import type pg from 'pg';
import { builtInRule } from '../../../src/core/model/policy.ts';
import type { LogicalType } from '../../../src/core/model/type.ts';
import { printType } from '../../../src/core/model/type-text.ts';
import { coerceSql } from '../../../src/engines/postgres/coerce/coerce.ts';
import { columnType, sqlType } from '../../../src/engines/postgres/coerce/sql-type.ts';
import { ident, literal } from '../../../src/engines/postgres/quote.ts';
import type { PlainValue } from '../../harness/case-value.ts';
import { type TestDatabase, testDatabase } from '../../harness/postgres-server.ts';
import type { Question } from '../corpus.ts';
import type { Asked, ComparedRunning, Harness } from '../suite.ts';
import type { Outcome } from '../verdict.ts';

/** Settings that must not change a result, another set in each session. `extra_float_digits` is what the driver sets. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  UTC: { DateStyle: 'ISO, MDY', IntervalStyle: 'postgres', bytea_output: 'hex' },
  'America/New_York': { DateStyle: 'SQL, DMY', IntervalStyle: 'sql_standard', bytea_output: 'escape', standard_conforming_strings: 'off' },
  'Asia/Kathmandu': { DateStyle: 'German, YMD', IntervalStyle: 'iso_8601', bytea_output: 'hex', extra_float_digits: '-10' },
};

export const postgres: Harness<ComparedRunning> = {
  name: 'PostgreSQL',
  start: async (zone) => {
    const database = await testDatabase();
    const client = await database.connect({ ...settings[zone], TimeZone: zone, jit: 'off', escape_string_warning: 'off' });
    const types = new Map<string, string>();
    return {
      cast: '`CAST`, behind `pg_input_is_valid` where the value is text,',
      evaluate: (asked) => evaluate({ client, types }, asked),
      plain: (asked) => plainCasts({ client, types }, asked),
      version: () => versionOf(client),
      stop: () => stop(database),
    };
  },
  exceptions: {},
};

const stop = (database: TestDatabase): Promise<void> => database.drop();

interface Session {
  readonly client: pg.Client;
  /** Names of the composite types made so far, by their logical type. */
  readonly types: Map<string, string>;
}

async function versionOf(client: pg.Client): Promise<string> {
  const [row] = (await client.query('SHOW server_version')).rows as { server_version: string }[];
  return String(row?.server_version).replace(/ .*/, '');
}

/** Stands for U+0000, as the reader of files puts it there. */
const nulMark = '\ue000nul\ue000';

/** The type of a column of source values. */
async function sourceType({ client, types }: Session, type: LogicalType): Promise<string> {
  if (type.kind === 'list') return `${await sourceType({ client, types }, type.element)}[]`;
  if (type.kind !== 'struct') return columnType(type);
  const known = types.get(printType(type));
  if (known !== undefined) return known;
  const fields: string[] = [];
  for (const field of type.fields) fields.push(`${ident(field.name)} ${await sourceType({ client, types }, field.type)}`);
  const name = `pg_temp.composite_${types.size}`;
  await client.query(`CREATE TYPE ${name} AS (${fields.join(', ')})`);
  types.set(printType(type), name);
  return name;
}

/** The rows as a table `given(n, raw)`. */
async function give(session: Session, { from, rows }: Pick<Asked, 'from' | 'rows'>): Promise<void> {
  const { client } = session;
  const type = from.form === 'typed' ? await sourceType(session, from.type) : 'text';
  await client.query('DROP TABLE IF EXISTS given');
  await client.query(`CREATE TEMP TABLE given (n integer, raw ${type})`);
  if (from.form === 'typed' && from.type.kind !== 'string') {
    const values: string[] = [];
    for (const [n, { given }] of rows.entries()) values.push(`(${n}, ${await valueSql(session, from.type, given)})`);
    await client.query(`INSERT INTO given VALUES ${values.join(', ')}`);
    return;
  }
  const texts = rows.map(({ given }) => (given === null ? null : String(given).replaceAll('\0', nulMark)));
  await client.query('INSERT INTO given SELECT n - 1, x FROM unnest($1::text[]) WITH ORDINALITY AS u(x, n)', [texts]);
}

/** A typed value from the way CONVENTIONS.md writes it. */
async function valueSql(session: Session, type: LogicalType, value: PlainValue | undefined): Promise<string> {
  const name = await sourceType(session, type);
  if (value === null || value === undefined) return `CAST(NULL AS ${name})`;
  if (type.kind === 'binary') return `decode('${value}', 'hex')`;
  if (type.kind === 'map') return `CAST(${literal(jsonOf(type, value))} AS jsonb)`;
  if (type.kind === 'list') {
    const items: string[] = [];
    for (const item of value as readonly PlainValue[]) items.push(await valueSql(session, type.element, item));
    return `CAST(ARRAY[${items.join(', ')}] AS ${name})`;
  }
  if (type.kind === 'struct') {
    const object = value as { readonly [name: string]: PlainValue };
    const items: string[] = [];
    for (const field of type.fields) items.push(await valueSql(session, field.type, object[field.name]));
    return `CAST(ROW(${items.join(', ')}) AS ${name})`;
  }
  return `CAST(${literal(String(value))} AS ${name})`;
}

/** Whole numbers are written as text in the corpus, since JavaScript would round them. */
function jsonOf(type: LogicalType, value: PlainValue | undefined): string {
  if (type.kind !== 'map')
    return type.kind === 'int' && value !== null && value !== undefined ? String(value) : JSON.stringify(value ?? null);
  const entries = Object.entries(value as object) as [string, PlainValue][];
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(type.value, item)}`).join(',')}}`;
}

/** The nested queries of the staging step, over `given`. */
function coercionQuery({ from, to, rule, paths }: Question): string {
  const complete = { ...builtInRule, ...rule };
  const nested = new Map(Object.entries(paths).map(([path, own]) => [path, { ...complete, ...own }]));
  const sql = coerceSql({ path: 'v', from, to, rule: complete, nested }, { raw: '"raw"', text: '"text"', strict: '"strict"' }, { nulMark });
  const prepared = `SELECT *, ${sql.text} AS "text" FROM given OFFSET 0`;
  const staged = `SELECT *, ${sql.strict} AS "strict" FROM (${prepared}) AS level2 OFFSET 0`;
  const settled = `SELECT n, CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE "strict" END AS value,
      CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END AS rejects,
      CASE WHEN ${sql.refused} THEN ${sql.issues} ELSE NULL END AS issues
    FROM (${staged}) AS level3 OFFSET 0`;
  return `SELECT ${shownSql(to, 'value')} AS value, rejects, issues FROM (${settled}) AS level4 ORDER BY n`;
}

/** `to_char` makes NULL of an infinity, and tells no years before 1 from those after it. */
const shownMoment = (value: string, format: string): string =>
  `CASE WHEN isfinite(${value}) THEN to_char(${value}, '${format}') || CASE WHEN ${value} < '0001-01-01' THEN ' BC' ELSE '' END
    ELSE CAST(${value} AS text) END`;

/** A value as text that no setting of the session changes. */
function shownSql(to: LogicalType, value: string): string {
  switch (to.kind) {
    case 'date':
      return shownMoment(value, 'YYYY-MM-DD');
    case 'timestamp':
      return shownMoment(value, 'YYYY-MM-DD HH24:MI:SS.US');
    case 'timestamptz':
      return `${shownMoment(`(${value} AT TIME ZONE 'UTC')`, 'YYYY-MM-DD HH24:MI:SS.US')} || 'Z'`;
    case 'float':
      return `encode(float8send(CAST(${value} AS double precision)), 'hex')`;
    case 'binary':
      return `encode(${value}, 'hex')`;
    case 'list': {
      if (sqlType(to) === 'jsonb') return `CAST(${value} AS text)`;
      const items = `SELECT coalesce(json_agg(${shownSql(to.element, 'e')} ORDER BY i), '[]') FROM unnest(${value}) WITH ORDINALITY AS u(e, i)`;
      return `CASE WHEN ${value} IS NOT NULL THEN CAST((${items}) AS text) END`;
    }
    default:
      return `CAST(${value} AS text)`;
  }
}

const nestedKinds: readonly string[] = ['struct', 'list', 'map'];

/** The shown text as CONVENTIONS.md writes the value. */
function plainOf(to: LogicalType, shown: string | null): PlainValue {
  if (shown === null) return null;
  if (to.kind === 'boolean') return shown === 'true';
  if (to.kind === 'float') return Buffer.from(shown, 'hex').readDoubleBE();
  if (to.kind === 'list' && sqlType(to) !== 'jsonb')
    return (JSON.parse(shown) as (string | null)[]).map((item) => plainOf(to.element, item));
  if (!nestedKinds.includes(to.kind)) return shown;
  // Numbers stay the texts that they are.
  const quoted = shown.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return JSON.parse(quoted) as PlainValue;
}

interface Answer {
  readonly value: string | null;
  readonly rejects: boolean | null;
  readonly issues: Outcome['faults'] | null;
}

async function evaluate(session: Session, asked: Asked): Promise<readonly Outcome[]> {
  await give(session, asked);
  const { rows } = await session.client.query<Answer>(coercionQuery(asked));
  return rows.map(({ value, rejects, issues }) => {
    if (rejects === null) throw new Error('rejects must never be NULL');
    return { value: rejects ? undefined : plainOf(asked.to, value), faults: issues ?? [] };
  });
}

/**
 * What a cast gives, with pg_input_is_valid before it where the value is text; NULL where it is refused, undefined when there is no such
 * cast at all. JSON scalars are taken as `->>` gives them.
 */
async function plainCasts(session: Session, asked: Asked): Promise<readonly (PlainValue | undefined)[]> {
  const { from, to, rows } = asked;
  await give(session, asked);
  const type = columnType(to);
  const nested = to.kind === 'json' || type === 'jsonb';
  const text = from.form === 'json' && !nested ? `(CAST(raw AS json) #>> '{}')` : 'raw';
  const typed = from.form === 'typed' && from.type.kind !== 'string';
  const cast = typed ? `CAST(raw AS ${type})` : `CASE WHEN pg_input_is_valid(${text}, '${type}') THEN CAST(${text} AS ${type}) END`;
  const values: (PlainValue | undefined)[] = [];
  for (const [n, { given }] of rows.entries()) {
    // No text of PostgreSQL can hold U+0000: the statement that brings one is refused.
    const held = typeof given !== 'string' || !given.includes('\0');
    const value = held ? await plainCast(session.client, to, `SELECT ${cast} AS value FROM given WHERE n = ${n}`) : null;
    values.push(value !== null && readsTheClock(given) ? 'the time of the query' : value);
  }
  return values;
}

const readsTheClock = (given: PlainValue): boolean => /^\s*"?(?:now|today|tomorrow|yesterday)"?\s*$/i.test(String(given));

/** Codes of errors that say that there is no such cast: undefined_function, cannot_coerce. */
const noCast: ReadonlySet<string> = new Set(['42883', '42846']);

async function plainCast(client: pg.Client, to: LogicalType, query: string): Promise<PlainValue | undefined> {
  try {
    const { rows } = await client.query<{ value: string | null }>(`SELECT ${shownSql(to, 'value')} AS value FROM (${query}) AS plain`);
    return plainOf(to, rows[0]?.value ?? null);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (noCast.has(code)) return undefined;
    // Data exceptions are refusals: class 22.
    if (code.startsWith('22')) return null;
    throw error;
  }
}
