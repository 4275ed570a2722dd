/** The HTML report in a real browser: what it shows, and that mouse and keyboard lead everywhere. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cleanRecord, column, example, failedRecord, finding, planRecord, refusedRecord, sampleRecord } from '../fixtures/records.ts';
import { browserPath, openReport, type OpenReport, startBrowser, type View, seen } from '../harness/browser.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';

const sample = sampleRecord();
const before: RunRecord = {
  ...sample,
  run_id: '01991e00-0000-7000-8000-000000000001',
  started_at: '2026-09-01T04:00:00Z',
  counts: { ...sample.counts, read: 11020, loaded: 11020, quarantined: 0, superseded: 0 },
  columns: sample.columns.filter((one) => one.path !== 'email'),
  findings: [...sample.findings.slice(3), finding('SA105', 'name_collision', 'warning', { path: 'old', count: 3 })],
};

describe.skipIf(browserPath === undefined)('the page', () => {
  let browser: Browser;
  let open: OpenReport | undefined;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(open?.problems ?? []).toEqual([]);
    await open?.close();
    open = undefined;
  });
  afterAll(async () => {
    await browser?.close();
  });
  const show = async (record: RunRecord, view?: View): Promise<Page> => {
    open = await openReport(browser, record, view);
    return open.page;
  };
  const selected = (page: Page, list = '#findings') => page.locator(`${list} [aria-selected="true"]`);
  const status = (page: Page) => seen(page.locator('.findings .status'));

  it('begins with the verdict and the six numbers', async () => {
    const page = await show(sample);
    expect(await page.title()).toBe('LOADED orders · Schemalign');
    expect(await seen(page.locator('h1'))).toMatch(/LOADED\s*orders/);
    expect((await page.locator('.figure').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'read 12,480',
      'loaded 12,431',
      'quarantined 37',
      'superseded 12',
      'altered 12',
      'nulled 9',
    ]);
    const heads = await page.locator('h1, h2').evaluateAll((all) => all.map((one) => one.textContent?.trim()));
    expect(heads.slice(1, 5)).toEqual(['Schema', 'Findings', 'Where the rows went', 'Quarantine']);
  });

  it.each([
    ['clean', cleanRecord(), /LOADED/, 'Nothing diverged.'],
    ['failed', failedRecord(), /FAILED/, '6 findings, worst first'],
    ['refused', refusedRecord(), /REFUSED/, 'Nothing diverged.'],
    ['plan', planRecord(), /PLAN/, '16 findings, worst first'],
  ])('shows a run that was %s', async (_, record, verdict, findings) => {
    const page = await show(record);
    expect(await seen(page.locator('h1'))).toMatch(verdict);
    expect(await status(page)).toBe(findings);
    if (record.fault !== null) expect(await seen(page.locator('.fault'))).toContain('Raise `max_shrink`');
  });

  it('draws where the rows went, and says it in words', async () => {
    const page = await show(sample);
    expect(await page.locator('.flow').getAttribute('aria-label')).toBe(
      '12,480 read: 12,431 loaded (8,120 inserted, 3,980 updated, 331 unchanged), 37 quarantined, 12 superseded',
    );
    expect(await page.locator('.flow path.band').count()).toBe(6);
    expect(await seen(page.locator('.sum'))).toBe('12,480 read = 12,431 loaded + 37 quarantined + 12 superseded ✓');
  });

  it('has the worst finding open: values before and after, the line that settles it, and what the code means', async () => {
    const page = await show(sample);
    const detail = page.locator('#detail');
    expect(await seen(detail.locator('h3'))).toBe('amount');
    expect(await seen(detail.locator('.examples tbody tr').first())).toMatch(
      /1,234\.50\s+in quarantine\s+in\/orders-2026-09-01\.csv\.gz:19/,
    );
    expect(await seen(detail.locator('.fix pre'))).toBe('group: ","');
    expect(await seen(detail.locator('.fix .small'))).toBe('at /jobs/orders/columns/amount/group');
    const link = detail.locator('a.explain');
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/.*SA201\.md$/);
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
    await detail.locator('summary').click();
    expect(await seen(detail.locator('details'))).toContain('value');
  });

  it('shows the page of a column: types, cast, distribution, samples, lines', async () => {
    const page = await show(sample);
    await page.getByRole('treeitem', { name: 'country' }).click();
    const detail = page.locator('#detail');
    expect(await seen(detail.locator('h3'))).toBe('country');
    const facts = await seen(detail.locator('.facts').first());
    expect(facts.replace(/\s+/g, ' ')).toContain('Source country string Target string(2) Cast text-to-string');
    expect((await seen(detail.locator('.distribution'))).replace(/\s+/g, ' ')).toBe(
      'fit as they are 12,472 99.94 % took the default 8 0.06 % 8 invalid, 0 would lose something',
    );
    expect((await seen(detail.locator('.examples tbody tr'))).replace(/\s+/g, ' ')).toBe(
      'NULL the default in/orders-2026-09-01.csv.gz:203',
    );
    expect(await status(page)).toMatch(/^1 of 16 findings in country/);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await status(page)).toBe('16 findings, worst first');
  });

  it('shows what is stored in place of an altered value, where the record holds it', async () => {
    const [price] = sample.findings.filter(({ path }) => path === 'items[].price');
    const stored = { ...example('9.995', 'a.csv', 1, 2), stored: '10.00' };
    const page = await show({ ...sample, findings: price === undefined ? [] : [{ ...price, examples: [stored] }] });
    expect((await seen(page.locator('#detail .examples tbody tr'))).replace(/\s+/g, ' ')).toBe('9.995 10.00 a.csv:2');
  });

  it('shows the schema as a tree with a mark for each severity, and closes and opens what is nested', async () => {
    const page = await show(sample);
    const customer = page.getByRole('treeitem', { name: /^▾?\s*customer struct/ });
    expect([await customer.getAttribute('aria-level'), await customer.getAttribute('aria-expanded')]).toEqual(['1', 'true']);
    expect(await customer.locator('.mark').getAttribute('aria-label')).toBe('2 warnings');
    const birth = page.getByRole('treeitem', { name: 'birth' });
    expect(await birth.getAttribute('aria-level')).toBe('2');
    await customer.locator('.twistie').click();
    expect(await birth.count()).toBe(0);
    expect(await seen(page.locator('.columns .card-head .muted'))).toBe('20 of 26');
    await page.locator('#columns .twistie').first().click();
    expect(await birth.count()).toBe(1);
  });

  it('finds columns by name and by findings', async () => {
    const page = await show(sample);
    await page.getByRole('searchbox', { name: 'Find a column' }).fill('ZIP');
    expect(await page.locator('#columns .name').allInnerTexts()).toEqual(['customer', 'address', 'zip']);
    await page.getByRole('searchbox', { name: 'Find a column' }).fill('');
    await page.getByLabel('with findings').check();
    const names = await page.locator('#columns .name').allInnerTexts();
    expect(names).toContain('amount');
    expect(names).not.toContain('email');
  });

  it('filters findings by severity, kind, words, and together', async () => {
    const page = await show(sample);
    await page.getByRole('button', { name: /^remarks/ }).click();
    expect(await status(page)).toBe('2 of 16 findings');
    expect(await page.getByRole('button', { name: /^remarks/ }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: /^all/ }).click();
    await page.getByLabel('Kind').selectOption('SA201');
    expect(await status(page)).toBe('3 of 16 findings');
    await page.getByLabel('Search the findings').fill('31/02');
    expect(await page.locator('#findings .path').allInnerTexts()).toEqual(['customer.birth']);
    await page.getByLabel('Search the findings').fill('nothing has this');
    expect(await status(page)).toBe('0 of 16 findings');
  });

  it('filters the quarantine by reason, column and file', async () => {
    const page = await show(sample);
    const values = () => page.locator('#quarantine .value').allInnerTexts();
    expect(await values()).toHaveLength(7);
    await page.getByLabel('Filter by reason').selectOption({ label: 'invalid_value · missing_timezone' });
    expect(await values()).toEqual(['2026-09-02 10:00:00']);
    await page.getByLabel('Filter by reason').selectOption('');
    await page.getByLabel('Filter by column').selectOption({ label: 'amount' });
    await page.getByLabel('Filter by file').selectOption({ label: 'in/orders-2026-09-02.csv.gz' });
    expect(await values()).toEqual(['12.345,67', 'n/a']);
    await page.getByLabel('Search the quarantine').fill('N/A');
    expect(await values()).toEqual(['n/a']);
    await page.locator('#quarantine .row').click();
    expect(await seen(page.locator('#detail h3'))).toBe('amount');
    await page.getByLabel('Search the quarantine').fill('');
    await page.getByLabel('Filter by column').selectOption('');
    await page.getByLabel('Filter by file').selectOption('');
    await page.getByRole('button', { name: /^malformed_record · fields/ }).click();
    expect(await seen(page.locator('.quarantine .status'))).toBe('2 of 7 examples');
    await page.getByText('The whole records').click();
    expect(await seen(page.locator('.quarantine pre'))).toContain(`run_id = '${sample.run_id}'`);
  });

  it('shows partitions before and after as bars in proportion', async () => {
    const page = await show(sample);
    expect((await seen(page.locator('.partitions tbody tr').nth(1))).replace(/\s+/g, ' ')).toMatch(/^dt=2026-09-01 20,100 22,730 \+2,630/);
    const widths = await page
      .locator('.partitions tbody tr')
      .nth(1)
      .locator('.pair span')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(20100 / 22730, 1);
  });

  it('tells what changed since the last run, and shows the new findings', async () => {
    const page = await show(sample, { previous: before });
    const card = page.locator('.since');
    expect((await seen(card.locator('.deltas tbody tr').first())).replace(/\s+/g, ' ')).toBe('read 11,020 12,480 +1,460');
    expect(await seen(card.locator('.finding-changes'))).toMatch(/^Findings: 3 new, 1 gone, 0 with another count, 13 as before\./);
    expect(await seen(card)).toContain('email');
    await card.getByRole('button', { name: 'Show the new ones' }).click();
    expect(await status(page)).toBe('3 of 16 findings');
    expect(await page.locator('#findings .tag.new').count()).toBe(3);
    await card.getByText('What is gone (1)').click();
    expect(await seen(card.locator('.links'))).toContain('old');
  });

  it('says that there was no earlier run, and nothing where nobody has looked', async () => {
    let page = await show(sample, { previous: null });
    expect(await seen(page.locator('.since'))).toContain('No earlier run');
    await open?.close();
    page = await show(sample);
    expect(await page.locator('.since').count()).toBe(0);
  });

  it('is led through by keyboard alone', async () => {
    const page = await show(sample);
    await page.keyboard.press('Tab');
    expect(await seen(page.locator(':focus'))).toBe('Skip to the findings');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.locator('#findings').focus();
    await page.keyboard.press('ArrowDown');
    expect(await seen(selected(page))).toContain('malformed_record');
    expect(await page.locator('#findings').getAttribute('aria-activedescendant')).toBe('findings-1');
    await page.keyboard.press('End');
    expect(await page.locator('#findings').getAttribute('aria-activedescendant')).toBe('findings-15');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('detail');
    await page.keyboard.press('Escape');
    expect(await page.locator(':focus').getAttribute('id')).toBe('findings');
    await page.keyboard.press('/');
    await page.keyboard.type('zip');
    expect(await status(page)).toBe('1 of 16 findings');
  });

  it('walks the tree by arrow keys', async () => {
    const page = await show(sample);
    await page.locator('#columns').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await selected(page, '#columns').getAttribute('aria-expanded')).toBe('true');
    expect(await seen(page.locator('#detail h3'))).toBe('customer');
    await page.keyboard.press('ArrowLeft');
    expect(await selected(page, '#columns').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await seen(page.locator('#detail h3'))).toBe('customer.id');
    await page.keyboard.press('ArrowLeft');
    expect(await seen(page.locator('#detail h3'))).toBe('customer');
    await page.keyboard.press('Escape');
    expect(await status(page)).toBe('16 findings, worst first');
  });

  it('keeps what is chosen in its address', async () => {
    const page = await show(sample, { fragment: '#column=items%5B%5D.price' });
    expect(await seen(page.locator('#detail h3'))).toBe('items[].price');
    await page.getByRole('treeitem', { name: 'country' }).click();
    expect(page.url()).toMatch(/#column=country$/);
  });

  it.each([390, 800, 1400])('fits into %i pixels', async (width) => {
    const page = await show(sample, { width, previous: before });
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
  });

  it('brings the finding into view where it stands below the list', async () => {
    const page = await show(sample, { width: 390 });
    await page.locator('#findings .row').nth(1).click();
    await expect.poll(() => page.evaluate("document.getElementById('detail').getBoundingClientRect().top")).toBeLessThan(600);
  });

  it('prints the findings in full, without what only a screen can do', async () => {
    const page = await show({ ...sample, columns: [...sample.columns, column('last', null, 'int', 'r')] }, { previous: before });
    await page.emulateMedia({ media: 'print' });
    await page.locator('.paper').waitFor();
    const paper = await seen(page.locator('.paper'));
    for (const text of ['16 findings', '12.345,67', 'group: ","', 'in/orders-2026-09-01.csv.gz:19', 'last']) expect(paper).toContain(text);
    expect(await page.locator('.printed').count()).toBe(16);
    expect(await page.locator('.head').isVisible()).toBe(true);
    for (const hidden of ['.explorer', '.tools >> nth=0', '.skip']) expect(await page.locator(hidden).isVisible()).toBe(false);
    expect(await page.locator('.accounting').isVisible()).toBe(true);
    expect(await seen(page.locator('.since'))).toContain('old');
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => page.locator('.paper').count()).toBe(0);
  });
});
