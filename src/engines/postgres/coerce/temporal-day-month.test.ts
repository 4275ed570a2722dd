import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../../test/harness/postgres-server.ts';
import { literal } from '../quote.ts';
import { dayMonthShape } from './temporal-day-month.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('texts of day and month', async () => {
  const rows: readonly (readonly [string | null, boolean, boolean, boolean])[] = [
    ['03/04/2024', true, true, true],
    ['13/04/2024', true, true, false],
    ['04/13/2024', true, false, true],
    ['13/13/2024', true, false, false],
    ['3.4.24', true, true, true],
    ['31-12-99', true, true, false],
    ['29/02/24', true, true, false],
    ['29/02/23', true, false, false],
    ['29/02/00', true, true, false],
    ['2/29/2023', true, false, false],
    [' 3/4/2024 ', true, true, true],
    ['0/4/2024', true, false, false],
    ['2024-04-03', false, false, false],
    ['3/4-2024', false, false, false],
    ['3/4/202', false, false, false],
    ['3/4', false, false, false],
    ['3/4/2024x', false, false, false],
    ['x', false, false, false],
    ['', false, false, false],
    [null, false, false, false],
    ['３/4/2024', false, false, false],
  ];
  const client = await database.connect({ DateStyle: 'SQL, DMY' });
  const { looks, dayFirst, monthFirst } = dayMonthShape('x');
  const values = rows.map(([text], i) => `(${i}, ${text === null ? 'NULL' : literal(text)})`).join(', ');
  const result = await client.query({
    text: `SELECT x, ${looks}, ${dayFirst}, ${monthFirst} FROM (VALUES ${values}) t(i, x) ORDER BY i`,
    rowMode: 'array',
  });
  expect(result.rows).toEqual(rows);
});
