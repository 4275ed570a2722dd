/** Values before and after, and what changed since the last run, from the data to the HTML report. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flagsFromOptions } from '../../src/config/flags.ts';
import { jobFromOperands } from '../../src/config/resolve-job.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { openSession } from '../../src/engines/duckdb/driver.ts';
import { align } from '../../src/run/align.ts';
import { previousRun } from '../../src/run/history.ts';

let folder: string;
let database: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'before-after-'));
  database = join(folder, 'w.duckdb');
  const session = await openSession(database);
  await session.rows('CREATE TABLE t (id BIGINT NOT NULL, price DECIMAL(6,2), qty INTEGER, code VARCHAR, day DATE)');
  session.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(text: string, rule: readonly string[], more: Parameters<typeof flagsFromOptions>[0] = {}): Promise<RunRecord> {
  const file = join(folder, 'in.csv');
  writeFileSync(file, text);
  return (await align(jobFromOperands(file, database, flagsFromOptions({ table: 't', key: ['id'], rule, ...more })), { verb: 'load' }))
    .record;
}

const storedOf = (record: RunRecord, path: string) =>
  record.findings.filter((one) => one.path === path).flatMap(({ examples }) => examples.map(({ value, stored }) => [value, stored]));

const head = 'id,price,qty,code,day\n';
const rules = ['price.on_lossy=round', 'qty.on_invalid=default', 'qty.default=7', 'day.on_invalid=quarantine'];

test('an example of a value that was rounded or defaulted says what is stored', async () => {
  const record = await load(`${head}1,9.999,x,a,2026-01-31\n2,0.125,2,b,2026-02-01\n3,5.00,3,c,2026-02-02\n`, rules);
  expect(record.exit).toBe(0);
  expect(storedOf(record, 'price')).toEqual([
    ['9.999', '10.00'],
    ['0.125', '0.13'],
  ]);
  expect(storedOf(record, 'qty')).toEqual([['x', '7']]);
});

test('nothing is said to be stored of a row that is not loaded', async () => {
  const record = await load(`${head}1,9.999,1,a,31/02/2026\n2,0.50,2,b,2026-02-01\n`, rules);
  expect(storedOf(record, 'price')).toEqual([['9.999', undefined]]);
  expect(storedOf(record, 'day')).toEqual([['31/02/2026', undefined]]);
});

test('a mask hides what is stored as it hides what stood in the source', async () => {
  const record = await load(`${head}1,9.999,1,a,2026-01-31\n`, [...rules, 'price.mask=shape']);
  expect(storedOf(record, 'price')).toEqual([['9.999', '99.99']]);
});

test('the run before is the newest earlier one of the same job that looked at the data', async () => {
  const text = `${head}1,9.999,1,a,2026-01-31\n`;
  const first = await load(text, rules);
  const second = await load(`${head}1,1.00,1,a,2026-01-31\n2,2.00,1,a,2026-01-31\n`, rules);
  const third = await load(text, rules);
  expect((await previousRun(database, third))?.run_id).toBe(second.run_id);
  expect((await previousRun(database, second))?.run_id).toBe(first.run_id);
  expect(await previousRun(database, first)).toBeNull();
  expect(await previousRun(database, { ...third, job: 'another' })).toBeNull();
});
