/** Whatever stands in names and values, the page shows it as text: nothing of it runs, and nothing leaves the file. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column, example, finding, hostile, sampleRecord } from '../fixtures/records.ts';
import { browserPath, openReport, startBrowser, seen } from '../harness/browser.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';

const attacks: readonly (readonly [string, string])[] = [
  ['a script', '<script>alert(1)</script>'],
  ['the end of a script', '</script><script>alert(1)</script>'],
  ['an open comment', '<!--<script>'],
  ['an image that fails', '<img src=x onerror=alert(1)>'],
  ['an image elsewhere', '<img src=https://example.org/x.png>'],
  ['the end of an attribute', '"><svg onload=alert(1)>'],
  ['an address of JavaScript', 'javascript:alert(1)'],
  ['an address of data', 'data:text/html,<script>alert(1)</script>'],
  ['a style', '</style><style>*{background:url(https://example.org/x)}'],
  ['a link of CSS', 'url(https://example.org/x)'],
  ['a template', '{{constructor.constructor("alert(1)")()}} ${alert(1)}'],
  ['a name of JavaScript', '__proto__'],
  ['another name of JavaScript', 'constructor'],
  ['marks of direction', hostile.rightToLeft],
  ['escape sequences', hostile.escape],
  ['line ends', hostile.lines],
  ['half a character', 'a\ud800b'],
  ['line separators', 'a\u2028b\u2029c'],
  ['nothing', ''],
];

/** A record that holds a text wherever one can stand. */
function holding(text: string): RunRecord {
  const sample = sampleRecord();
  const found = finding(text, text, 'warning', {
    path: text,
    reason: text,
    expected: text,
    actual: text,
    files: [text],
    outcome: 'quarantined',
    examples: [{ ...example(text, text, 1, 1), stored: text }],
    consequence: text,
    fix: { pointer: text, yaml: text },
    config: { file: text, line: 1, column: 1 },
    fingerprint: text,
    first_seen: text,
    ignored: null,
  });
  return {
    ...sample,
    run_id: text,
    job: text,
    mode: text,
    source: { description: text, fingerprint: text, files: [{ path: text, size: 1, sha256: text, read: 1, skipped_by_run: null }] },
    target: { engine: text, url: text, table: text, version_before: text, version_after: text },
    columns: [column(text, [text, text], text, text), column('plain', ['plain', 'string'], 'int', 'r')],
    findings: [
      found,
      { ...found, path: null, fingerprint: `${text}2` },
      finding('SA303', 'duplicate_key', 'error', { path: `plain,${text}` }),
    ],
    partitions: [{ values: { [text]: text }, before: 1, after: 2 }],
    schema_changes: [{ ddl: text, because: [text] }],
    verify: { ok: false, checks: [{ name: text, path: text, expected: text, actual: text, ok: false }] },
    notes: [text],
    fault: { code: text, message: text, fix: text },
    phases: [{ name: text, ms: 1 }],
  };
}

describe.skipIf(browserPath === undefined)('hostile content', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.each(attacks)('stays text: %s', async (_, text) => {
    const previous = { ...holding(`${text}old`), run_id: text, started_at: text };
    const { page, problems, close } = await openReport(browser, holding(text), {
      previous,
      fragment: `#column=${encodeURIComponent(text.replace('\ud800', ''))}`,
    });
    for (const row of await page.locator('#columns .row').all()) await row.click();
    for (const row of await page.locator('#findings .row').all()) await row.click();
    await page.locator('#quarantine .row').first().click();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.emulateMedia({ media: 'print' });
    await page.locator('.paper').waitFor();
    expect(await seen(page.locator('#page'))).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2028\u2029\u2066-\u2069]/);
    const elements = await page
      .locator('img, iframe, object, embed, svg[onload], body script:not([type]), link:not([rel=icon]), base')
      .count();
    const links = await page.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
    expect({ problems, elements, scripts: await page.locator('script').count(), styles: await page.locator('style').count() }).toEqual({
      problems: [],
      elements: 0,
      scripts: 2,
      styles: 1,
    });
    expect(links.filter((href) => !/^(?:#findings|https:\/\/[^<>"]*\/SA\d{3}\.md)$/.test(href))).toEqual([]);
    if (/[<{]/.test(text)) expect(await seen(page.locator('.paper'))).toContain(text);
    await close();
  });

  it('of any length is cut where it would fill the page, and shown when asked for', async () => {
    const text = `${'<b>long</b>'.repeat(10_000)}!`;
    const { page, problems, close } = await openReport(browser, holding(text));
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    expect((await seen(page.locator('#findings'))).length).toBeLessThan(10_000);
    await page.locator('#findings .row').nth(1).click();
    const more = page.locator('#detail').getByRole('button', { name: 'Show all 110,001 characters' }).first();
    await more.click();
    expect(await seen(page.locator('#detail'))).toContain(text);
    expect(problems).toEqual([]);
    await close();
  });
});
