import { describe, expect, it } from 'vitest';
import { column, finding, sampleRecord } from '../../test/fixtures/records.ts';
import type { Finding } from '../core/record/finding.ts';
import type { RunColumn, RunRecord } from '../core/record/run-record.ts';
import { sinceRun } from './since-run.ts';

const run = (findings: readonly Finding[], columns: readonly RunColumn[] = [], rest: Partial<RunRecord> = {}): RunRecord => ({
  ...sampleRecord(),
  findings,
  columns,
  ...rest,
});
const amount = finding('SA201', 'invalid_value', 'warning', { path: 'amount', count: 4 });
const coupon = finding('SA102', 'extra_column', 'warning', { path: 'coupon', count: 2 });

describe('what changed since the run before', () => {
  it('is told by fingerprints: what is new, what is gone, what counts otherwise', () => {
    const born = finding('SA201', 'invalid_value', 'warning', { path: 'born', count: 1 });
    const since = sinceRun(run([{ ...amount, count: 9 }, born]), run([amount, coupon]));
    expect(since.fresh).toEqual([born.fingerprint]);
    expect(since.gone.map(({ path, count }) => [path, count])).toEqual([['coupon', 2]]);
    expect(since.counted).toEqual([[amount.fingerprint, 4]]);
  });

  it('is nothing for the same run again, also where a count is so large that it is a string', () => {
    const huge = { ...amount, count: '9007199254740993' as unknown as number };
    const since = sinceRun(run([huge]), run([huge]));
    expect([since.fresh, since.gone, since.counted, since.columns]).toEqual([[], [], [], []]);
  });

  it('has the six numbers and the verdict of the run before', () => {
    const before = run([], [], { exit: 1, status: 'failed', committed: false, started_at: '2026-09-01T04:00:00Z' });
    const since = sinceRun(run([]), before);
    expect(since.counts).toEqual({ read: 12480, loaded: 12431, quarantined: 37, superseded: 12, altered: 12, nulled: 9 });
    expect([since.word, since.started_at]).toEqual(['FAILED', '2026-09-01T04:00:00Z']);
  });

  it('names columns that came, went, or have other types', () => {
    const text = (name: string, type: string) => column(name, [name, 'string'], type, 'r');
    const since = sinceRun(
      run([], [text('a', 'int'), text('b', 'int'), text('d', 'int')]),
      run([], [text('a', 'int'), text('b', 'date'), text('c', 'int')]),
    );
    expect(since.columns).toEqual([
      { path: 'b', change: 'retyped', before: 'string → date', after: 'string → int' },
      { path: 'd', change: 'added', before: null, after: 'string → int' },
      { path: 'c', change: 'removed', before: 'string → int', after: null },
    ]);
  });

  it('says nothing of columns where a run ended before it knew them', () => {
    expect(sinceRun(run([], [column('a', null, 'int', 'r')]), run([])).columns).toEqual([]);
  });
});
