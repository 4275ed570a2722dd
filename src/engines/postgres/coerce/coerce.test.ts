/** What the conformance corpus does not ask: policies, defaults, remarks, and the SQL itself, on a real server. */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../../test/harness/postgres-server.ts';
import type { SourceForm } from '../../../core/coercions/coercion.ts';
import { builtInRule, type ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';
import { parseType } from '../../../core/model/type-text.ts';
import { literal } from '../quote.ts';
import { coerceSql, constantValue } from './coerce.ts';
import type { CoerceContext } from './sql-coercion.ts';
import { columnType, sqlType } from './sql-type.ts';
import { dayMonthShape } from './temporal-day-month.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await testDatabase();
  client = await database.connect({ TimeZone: 'America/New_York', DateStyle: 'SQL, DMY' });
});
afterAll(() => database.drop());

interface Ask {
  readonly from: SourceForm;
  readonly to: string;
  readonly rule?: Partial<ColumnRule>;
  readonly nested?: Readonly<Record<string, Partial<ColumnRule>>>;
  readonly default?: string;
  readonly context?: CoerceContext;
  /** SQL of each raw value. */
  readonly raws: readonly string[];
}

interface Answer {
  /** What is stored, as PostgreSQL prints it; `rejected` for a record that must go. */
  readonly value: string | null;
  readonly issues: readonly string[];
  readonly notes: readonly string[];
}

function query(ask: Ask): string {
  const rule = { ...builtInRule, ...ask.rule };
  const to = parseType(ask.to);
  const nested = new Map(Object.entries(ask.nested ?? {}).map(([path, own]) => [path, { ...rule, ...own }]));
  const defaultSql = ask.default === undefined ? {} : { defaultSql: constantValue(ask.default, to, rule) };
  const sql = coerceSql(
    { path: 'c', from: ask.from, to, rule, nested, ...defaultSql },
    { raw: 'raw', text: '"text"', strict: '"strict"' },
    ask.context ?? {},
  );
  const notes = sql.notes.map((note) => `CASE WHEN ${note.when} THEN ${literal(`${note.from} ${note.path}: `)} || ${note.value} END`);
  const level1 = ask.raws.map((raw, n) => `SELECT ${n} AS n, ${raw} AS raw`).join(' UNION ALL ');
  const level3 = `SELECT *, ${sql.strict} AS "strict" FROM (SELECT *, ${sql.text} AS "text" FROM (${level1}) AS a OFFSET 0) AS b OFFSET 0`;
  return `SELECT CASE WHEN rejects THEN 'rejected' ELSE CAST(v AS text) END AS value, issues, array_remove(notes, NULL) AS notes, rejects FROM (
    SELECT n, CASE WHEN ${sql.refused} THEN ${sql.relaxed} ELSE "strict" END AS v,
      CASE WHEN ${sql.refused} THEN ${sql.rejects} ELSE false END AS rejects,
      CASE WHEN ${sql.refused} THEN ${sql.issues} ELSE '[]' END AS issues,
      CAST(ARRAY[${notes.join(', ')}] AS text[]) AS notes
    FROM (${level3}) AS c) AS d ORDER BY n`;
}

async function coerce(ask: Ask): Promise<readonly Answer[]> {
  const { rows } = await client.query<{
    value: string | null;
    issues: readonly { path: string; code: string; outcome: string; value: string | null }[];
    notes: readonly string[];
    rejects: boolean | null;
  }>(query(ask));
  return rows.map(({ value, issues, notes, rejects }) => {
    if (rejects === null) throw new Error('rejects must never be NULL');
    return { value, issues: issues.map((issue) => `${issue.path} ${issue.code} ${issue.outcome} ${issue.value}`), notes };
  });
}

const text: SourceForm = { form: 'text' };
const json: SourceForm = { form: 'json' };
const typed = (type: string): SourceForm => ({ form: 'typed', type: parseType(type) });
const texts = (...values: readonly string[]): readonly string[] => values.map((value) => `CAST(${literal(value)} AS text)`);

const values = (answers: readonly Answer[]) => answers.map(({ value }) => value);
const issues = (answers: readonly Answer[]) => answers.flatMap((answer) => answer.issues);

