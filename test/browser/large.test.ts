/** The largest records: the page opens, scrolls and filters without waiting. Limits are far above what is measured, so that only a fault meets them. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { largeRecord } from '../fixtures/records.ts';
import { browserPath, openReport, startBrowser, seen } from '../harness/browser.ts';

/** Milliseconds from the start of the navigation until something was seen. */
const firstPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) resolve(Math.round(entry.startTime));
  }).observe({ type: 'paint', buffered: true });
})`;

describe.skipIf(browserPath === undefined)('5,000 columns and 10,000 findings', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('open, scroll and filter at once, with few elements in the document', async () => {
    const record = largeRecord(5000, 10_000);
    const { page, problems, close } = await openReport(browser, record, { previous: { ...record, run_id: 'before' } });
    const timing: Record<string, number> = {};
    const timed = async (name: string, work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      timing[name] = Math.round(performance.now() - start);
    };
    timing['first paint'] = Number(await page.evaluate(firstPaint));
    timing['interactive'] = Number(
      await page.evaluate("Math.round(performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd)"),
    );
    expect(await seen(page.locator('.findings .status'))).toBe('10,000 findings, worst first');
    expect(await page.locator('*').count()).toBeLessThan(3000);
    await timed('scroll', async () => {
      for (const list of ['#findings', '#columns', '#quarantine']) {
        await page.locator(list).evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      }
      await page.locator('#findings-9999').waitFor();
      await page.locator('#columns-4999').waitFor();
      await page.locator('#quarantine-9999').waitFor();
    });
    await timed('search', async () => {
      await page.getByLabel('Search the findings').fill('group_415.field_4150');
      await expect.poll(() => seen(page.locator('.findings .status'))).toBe('2 of 10,000 findings');
    });
    await timed('column search', async () => {
      await page.getByLabel('Find a column').fill('column_4999');
      await expect.poll(() => page.locator('#columns .row').count()).toBe(1);
    });
    await timed('column', () => page.locator('#columns .row').click());
    await timed('quarantine search', async () => {
      await page.getByLabel('Search the quarantine').fill('column_4999');
      await expect.poll(() => seen(page.locator('.quarantine .status'))).toBe('2 of 10,000 examples');
    });
    await timed('keys', async () => {
      await page.getByLabel('Search the findings').fill('');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.locator('#findings').focus();
      await page.keyboard.press('End');
      await page.locator('#findings-9999[aria-selected="true"]').waitFor();
    });
    expect(await page.locator('*').count()).toBeLessThan(3000);
    if (process.env['TIMING'] !== undefined) process.stderr.write(`${JSON.stringify(timing)}\n`);
    for (const [name, ms] of Object.entries(timing)) expect(ms, name).toBeLessThan(15_000);
    await page.emulateMedia({ media: 'print' });
    await page.locator('.paper').waitFor();
    expect(await seen(page.locator('.paper'))).toContain('and 9,800 more, in the JSON of the run');
    expect(problems).toEqual([]);
    await close();
  }, 120_000);
});
