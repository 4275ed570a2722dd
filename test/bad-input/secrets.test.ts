/** Passwords and tokens in addresses, variables and queries come out nowhere. */
import type { Attempt } from './attempt.ts';
import { good } from './fixtures.ts';
import { judgeAll } from './stand.ts';

const secret = 'hunter2-Very/S3cret';
const addresses: readonly (readonly [string, string])[] = [
  ['a password', `postgres://etl:${secret}@db.example/sales`],
  ['a password that nobody encoded', `postgres://etl:${secret}@#?x@db.example/sales`],
  ['a password without a user', `postgres://:${secret}@db.example/sales`],
  ['a parameter', `postgres://db.example/sales?user=etl&password=${secret}&sslmode=require`],
  ['a parameter of another name', `postgres://db.example/sales?sslpassword=${secret}`],
  ['a token behind a semicolon', `sc://spark.example:15002/;use_ssl=true;token=${secret}`],
  ['a password in braces', `sqlserver://db.example;database=x;user=sa;password={${secret}}`],
  ['an access token', `bigquery://project/dataset?access_token=${secret}`],
  ['a key', `bigquery://project/dataset?credentials_key=${secret}`],
  ['an unknown scheme', `mysql://root:${secret}@db.example/sales`],
  ['a scheme written wrongly', `postgre://etl:${secret}@db.example/sales`],
  ['a scheme in capitals', `POSTGRES://etl:${secret}@db.example/sales`],
];
/** Addresses that can be read: they are tried, and no such host is found. A slash in a password must be encoded, so the others cannot. */
const readable: readonly string[] = ['a parameter', 'a parameter of another name', 'a token behind a semicolon'];
const asTarget = addresses.map(
  ([what, address]): Attempt => ({
    name: `as the target: ${what}`,
    files: { 'a.csv': good },
    argv: ['load', 'a.csv', address, '--table', 'orders'],
    expect: { exit: 2, fault: readable.includes(what) ? 'ENGINE_CONNECT' : 'TARGET_URL', secrets: [secret] },
  }),
);
const asSource = addresses.map(
  ([what, address]): Attempt => ({
    name: `as the source: ${what}`,
    argv: ['load', `${address}#public.orders`, 'w.duckdb', '--table', 'orders'],
    expect: { exit: 2, secrets: [secret] },
  }),
);
const asVariable = addresses.map(
  ([what, address]): Attempt => ({
    name: `as a variable of the configuration: ${what}`,
    files: {
      'a.csv': good,
      'schemalign.yaml': `version: 1\nconnections:\n  c: { url: "\${env:ADDRESS}" }\njobs:\n  orders:\n    source: { path: a.csv }\n    target: { connection: c, table: orders }\n`,
    },
    argv: ['load', 'orders'],
    env: { ADDRESS: address },
    expect: { exit: 2, secrets: [secret] },
  }),
);
const inYaml = addresses.map(
  ([what, address]): Attempt => ({
    name: `in the line that a slip is shown on: ${what}`,
    files: { 'schemalign.yaml': `version: 1\nconnections:\n  c: { url: "${address}", no_such_key: 1 }\n` },
    argv: ['load', 'orders'],
    expect: { exit: 2, fault: 'CONFIG_INVALID', file: 'schemalign.yaml', line: 3, secrets: [secret] },
  }),
);

const query = (name: string, sql: string, expect: Attempt['expect'], more: readonly string[] = []): Attempt => ({
  name: `a query: ${name}`,
  argv: ['load', 'w.duckdb', '--table', 'orders', '--query', sql, ...more],
  expect,
});
const noNetwork = { exit: 2, says: /extension/, fix: /\w+ \w+/ } as const;
const withSecret = `SELECT 3 AS id, 'x' AS name FROM (SELECT 'postgres://etl:${secret}@db.example/sales' AS u)`;