describe('policies', () => {
  const raws = texts('7', '1.5', 'x', '300');

  test.each([
    ['error', ['7', 'rejected', 'rejected', 'rejected'], 'rejected'],
    ['quarantine', ['7', 'rejected', 'rejected', 'rejected'], 'rejected'],
    ['null', ['7', null, null, null], 'nulled'],
    ['default', ['7', '-1', '-1', '-1'], 'defaulted'],
  ] as const)('%s', async (onInvalid, stored, outcome) => {
    const answers = await coerce({ from: text, to: 'tinyint', rule: { onInvalid }, default: '-1', raws });
    expect(values(answers)).toEqual(stored);
    expect(issues(answers)).toEqual([
      `c lossy_value ${outcome} 1.5`,
      `c invalid_value ${outcome} x`,
      `c invalid_value:out_of_range ${outcome} 300`,
    ]);
  });

  test('a rounded value is altered, what cannot be rounded goes the other way', async () => {
    const answers = await coerce({
      from: text,
      to: 'tinyint',
      rule: { onInvalid: 'null', onLossy: 'round' },
      raws: texts('-1.5', '127.5', 'x'),
    });
    expect(values(answers)).toEqual(['-2', null, null]);
    expect(issues(answers)).toEqual(['c lossy_value altered -1.5', 'c lossy_value nulled 127.5', 'c invalid_value nulled x']);
  });

  test('null tokens are no values, and no faults', async () => {
    const rule = { nullValues: ['n/a', '', "it's\\"] };
    const answers = await coerce({
      from: text,
      to: 'int',
      rule,
      raws: [...texts('n/a', ' n/a ', '', "it's\\", 'N/A'), 'CAST(NULL AS text)'],
    });
    expect(values(answers)).toEqual([null, null, null, null, 'rejected', null]);
  });

  test('a default that does not fit is NULL, and nothing raises while the statement is planned', async () => {
    const answers = await coerce({ from: text, to: 'int', rule: { onInvalid: 'default' }, default: 'abc', raws: texts('1', 'x') });
    expect(values(answers)).toEqual(['1', null]);
  });
});

describe('inside of nested values', () => {
  test('parts are nulled, defaulted and rounded by their own rules', async () => {
    const answers = await coerce({
      from: json,
      to: 'struct<a:int,b:decimal(5,2),c:list<date>>',
      rule: { onInvalid: 'null' },
      nested: { 'c.a': { onInvalid: 'default', default: '0' }, 'c.b': { onLossy: 'round' } },
      raws: texts('{"a":"x","b":1.005,"c":["2024-02-29","2023-02-29",null]}', '{"a":true}', '[1]', '{}'),
    });
    expect(values(answers).map((value) => (value === null ? null : JSON.parse(value)))).toEqual([
      { a: 0, b: 1.01, c: ['2024-02-29', null, null] },
      { a: 0, b: null, c: null },
      null,
      { a: null, b: null, c: null },
    ]);
    expect(issues(answers)).toEqual([
      'c.a invalid_value defaulted x',
      'c.b lossy_value:scale altered 1.005',
      'c.c[] invalid_value nulled 2023-02-29',
      'c.a invalid_value defaulted true',
      'c invalid_value:structure nulled [1]',
    ]);
  });

  test('a list keeps its type under every policy', async () => {
    const answers = await coerce({
      from: json,
      to: 'list<int>',
      rule: { onInvalid: 'null' },
      raws: texts('[1,"x",3]', '[]', '{}', 'null', '[null]'),
    });
    expect(values(answers)).toEqual(['{1,NULL,3}', '{}', null, null, '{NULL}']);
  });

  test('one part that rejects lets the record go, others do not', async () => {
    const nested = { 'c.a': { onInvalid: 'quarantine' }, 'c.b': { onInvalid: 'null' } } as const;
    const ask = { from: json, to: 'struct<a:int,b:int>', rule: { onInvalid: 'null' }, nested } as const;
    const answers = await coerce({ ...ask, raws: texts('{"a":1,"b":"x"}', '{"a":"x","b":1}') });
    expect(values(answers)).toEqual(['{"a": 1, "b": null}', 'rejected']);
  });

  test('digits, keys and characters come through as they were', async () => {
    const object = '{"$.a[0]\\"\'":"\\\\ \\u00e9 \\ud83d\\ude00","n":123456789012345678901234567890.12}';
    const [answer] = await coerce({ from: json, to: 'map<string,string>', raws: texts(object) });
    expect(JSON.parse(answer?.value ?? '')).toEqual({ '$.a[0]"\'': '\\ é 😀', n: '123456789012345678901234567890.12' });
  });

  test('more fields than a function has arguments', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `f${i}`);
    const to = `struct<${names.map((name) => `${name}:int`).join(',')}>`;
    const object = Object.fromEntries(names.map((name, i) => [name, i]));
    const [answer] = await coerce({ from: json, to, raws: texts(JSON.stringify(object)) });
    expect(JSON.parse(answer?.value ?? '')).toEqual(object);
  });
});

