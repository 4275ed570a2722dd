import { describe, expect, it } from 'vitest';
import { builtInRule, type Job } from '../core/model/policy.ts';
import { int } from '../core/model/type.ts';
import type { SourceGroup } from '../core/plan/plan.ts';
import { withAwaitedKeys } from './awaited-keys.ts';

const target = (...names: readonly string[]) => ({ columns: names.map((name) => ({ name, type: int(32), nullable: true })) });
const jobWith = (from: Readonly<Record<string, readonly string[]>>): Job =>
  ({ columns: new Map(Object.entries(from).map(([name, names]) => [name, { ...builtInRule, from: names }])) }) as unknown as Job;
const json = (...names: readonly string[]): SourceGroup => ({
  files: [0],
  form: 'json',
  columns: names.map((name) => ({ name })),
  complete: false,
});

const keysOf = (group: SourceGroup, names: readonly string[], from: Readonly<Record<string, readonly string[]>> = {}): readonly string[] =>
  (withAwaitedKeys([group], target(...names), jobWith(from))[0] as SourceGroup).columns.map((column) => column.name);

describe('keys that later records may have', () => {
  it.each([
    ['one that no record has had yet', json('id'), ['id', 'late'], {}, ['id', 'late']],
    ['none beside the key under another name', json('id', 'quantity'), ['id', 'qty'], { qty: ['quantity'] }, ['id', 'quantity']],
    ['none beside the key in another case', json('ID'), ['id'], {}, ['ID']],
    ['the root of a path', json('id'), ['id', 'zip'], { zip: ['$.address.zip'] }, ['id', 'address']],
    ['none where the root of the path is known', json('address'), ['zip'], { zip: ['$.address.zip'] }, ['address']],
    ['none where two keys claim the column', json('A', 'a '), ['a'], {}, ['A', 'a ']],
    ['none when all keys are known', { ...json('id'), complete: true }, ['id', 'late'], {}, ['id']],
  ] as const)('%s', (_, group, names, from, expected) => {
    expect(keysOf(group, names, from)).toEqual(expected);
  });
});
