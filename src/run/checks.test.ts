import { describe, expect, it } from 'vitest';
import { builtInRule, type Job, type Mask } from '../core/model/policy.ts';
import { maskedChecks } from './checks.ts';

const job = (mask: Mask): Job => ({ defaultRule: builtInRule, columns: new Map([['pay', { ...builtInRule, mask }]]) }) as unknown as Job;
const check = (name: string, path: string | null, expected: string, actual = expected) => ({ name, path, expected, actual, ok: true });

describe('the texts of checks under masks', () => {
  it.each<[string, string, string | null, string, Mask, string]>([
    ['least values follow the mask', 'min', 'pay', '1200.50', 'shape', '9999.99'],
    ['dropped values are gone', 'max', 'pay', '1200.50', 'drop', '(masked)'],
    ['NULL is no value', 'max', 'pay', 'NULL', 'drop', 'NULL'],
    ['a hash of contents is none of the masks', 'content', 'pay', '8881', 'shape', '(masked)'],
    ['a check that nobody knows yet is taken for one of values', 'median', 'pay', '1200', 'shape', '(masked)'],
    ['partitions keep their count', 'partition rows', 'dt,pay', 'dt=1, pay=7: 12', 'shape', '(masked): 12'],
    ['a partition whose value looks like one keeps it too', 'partition rows', 'pay', 'pay=a: 1: 12', 'drop', '(masked): 12'],
    ['types are no values', 'schema', 'pay', 'decimal(8,2)', 'drop', 'decimal(8,2)'],
    ['counts are no values', 'nulls', 'pay', '3', 'drop', '3'],
    ['other columns stay', 'min', 'id', '1', 'drop', '1'],
    ['the table as a whole stays', 'rows', null, '3', 'drop', '3'],
    ['without a mask all stays', 'min', 'pay', '1200.50', 'none', '1200.50'],
  ])('%s', (_, name, path, text, mask, shown) => {
    expect(maskedChecks([check(name, path, text)], job(mask))).toEqual([check(name, path, shown)]);
  });
});
