/** What axe finds on the page: nothing serious, in no light and at no width. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyKindRecord } from '../fixtures/every-kind.ts';
import { cleanRecord, failedRecord, refusedRecord, sampleRecord } from '../fixtures/records.ts';
import { axeFindings, browserPath, openReport, startBrowser } from '../harness/browser.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';

const sizes = (['light', 'dark'] as const).flatMap((scheme) => [1400, 800, 390].map((width) => [scheme, width] as const));
const others: readonly (readonly [string, RunRecord])[] = [
  ['with every kind of finding', everyKindRecord()],
  ['that failed', failedRecord()],
  ['that was refused', refusedRecord()],
  ['without findings', cleanRecord()],
];
const views = [
  ...sizes.map(([scheme, width]) => [scheme, width, 'with many findings', sampleRecord()] as const),
  ...others.flatMap(([name, record]) => [['light', 1400, name, record] as const, ['dark', 390, name, record] as const]),
];

async function seriousOn(page: Page): Promise<readonly string[]> {
  return (await axeFindings(page))
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`);
}

describe.skipIf(browserPath === undefined)('axe', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it.each(views)('finds nothing serious in %s at %i pixels in a run %s', async (scheme, width, _, record) => {
    const previous = { ...sampleRecord(), findings: [], columns: sampleRecord().columns.slice(1) };
    const { page, close } = await openReport(browser, record, { scheme, width, previous });
    expect(await seriousOn(page)).toEqual([]);
    await page.locator('#columns').focus();
    await page.keyboard.press('ArrowDown');
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await seriousOn(page)).toEqual([]);
    await close();
  });

  it('would find it', async () => {
    const { page, close } = await openReport(browser, sampleRecord());
    await page.evaluate("document.getElementById('find-finding').removeAttribute('aria-label')");
    await page.evaluate("document.getElementById('find-finding').removeAttribute('placeholder')");
    await page.evaluate("document.querySelector('.sum').style.color = '#ddd'");
    expect((await seriousOn(page)).map((text) => text.split(':')[0]).sort()).toEqual(['color-contrast', 'label']);
    await close();
  });
});
