import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { example, finding, hostile, largeRecord, refusedRecord, sampleRecord } from '../../test/fixtures/records.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { pageHead, pageTail } from './page.ts';
import { renderReport } from './registry.ts';

const render = (record: RunRecord) => renderReport('html', record, { color: false, width: 80 });
const dataOf = (page: string) => page.slice(pageHead.length, -pageTail.length);

describe('the HTML report', () => {
  it('holds the record, and nothing in it can leave its element', () => {
    const data = dataOf(render(sampleRecord()));
    expect(data).not.toMatch(/[<>&\u2028\u2029]/);
    expect((JSON.parse(data) as { record: RunRecord }).record).toEqual(sampleRecord());
  });

  it('has the same tags whatever the data is', () => {
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
      expect(tags(render(record))).toEqual(tags(render(refusedRecord())));
      expect((JSON.parse(dataOf(render(record))) as { record: RunRecord }).record.job).toBe(attack);
    }
  });

  it('explains the codes and reasons that occur', () => {
    const { kinds, reasons } = JSON.parse(dataOf(render(sampleRecord()))) as {
      kinds: Record<string, { title: string }>;
      reasons: Record<string, string>;
    };
    expect(kinds.SA303?.title).toBe('Several source rows have the same key');
    expect(kinds.SA308).toBeUndefined();
    expect(reasons.scale).toContain('scale of the target');
  });

  it('allows one script and one style by their hash, and no request', () => {
    const page = render(sampleRecord());
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

  it('refers to nothing outside', () => {
    const shell = pageHead + pageTail;
    expect(shell.match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"']);
    expect(shell.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/|@import|url\(/);
    expect(shell).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|fetch\(|XMLHttpRequest|WebSocket/,
    );
  });

  it('is made in a moment for the largest records', () => {
    const record = largeRecord(5000, 10000);
    const start = performance.now();
    expect(render(record).length).toBeLessThan(12_000_000);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
