import { expect, test } from 'vitest';
import { type Outcomes, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { binary } from '../../../core/model/type.ts';

const invalid = 'invalid_value';

/** Bytes as DuckDB prints them when none is printable. */
const bytes = (...values: readonly number[]) => values.map((value) => `\\x${value.toString(16).toUpperCase().padStart(2, '0')}`).join('');

test('without a rule no text is bytes', async () => {
  const table: Outcomes = [
    ['', invalid],
    ['00ff', invalid],
    ['AP8=', invalid],
    ['\\x00', invalid],
  ];
  expect(await outcomes(binary, table)).toEqual(table);
});

test('hexadecimal', async () => {
  const table: Outcomes = [
    ['', ''],
    ['00', bytes(0)],
    ['00ff', bytes(0, 255)],
    ['0aFf80', bytes(10, 255, 128)],
    ['DEADBEEF', bytes(0xde, 0xad, 0xbe, 0xef)],
    [' 00ff\n', bytes(0, 255)],
    ['f'.repeat(20_000), bytes(...Array.from({ length: 10_000 }, () => 255))],
    ['41', 'A'],
    ['0', invalid],
    ['00f', invalid],
    ['0g', invalid],
    ['0x00ff', invalid],
    ['\\x00ff', invalid],
    ['00 ff', invalid],
    ['00:ff', invalid],
    ['00-ff', invalid],
    ['-1', invalid],
    ['+1', invalid],
    ['\uff10\uff10', invalid],
    ['00\u0000', invalid],
    ['\u00e9\u00e9', invalid],
    ['00\u00a0', invalid],
    ['zz', invalid],
    ['  0', invalid],
    ['AP8=', invalid],
  ];
  expect(await outcomes(binary, table, { rule: { binary: 'hex' } })).toEqual(table);
});

test('base64 by RFC 4648 with padding', async () => {
  const table: Outcomes = [
    ['', ''],
    ['AA==', bytes(0)],
    ['AAE=', bytes(0, 1)],
    ['AAEC', bytes(0, 1, 2)],
    ['AP8=', bytes(0, 255)],
    ['/+7d', bytes(0xff, 0xee, 0xdd)],
    [' AAE=\r\n', bytes(0, 1)],
    // Test vectors of section 10.
    ['Zg==', 'f'],
    ['Zm8=', 'fo'],
    ['Zm9v', 'foo'],
    ['Zm9vYg==', 'foob'],
    ['Zm9vYmE=', 'fooba'],
    ['Zm9vYmFy', 'foobar'],
    ['A', invalid],
    ['AA', invalid],
    ['AAA', invalid],
    ['AA=', invalid],
    ['A===', invalid],
    ['====', invalid],
    ['=', invalid],
    ['AA==AA==', invalid],
    ['AAE=\nAAE=', invalid],
    ['A AE', invalid],
    ['_-7d', invalid],
    ['AAE.', invalid],
    ['AAE\u0000', invalid],
    ['\u00e9AAA', invalid],
    ['Zm9v\u00a0', invalid],
    ['AA==A', invalid],
    // Bits that stand for nothing must be zero: nothing is dropped.
    ['AB==', invalid],
    ['AAF=', invalid],
  ];
  expect(await outcomes(binary, table, { rule: { binary: 'base64' } })).toEqual(table);
});

test('trim: never', async () => {
  const table: Outcomes = [
    ['00ff', bytes(0, 255)],
    [' 00ff', invalid],
    ['00ff\n', invalid],
  ];
  expect(await outcomes(binary, table, { rule: { binary: 'hex', trim: 'never' } })).toEqual(table);
});
