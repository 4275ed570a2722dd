import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../test/harness/evaluate-scalar.ts';
import type { Setting } from '../../../../test/harness/evaluate-scalar.ts';
import { type FloatBits, float } from '../../../core/model/type.ts';

const invalid = 'invalid_value';
const tooLarge = 'invalid_value:out_of_range';
const lossy = 'lossy_value';

type Table = readonly (readonly [text: string, outcome: number | string])[];

async function floats(bits: FloatBits, table: Table, setting: Setting = {}): Promise<Table> {
  const results = await evaluate(
    float(bits),
    table.map(([text]) => text),
    setting,
  );
  return results.map(({ value, reason }, i) => [table[i]?.[0] as string, value === null ? reason : number(value, bits)]);
}

function number(text: string, bits: FloatBits): number {
  return bits === 32 ? Math.fround(Number(text)) : Number(text);
}

describe('text to floating point', () => {
  test('numbers, with or without exponent', async () => {
    const table: Table = [
      ['0', 0],
      ['-0', -0],
      ['1', 1],
      ['+1.5', 1.5],
      ['-2.25', -2.25],
      ['.5', 0.5],
      ['5.', 5],
      ['1e3', 1000],
      ['1E-3', 0.001],
      ['+1.5e+3', 1500],
      ['0.1', 0.1],
      [' 1.5\n', 1.5],
      ['1e308', 1e308],
      ['5e-324', 5e-324],
      ['1e-400', 0],
      ['-1e-999999999', -0],
      ['0e999999999', 0],
      [`${'0'.repeat(400)}1`, 1],
      ['1.7976931348623157e308', Number.MAX_VALUE],
      [`0.${'0'.repeat(400)}1e401`, 1],
      ['123456789.123456789123456789', 123456789.123456789123456789],
      ['1e400', tooLarge],
      ['-1.8e308', tooLarge],
      ['1e999999999', tooLarge],
      ['9'.repeat(400), tooLarge],
      ['', invalid],
      [' ', invalid],
      ['.', invalid],
      ['e5', invalid],
      ['1e', invalid],
      ['1_000', invalid],
      ['1e1_0', invalid],
      ['0x1F', invalid],
      ['0x1p3', invalid],
      ['+-5', invalid],
      ['+-1e300', invalid],
      ['--1', invalid],
      ['1,5', invalid],
      ['1d', invalid],
      ['1.5f', invalid],
      ['1 2', invalid],
      ['1.5\u0000', invalid],
      ['\u00a01', invalid],
    ];
    expect(await floats(64, table)).toEqual(table);
  });

  test('infinities and NaN, in any case', async () => {
    const table: Table = [
      ['NaN', Number.NaN],
      ['nan', Number.NaN],
      ['-NAN', Number.NaN],
      ['+nan', Number.NaN],
      ['Infinity', Infinity],
      ['INF', Infinity],
      ['+inf', Infinity],
      ['-infinity', -Infinity],
      [' -Inf ', -Infinity],
      ['infinit', invalid],
      ['infinity1', invalid],
      ['nan(x)', invalid],
      ['nan()', invalid],
      ['+-inf', invalid],
      ['- inf', invalid],
      ['inf inity', invalid],
      ['1.#INF', invalid],
      ['\u221e', invalid],
    ];
    expect(await floats(64, table)).toEqual(table);
    expect(await floats(32, table)).toEqual(table);
  });

  test('whole numbers beyond 2^53 must be kept', async () => {
    const table: Table = [
      ['9007199254740991', 9007199254740991],
      ['9007199254740992', 9007199254740992],
      ['9007199254740994', 9007199254740994],
      ['1e22', 1e22],
      ['1e23', 1e23],
      ['-1e300', -1e300],
      ['12345678901234567000', 12345678901234567000],
      ['1234567890123456700000e-2', 12345678901234567000],
      ['9007199254740992.0', 9007199254740992],
      // DuckDB prints these doubles wrongly.
      ['2475880078570760500000000000', 2 ** 91],
      ['2417851639229258300000000', 2 ** 81],
      ['8535058474086213e227', 8535058474086213e227],
      // Held exactly, although 17 digits would do to read it back.
      ['1152921504606846976', 2 ** 60],
      ['1208925819614629174706176', 2 ** 80],
      // Not whole: the nearest value.
      ['9007199254740993.5', 9007199254740994],
      ['90071992547409930.5', 90071992547409936],
      ['9007199254740993', lossy],
      ['-9007199254740993', lossy],
      ['9007199254740993.000', lossy],
      ['90071992547409930e-1', lossy],
      ['9.007199254740993e15', lossy],
      ['12345678901234567890', lossy],
      ['1'.repeat(300), lossy],
      [`9007199254740993${'0'.repeat(100)}`, lossy],
      [`${'0'.repeat(50)}9007199254740993`, lossy],
    ];
    expect(await floats(64, table)).toEqual(table);
    const results = await evaluate(float(64), ['9007199254740993', '-12345678901234567890', '1e400']);
    expect(results.map(({ round }) => round && Number(round))).toEqual([9007199254740992, -12345678901234567000, null]);
  });

  test('32 bits: the nearest value, rounded once', async () => {
    const table: Table = [
      ['0.1', Math.fround(0.1)],
      ['16777216', 16777216],
      ['16777218', 16777218],
      ['-16777215', -16777215],
      ['1e10', 1e10],
      ['822900000', 822899968],
      ['3.4028235e38', 3.4028234663852886e38],
      ['1e-46', 0],
      ['1.401298464324817e-45', 1.401298464324817e-45],
      // Just above the middle of two floats, by less than a double can tell: by way of a double it would become 1.
      ['1.000000059604644775390625000000001', 1.00000011920928955078125],
      ['1.000000059604644775390625', 1],
      ['16777217', lossy],
      ['123456789', lossy],
      ['-33554433', lossy],
      ['3.5e38', tooLarge],
      ['3.4028236e38', tooLarge],
      ['-1e39', tooLarge],
    ];
    expect(await floats(32, table)).toEqual(table);
  });

  test('marks and blanks by rule', async () => {
    const german: Table = [
      ['1.234,5', 1234.5],
      ['1234,5', 1234.5],
      ['1,5e3', 1500],
      ['1.234', 1234],
      ['-,5', -0.5],
      ['1.5', invalid],
      ['1,234.5', invalid],
      ['1.23', invalid],
      ['9.007.199.254.740.993', lossy],
    ];
    expect(await floats(64, german, { rule: { decimal: ',', group: '.' } })).toEqual(german);
    const comma: Table = [
      ['1,5', 1.5],
      ['1.5', invalid],
      ['-1e400', tooLarge],
    ];
    expect(await floats(64, comma, { rule: { decimal: ',' } })).toEqual(comma);
    const token: Table = [
      ['1.5', 1.5],
      ['1e3', 1000],
      ['1.234', 1.234],
    ];
    expect(await floats(64, token, { number: true, rule: { decimal: ',', group: '.' } })).toEqual(token);
    const untrimmed: Table = [
      ['1.5', 1.5],
      [' 1.5', invalid],
      ['1e300\n', invalid],
      ['nan ', invalid],
    ];
    expect(await floats(64, untrimmed, { rule: { trim: 'never' } })).toEqual(untrimmed);
  });
});
