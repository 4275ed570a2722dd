import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { schemaName, sparkServer } from '../../harness/spark-server.ts';

const server = await sparkServer();

const values: readonly (readonly [sql: string, value: unknown])[] = [
  ['CAST(-128 AS TINYINT)', -128],
  ['CAST(32767 AS SMALLINT)', 32_767],
  ['-2147483648', -2_147_483_648],
  ['9223372036854775807L', '9223372036854775807'],
  ['CAST(-9223372036854775808 AS BIGINT)', '-9223372036854775808'],
  ['CAST(1.5 AS DECIMAL(38,18))', '1.500000000000000000'],
  ["CAST('-0.01' AS DECIMAL(10,2))", '-0.01'],
  ["CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))", '99999999999999999999999999999999999999'],
  ["CAST('-0.99999999999999999999999999999999999999' AS DECIMAL(38,38))", '-0.99999999999999999999999999999999999999'],
  ['0.1D', 0.1],
  ['1.7976931348623157E308D', Number.MAX_VALUE],
  ["DOUBLE('NaN')", 'NaN'],
  ["DOUBLE('-Infinity')", '-Infinity'],
  // The 32-bit number nearest to 0.1, in the fewest digits that name it.
  ["FLOAT('0.1')", 0.1],
  ["FLOAT('3.4028235E38')", 3.402_823_5e38],
  ["FLOAT('16777216')", 16_777_216],
  ['true', true],
  ['NULL', null],
  ["''", ''],
  ["'tab\\tline\\n\\'quote\\' \\u0000 ünï 🎈'", "tab\tline\n'quote' \u0000 ünï 🎈"],
  // A byte order mark is part of the text.
  ["'\\uFEFFx'", '\uFEFFx'],
  ["X'00FF10'", '00FF10'],
  ["X''", ''],
  ["DATE'2024-02-29'", '2024-02-29'],
  ["DATE'0001-01-01'", '0001-01-01'],
  ["DATE'9999-12-31'", '9999-12-31'],
  ["DATE'1582-10-10'", '1582-10-10'],
  ["TIMESTAMP_NTZ'2024-01-31 10:00:00'", '2024-01-31 10:00:00'],
  ["TIMESTAMP_NTZ'9999-12-31 23:59:59.999999'", '9999-12-31 23:59:59.999999'],
  ["TIMESTAMP_NTZ'0001-01-01 00:00:00.000001'", '0001-01-01 00:00:00.000001'],
  ["TIMESTAMP'2024-01-31 10:00:00.5+02:00'", '2024-01-31 08:00:00.5+00'],
  ["TIMESTAMP'1969-12-31 23:59:59.999999Z'", '1969-12-31 23:59:59.999999+00'],
  ["array(DATE'2024-01-01', NULL)", ['2024-01-01', null]],
  ['array()', []],
  ["named_struct('a', 1.20, 'b', named_struct('c', X'AB'))", { a: '1.20', b: { c: 'AB' } }],
  [
    "map('k', TIMESTAMP'2024-01-01 00:00:00.000001Z', '__proto__', NULL)",
    [
      { key: 'k', value: '2024-01-01 00:00:00.000001+00' },
      { key: '__proto__', value: null },
    ],
  ],
  ["array(named_struct('x', array(9007199254740993L, NULL)), NULL)", [{ x: ['9007199254740993', null] }, null]],
  ['to_json(parse_json(\'{"a": 12345678901234567890}\'))', '{"a":12345678901234567890}'],
  // Months, and microseconds.
  ["INTERVAL '1-2' YEAR TO MONTH", 14],
  ["INTERVAL '1 00:00:00.000001' DAY TO SECOND", '86400000001'],
];