judgeAll([
  ...asTarget,
  ...asSource,
  ...asVariable,
  ...inYaml,
  query('with an address in it', withSecret, { exit: 0, secrets: [secret], rows: { sql: 'SELECT count(*) AS v FROM orders', are: ['3'] } }),
  query('that fails, with an address in it', `SELECT no_such_column FROM (SELECT 'postgres://etl:${secret}@db.example/sales' AS u)`, {
    exit: 2,
    fault: 'ENGINE_REJECTED',
    secrets: [secret],
  }),
  query(
    'that fails, with a connection in it',
    `SELECT * FROM postgres_scan('host=db.example user=etl password=${secret}', 'public', 't')`,
    { exit: 2, secrets: [secret] },
  ),
  {
    name: 'a saved plan of a query with an address in it',
    argv: ['plan', 'w.duckdb', '--table', 'orders', '--query', withSecret, '--out', 'plan.json'],
    expect: { exit: 2, fault: 'USAGE', says: /secret/, secrets: [secret] },
  },
  {
    name: 'a saved plan of a job whose other connection has a password',
    files: {
      'a.csv': good,
      'schemalign.yaml': `version: 1\nconnections:\n  pg: { url: "postgres://etl:\${env:PW}@db.example/sales" }\n  wh: { url: w.duckdb }\njobs:\n  orders:\n    source: { path: a.csv }\n    target: { connection: wh, table: orders }\n`,
    },
    argv: ['plan', 'orders', '--out', 'plan.json'],
    env: { PW: secret },
    expect: { exit: 0, secrets: [secret], makes: ['plan.json'] },
  },
  query('of a file on the network', "SELECT * FROM read_csv('https://example.org/x.csv')", noNetwork),
  query('of a Parquet file on the network', "SELECT * FROM 'https://example.org/x.parquet'", noNetwork),
  query('of a bucket', "SELECT * FROM read_parquet('s3://bucket/x.parquet')", noNetwork),
  query('of another database', "SELECT * FROM sqlite_scan('x.db', 't')", { exit: 2 }),
  {
    name: 'a source on the network',
    argv: ['load', 'https://example.org/orders.csv', 'w.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'SOURCE_NOT_FOUND', says: /https:\/\/example\.org/, fix: /download|file/i },
  },
  {
    name: 'a source in a bucket',
    argv: ['load', 's3://bucket/orders.csv', 'w.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'SOURCE_NOT_FOUND', fix: /download|file/i },
  },
  query('two statements', 'SELECT 3 AS id; DROP TABLE canary', { exit: 2, fault: 'USAGE', says: /one SELECT/ }),
  query('a statement that writes', 'DROP TABLE canary', { exit: 2 }),
  query('a statement behind a bracket', 'SELECT 3 AS id) t; DROP TABLE canary; SELECT (1', { exit: 2 }),
  query('a statement behind a comment', 'SELECT 3 AS id -- ; \n; DROP TABLE canary', { exit: 2, fault: 'USAGE', says: /one SELECT/ }),
  query('a statement that writes and returns rows', 'DELETE FROM canary RETURNING id', { exit: 2 }),
  query('a statement that writes a file', "COPY canary TO 'out.csv'", { exit: 2 }),
  query('a setting', 'SET threads = 1', { exit: 2 }),
  query('an installation', 'INSTALL httpfs', { exit: 2 }),
  query('nothing', ' ', { exit: 2 }),
  query('that ends in a semicolon', 'SELECT 3 AS id;', { exit: 0, rows: { sql: 'SELECT count(*) AS v FROM orders', are: ['3'] } }),
  query('that ends in a comment', 'SELECT 3 AS id -- three', { exit: 0, rows: { sql: 'SELECT count(*) AS v FROM orders', are: ['3'] } }),
  query('with a semicolon in a text', "SELECT 3 AS id, 'a;b' AS name", {
    exit: 0,
    rows: { sql: 'SELECT name AS v FROM orders WHERE id = 3', are: ['a;b'] },
  }),
  query('of nothing in common', 'SELECT 3 AS other', { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /no column in common/ }),
]);
