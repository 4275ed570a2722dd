/** Whole screens of the terminal, as a person sees them. The files are read by eye when they change; the rules they follow are asserted. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { renderReport, renderReports } from '../../src/reports/registry.ts';
import { columnsOf } from '../../src/reports/terminal-width.ts';
import { column, cleanRecord, example, failedRecord, finding, planRecord, refusedRecord, sampleRecord } from '../fixtures/records.ts';

const config = (line: number) => ({ file: 'schemalign.yaml', line, column: 5 });

/** A file in which a spreadsheet has turned 300 columns of numbers into text, and one other thing is wrong. */
function manyEqual(): RunRecord {
  const path = (i: number) => `m${String(i).padStart(3, '0')}`;
  const same = Array.from(
    { length: 300 },
    (_, i): Finding =>
      finding('SA201', 'invalid_value', 'error', {
        path: path(i),
        expected: 'int',
        actual: 'string',
        count: 1000 + i,
        share: 0.1,
        files: ['in/wide.csv'],
        outcome: 'failed',
        examples: [example('1.000,00', 'in/wide.csv', 1, 2)],
        consequence: 'the load stops; nothing is changed',
        fix: { pointer: `/jobs/wide/columns/${path(i)}/decimal`, yaml: 'decimal: ","\ngroup: "."' },
        config: config(12),
      }),
  );
  return {
    ...failedRecord(),
    job: 'wide',
    mode: 'append',
    source: { ...failedRecord().source, description: 'in/wide.csv' },
    findings: [
      ...same,
      finding('SA303', 'duplicate_key', 'error', {
        path: 'id',
        count: 2,
        rows: 5,
        outcome: 'failed',
        examples: [example('7', null, null, null)],
        consequence: 'the load stops; nothing is changed',
      }),
    ],
    columns: Array.from({ length: 300 }, (_, i) => column(path(i), [path(i), 'string'], 'int', 'text-to-int', { ok: 0, invalid: 1000 })),
  };
}

/** A plan that adds a column, widens one, fills one that is absent, and casts the others. */
function terraform(): RunRecord {
  const ddl = 'ALTER TABLE "main"."orders" ';
  return {
    ...planRecord(),
    columns: [
      column('order_id', ['OrderID', 'string'], 'bigint', 'text-to-int'),
      column('amount', ['amount', 'string'], 'decimal(12,2)', 'text-to-decimal', { invalid: 25 }),
      column('note', ['note', 'string'], 'string', 'same'),
      column('qty', ['qty', 'bigint'], 'bigint', 'same'),
      column('created_by', null, 'string(20)', 'missing-to-default', { defaulted: 12480 }),
      column('region', null, 'string', 'missing-to-null'),
      column('coupon', ['coupon', 'string'], 'string', 'same'),
    ],
    findings: sampleRecord()
      .findings.filter(({ code }) => code === 'SA201')
      .slice(0, 1),
    schema_changes: [
      { ddl: `${ddl}ADD COLUMN "coupon" VARCHAR`, because: ['SA102 coupon'] },
      { ddl: `${ddl}ALTER COLUMN "qty" TYPE BIGINT`, because: ['SA103 qty'] },
    ],
    partitions: [],
    notes: [],
  };
}

/** Two findings that somebody has accepted, one whose acceptance is over, and a masked example beside one that was dropped. */
function accepted(): RunRecord {
  const base = { outcome: 'ignored', consequence: 'its values are not loaded', files: ['in/a.csv'] } as const;
  return {
    ...cleanRecord(),
    findings: [
      finding('SA102', 'extra_column', 'remark', {
        ...base,
        path: 'coupon',
        count: 12,
        ignored: { reason: 'marketing only', until: '2027-03-31' },
        config: config(20),
      }),
      finding('SA106', 'column_order', 'remark', { count: 1, ignored: { reason: 'we read by name', until: null }, config: config(21) }),
      finding('SA501', 'ignore_expired', 'warning', {
        path: 'legacy',
        actual: 'SA102 until 2026-06-30',
        count: 1,
        consequence: 'the entry that accepts SA102 of legacy (migration) ended on 2026-06-30: what it has hidden counts again',
        fix: { pointer: '/jobs/sites/ignore/2/until', yaml: 'until: LATER_DAY' },
        config: config(22),
      }),
      finding('SA201', 'invalid_value', 'warning', {
        path: 'email',
        expected: 'int',
        actual: 'string',
        count: 2,
        share: 0.5,
        files: ['in/a.csv'],
        outcome: 'quarantined',
        examples: [example('aaa@a.aaa', 'in/a.csv', 1, 2, true), example(null, 'in/a.csv', 2, 3, true), example(null, 'in/a.csv', 3, 4)],
        consequence: '2 records are set aside in quarantine',
        config: config(9),
      }),
    ],
  };
}

const screens = {
  'many-equal': () => renderReport('text', manyEqual(), { color: false, width: 100 }),
  'many-equal-60': () => renderReport('text', manyEqual(), { color: false, width: 60 }),
  plan: () => renderReport('text', terraform(), { color: false, width: 100 }),
  failed: () => renderReport('text', failedRecord(), { color: false, width: 100 }),
  refused: () => renderReport('text', refusedRecord(), { color: false, width: 100 }),
  ignored: () => renderReport('text', accepted(), { color: false, width: 100 }),
  check: () => renderReports('text', [cleanRecord(), accepted(), terraform(), manyEqual(), refusedRecord()], { color: false, width: 100 }),
} as const;

describe('screens', () => {
  it.each(Object.entries(screens))('%s', async (name, screen) => {
    const text = screen();
    await expect(text).toMatchFileSnapshot(`golden/screen-${name}.txt`);
    const widest = name.endsWith('60') ? 60 : 100;
    for (const line of text.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(widest);
  });

  it('take 300 columns with the same fault for one finding, with a count and the first names', () => {
    const headings = screens['many-equal']()
      .split('\n')
      .filter((line) => /^[✗!·] (?:error|warning|remark)/.test(line));
    expect(headings).toHaveLength(2);
    expect(headings[0]).toMatch(/^✗ error SA201 invalid_value {2}m\d{3}, m\d{3}, .* and 29\d more +300 columns$/);
    expect(screens['many-equal']()).toContain('\n    1,000 to 1,299 records each\n');
  });

  it('of a plan end with what would be done, as Terraform does', () => {
    expect(screens.plan()).toContain(
      '\nPlan: 1 column to add, 1 to widen, 2 to cast; 8,120 rows to insert, 3,980 to update, 331 unchanged,\n37 to quarantine.\n',
    );
    for (const line of ['+  coupon', '^  qty', '~  amount', '-  created_by', '   note']) expect(screens.plan()).toContain(`\n  ${line}`);
  });

  it('say of a dropped value that it is masked, and of NULL that it is NULL', () => {
    expect(screens.ignored()).toContain('\n    in/a.csv:2  "aaa@a.aaa" (masked)\n    in/a.csv:3  (masked)\n    in/a.csv:4  NULL\n');
  });

  it('say the same without colour as with it', () => {
    for (const record of [manyEqual(), terraform(), accepted()]) {
      const colored = renderReport('text', record, { color: true, width: 100 });
      expect(colored.replace(/\u001b\[[0-9;]*m/g, '')).toBe(renderReport('text', record, { color: false, width: 100 }));
    }
  });
});
