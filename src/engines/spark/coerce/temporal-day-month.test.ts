import { expect, test } from 'vitest';
import { sparkServer } from '../../../../test/harness/spark-server.ts';
import { openSpark } from '../connect/client.ts';
import { literal } from '../quote.ts';
import { dayMonthShape } from './temporal-day-month.ts';

const server = await sparkServer();

test.skipIf(server === undefined)('texts of day and month', async () => {
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
  const { looks, dayFirst, monthFirst } = dayMonthShape('x');
  const values = rows.map(([text], i) => `(${i}, ${text === null ? 'CAST(NULL AS STRING)' : literal(text)})`).join(', ');
  const spark = await openSpark(server?.url ?? '');
  const found = await spark.table(`SELECT i, x, ${looks}, ${dayFirst}, ${monthFirst} FROM VALUES ${values} AS given(i, x) ORDER BY i`);
  await spark.close();
  expect(found.rows.map(([, ...row]) => row)).toEqual(rows);
});