describe('U+0000', () => {
  const mark = '\ue000nul';

  test('a marked text is refused, wherever it goes', async () => {
    const raws = texts(`a${mark}`, mark, 'a');
    expect(values(await coerce({ from: text, to: 'string', context: { nulMark: mark }, raws }))).toEqual(['rejected', 'rejected', 'a']);
    const answers = await coerce({ from: text, to: 'varchar(1)', context: { nulMark: mark }, raws });
    expect(issues(answers)).toEqual(['c invalid_value:nul_character rejected a␀', 'c invalid_value:nul_character rejected ␀']);
  });

  test('JSON for a jsonb column may hold none, JSON for a json column may', async () => {
    const raws = texts('{"a":"\\u0000"}', '{"a":"\\\\u0000"}', '1e400000', '"\\ud83d"');
    expect(values(await coerce({ from: text, to: 'json', raws }))).toEqual([
      '{"a":"\\u0000"}',
      '{"a":"\\\\u0000"}',
      '1e400000',
      'rejected',
    ]);
    const answers = await coerce({ from: text, to: 'json', context: { jsonb: true }, raws });
    expect(values(answers)).toEqual(['rejected', '{"a":"\\\\u0000"}', 'rejected', 'rejected']);
    expect(issues(answers).map((issue) => issue.split(' ')[1])).toEqual([
      'invalid_value:nul_character',
      'invalid_value:out_of_range',
      'invalid_value',
    ]);
  });

  test('half a surrogate pair is no text', async () => {
    const answers = await coerce({ from: json, to: 'string', raws: texts('"\\ud83d"', '"\\\\ud83d"', '"\\ud83d\\ude00"') });
    expect(values(answers)).toEqual(['rejected', '\\ud83d', '😀']);
    expect(issues(answers)[0]).toMatch(/^c invalid_value rejected/);
  });
});

