import { describe, expect, test } from 'vitest';
import { type Outcomes, evaluate, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { type IntBits, int } from '../../../core/model/type.ts';

const invalid = 'invalid_value';
const tooLarge = 'invalid_value:out_of_range';
const exponent = 'invalid_value:exponent';
const lossy = 'lossy_value';

describe('text to whole numbers', () => {
  test('the grammar: digits, a sign, a fraction of zeros', async () => {
    const table: Outcomes = [
      ['0', '0'],
      ['42', '42'],
      ['-42', '-42'],
      ['+42', '42'],
      ['007', '7'],
      ['-0', '0'],
      ['1.0', '1'],
      ['5.', '5'],
      ['.0', '0'],
      ['-.00', '0'],
      [`1.${'0'.repeat(200)}`, '1'],
      [`${'0'.repeat(200)}12`, '12'],
      [' 42 ', '42'],
      ['\t\n\v\f\r 42\r\n', '42'],
      ['', invalid],
      [' ', invalid],
      ['\t', invalid],
      ['-', invalid],
      ['+', invalid],
      ['.', invalid],
      ['-.', invalid],
      ['+-5', invalid],
      ['--5', invalid],
      ['- 5', invalid],
      ['1 000', invalid],
      ['1,000', invalid],
      ['1_000', invalid],
      ['1_0.0', invalid],
      ['0x1F', invalid],
      ['0X1F', invalid],
      ['0b1', invalid],
      ['0B1', invalid],
      ['0o7', invalid],
      ['1L', invalid],
      ['1f', invalid],
      ['true', invalid],
      ['NaN', invalid],
      ['inf', invalid],
      ['1.2.3', invalid],
      ['abc', invalid],
      ['\u0661\u0662\u0663', invalid],
      ['\uff11', invalid],
      ['\u00a042', invalid],
      ['42\u202f', invalid],
      ['\ufeff42', invalid],
      ['42\u0000', invalid],
      ['\u0000', invalid],
      ['4\u00002', invalid],
      ['42\ufffd', invalid],
    ];
    expect(await outcomes(int(64), table)).toEqual(table);
  });

  test('fractions are lossy and exponents are refused', async () => {
    const table: Outcomes = [
      ['1.5', lossy],
      ['-0.1', lossy],
      ['.5', lossy],
      [`1.${'0'.repeat(100)}1`, lossy],
      ['9223372036854775807.4', lossy],
      ['1e3', exponent],
      ['1E3', exponent],
      ['1.5e1', exponent],
      ['-1e-1', exponent],
      ['1e999999999', exponent],
      [' 1e3 ', exponent],
      ['1e', invalid],
      ['e3', invalid],
      ['1e+', invalid],
      ['1e1.0', invalid],
      ['1e1_0', invalid],
      ['1 e3', invalid],
      ['.e1', invalid],
    ];
    expect(await outcomes(int(64), table)).toEqual(table);
  });

  const bounds: readonly [IntBits, bigint][] = [
    [8, 127n],
    [16, 32767n],
    [32, 2147483647n],
    [64, 9223372036854775807n],
  ];
  test.each(bounds)('the range of %i bits', async (bits, max) => {
    const min = -max - 1n;
    const table: Outcomes = [
      [`${max}`, `${max}`],
      [`${max}.0`, `${max}`],
      [`000${max}`, `${max}`],
      [`+${max}`, `${max}`],
      [`${min}`, `${min}`],
      [`${min}.00`, `${min}`],
      [`${max + 1n}`, tooLarge],
      [`${max + 1n}.0`, tooLarge],
      [`${min - 1n}`, tooLarge],
      [`${max + 1n}.5`, tooLarge],
      ['9'.repeat(100), tooLarge],
      // The nearest whole number decides whether a fraction is lossy or out of range.
      [`${max}.4`, lossy],
      [`${max}.5`, lossy],
      [`${min}.4`, lossy],
      [`${min}.5`, lossy],
    ];
    expect(await outcomes(int(bits), table)).toEqual(table);
  });

  test('exponents where they are allowed go by value', async () => {
    const table: Outcomes = [
      ['1e2', '100'],
      ['1E+2', '100'],
      ['1.5e1', '15'],
      ['-1.25e2', '-125'],
      ['100e-2', '1'],
      ['0e999999', '0'],
      ['-0e-99999999999999999999', '0'],
      ['2147483647e0', '2147483647'],
      ['0.2147483647e10', '2147483647'],
      [`1${'0'.repeat(300)}e-300`, '1'],
      [`0.${'0'.repeat(300)}1e301`, '1'],
      ['1e0000000000000000000000000000001', '10'],
      [' 1e2 ', '100'],
      ['7', '7'],
      ['1.0', '1'],
      ['1e-1', lossy],
      ['15e-1', lossy],
      ['1e-999999999', lossy],
      ['2147483648e0', tooLarge],
      ['1e999999999', tooLarge],
      ['-1e99999999999999999999999', tooLarge],
      ['1e10', tooLarge],
      ['1e', invalid],
      ['1_0e1', invalid],
      ['0x1e2', invalid],
    ];
    expect(await outcomes(int(32), table, { rule: { exponent: true } })).toEqual(table);
    const tokens = table.filter(([text]) => /^-?(0|[1-9])/.test(text) && !/[_x ]|e$/.test(text));
    expect(tokens.length).toBeGreaterThan(12);
    expect(await outcomes(int(32), tokens, { number: true, rule: { decimal: ',', group: '.' } })).toEqual(tokens);
  });

  test('declared marks and groups', async () => {
    const german: Outcomes = [
      ['1.234', '1234'],
      ['1.234.567', '1234567'],
      ['1234', '1234'],
      ['12,0', '12'],
      ['1.234,00', '1234'],
      ['-1.234', '-1234'],
      [',0', '0'],
      ['12.34', invalid],
      ['1234.567', invalid],
      ['.123', invalid],
      ['1..234', invalid],
      ['1.234.', invalid],
      ['1,000.0', invalid],
      ['1,2345.000', invalid],
      ['1.2345', invalid],
      ['1,234', lossy],
      ['1.234,5', lossy],
      ['1.0', invalid],
      ['999.999.999.999', tooLarge],
    ];
    expect(await outcomes(int(32), german, { rule: { decimal: ',', group: '.' } })).toEqual(german);
    const french: Outcomes = [
      ['1\u202f234', '1234'],
      ['1 234', invalid],
      ['1\u00a0234', invalid],
      ['12,0', '12'],
      ['12.0', invalid],
    ];
    expect(await outcomes(int(32), french, { rule: { decimal: ',', group: '\u202f' } })).toEqual(french);
    const spaced: Outcomes = [
      [' 1 234 ', '1234'],
      ['1 23', invalid],
      ['1  234', invalid],
      ['123 4', invalid],
      ['12', '12'],
    ];
    expect(await outcomes(int(32), spaced, { rule: { group: ' ' } })).toEqual(spaced);
    for (const group of ["'", '_', '*', '[', '\\', '^', '|', '$', '\u{1f600}']) {
      const table: Outcomes = [
        [`1${group}234`, '1234'],
        [`12${group}34`, invalid],
        ['1234', '1234'],
        [`1${group}`, invalid],
      ];
      expect(await outcomes(int(32), table, { rule: { group } })).toEqual(table);
    }
  });

  test('trim: never makes blanks around a number invalid', async () => {
    const table: Outcomes = [
      ['42', '42'],
      [' 42', invalid],
      ['42 ', invalid],
      ['42\n', invalid],
      ['\t1.0', invalid],
      ['1.5 ', invalid],
    ];
    expect(await outcomes(int(32), table, { rule: { trim: 'never' } })).toEqual(table);
  });

  test('rounding is half away from zero, truncation toward zero', async () => {
    const table: readonly (readonly [string, string | null, string])[] = [
      ['0.5', '1', '0'],
      ['-0.5', '-1', '0'],
      ['2.5', '3', '2'],
      ['1.49999999999999999999', '1', '1'],
      ['.5', '1', '0'],
      ['-1.5', '-2', '-1'],
      ['126.5', '127', '126'],
      ['-.4', '0', '0'],
      ['0015.50', '16', '15'],
    ];
    const results = await evaluate(
      int(8),
      table.map(([text]) => text),
    );
    expect(results.map(({ value, reason }) => value ?? reason)).toEqual(table.map(() => lossy));
    expect(results.map(({ round, truncate }, i) => [table[i]?.[0], round, truncate])).toEqual(table);
  });

  test('rounding of texts with an exponent', async () => {
    const results = await evaluate(int(64), ['15e-1', '-25e-1', '49e-2', '1e-999999'], { rule: { exponent: true } });
    expect(results.map(({ round, truncate }) => [round, truncate])).toEqual([
      ['2', '1'],
      ['-3', '-2'],
      ['0', '0'],
      ['0', '0'],
    ]);
  });
});
