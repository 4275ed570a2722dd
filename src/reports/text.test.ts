import { describe, expect, it } from 'vitest';
import {
  cleanRecord,
  example,
  failedRecord,
  finding,
  hostile,
  largeRecord,
  planRecord,
  refusedRecord,
  sampleRecord,
} from '../../test/fixtures/records.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { renderReport } from './registry.ts';
import { columnsOf } from './terminal-width.ts';

const plain = (record: RunRecord, width = 100) => renderReport('text', record, { color: false, width });
const head = (record: RunRecord, lines: number) => plain(record).split('\n').slice(0, lines);

describe('the text report', () => {
  it('of a load without findings is one short screen', () => {
    expect(plain(cleanRecord())).toBe(`\
✓ LOADED  sites: sites.csv → main.sites (append)
  Every row fits, and the target was checked.
  3 read, 3 loaded, 0 quarantined, 0 superseded, 0 altered, 0 nulled

Findings  none

Verify
  ✓ 1 check passed

Run
  01991f2a-7c1e-7abc-8def-0123456789ab, duckdb w.duckdb, exit 0
  3 rows examined, all of them, in 20 ms
  stage 12 ms · load 8 ms
`);
  });

  it('begins with the verdict and the six numbers', () => {
    expect(head(sampleRecord(), 4)).toEqual([
      '! LOADED  orders: in/orders-*.csv.gz → main.orders (merge)',
      '  What fits was loaded and checked; 13 warnings say what was not, or not as it stood.',
      '  12,480 read, 12,431 loaded, 37 quarantined, 12 superseded, 12 altered, 9 nulled',
      '  in the target 8,120 inserted, 3,980 updated, 331 unchanged; 1 file skipped',
    ]);
  });

  it('of a plan says "would be"', () => {
    expect(head(planRecord(), 4)).toEqual([
      '! PLAN  orders: in/orders-*.csv.gz → main.orders (merge)',
      '  Nothing was written. A load would do this:',
      '  12,480 read; would be: 12,431 loaded, 37 quarantined, 12 superseded, 12 altered, 9 nulled',
      '  in the target would be 8,120 inserted, 3,980 updated, 331 unchanged; 1 file skipped',
    ]);
    expect(plain(planRecord())).toContain('\nSchema changes that would be made\n');
    expect(plain(planRecord())).toContain('\nPartitions, as they would be\n');
  });

  it('of a plan that would fail says why', () => {
    const plan: RunRecord = { ...failedRecord(), verb: 'plan', status: 'finished' };
    expect(head(plan, 2)[1]).toBe('  Nothing was written. A load would fail: SA204 ambiguous_format in ordered is an error.');
    expect(head({ ...planRecord(), exit: 1 }, 2)).toEqual([
      '! PLAN  orders: in/orders-*.csv.gz → main.orders (merge)',
      '  Nothing was written. A load would end with 13 warnings.',
    ]);
  });

  it('of a failed load says that nothing was changed, and why', () => {
    expect(head(failedRecord(), 11)).toEqual([
      '✗ FAILED  orders: in/orders-*.csv.gz → main.orders (merge)',
      '  Nothing was changed: SA204 ambiguous_format in ordered is an error.',
      '  12,480 read, 0 loaded, 0 quarantined, 0 superseded, 0 altered, 0 nulled',
      '',
      'Findings  1 error, 5 warnings',
      '',
      `${'✗ error SA204 ambiguous_format  ordered'.padEnd(79)}5,460 records, 43.8 %`,
      '    string → date',
      '    in/orders-2026-09-02.csv.gz:2  "01/02/2026"',
      '    the load was stopped',
      '    fix: formats: [dd/MM/yyyy]  at /jobs/orders/columns/ordered/formats',
    ]);
  });

  it('of a refused load names the guard and what to do', () => {
    expect(head(refusedRecord(), 4)).toEqual([
      '✗ REFUSED  orders: in/orders-*.csv.gz → main.orders (replace)',
      '  Nothing was changed: main.orders would shrink from 40,210 to 12,480 rows (69 %), allowed are 50 %',
      '  12,480 read, 0 loaded, 0 quarantined, 0 superseded, 0 altered, 0 nulled',
      '  GUARD_SHRINK: Raise `max_shrink` if the loss is intended.',
    ]);
  });

  it('does not claim that nothing was changed after a commit', () => {
    expect(plain({ ...failedRecord(), committed: true })).toContain('The target was changed before the run failed: SA204');
  });

  it('of a second run says that nothing was changed', () => {
    const { counts } = cleanRecord();
    const second = { ...cleanRecord(), mode: 'merge', counts: { ...counts, inserted: 0, unchanged: 3 } };
    expect(head(second, 4)).toEqual([
      '✓ UNCHANGED  sites: sites.csv → main.sites (merge)',
      '  The target already holds these rows; nothing in it was changed.',
      '  3 read, 3 loaded, 0 quarantined, 0 superseded, 0 altered, 0 nulled',
      '  in the target 0 inserted, 0 updated, 3 unchanged',
    ]);
    expect(head({ ...cleanRecord(), status: 'skipped' }, 2)[1]).toBe('  Every file was loaded before; the target is as it was.');
  });

  it('of verify lists what failed', () => {
    const checks = [
      { name: 'rows', path: null, expected: '3', actual: '3', ok: true },
      { name: 'content', path: 'amount', expected: '3 equal', actual: '2 equal', ok: false },
    ];
    const text = plain({ ...cleanRecord(), verb: 'verify', exit: 1, verify: { ok: false, checks } });
    expect(text.split('\n').slice(0, 2)).toEqual(['✗ MISMATCH  sites: sites.csv → main.sites (append)', '  1 of 2 checks failed.']);
    expect(text).toContain('\nVerify\n  ✗ 1 of 2 checks failed\n  ✗ content amount: expected 3 equal, found 2 equal\n');
  });

  it('shows a finding with count, share, examples with their place, consequence and the line that settles it', () => {
    expect(plain(sampleRecord())).toContain(`
! warning SA201 invalid_value  amount                                              25 records, 0.2 %
    string → decimal(12,2)
    in/orders-2026-09-01.csv.gz:19   "1,234.50"
    in/orders-2026-09-01.csv.gz:320  "(99,90)"
    in/orders-2026-09-02.csv.gz:5    "12.345,67"
    in/orders-2026-09-02.csv.gz:981  "n/a"
    25 records were quarantined
    fix: group: ","  at /jobs/orders/columns/amount/group
`);
  });

  it('counts nothing where a finding is about the schemas alone', () => {
    const collision = finding('SA105', 'name_collision', 'error', {
      path: 'amount',
      count: 0,
      share: 0,
      outcome: 'failed',
      consequence: 'c',
    });
    expect(plain({ ...failedRecord(), findings: [collision] })).toContain('\n✗ error SA105 name_collision  amount\n    c\n');
  });

  it('puts errors first and accepted findings last', () => {
    const record = {
      ...sampleRecord(),
      findings: [...sampleRecord().findings, finding('SA308', 'key_not_unique', 'error', { path: 'order_id', outcome: 'failed' })],
    };
    const codes = plain(record)
      .split('\n')
      .filter((line) => /^[✗!·] (?:error|warning|remark)/.test(line));
    expect(codes[0]).toMatch(/^✗ error SA308 key_not_unique {2}order_id +1 key$/);
    expect(codes.at(-1)).toMatch(/^· remark /);
    expect(plain(record)).toMatch(/\nIgnored {2}1 finding\n {2}· SA102 extra_column {2}coupon .*\n {4}until 2027-03-31: marketing only\n/);
    expect(plain(record)).toMatch(/^Findings {2}.*, 1 ignored$/m);
  });

  it('sums up what does not fit on a screen', () => {
    const apart = Array.from({ length: 57 }, (_, i) =>
      finding('SA201', 'invalid_value', 'warning', { path: `c${i}`, expected: `decimal(${i + 1},0)`, outcome: 'quarantined' }),
    );
    const text = plain({ ...cleanRecord(), findings: apart });
    expect(text.split('\n').filter((line) => /^[✗!·] (?:error|warning|remark) SA/.test(line))).toHaveLength(20);
    expect(text).toMatch(/^… and 37 more$/m);
    expect(plain(largeRecord(5000, 10000)).split('\n').length).toBeLessThan(250);
  });

  it.each([40, 60, 80, 100, 300])('keeps within the page at a width of %i', (width) => {
    const least = Math.min(100, width);
    for (const record of [sampleRecord(), planRecord(), failedRecord(), refusedRecord(), largeRecord(50, 50)]) {
      for (const line of plain({ ...record, job: hostile.long, notes: [hostile.long, hostile.emoji.repeat(30)] }, width).split('\n')) {
        expect(columnsOf(line), line).toBeLessThanOrEqual(least);
      }
    }
  });

  it('takes a width of nothing for a page of 100', () => {
    expect(plain(sampleRecord(), 0)).toBe(plain(sampleRecord(), 100));
    expect(plain(sampleRecord(), Number.NaN)).toBe(plain(sampleRecord(), 100));
  });

  it('writes out what a terminal would obey or hide', () => {
    const everywhere = hostile.escape + hostile.rightToLeft + hostile.lines + hostile.blanks;
    const base = sampleRecord();
    const record: RunRecord = {
      ...base,
      job: everywhere,
      mode: everywhere,
      notes: [everywhere],
      source: { ...base.source, description: everywhere },
      target: { ...base.target, url: everywhere, table: everywhere, engine: everywhere },
      findings: [
        finding('SA201', 'invalid_value', 'warning', {
          path: everywhere,
          reason: everywhere,
          expected: everywhere,
          actual: everywhere,
          consequence: everywhere,
          files: [everywhere],
          examples: [example(everywhere, everywhere, 1, 2)],
          fix: { pointer: everywhere, yaml: everywhere },
          ignored: { reason: everywhere, until: everywhere },
        }),
      ],
      partitions: [{ values: { [everywhere]: everywhere }, before: 1, after: 2 }],
      schema_changes: [{ ddl: everywhere, because: [everywhere] }],
      verify: { ok: false, checks: [{ name: everywhere, path: everywhere, expected: everywhere, actual: everywhere, ok: false }] },
      phases: [{ name: everywhere, ms: 1 }],
      fault: { code: 'BUG', message: everywhere, fix: everywhere },
    };
    const text = plain(record);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u00a0\u200b-\u200f\u2028-\u202f\u2066-\u2069]/);
    expect(plain(sampleRecord())).toContain('"\\x1b[31mred\\x1b[0m\\x1b]0;title\\x07"');
    expect(plain(sampleRecord())).toContain('invoice\\u202egpj.exe\\u2066');
  });

  it('says nothing by colour alone: without colour the words are the same', () => {
    const colored = renderReport('text', sampleRecord(), { color: true, width: 100 });
    expect(colored.replace(/\u001b\[[0-9;]*m/g, '')).toBe(plain(sampleRecord()));
    expect(colored).not.toBe(plain(sampleRecord()));
  });

  it('takes counts that are strings, as they stand in a stored record', () => {
    const stored = JSON.parse(JSON.stringify(cleanRecord())) as RunRecord & { counts: Record<string, unknown> };
    Object.assign(stored.counts, { read: '9007199254740993', loaded: '9007199254740993' });
    expect(plain(stored)).toContain('  9,007,199,254,740,993 read, 9,007,199,254,740,993 loaded,');
  });
});
