/** A real Chrome or Chromium for tests of the HTML report. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { html } from '../../src/reports/html.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const elsewhere = [
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser of `CHROME_PATH`, else the first in the usual places. */
function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'] ?? '';
  if (named !== '') return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...elsewhere].find(isRunnable);
}

/** On a CI machine that is thrown away afterwards a missing browser is installed, if that is possible at all. */
function installBrowser(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  const installer = 'apt-get';
  const apt = (...words: string[]) =>
    spawnSync(installer, ['-o', 'DPkg::Lock::Timeout=300', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 600_000,
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
  return findBrowser();
}

const isCi = process.env['CI'] === 'true';

/**
 * Whether a browser is here. Without one the tests are skipped, and it is said why; on CI that is a failure.
 */
export const browserPath: string | undefined = findBrowser() ?? (isCi ? installBrowser() : undefined);

if (browserPath === undefined) {
  const words = 'NO BROWSER: the tests of the HTML report need Chrome or Chromium. Set CHROME_PATH, or install chromium.';
  if (isCi) throw new Error(words);
  process.stderr.write(`\n*** ${words} They are SKIPPED. ***\n\n`);
}

/** Starts the browser with an empty profile that is thrown away. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface View {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly previous?: RunRecord | null;
  /** Fragment of the address, with its `#`. */
  readonly fragment?: string;
}

export interface OpenReport {
  readonly page: Page;
  /** What must never happen: console errors and warnings, exceptions, dialogs, requests for anything but the file. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** Writes the report of a record to a file and opens it. */
export async function openReport(browser: Browser, record: RunRecord, view: View = {}): Promise<OpenReport> {
  const { previous, width = 1400, scheme = 'light', fragment = '' } = view;
  const folder = mkdtempSync(join(tmpdir(), 'schemalign-page-'));
  const file = join(folder, 'run.html');
  writeFileSync(file, await html.render(record, { color: false, width: 100, ...(previous === undefined ? {} : { previous }) }));
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const problems: string[] = [];
  const address = pathToFileURL(file).href;
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => problems.push(`popup: ${popup.url()}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== address && !request.url().startsWith('data:')) problems.push(`request: ${request.url()}`);
  });
  await page.goto(`${address}${fragment}`);
  return {
    page,
    problems,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text of an element as a reader sees it: nothing that is hidden, lines as they are drawn. */
// biome-ignore lint/performance/useDomNodeTextContent: what is seen is what is asked for
export const seen = (locator: Locator): Promise<string> => locator.innerText();

export interface AxeFinding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const axeSource = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** What axe finds on the page as it is, of all its rules. */
export async function axeFindings(page: Page): Promise<readonly AxeFinding[]> {
  await page.evaluate(axeSource);
  return page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
}
