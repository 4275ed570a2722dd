import { expect, test } from 'vitest';
import { formatLetters as known } from '../core/coercions/format.ts';
import { dateFormat, formatLetters } from './text-checks.ts';

test('letters of formats are those that the coercions know', () => {
  expect([...formatLetters].toSorted()).toEqual(known.flatMap((rule) => [...rule.letters]).toSorted());
});

test.each([
  'iso',
  'epoch_s',
  'epoch_ms',
  'epoch_us',
  'dd/MM/yyyy',
  'dd/MM/yy',
  'yyyy-MM-dd[ HH:mm[:ss]]',
  "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  "h 'o''clock' a",
  'MMM d, yyyy',
])('%s is a format', (text) => {
  expect(dateFormat(text)).toBeUndefined();
});

test.each(['', '--', 'yyyy-MM-ddTHH:mm', 'QQ yyyy', 'unix'])('%j is none', (text) => {
  expect(dateFormat(text)).toBeDefined();
});
