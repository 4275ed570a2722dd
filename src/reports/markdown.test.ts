import { describe, expect, it } from 'vitest';
import {
  cleanRecord,
  example,
  failedRecord,
  finding,
  hostile,
  largeRecord,
  planRecord,
  sampleRecord,
} from '../../test/fixtures/records.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { codeMarkdown, escapeMarkdown } from './escape-markdown.ts';
import { renderReport } from './registry.ts';

const render = (record: RunRecord) => renderReport('markdown', record, { color: true, width: 80 });

/** What a reader of Markdown sees of escaped text: the entities as characters. */
const seen = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&nbsp;', ' ');

describe('the Markdown report', () => {
  it('of a load without findings', () => {
    expect(render(cleanRecord())).toBe(`\
## ✅ LOADED sites

<code>sites.csv</code> → <code>main.sites</code> (append)

Every row fits, and the target was checked.

| read | loaded | quarantined | superseded | altered | nulled |
| ---: | ---: | ---: | ---: | ---: | ---: |
| 3 | 3 | 0 | 0 | 0 | 0 |

### Findings

none

### Verify

✅ 1 check passed

Run <code>01991f2a-7c1e-7abc-8def-0123456789ab</code>, duckdb <code>w.duckdb</code>, exit 0; stage 12 ms, load 8 ms
`);
  });

  it('says "would be" of a plan and "nothing was changed" of a failure', () => {
    expect(render(planRecord())).toContain('| read | loaded (would be) |');
    expect(render(failedRecord())).toContain('\nNothing was changed: SA204 ambiguous_format in ordered is an error.\n');
  });

  it('has the same number of cells in every row of a table, whatever the data is', () => {
    const attack = `${hostile.markdown}\\|\\\\|${hostile.lines}\`\`|`;
    const record = {
      ...sampleRecord(),
      findings: [
        finding('SA201', 'invalid_value', 'warning', {
          path: attack,
          reason: attack,
          actual: attack,
          consequence: attack,
          examples: [example(attack, attack, 1, 1)],
          fix: { pointer: null, yaml: attack },
        }),
      ],
      partitions: [{ values: { [attack]: attack }, before: 1, after: 2 }],
      schema_changes: [{ ddl: attack, because: [attack] }],
    };
    const blocks = render(record)
      .split('\n\n')
      .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
      .filter((rows) => rows.length > 0);
    expect(blocks.length).toBeGreaterThan(3);
    for (const rows of blocks) expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
  });

  it('lets no tag from data through', () => {
    expect(render(sampleRecord())).not.toMatch(/<(?!\/?code>|br>)/);
  });

  it('counts what it does not list', () => {
    const apart = Array.from({ length: 80 }, (_, i) =>
      finding('SA201', 'invalid_value', 'warning', { path: `c${i}`, expected: `decimal(${i + 1},0)`, outcome: 'quarantined' }),
    );
    expect(render({ ...cleanRecord(), findings: apart })).toContain('\n… and 30 more\n');
  });

  it('fits into a comment of 65,536 characters, whatever the data is', () => {
    expect(render(largeRecord(5000, 10000)).length).toBeLessThan(65_536);
    const worst = '@'.repeat(5000);
    const heavy = Array.from({ length: 50 }, (_, i) =>
      finding('SA201', 'invalid_value', 'warning', {
        path: worst,
        expected: `${i}${worst}`,
        consequence: worst.slice(0, 3000),
        examples: Array.from({ length: 5 }, () => example(worst, worst, 1, 2)),
        fix: { pointer: worst, yaml: worst },
      }),
    );
    const text = render({ ...cleanRecord(), findings: heavy });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/… and \d+ more/);
  });
});

describe('escapeMarkdown', () => {
  it.each([
    ['a|b', 'a&#124;b'],
    ['`x`', '&#96;x&#96;'],
    ['<b>', '&#60;b&#62;'],
    ['&amp;', '&#38;amp;'],
    ['order_id', 'order_id'],
    ['_x_', '&#95;x&#95;'],
    ['[a](b)', '&#91;a&#93;(b)'],
    ['\\|', '&#92;&#124;'],
    ['@team #12', '&#64;team &#35;12'],
    ['https://a.b', 'https&#58;//a.b'],
    ['- item', '&#45; item'],
    ['1. item', '&#49;. item'],
    ['a\nb', 'a&#92;nb'],
    ['\u202e', '&#92;u202e'],
  ])('%j → %s', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  it('shows every character of the text', () => {
    for (const text of [hostile.markdown, hostile.sql, hostile.script, hostile.emoji]) expect(seen(escapeMarkdown(text))).toBe(text);
  });

  it('keeps blanks in code', () => {
    expect(codeMarkdown(' Name ')).toBe('<code>&nbsp;Name&nbsp;</code>');
    expect(codeMarkdown('')).toBe('<code>&nbsp;</code>');
  });
});
