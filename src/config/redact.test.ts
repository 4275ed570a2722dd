import { expect, test } from 'vitest';
import { redactLine, redactUrl } from './redact.ts';

test.each([
  ['postgres://etl:hunter2@db.example/sales', 'postgres://etl:***@db.example/sales'],
  ['postgres://etl:hunter2@db.example/sales?sslmode=require', 'postgres://etl:***@db.example/sales?sslmode=require'],
  ['postgresql://etl@db.example/sales', 'postgresql://etl@db.example/sales'],
  ['postgres://etl:p%40ss@db/sales#main.orders', 'postgres://etl:***@db/sales#main.orders'],
  ['postgres://db/sales?user=etl&password=hunter2&x=1', 'postgres://db/sales?user=etl&password=***&x=1'],
  ['postgres://etl:hunter2@db/sales?user=me@corp.example', 'postgres://etl:***@db/sales?user=me@corp.example'],
  ['sc://spark.example:15002/;use_ssl=true;token=abc', 'sc://spark.example:15002/;use_ssl=true;token=***'],
  ['sc://spark.example/;token=abc;user_id=me', 'sc://spark.example/;token=***;user_id=me'],
  ['sqlserver://h:1433;database=d;user=sa;Password={a;b};encrypt=true', 'sqlserver://h:1433;database=d;user=sa;Password=***;encrypt=true'],
  ['sqlserver://h;AccountKey=abc==', 'sqlserver://h;AccountKey=***'],
  ['bigquery://project/dataset?credentials_token=abc', 'bigquery://project/dataset?credentials_token=***'],
  ['https://h/c?sig=abc&se=2026', 'https://h/c?sig=***&se=2026'],
  ["host=h user=u password='a b' dbname=d", 'host=h user=u password=*** dbname=d'],
  ['host=h password=hunter2 dbname=d', 'host=h password=*** dbname=d'],
  ['warehouse.duckdb', 'warehouse.duckdb'],
  ['in/a@b:c.duckdb', 'in/a@b:c.duckdb'],
  ['', ''],
])('%s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

test.each(['p@ss', 'p/ss', 'p?ss', 'p#ss', 'p:ss', 'p@ss/w0rd@x', 'p?a=b', '@', 'hunter2/@/?#'])(
  'a password that nobody encoded goes whole: %s',
  (password) => {
    const shown = redactUrl(`postgres://etl:${password}@db.example/sales`);
    expect(shown).toMatch(/^postgres:\/\/etl:\*\*\*@/);
    for (const part of password.split(/[@/?#:=]/).filter((piece) => piece.length > 1)) expect(shown).not.toContain(part);
  },
);

test.each([
  ['  pg: { url: "postgres://etl:hunter2@db/sales" }', '  pg: { url: "postgres://etl:***@db/sales" }'],
  ['    password: hunter2', '    password: ***'],
  ['    "api_key": "hunter2"', '    "api_key": ***'],
  ['    key: [order_id]', '    key: [order_id]'],
  ['    merge: { on_duplicate_key: keep_latest, on_null_key: error }', '    merge: { on_duplicate_key: keep_latest, on_null_key: error }'],
])('the line %s', (line, shown) => {
  expect(redactLine(line)).toBe(shown);
});
