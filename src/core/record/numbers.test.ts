import { describe, expect, it } from 'vitest';
import { counted, countToJson, formatCount, formatShare } from './numbers.ts';

describe('counts', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
    ['9007199254740993', '9,007,199,254,740,993'],
    [12345678901234567890n, '12,345,678,901,234,567,890'],
    [-1200, '-1,200'],
  ])('%s is written %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it('are digits in a string once a double cannot hold each of them', () => {
    expect(countToJson(2 ** 53 - 1)).toBe(9007199254740991);
    expect(countToJson(2 ** 53)).toBe('9007199254740992');
    expect(countToJson(10n)).toBe(10);
    expect(countToJson(9007199254740993n)).toBe('9007199254740993');
    expect(countToJson(1e21)).toBe('1000000000000000000000');
  });

  it('come with their noun', () => {
    expect([counted(1, 'record'), counted(0, 'record'), counted(2000, 'record')]).toEqual(['1 record', '0 records', '2,000 records']);
    expect(counted(1, 'key is', 'keys are')).toBe('1 key is');
  });
});

describe('shares', () => {
  it.each([
    [0, '0 %'],
    [1, '100 %'],
    [0.5, '50 %'],
    [0.0004, '0.04 %'],
    [0.0421, '4.2 %'],
    [1 / 3, '33.3 %'],
    [1e-9, '< 0.01 %'],
    [0.99999, '> 99.99 %'],
    [0.9996, '99.96 %'],
  ])('%s is written %s', (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});
