import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession, type Row, type Session } from './engines/duckdb/driver.ts';
import {
  alignTo,
  castColumn,
  compareSchemas,
  connect,
  differingColumns,
  inspect,
  jobFromOperands,
  load,
  parseDdl,
  plan,
  verify,
} from './index.ts';

let session: Session;
let folder: string;
beforeAll(async () => {
  session = await openSession(':memory:');
  folder = mkdtempSync(join(tmpdir(), 'library-'));
});
afterAll(() => {
  session.close();
  rmSync(folder, { recursive: true, force: true });
});

const source = parseDdl('CREATE TABLE s (id VARCHAR, Amount VARCHAR, at VARCHAR, extra VARCHAR)');
const target = parseDdl("CREATE TABLE t (id BIGINT NOT NULL, amount DECIMAL(8,2), at DATE, status VARCHAR DEFAULT 'new')");

describe('castColumn', () => {
  const cast = async (text: string | null, to: string, rule = {}): Promise<Row> => {
    const { value, refused } = castColumn('a "b"', to, { rule });
    return session.one(
      `SELECT (${value})::VARCHAR AS value, ${refused} AS refused FROM (SELECT ${text === null ? 'NULL::VARCHAR' : `'${text}'`} AS "a ""b""")`,
    );
  };

  test.each([
    ['12.50', 'decimal(8,2)', {}, '12.50', false],
    ['12.505', 'decimal(8,2)', {}, null, true],
    ['12.505', 'decimal(8,2)', { onLossy: 'round' }, '12.51', true],
    ['1e3', 'int', {}, null, true],
    ['2024-02-30', 'date', {}, null, true],
    ['13/02/2024', 'date', { formats: ['dd/MM/yyyy'] }, '2024-02-13', false],
    [null, 'int', {}, null, false],
    ['n/a', 'int', { nullValues: ['n/a'] }, null, false],
  ])('%s into %s', async (text, to, rule, value, refused) => {
    expect(await cast(text, to, rule)).toEqual({ value, refused });
  });

  test('a typed column is cast without a detour over text', async () => {
    const { value } = castColumn('x', 'smallint', { from: 'double' });
    expect(await session.rows(`SELECT (${value})::VARCHAR AS v FROM (VALUES (3.0::DOUBLE), (3.5), (40000)) t(x)`)).toEqual([
      { v: '3' },
      { v: null },
      { v: null },
    ]);
  });
});

describe('alignTo', () => {
  test('brings a relation into the shape of the target: by name, cast, filled and cut to its columns', async () => {
    const sql = alignTo("(SELECT '1' AS id, '2.5' AS Amount, '2024-01-02' AS at, 'x' AS extra)", source, target);
    const rows = await session.rows(sql);
    expect(rows).toEqual([{ id: '1', amount: '2.50', at: '2024-01-02', status: 'new' }]);
  });

  test('colliding names are refused, not chosen between', () => {
    const twice = parseDdl('CREATE TABLE s (ID VARCHAR, "Id" VARCHAR)');
    expect(() => alignTo('s', twice, target)).toThrow(/TARGET_INCOMPATIBLE/);
  });
});

test('compareSchemas and differingColumns name what lies between two schemas', () => {
  const kinds = compareSchemas(source, target, { sourceForm: 'text' }).map((divergence) => `${divergence.kind} ${divergence.path}`);
  expect(kinds).toContain('missing_column status');
  expect(kinds).toContain('extra_column extra');
  expect(kinds).toContain('name_variant amount');
  expect(differingColumns(source, target).map((column) => column.name)).toEqual(expect.arrayContaining(['id', 'amount', 'at', 'status']));
});

test('plan, load and verify run a job; connect looks at what is there', async () => {
  const file = join(folder, 'orders.csv');
  const database = join(folder, 'w.duckdb');
  writeFileSync(file, 'id,amount\n1,2.50\n2,x\n');
  const create = { table: 'orders', key: ['id'], create: true };
  const first = await load(jobFromOperands(file, database, { ...(await flags(create)) }));
  expect(first.record).toMatchObject({ exit: 0, committed: true, counts: { read: 2, loaded: 2 } });
  const planned = await plan(jobFromOperands(file, database, await flags({ table: 'orders', key: ['id'] })));
  expect(planned.record.counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  const verified = await verify(jobFromOperands(file, database, await flags({ table: 'orders', key: ['id'] })));
  expect(verified.record).toMatchObject({ exit: 0, verify: { ok: true } });
  const connection = await connect(database);
  expect(await connection.tables()).toContain('main.orders');
  expect(await connection.verify('orders', parseDdl('CREATE TABLE orders (id BIGINT NOT NULL, amount VARCHAR)'))).toEqual([]);
  expect((await connection.verify('orders', parseDdl('CREATE TABLE orders (id BIGINT NOT NULL)'))).map((found) => found.kind)).toEqual([
    'extra_column',
  ]);
  await connection.close();
  expect((await inspect(file, { cwd: folder })).evidence).toEqual({ rows: 2, sampled: false });
});

async function flags(raw: Record<string, string | boolean | readonly string[]>) {
  const { flagsFromOptions } = await import('./config/flags.ts');
  return flagsFromOptions(raw);
}