describe.skipIf(server === undefined)('values come exactly', () => {
  let spark: SparkClient;
  let came: readonly unknown[] = [];
  beforeAll(async () => {
    spark = await openSpark(server!.url);
    // All at once: each query costs a third of a second.
    const { rows } = await spark.table(`SELECT ${values.map(([sql]) => sql).join(', ')}`);
    came = rows[0] ?? [];
  });
  afterAll(() => spark.close());

  test.each(values.map(([sql, value], i) => [sql, value, i] as const))('%s', (_, value, i) => {
    expect(came[i]).toEqual(value);
  });

  test('instants do not depend on the time zone of the session', async () => {
    const other = await openSpark(server!.url, { config: { 'spark.sql.session.timeZone': 'Asia/Kolkata' } });
    const { rows } = await other.table("SELECT TIMESTAMP'2024-01-31 10:00:00Z', CAST(TIMESTAMP'2024-01-31 10:00:00Z' AS STRING)");
    expect(rows).toEqual([['2024-01-31 10:00:00+00', '2024-01-31 15:30:00']]);
    await other.close();
  });

  test('nulls among values, in each kind of column', async () => {
    const kinds = [
      'INT',
      'BIGINT',
      'DECIMAL(20,2)',
      'DOUBLE',
      'FLOAT',
      'BOOLEAN',
      'STRING',
      'BINARY',
      'DATE',
      'TIMESTAMP',
      'TIMESTAMP_NTZ',
    ];
    const columns = [
      ...kinds.map((kind, i) => `CAST(NULL AS ${kind}) AS c${i}`),
      'CAST(NULL AS ARRAY<INT>) l',
      'CAST(NULL AS STRUCT<a: INT>) s',
      'CAST(NULL AS MAP<STRING, INT>) m',
    ];
    const { rows } = await spark.table(`SELECT ${columns.join(', ')}`);
    expect(rows).toEqual([columns.map(() => null)]);
    const { rows: mixed } = await spark.table(
      'SELECT v, s, l FROM VALUES (1.5, named_struct("a", 1), array(1)), (NULL, NULL, NULL), (-1.5, named_struct("a", NULL), array(NULL)) AS t(v, s, l)',
    );
    expect(mixed).toEqual([
      ['1.5', { a: 1 }, [1]],
      [null, null, null],
      ['-1.5', { a: null }, [null]],
    ]);
  });

  test('columns of one name stay apart by position, and are refused by name', async () => {
    expect(await spark.table('SELECT 1 AS a, 2 AS a')).toEqual({ columns: ['a', 'a'], rows: [[1, 2]] });
    await expect(spark.rows('SELECT 1 AS a, 2 AS a')).rejects.toThrow('two columns of an answer have one name');
  });

  test('hostile names of columns and fields', async () => {
    const [row] = await spark.rows("SELECT 1 AS `__proto__`, 2 AS `a``.b\"'`, named_struct('constructor', 3) AS `toString`");
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 1],
      ['a`.b"\'', 2],
      ['toString', { constructor: 3 }],
    ]);
  });

  test('many batches, in order', async () => {
    let next = 0n;
    let batches = 0;
    for await (const { rows } of spark.batches('SELECT id FROM range(0, 60000, 1, 3)')) {
      batches += 1;
      for (const [id] of rows) {
        expect(id).toBe(String(next));
        next += 1n;
      }
    }
    expect(next).toBe(60_000n);
    expect(batches).toBeGreaterThan(2);
  });

  test('an answer without rows still names its columns', async () => {
    expect(await spark.table('SELECT 1 AS a WHERE false')).toEqual({ columns: ['a'], rows: [] });
    expect(await spark.rows('SELECT 1 AS a WHERE false')).toEqual([]);
  });

  test('commands are run once, and answer; queries in other words than SELECT as well', async () => {
    const schema = schemaName('values');
    await spark.run(`CREATE SCHEMA ${schema}`);
    expect(await spark.rows(`SHOW SCHEMAS LIKE '${schema}'`)).toEqual([{ namespace: schema }]);
    await spark.run(`CREATE TABLE ${schema}.t (id INT) USING delta`);
    expect(await spark.table(`INSERT INTO ${schema}.t VALUES (1), (2)`)).toEqual({ columns: [], rows: [] });
    const merged = await spark.one(`MERGE INTO ${schema}.t USING (SELECT 3 AS id) s ON s.id = t.id WHEN NOT MATCHED THEN INSERT *`);
    expect(merged).toEqual({ num_affected_rows: '1', num_updated_rows: '0', num_deleted_rows: '0', num_inserted_rows: '1' });
    expect(await spark.one(`SELECT count(*) AS n FROM ${schema}.t`)).toEqual({ n: '3' });
    expect((await spark.table('VALUES (1), (2)', { operationId: randomUUID() })).rows).toEqual([[1], [2]]);
    expect((await spark.table('WITH a AS (SELECT 7 AS x) SELECT x FROM a')).rows).toEqual([[7]]);
    expect((await spark.table('/* why */ SELECT 8')).rows).toEqual([[8]]);
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('a view of rows that were sent from here', async () => {
    const rows = [
      ["it's \\ \u2028", null],
      ['', '\uFEFF'],
    ];
    await spark.view('sent', ['a b', '`c`'], rows);
    expect(await spark.table('SELECT * FROM sent')).toEqual({ columns: ['a b', '`c`'], rows });
    await spark.view('sent', ['only'], []);
    expect(await spark.table('SELECT * FROM sent')).toEqual({ columns: ['only'], rows: [] });
    expect((await spark.schema('SELECT * FROM sent')).fields[0]?.type).toEqual({ kind: 'string' });
  });

  test('rows are stored and counted in one pass', async () => {
    const schema = schemaName('save');
    await spark.run(`CREATE SCHEMA ${schema}`);
    await spark.run(`CREATE TABLE ${schema}.\`stage\` (id BIGINT, bad BOOLEAN) USING delta`);
    const query = 'SELECT id, id % 3 = 0 AS bad FROM range(10)';
    const to = { table: `\`${schema}\`.\`stage\`` };
    const counts = await spark.save({
      query,
      to,
      format: 'delta',
      mode: 'append',
      count: {
        n: 'count(*)',
        bad: 'count_if(bad)',
        'first `bad`': 'min(CASE WHEN bad AND id > 0 THEN id END)',
        none: 'max(CASE WHEN id > 99 THEN id END)',
        total: 'sum(CAST(id AS DECIMAL(10,2)))',
        on: "max(DATE'2024-01-31')",
      },
    });
    // 0 to 9: 0, 3, 6 and 9 are bad.
    expect(counts).toEqual({ n: '10', bad: '4', 'first `bad`': '3', none: null, total: '45.00', on: '2024-01-31' });
    expect(await spark.one(`SELECT count(*) AS n FROM ${to.table}`)).toEqual({ n: '10' });
    // Without counts, also into a table that the write makes.
    expect(await spark.save({ query, to: { table: `${schema}.made` }, format: 'delta', mode: 'error' })).toEqual({});
    expect(await spark.one(`SELECT count(*) AS n FROM ${schema}.made`)).toEqual({ n: '10' });
    const path = join(server!.work, schema);
    expect(await spark.save({ query, to: { path }, format: 'delta', mode: 'overwrite', count: { n: 'count(*)' } })).toEqual({ n: '10' });
    expect(await spark.one(`SELECT count(*) AS n FROM delta.\`${path}\``)).toEqual({ n: '10' });
    // Spark would lose these counts.
    const lost = spark.save({ query, to: { table: `${schema}.never` }, format: 'delta', mode: 'error', count: { n: 'count(*)' } });
    await expect(lost).rejects.toThrow('rows are counted only into tables that are there');
    expect(await spark.rows(`SHOW TABLES IN ${schema} LIKE 'never'`)).toEqual([]);
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
  });
});
