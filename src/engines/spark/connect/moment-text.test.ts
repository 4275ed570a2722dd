import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateText, decimalText, momentText, timeText } from './moment-text.ts';

test.each([
  [0, '1970-01-01'],
  [-1, '1969-12-31'],
  [11_016, '2000-02-29'],
  [19_782, '2024-02-29'],
  [-25_508, '1900-03-01'],
  [-719_162, '0001-01-01'],
  [2_932_896, '9999-12-31'],
  // One day on: Spark writes a sign then.
  [2_932_897, '+10000-01-01'],
  [-719_163, '0000-12-31'],
  [-719_529, '-0001-12-31'],
])('day %d is %s', (days, text) => {
  expect(dateText(days)).toBe(text);
});

test('days agree with the dates of JavaScript, in all years that it writes with four digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: -719_528, max: 2_932_896 }), (days) => {
      expect(dateText(days)).toBe(new Date(days * 86_400_000).toISOString().slice(0, 10));
    }),
  );
});

test.each([
  [0n, '1970-01-01 00:00:00'],
  [-1n, '1969-12-31 23:59:59.999999'],
  [1_704_067_200_123_457n, '2024-01-01 00:00:00.123457'],
  [1_704_067_200_100_000n, '2024-01-01 00:00:00.1'],
  [253_402_300_799_999_999n, '9999-12-31 23:59:59.999999'],
  [-62_135_596_800_000_000n, '0001-01-01 00:00:00'],
  // The last instant of 64 bits.
  [9_223_372_036_854_775_807n, '+294247-01-10 04:00:54.775807'],
])('%d µs is %s', (micros, text) => {
  expect(momentText(micros)).toBe(text);
});

test('times of day', () => {
  expect(timeText(0n)).toBe('00:00:00');
  expect(timeText(86_399_999_999n)).toBe('23:59:59.999999');
});

test.each([
  [-150n, 2, '-1.50'],
  [5n, 3, '0.005'],
  [-5n, 3, '-0.005'],
  [0n, 2, '0.00'],
  [7n, 0, '7'],
  [99_999_999_999_999_999_999_999_999_999_999_999_999n, 38, '0.99999999999999999999999999999999999999'],
  [-99_999_999_999_999_999_999_999_999_999_999_999_999n, 0, '-99999999999999999999999999999999999999'],
])('%d with %d places is %s', (unscaled, scale, text) => {
  expect(decimalText(unscaled, scale)).toBe(text);
});
