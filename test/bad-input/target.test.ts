/** Targets that are missing, that are none, or that cannot take the load. */
import { writeFileSync } from 'node:fs';
import type { Attempt, Expected } from './attempt.ts';
import { folder, good, goodRows, linkTo, parquet } from './fixtures.ts';
import { judgeAll } from './stand.ts';

const a = { 'a.csv': good };
const into = (name: string, table: string, expect: Expected, more: Partial<Attempt> = {}): Attempt => ({
  name,
  files: a,
  argv: ['load', 'a.csv', 'w.duckdb', '--table', table, ...(more.flags ?? [])],
  ...more,
  expect,
});

const places: readonly Attempt[] = [
  into('a table that does not exist', 'ordres', {
    exit: 2,
    fault: 'TARGET_MISSING',
    says: /ordres[\s\S]*main\.orders[\s\S]*CREATE TABLE "main"\."ordres" \([\s\S]*"id" BIGINT/,
    fix: /--create/,
  }),
  into('a schema that does not exist', 'sales.orders', {
    exit: 2,
    fault: 'TARGET_MISSING',
    says: /CREATE TABLE "sales"\."orders"/,
    fix: /--create/,
  }),
  into('a database that does not exist within the file', 'other.main.orders', { exit: 2, fault: 'TARGET_MISSING' }),
  into('a name of too many parts', 'a.b.c.d', { exit: 2, fault: 'USAGE', says: /a\.b\.c\.d/ }),
  into('a name whose quote is never closed', '"orders', { exit: 2, fault: 'USAGE', says: /"orders/ }),
  into('an empty name', '', { exit: 2, fault: 'USAGE' }),
  into('a name of a quoted nothing', '""', { exit: 2, fault: 'USAGE' }),
  into('the audit table itself', 'audit_schema_runs', { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /audit/ }, { flags: ['--create'] }),
  into('a table of the system', 'duckdb_tables', { exit: 2, fault: 'TARGET_MISSING' }),
  into(
    'a view',
    'orders_view',
    { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /is a view/, fix: /table/ },
    { sql: ['CREATE VIEW orders_view AS SELECT * FROM orders'] },
  ),
  {
    name: 'a database file that does not exist',
    files: a,
    argv: ['load', 'a.csv', 'new.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /new\.duckdb[\s\S]*does not exist/, fix: /--create/ },
  },
  {
    name: 'a database file that does not exist, for verify',
    files: a,
    argv: ['verify', 'a.csv', 'new.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /new\.duckdb[\s\S]*does not exist/ },
  },
  {
    name: 'a database file that does not exist, for plan --create',
    files: a,
    argv: ['plan', 'a.csv', 'new.duckdb', '--table', 'orders', '--create'],
    expect: { exit: 0 },
  },
  {
    name: 'a database file that does not exist, for history',
    argv: ['history', 'new.duckdb', '--json'],
    expect: { exit: 2, fault: 'NOT_FOUND', says: /new\.duckdb/ },
  },
  {
    name: 'a folder that does not exist',
    files: a,
    argv: ['load', 'a.csv', 'no/such/new.duckdb', '--table', 'orders', '--create'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /no such file/ },
  },
  {
    name: 'a folder that nobody may write to',
    files: a,
    argv: ['load', 'a.csv', '/proc/new.duckdb', '--table', 'orders', '--create'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /cannot be opened/ },
  },
  {
    name: 'a folder named like a database',
    files: { ...a, 'd.duckdb': folder },
    argv: ['load', 'a.csv', 'd.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /cannot be opened.*directory/ },
  },
  {
    name: 'a link to a database that is gone',
    files: { ...a, 'l.duckdb': linkTo('gone.duckdb') },
    argv: ['load', 'a.csv', 'l.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /l\.duckdb/ },
  },
  {
    name: 'a text named like a database',
    files: { ...a, 'n.duckdb': 'no database\n'.repeat(2000) },
    argv: ['load', 'a.csv', 'n.duckdb', '--table', 'orders', '--create'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /not a DuckDB database/ },
  },
  {
    name: 'a SQLite database',
    files: { ...a, 'n.db': `SQLite format 3\0${'\0'.repeat(8000)}` },
    argv: ['load', 'a.csv', 'n.db', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /not a DuckDB database/ },
  },
  {
    name: 'an empty file named like a database',
    files: { ...a, 'n.duckdb': '' },
    argv: ['load', 'a.csv', 'n.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /not a DuckDB database/ },
  },
  {
    name: 'a database whose header is cut',
    files: {
      ...a,
      'n.duckdb': (path) => writeFileSync(path, Buffer.concat([Buffer.alloc(8, 1), Buffer.from('DUCK'), Buffer.alloc(100, 0xee)])),
    },
    argv: ['load', 'a.csv', 'n.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL' },
  },
  {
    name: 'a target that is no address',
    files: a,
    argv: ['load', 'a.csv', 'warehouse', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /FILE\.duckdb/ },
  },
  {
    name: 'a scheme written wrongly',
    files: a,
    argv: ['load', 'a.csv', 'postgre://db/sales', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL', says: /postgres:\/\// },
  },
  {
    name: 'an engine that is not there yet',
    files: a,
    argv: ['load', 'a.csv', 'bigquery://project/sales', '--table', 'orders'],
    expect: { exit: 2, fault: 'TARGET_URL' },
  },
];

const noData: readonly Attempt[] = [
  {
    name: 'a table that does not exist, and a source that says nothing of it',
    files: { 'a.csv': '' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /no columns/ },
  },
  {
    name: 'a table to create from nothing',
    files: { 'a.csv': '' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /no columns/ },
  },
  {
    name: 'a table to create from a header',
    files: { 'a.csv': 'id,name\n' },
    argv: ['load', 'a.csv', 'new.duckdb', '--table', 'fresh', '--key', 'nope', '--create'],
    expect: { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /key column nope/ },
  },
];

const columns: readonly Attempt[] = [
  into(
    'a key column that the target does not have',
    'orders',
    { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /key column order_id[\s\S]*id, name, amount/ },
    { flags: ['--key', 'order_id'] },
  ),
  into(
    'a key column that the source does not have',
    'orders',
    { exit: 1, findings: [{ name: 'missing_column', severity: 'error', path: 'amount', file: 'b.csv' }] },
    {
      files: { 'b.csv': 'id,name\n3,x\n' },
      argv: ['load', 'b.csv', 'w.duckdb', '--table', 'orders', '--key', 'amount'],
    },
  ),
  into(
    'a partition column that the target does not have',
    'orders',
    { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /partition column dt/ },
    {
      flags: ['--mode', 'overwrite-partition', '--partition-columns', 'dt', '--partition-values', '2026-01-01'],
    },
  ),
  into(
    'a partition value of the wrong type',
    'orders',
    { exit: 2, fault: 'CONFIG_INVALID', says: /abc/ },
    {
      flags: ['--mode', 'overwrite-partition', '--partition-columns', 'id', '--partition-values', 'abc'],
    },
  ),
  into(
    'an order column that the target does not have',
    'orders',
    { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', says: /updated_at/ },
    {
      flags: ['--key', 'id', '--on-duplicate-key', 'keep_latest', '--order-by', 'updated_at'],
    },
  ),
  into(
    'a rule for a column that the target does not have',
    'orders',
    { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', says: /amuont.*amount/ },
    { flags: ['--rule', 'amuont.decimal=,'] },
  ),
  into(
    'a rule for a path into a plain column',
    'orders',
    { exit: 2, fault: 'CONFIG_UNKNOWN_COLUMN', says: /name\.first/ },
    { flags: ['--rule', 'name.first.trim=always'] },
  ),
  into(
    'a default that the column cannot hold',
    'orders',
    { exit: 2, fault: 'CONFIG_INVALID', says: /"cheap".*amount/ },
    { flags: ['--rule', 'amount.default=cheap'] },
  ),
  into('no key in mode merge', 'orders', { exit: 2, fault: 'USAGE', fix: /--key/ }, { flags: ['--mode', 'merge'] }),
];

const types = [
  'HUGEINT',
  'UBIGINT',
  "ENUM ('a', 'b')",
  'INTERVAL',
  'UNION (i INTEGER, s VARCHAR)',
  'BIT',
  'TIMETZ',
  'INTEGER[3]',
  'STRUCT (h HUGEINT)',
];
const typed: readonly Attempt[] = types.flatMap((type): readonly Attempt[] => [
  {
    name: `a column of type ${type} that the source has`,
    sql: [`CREATE TABLE odd (id BIGINT, x ${type})`, 'INSERT INTO odd VALUES (1, NULL)'],
    files: { 'a.csv': 'id,x\n3,1\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'odd'],
    expect: { exit: 2, fault: 'GAP', says: /\bx\b/ },
  },
  {
    name: `a column of type ${type} that the source does not have`,
    sql: [`CREATE TABLE odd (id BIGINT, n VARCHAR, x ${type})`, 'INSERT INTO odd VALUES (1, NULL, NULL)'],
    files: { 'a.csv': 'id,n\n3,c\n1,a\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'odd', '--key', 'id'],
    expect: {
      exit: 0,
      findings: [{ name: 'missing_column', severity: 'warning', path: 'x' }],
      rows: { sql: "SELECT id || n || coalesce(x::VARCHAR, '-') AS v FROM odd ORDER BY id", are: ['1a-', '3c-'] },
    },
  },
]);

const generated = ['CREATE TABLE g (id BIGINT, twice BIGINT GENERATED ALWAYS AS (id * 2))', 'INSERT INTO g VALUES (1)'];
const computed: readonly Attempt[] = [
  {
    name: 'a generated column that the source does not have',
    sql: generated,
    files: { 'a.csv': 'id\n3\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'g'],
    expect: { exit: 0, rows: { sql: 'SELECT twice AS v FROM g ORDER BY 1', are: ['2', '6'] } },
  },
  {
    name: 'a generated column that the source has',
    sql: generated,
    files: { 'a.csv': 'id,twice\n3,7\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'g'],
    expect: {
      exit: 0,
      findings: [{ name: 'extra_column', severity: 'warning', path: 'twice' }],
      rows: { sql: 'SELECT twice AS v FROM g ORDER BY 1', are: ['2', '6'] },
    },
  },
  {
    name: 'a generated column as the key',
    sql: generated,
    files: { 'a.csv': 'id,twice\n3,7\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'g', '--key', 'twice'],
    expect: { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /twice.*generated/ },
  },
];

/** A row that a constraint of the target forbids: the engine names it, nothing is left, and the run is on record. */
const constrained = (name: string, sql: readonly string[], says: RegExp, flags: readonly string[] = []): Attempt => ({
  name,
  sql,
  files: { 'a.csv': 'id,n\n3,9\n4,10\n' },
  argv: ['load', 'a.csv', 'w.duckdb', '--table', 't', ...flags],
  expect: { exit: 2, fault: 'TARGET_INCOMPATIBLE', says, fix: /\w+ \w+/, failedRun: true },
});

judgeAll([
  ...places,
  ...noData,
  ...columns,
  ...typed,
  ...computed,
  constrained('a CHECK', ['CREATE TABLE t (id BIGINT, n INTEGER CHECK (n < 10))', 'INSERT INTO t VALUES (1, 1)'], /constraint.*CHECK/i),
  constrained(
    'a UNIQUE',
    ['CREATE TABLE t (id BIGINT, n INTEGER UNIQUE)', 'INSERT INTO t VALUES (1, 9)'],
    /constraint.*(unique|duplicate)/i,
  ),
  constrained(
    'a PRIMARY KEY',
    ['CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)', 'INSERT INTO t VALUES (4, 1)'],
    /constraint.*(primary|duplicate)/i,
  ),
  constrained(
    'a FOREIGN KEY',
    ['CREATE TABLE p (n INTEGER PRIMARY KEY)', 'INSERT INTO p VALUES (9)', 'CREATE TABLE t (id BIGINT, n INTEGER REFERENCES p(n))'],
    /constraint.*foreign/i,
  ),
  constrained(
    'a FOREIGN KEY of another table to the rows that are replaced',
    [
      'CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)',
      'INSERT INTO t VALUES (1, 1)',
      'CREATE TABLE c (id BIGINT REFERENCES t(id))',
      'INSERT INTO c VALUES (1)',
    ],
    /constraint.*foreign/i,
    ['--mode', 'replace', '--max-shrink', '1'],
  ),
  {
    name: 'a key that the target holds twice',
    sql: ['CREATE TABLE t (id BIGINT, n INTEGER)', 'INSERT INTO t VALUES (3, 1), (3, 2)'],
    files: { 'a.csv': 'id,n\n3,9\n4,10\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 't', '--key', 'id'],
    expect: { exit: 1, findings: [{ name: 'key_not_unique', severity: 'error', path: 'id' }], fix: /key: \[id, ANOTHER_COLUMN\]/ },
  },
  {
    name: 'a key that the target holds twice, with equal rows and in a good source',
    sql: ['CREATE TABLE t (id BIGINT, n INTEGER)', 'INSERT INTO t VALUES (3, 9), (3, 9)'],
    files: { 'a.parquet': parquet(goodRows.replace('3.50::DECIMAL(12,2) AS amount', '9 AS n')) },
    argv: ['load', 'a.parquet', 'w.duckdb', '--table', 't', '--key', 'id'],
    expect: { exit: 1, findings: [{ name: 'key_not_unique', severity: 'error', path: 'id' }] },
  },
]);
