import { describe, expect, it } from 'vitest';
import type { IgnoreEntry, Job } from '../core/model/policy.ts';
import { placeAt, placeOfFinding } from './config-place.ts';
import { acceptedBy, expiredDrafts } from './ignore.ts';

const today = '2026-12-01';
const job = (ignore: readonly IgnoreEntry[]): Job =>
  ({
    ignore,
    origin: { file: 'schemalign.yaml', pointer: '/jobs/a', ignore: ignore.map((_, i) => `/jobs/a/ignore/${i}`) },
  }) as unknown as Job;

describe('an entry under ignore', () => {
  it.each<[string, IgnoreEntry, string, string | null, boolean]>([
    ['of a column holds for it', { code: 'SA102', column: 'a', reason: 'r' }, 'SA102', 'a', true],
    ['of a column holds for no other', { code: 'SA102', column: 'a', reason: 'r' }, 'SA102', 'b', false],
    ['without a column holds for all', { code: 'SA102', reason: 'r' }, 'SA102', 'b', true],
    ['without a column holds where none is concerned', { code: 'SA106', reason: 'r' }, 'SA106', null, true],
    ['holds for no other code', { code: 'SA102', reason: 'r' }, 'SA101', 'a', false],
    ['holds on its last day', { code: 'SA102', reason: 'r', until: today }, 'SA102', 'a', true],
    ['does not hold on the day after', { code: 'SA102', reason: 'r', until: '2026-11-30' }, 'SA102', 'a', false],
  ])('%s', (_, entry, code, path, holds) => {
    expect(acceptedBy(job([entry]), code, { path, today }) !== null).toBe(holds);
  });

  it('that still holds is found behind one that is over', () => {
    const over: IgnoreEntry = { code: 'SA102', reason: 'old', until: '2020-01-01' };
    const entry: IgnoreEntry = { code: 'SA102', reason: 'new' };
    expect(acceptedBy(job([over, entry]), 'SA102', { path: 'a', today })).toEqual({
      ignored: { reason: 'new', until: null },
      pointer: '/jobs/a/ignore/1',
    });
  });

  it('that is over is a warning at its place, also when it would hide nothing', () => {
    const entries: IgnoreEntry[] = [
      { code: 'SA102', column: 'a', reason: 'marketing only', until: '2026-11-30' },
      { code: 'SA103', reason: 'r', until: today },
      { code: 'SA104', reason: 'r' },
    ];
    expect(expiredDrafts(job(entries), today)).toEqual([
      {
        name: 'ignore_expired',
        severity: 'warning',
        path: 'a',
        actual: 'SA102 until 2026-11-30',
        count: 1,
        outcome: 'none',
        consequence: 'the entry that accepts SA102 of a (marketing only) ended on 2026-11-30: what it has hidden counts again',
        pointer: '/jobs/a/ignore/0',
      },
    ]);
  });
});

describe('the line of configuration of a finding', () => {
  const places = new Map(
    [
      '',
      '/jobs',
      '/jobs/a',
      '/jobs/a/columns',
      '/jobs/a/columns/x~1y',
      '/jobs/a/columns/x~1y/on_invalid',
      '/jobs/a/on_malformed',
      '/defaults',
      '/defaults/on_extra',
      '/defaults/columns/z',
    ]
      .map((pointer, i) => [pointer, { line: i, column: 1 }] as const)
      .slice(1),
  );
  const of: Job = { origin: { file: 's.yaml', pointer: '/jobs/a', places } } as unknown as Job;
  const found = (name: string, path: string | null, outcome: 'failed' | 'quarantined' | 'ignored', pointer?: string) =>
    placeOfFinding(of, { name, path, outcome, fix: pointer === undefined ? null : { pointer, yaml: '' } })?.line;

  it('is the key that would settle it, where it is written', () => {
    expect(found('invalid_value', 'x/y', 'failed', '/jobs/a/columns/x~1y/on_invalid')).toBe(5);
  });

  it('else the key of the column that has brought it about', () => {
    expect(found('invalid_value', 'x/y', 'quarantined')).toBe(5);
    expect(found('invalid_value', 'x/y', 'failed', '/jobs/a/columns/x~1y/formats')).toBe(4);
  });

  it('else a key of the job, or of the defaults', () => {
    expect(found('malformed_record', null, 'quarantined')).toBe(6);
    expect(found('extra_column', 'q', 'ignored')).toBe(8);
    expect(found('invalid_value', 'z', 'quarantined')).toBe(9);
  });

  it('else the nearest line around the place where it would stand', () => {
    expect(found('invalid_value', 'q', 'failed', '/jobs/a/columns/q/formats')).toBe(3);
    expect(found('invalid_value', 'q', 'failed')).toBe(2);
    expect(placeAt(of, '/elsewhere/x')).toEqual({ file: 's.yaml', line: 1, column: 1 });
  });

  it('is none without a configuration', () => {
    expect(placeOfFinding({} as Job, { name: 'invalid_value', path: 'x', outcome: 'failed', fix: null })).toBeNull();
  });
});
