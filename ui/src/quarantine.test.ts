import { describe, expect, it } from 'vitest';
import { example, finding, sampleRecord } from '../../test/fixtures/records.ts';
import { choiceOf, fragmentOf } from './address.ts';
import { preparePage } from './page-data.ts';
import { entriesOf, everyEntry, filterEntries, quarantineSql, recordsByReason } from './quarantine.ts';

const set = (path: string | null, reason: string | null, values: readonly [string, string][], count = values.length) =>
  finding('SA201', 'invalid_value', 'warning', {
    path,
    reason,
    count,
    outcome: 'quarantined',
    examples: values.map(([value, file], i) => example(value, file, i + 1, i + 2)),
  });

const findings = [
  set('amount', null, [
    ['n/a', 'a.csv'],
    ['(1)', 'b.csv'],
  ]),
  set('seen_at', 'missing_timezone', [['2026-09-02 10:00', 'b.csv']], 40),
  finding('SA202', 'lossy_value', 'warning', { path: 'amount', outcome: 'altered', examples: [example('9.9', 'a.csv', 1, 1)] }),
  finding('SA303', 'duplicate_key', 'warning', { path: 'id', outcome: 'quarantined', count: 3, rows: 7, files: ['c.csv'] }),
];

describe('the quarantine', () => {
  const entries = entriesOf(findings);
  const values = (filter: Partial<typeof everyEntry>) =>
    filterEntries(entries, { ...everyEntry, ...filter }).map(({ example: shown }) => shown?.value ?? null);

  it('has an entry per example of what was set aside, and one for a finding that holds none', () => {
    expect(values({})).toEqual(['n/a', '(1)', '2026-09-02 10:00', null]);
  });

  it('is filtered by reason, column, file and words together', () => {
    expect(values({ file: 'b.csv' })).toEqual(['(1)', '2026-09-02 10:00']);
    expect(values({ file: 'b.csv', column: 'amount' })).toEqual(['(1)']);
    expect(values({ reason: 'invalid_value · missing_timezone' })).toEqual(['2026-09-02 10:00']);
    expect(values({ file: 'c.csv' })).toEqual([null]);
    expect(values({ query: 'A.CSV n/' })).toEqual(['n/a']);
    expect(values({ reason: 'nothing' })).toEqual([]);
  });

  it('counts records by reason, most first; of keys the rows', () => {
    expect(recordsByReason(findings)).toEqual([
      ['invalid_value · missing_timezone', 40],
      ['duplicate_key', 7],
      ['invalid_value', 2],
    ]);
  });

  it('quotes the run in its statement', () => {
    expect(quarantineSql({ ...sampleRecord(), run_id: "a'b" })).toContain("run_id = 'a''b'");
  });
});

describe('the address', () => {
  const page = preparePage({ record: { ...sampleRecord(), findings }, kinds: {}, reasons: {} });

  it('leads back to the column or the finding', () => {
    for (const path of ['amount', 'items[].price', '<script>alert(1)</script>']) {
      expect(choiceOf(`#${fragmentOf({ column: path, finding: null })}`, page)).toEqual({ column: path, finding: null });
    }
    const first = { ...set('x', null, []), fingerprint: 'ab12cd34ef56ab12cd34' };
    const other = preparePage({ record: { ...sampleRecord(), findings: [first] }, kinds: {}, reasons: {} });
    expect(choiceOf(`#${fragmentOf({ column: 'amount', finding: first })}`, other)).toEqual({ finding: first });
  });

  it.each(['', '#', '#column=nothing', '#finding=', '#finding=zzz', '#column=%', '#x=y', 'javascript:alert(1)', '#finding=%00'])(
    'means nothing when it is %j',
    (fragment) => {
      expect(choiceOf(fragment, page)).toEqual({});
    },
  );

  it('is not made for names that are too long, nor broken by half a character', () => {
    expect(fragmentOf({ column: 'x'.repeat(5000), finding: null })).toBe('');
    expect(() => fragmentOf({ column: 'a\ud800b', finding: null })).not.toThrow();
  });
});
