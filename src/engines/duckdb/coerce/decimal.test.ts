import { describe, expect, test } from 'vitest';
import { type Outcomes, evaluate, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { decimal } from '../../../core/model/type.ts';

const invalid = 'invalid_value';
const tooLarge = 'invalid_value:out_of_range';
const exponent = 'invalid_value:exponent';
const lossy = 'lossy_value:scale';

describe('text to decimals', () => {
  test('decimal(12,2)', async () => {
    const table: Outcomes = [
      ['1234.50', '1234.50'],
      ['12.5', '12.50'],
      ['12', '12.00'],
      ['-12.34', '-12.34'],
      ['+0.10', '0.10'],
      ['.5', '0.50'],
      ['5.', '5.00'],
      ['-.5', '-0.50'],
      ['-0.00', '0.00'],
      ['12.3400', '12.34'],
      [`12.34${'0'.repeat(100)}`, '12.34'],
      [`${'0'.repeat(100)}1`, '1.00'],
      [' 12.34\t', '12.34'],
      ['1.2 ', '1.20'],
      ['9999999999.99', '9999999999.99'],
      ['-9999999999.99', '-9999999999.99'],
      ['12.345', lossy],
      ['0.001', lossy],
      ['-0.009', lossy],
      [`0.${'0'.repeat(60)}1`, lossy],
      ['9999999999.994', lossy],
      ['10000000000', tooLarge],
      ['10000000000.00', tooLarge],
      ['9999999999.995', lossy],
      ['-10000000000.1', tooLarge],
      ['9'.repeat(60), tooLarge],
      ['1e2', exponent],
      ['1.e5', exponent],
      ['1.5E-1', exponent],
      ['1_0.50', invalid],
      ['1_000', invalid],
      ['1,234.50', invalid],
      ['12,34', invalid],
      ['0x1F', invalid],
      ['NaN', invalid],
      ['Infinity', invalid],
      ['', invalid],
      ['   ', invalid],
      ['.', invalid],
      ['+-5', invalid],
      ['(99.90)', invalid],
      ['1.2.34', invalid],
      ['$1.00', invalid],
      ['1.00%', invalid],
      ['\u0661.00', invalid],
      ['1\u202f234.00', invalid],
      ['1.50\u0000', invalid],
      ['1. 50', invalid],
    ];
    expect(await outcomes(decimal(12, 2), table)).toEqual(table);
  });

  test('decimals of more than 18 digits', async () => {
    const nines = '9'.repeat(36);
    const table: Outcomes = [
      ['1234.50', '1234.50'],
      ['12', '12.00'],
      [' 12 ', '12.00'],
      ['-0.01', '-0.01'],
      ['-.5\n', '-0.50'],
      ['5.', '5.00'],
      [`${nines}.99`, `${nines}.99`],
      [`-${nines}.99`, `-${nines}.99`],
      ['1234567890123456789.01', '1234567890123456789.01'],
      [`${'0'.repeat(80)}7.10`, '7.10'],
      [`1.50${'0'.repeat(80)}`, '1.50'],
      [`${nines}.994`, lossy],
      ['1234567890123456789.011', lossy],
      [`${nines}.995`, lossy],
      [`1${'0'.repeat(36)}`, tooLarge],
      ['9'.repeat(200), tooLarge],
      ['1_000', invalid],
      ['1e3', exponent],
      ['0x1F', invalid],
      ['', invalid],
    ];
    expect(await outcomes(decimal(38, 2), table)).toEqual(table);
  });

  test('many places', async () => {
    const table: Outcomes = [
      ['12345.678901234567890123', '12345.678901234567890123'],
      ['-12345.678901234567890123', '-12345.678901234567890123'],
      ['1', '1.000000000000000000'],
      ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
      ['1 ', '1.000000000000000000'],
      ['-0.000000000000000001', '-0.000000000000000001'],
      ['0.0000000000000000001', lossy],
      ['100000000000000000000', tooLarge],
      ['99999999999999999999.9999999999999999995', lossy],
    ];
    expect(await outcomes(decimal(38, 18), table)).toEqual(table);
  });

  test('scale 0, and as many places as digits', async () => {
    const whole: Outcomes = [
      ['5', '5'],
      ['5.0', '5'],
      ['005.', '5'],
      ['.0', '0'],
      ['5.5', lossy],
      ['999', '999'],
      ['1000', tooLarge],
      ['999.5', lossy],
      ['999.4', lossy],
      ['0x1', invalid],
    ];
    expect(await outcomes(decimal(3, 0), whole)).toEqual(whole);
    const places: Outcomes = [
      ['0.99', '0.99'],
      ['.5', '0.50'],
      ['-0.01', '-0.01'],
      ['0', '0.00'],
      ['1', tooLarge],
      ['0.995', lossy],
      ['0.994', lossy],
    ];
    const results = await outcomes(decimal(2, 2), places);
    // DuckDB prints such a decimal without the zero before the point.
    expect(results.map(([text, got]) => [text, got.replace(/^(-?)\./, '$10.')])).toEqual(places);
  });

  test('exponents where they are allowed go by value', async () => {
    const table: Outcomes = [
      ['1e2', '100.00'],
      ['1.5e1', '15.00'],
      ['125e-2', '1.25'],
      ['-1.25E0', '-1.25'],
      ['0e999999', '0.00'],
      ['12.50e-1', '1.25'],
      ['1e9', '1000000000.00'],
      ['1e-3', lossy],
      ['1.234e0', lossy],
      ['1e-99999999999', lossy],
      ['1e10', tooLarge],
      ['1e999999999', tooLarge],
      ['99999999999.95e-1', lossy],
      ['1e', invalid],
    ];
    expect(await outcomes(decimal(12, 2), table, { rule: { exponent: true } })).toEqual(table);
    expect(await outcomes(decimal(12, 2), table.slice(0, -1), { number: true })).toEqual(table.slice(0, -1));
  });

  test('decimal comma with groups of a point', async () => {
    const table: Outcomes = [
      ['1.234,50', '1234.50'],
      ['12,5', '12.50'],
      ['1.234', '1234.00'],
      ['1234,50', '1234.50'],
      ['-1.234.567,89', '-1234567.89'],
      ['0,1', '0.10'],
      [',5', '0.50'],
      ['1.234,', '1234.00'],
      ['1,234.50', invalid],
      ['1.23,4', invalid],
      ['-1\u202f234,00', invalid],
      ['(99,90)', invalid],
      ['12.50', invalid],
      ['1,2,3', invalid],
      ['1234.567,00', invalid],
      ['12,345', lossy],
      ['1,5e3', exponent],
      ['99.999.999.999', tooLarge],
    ];
    expect(await outcomes(decimal(12, 2), table, { rule: { decimal: ',', group: '.' } })).toEqual(table);
  });

  test('decimal comma without groups, and marks of several bytes', async () => {
    const comma: Outcomes = [
      ['0,2', '0.2000'],
      ['1,05', '1.0500'],
      ['1', '1.0000'],
      ['0.2', invalid],
      ['1.000', invalid],
      ['1,00001', lossy],
    ];
    expect(await outcomes(decimal(6, 4), comma, { rule: { decimal: ',' } })).toEqual(comma);
    const arabic: Outcomes = [
      ['1\u066c234\u066b50', '1234.50'],
      ['1\u066b5', '1.50'],
      ['1\u066c23', invalid],
      ['1.5', invalid],
    ];
    expect(await outcomes(decimal(12, 2), arabic, { rule: { decimal: '\u066b', group: '\u066c' } })).toEqual(arabic);
    const commas: Outcomes = [
      ['1,234.50', '1234.50'],
      ['1,234,567', '1234567.00'],
      ['12,34.50', invalid],
      ['1.234,5', invalid],
      ['1,234.5,0', invalid],
    ];
    expect(await outcomes(decimal(12, 2), commas, { rule: { group: ',' } })).toEqual(commas);
  });

  test('trim: never', async () => {
    const table: Outcomes = [
      ['1.50', '1.50'],
      [' 1.50', invalid],
      ['1.5 ', invalid],
      ['1\n', invalid],
      ['\t1.505', invalid],
    ];
    expect(await outcomes(decimal(12, 2), table, { rule: { trim: 'never' } })).toEqual(table);
  });

  test('rounding is half away from zero, truncation toward zero', async () => {
    const table: readonly (readonly [string, string, string])[] = [
      ['1.005', '1.01', '1.00'],
      ['-1.005', '-1.01', '-1.00'],
      ['1.00499999999999999999', '1.00', '1.00'],
      ['2.675', '2.68', '2.67'],
      ['0.005', '0.01', '0.00'],
      ['-0.004', '0.00', '0.00'],
      ['9999999999.984', '9999999999.98', '9999999999.98'],
      ['99.995', '100.00', '99.99'],
      ['.999', '1.00', '0.99'],
    ];
    for (const type of [decimal(12, 2), decimal(38, 2)]) {
      const results = await evaluate(
        type,
        table.map(([text]) => text),
      );
      expect(results.map(({ value, reason }) => value ?? reason)).toEqual(table.map(() => lossy));
      expect(results.map(({ round, truncate }, i) => [table[i]?.[0], round, truncate])).toEqual(table);
    }
  });
});