describe('typed values that only PostgreSQL has', () => {
  test('NaN and infinities of numeric are no decimals and no integers', async () => {
    const raws = [`'NaN'::numeric`, `'Infinity'::numeric`, '1.50::numeric'];
    const answers = await coerce({ from: typed('decimal(38,10)'), to: 'decimal(12,2)', raws });
    expect(values(answers)).toEqual(['rejected', 'rejected', '1.50']);
    expect(issues(answers).map((issue) => issue.split(' ')[1])).toEqual(['invalid_value', 'invalid_value']);
  });

  test('infinite dates and years beyond 9999 are out of range', async () => {
    const raws = [`'infinity'::date`, `'10000-01-01'::date`, `'0001-01-01 BC'::date`, `'9999-12-31'::date`];
    const answers = await coerce({ from: typed('date'), to: 'timestamptz', rule: { timezone: 'UTC' }, raws });
    expect(values(answers).slice(0, 3)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('enums, char(n) and citext-like types go by their text', async () => {
    await client.query(`CREATE TYPE mood AS ENUM ('ok', 'not so ok')`);
    const raws = [`'ok'::mood`, `'not so ok'::mood`];
    expect(values(await coerce({ from: { form: 'typed', type: { kind: 'unknown', text: 'mood' } }, to: 'varchar(2)', raws }))).toEqual([
      'ok',
      'rejected',
    ]);
    expect(values(await coerce({ from: typed('string'), to: 'int', raws: [`'7'::char(5)`, `'8'::varchar(3)`] }))).toEqual(['7', '8']);
  });

  test('composites of NULLs are values, arrays of arrays are no lists of scalars', async () => {
    await client.query('CREATE TYPE pair AS (a bigint, b text)');
    const raws = ['ROW(NULL, NULL)::pair', `ROW(5, 'x')::pair`, 'NULL::pair'];
    expect(values(await coerce({ from: typed('struct<a:bigint,b:string>'), to: 'struct<a:int,b:string>', raws }))).toEqual([
      '{"a": null, "b": null}',
      '{"a": 5, "b": "x"}',
      null,
    ]);
    const arrays = ['ARRAY[1, 2]::bigint[]', 'ARRAY[[1], [2]]::bigint[]', `'{}'::bigint[]`, 'NULL::bigint[]'];
    expect(values(await coerce({ from: typed('list<bigint>'), to: 'list<int>', raws: arrays }))).toEqual(['{1,2}', 'rejected', '{}', null]);
  });

  test('a double goes by its shortest text', async () => {
    const raws = [`1e23::float8`, `5e-324::float8`, `618970019642690137449562112::float8`, '0.1::float8', '-0::float8'];
    expect(values(await coerce({ from: typed('double'), to: 'string', raws })).slice(0, 4)).toEqual([
      '1e+23',
      '5e-324',
      '6.189700196426902e+26',
      '0.1',
    ]);
    expect(values(await coerce({ from: typed('double'), to: 'decimal(38,0)', raws: raws.slice(0, 1) }))).toEqual([
      '100000000000000000000000',
    ]);
    const halves = ['0.5::float8', '1.5::float8', '2.5::float8', '-2.5::float8', '0.49999999999999994::float8'];
    expect(values(await coerce({ from: typed('double'), to: 'int', rule: { onLossy: 'round' }, raws: halves }))).toEqual([
      '1',
      '2',
      '3',
      '-3',
      '0',
    ]);
  });
});

describe('numbers of many digits', () => {
  const long = `1.${'0'.repeat(20_000)}`;

  test('are exact, or refused, and never rounded in silence', async () => {
    const answers = await coerce({ from: text, to: 'int', raws: texts(long, `${long}1`, '9'.repeat(200_000), `${'0'.repeat(140_000)}7`) });
    expect(values(answers)).toEqual(['1', 'rejected', 'rejected', '7']);
    expect(issues(answers).map((issue) => issue.split(' ')[1])).toEqual(['lossy_value', 'invalid_value:out_of_range']);
  });

  test('exponents beyond all bounds', async () => {
    const raws = texts('1e-99999999999', '-1e99999999999', '0e99999999999', '25e-1', '2.5e1');
    const answers = await coerce({ from: text, to: 'int', rule: { exponent: true, onLossy: 'round' }, raws });
    expect(values(answers)).toEqual(['0', 'rejected', '0', '3', '25']);
  });
});

describe('remarks', () => {
  test('leading zeros and other kinds of tokens', async () => {
    const zeros = await coerce({ from: text, to: 'int', raws: texts('007', '-05', ' 00 ', '0', '0.0', '10', 'x', '１') });
    expect(zeros.flatMap(({ notes }) => notes)).toEqual(['string c: 007', 'string c: -05', 'string c:  00 ']);
    const tokens = await coerce({ from: json, to: 'string', raws: texts('1.50', 'true', '"x"', '{}') });
    expect(tokens.flatMap(({ notes }) => notes)).toEqual(['number c: 1.50', 'boolean c: true']);
    const fields = await coerce({
      from: json,
      to: 'struct<a:int,b:struct<d:string>>',
      raws: texts('{"a":"3","b":{"d":7}}', '{"a":3}', '[]'),
    });
    expect(fields.flatMap(({ notes }) => notes)).toEqual(['string c.a: 3', 'number c.b.d: 7']);
  });

  test('texts of day and month', async () => {
    const rows = [
      ['03/04/2024', true, true, true],
      ['13/04/2024', true, true, false],
      ['04/13/2024', true, false, true],
      ['3.4.24', true, true, true],
      ['29/02/23', true, false, false],
      [' 3/4/2024 ', true, true, true],
      ['0/4/2024', true, false, false],
      ['2024-04-03', false, false, false],
      ['3/4-2024', false, false, false],
      ['3/4/202', false, false, false],
      [null, false, false, false],
    ] as const;
    const { looks, dayFirst, monthFirst } = dayMonthShape('x');
    const given = rows.map(([x], i) => `(${i}, CAST(${x === null ? 'NULL' : literal(x)} AS text))`).join(', ');
    const sql = `SELECT x, ${looks} AS a, ${dayFirst} AS b, ${monthFirst} AS c FROM (VALUES ${given}) AS t(i, x) ORDER BY i`;
    expect((await client.query({ text: sql, rowMode: 'array' })).rows).toEqual(rows.map((row) => [...row]));
  });
});

describe('the SQL itself', () => {
  const all: readonly LogicalType[] = ['int', 'decimal(9,2)', 'double', 'date', 'timestamptz', 'struct<a:int>', 'map<int,list<date>>'].map(
    (type) => parseType(type),
  );

  test('is the same each time', () => {
    const render = () => all.map((to) => query({ from: json, to: 'int', raws: [sqlType(to)] })).join('\n');
    expect(render()).toBe(render());
  });

  test('leaves nothing behind in the database', async () => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM pg_proc p JOIN pg_namespace s ON s.oid = p.pronamespace WHERE s.nspname = 'public'`,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  test('types of columns', () => {
    expect(
      ['varchar(3)', 'tinyint', 'decimal(38,10)', 'list<varchar(3)>', 'list<list<int>>', 'map<int,int>', 'json']
        .map((type) => parseType(type))
        .map(columnType),
    ).toEqual(['varchar(3)', 'smallint', 'numeric(38,10)', 'text[]', 'jsonb', 'jsonb', 'json']);
  });
});
