import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanRecord, column, example, finding, hostile, largeRecord, refusedRecord, sampleRecord } from '../../test/fixtures/records.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { pageHead, pageTail } from './page.ts';
import { renderReport } from './registry.ts';

const render = async (record: RunRecord, previous?: RunRecord | null) =>
  renderReport('html', record, { color: false, width: 80, ...(previous === undefined ? {} : { previous }) });
const dataOf = (page: string) => page.slice(pageHead.length, -pageTail.length);

describe('the HTML report', () => {
  it('holds the record, and nothing in it can leave its element', async () => {
    const data = dataOf(await render(sampleRecord()));
    expect(data).not.toMatch(/[<>&\u2028\u2029]/);
    expect((JSON.parse(data) as { record: RunRecord }).record).toEqual(sampleRecord());
  });

  it('has the same tags whatever the data is', async () => {
    const tags = (page: string) => page.match(/<\/?[a-z!][^\s>]*/gi);
    const attacks = [
      '</script><script>alert(1)</script>',
      '<!--<script>',
      ']]>',
      '\u2028',
      '\ud800',
      '</ScRiPt >',
      "$&$`$'",
      hostile.comment,
    ];
    for (const attack of attacks) {
      const record = {
        ...refusedRecord(),
        job: attack,
        notes: [attack],
        findings: [finding(attack, attack, 'error', { path: attack, reason: '__proto__', examples: [example(attack, attack, 1, 1)] })],
      };
      expect(tags(await render(record))).toEqual(tags(await render(refusedRecord())));
      expect((JSON.parse(dataOf(await render(record))) as { record: RunRecord }).record.job).toBe(attack);
    }
  });

  it('explains the codes and reasons that occur', async () => {
    const { kinds, reasons } = JSON.parse(dataOf(await render(sampleRecord()))) as {
      kinds: Record<string, { title: string }>;
      reasons: Record<string, string>;
    };
    expect(kinds.SA303?.title).toBe('Several source rows have the same key');
    expect(kinds.SA308).toBeUndefined();
    expect(reasons.scale).toContain('scale of the target');
  });

  it('says where each code is explained, and holds the parts of nested columns', async () => {
    const nested = {
      ...sampleRecord(),
      columns: [column('items', ['items', 'json'], 'list<struct<sku:string,of:struct<n:int>>>', 'json-to-list')],
    };
    const { kinds, fields } = JSON.parse(dataOf(await render(nested))) as { kinds: Record<string, { url: string }>; fields: unknown };
    expect(kinds.SA303?.url).toMatch(/^https:\/\/\S+\/SA303\.md$/);
    expect(fields).toEqual([
      [
        0,
        [
          ['items[].sku', 'string'],
          ['items[].of', 'struct<n:int>'],
          ['items[].of.n', 'int'],
        ],
      ],
    ]);
  });

  it('holds what changed since the run before, and says when there was none', async () => {
    const since = async (previous?: RunRecord | null) =>
      (JSON.parse(dataOf(await render(sampleRecord(), previous))) as { since?: { run_id: string } | null }).since;
    expect(await since()).toBeUndefined();
    expect(await since(null)).toBeNull();
    expect((await since({ ...cleanRecord(), run_id: 'before' }))?.run_id).toBe('before');
  });

  it('allows one script and one style by their hash, and no request', async () => {
    const page = await render(sampleRecord());
    const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)?.[1] ?? '';
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const script = /<script type="module">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    expect(script.length).toBeGreaterThan(1000);
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<script'));
  });

  it('refers to nothing outside', async () => {
    const shell = pageHead + pageTail;
    expect(shell.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"']);
    expect(shell.replaceAll('http://www.w3.org/2000/svg', '').replaceAll('startsWith(`https://`)', '')).not.toMatch(
      /https?:\/\/|@import|url\(/,
    );
    expect(shell).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(|XMLHttpRequest|WebSocket/,
    );
  });

  it('loads the page only when a report is made, so that no other command has to read it', () => {
    const source = readFileSync(new URL('html.ts', import.meta.url), 'utf8');
    expect(source.match(/.*page\.ts.*/g)).toEqual([expect.stringContaining("await import('./page.ts')")]);
  });

  it('is made in a moment for the largest records', async () => {
    const record = largeRecord(5000, 10000);
    const start = performance.now();
    expect((await render(record)).length).toBeLessThan(12_000_000);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
