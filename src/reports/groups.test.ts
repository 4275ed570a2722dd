import { describe, expect, it } from 'vitest';
import { finding } from '../../test/fixtures/records.ts';
import type { Finding } from '../core/record/finding.ts';
import { countsOf, groupFindings, namesOf } from './groups.ts';

const many = (count: number, rest: Partial<Finding> = {}): Finding[] =>
  Array.from({ length: count }, (_, i) =>
    finding('SA201', 'invalid_value', 'error', { path: `c${i}`, expected: 'int', count: i + 1, ...rest }),
  );

const sizes = (findings: readonly Finding[]): number[] => groupFindings(findings).map(({ members }) => members.length);

describe('equal findings', () => {
  it('are one group from six on', () => {
    expect(sizes(many(5))).toEqual([1, 1, 1, 1, 1]);
    expect(sizes(many(6))).toEqual([6]);
  });

  it('are those of one code, reason, severity, outcome and pair of types', () => {
    expect(
      sizes([...many(6), ...many(6, { reason: 'scale' }), ...many(6, { expected: 'date' }), ...many(6, { outcome: 'nulled' })]),
    ).toEqual([6, 6, 6, 6]);
  });

  it('stay in their order, and those on no column stay apart', () => {
    const other = finding('SA301', 'malformed_record', 'error');
    const alone = Array.from({ length: 7 }, () => other);
    expect(sizes([...many(6).slice(0, 1), ...alone, ...many(6).slice(1)])).toEqual([6, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('lose none', () => {
    const all = [...many(300), ...many(3, { expected: 'date' })];
    expect(groupFindings(all).flatMap(({ members }) => members)).toHaveLength(303);
  });
});

describe('what is said of a group', () => {
  it.each([
    [['a', 'b'], 40, 'a, b'],
    [['a', 'b', 'c', 'd'], 5, 'a, b and 2 more'],
    [['x'.repeat(50), 'b'], 10, `${'x'.repeat(10)}…${'x'.repeat(9)} and 1 more`],
    [['\u001b[31m', 'b'], 40, '\\x1b[31m, b'],
  ])('%j in %i columns is %s', (names, room, text) => {
    expect(namesOf(names, room)).toBe(text);
  });

  it('counts the records of each column', () => {
    expect(countsOf(many(3))).toBe('1 to 3 records each');
    expect(countsOf(many(3, { count: 1000 }))).toBe('1,000 records each');
    expect(countsOf(many(3, { count: 0 }))).toBe('');
  });
});
