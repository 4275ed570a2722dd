// `make test`: the checks, all tests, the cases on DuckDB and PostgreSQL (ENGINES=duckdb,spark,… names others). An engine that cannot be had is said loudly
// and its cases count as skipped; with CI=true that is a failure. Closes with one plain line of totals.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runChecks } from './checks.mjs';

const root = resolve(import.meta.dirname, '..');
const engines = (process.env.ENGINES ?? 'duckdb,postgres').split(',').filter((name) => name !== '');
const suites = [];

/** Runs one suite and keeps its counts and its time. */
function suite(name, run) {
  console.log(`\n${name}`);
  const started = performance.now();
  suites.push({ name, ...run(), minutes: (performance.now() - started) / 60_000 });
}

suite('checks', runChecks);
suite('tests', runVitest);
for (const engine of engines) suite(`cases on ${engine}`, () => runCases(engine));

const total = (key) => suites.reduce((sum, one) => sum + one[key], 0);
console.log('');
for (const { name, minutes, passed, failed, skipped, parts } of suites) {
  console.log(`${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} in ${minutes.toFixed(2)} min`);
  for (const [part, ms] of parts ?? []) console.log(`  ${part}: ${(ms / 60_000).toFixed(2)} min`);
}
const skipped = total('skipped');
console.log(`${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(total('failed') === 0 ? 0 : 1);

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), 'schemalign-test-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  try {
    return countsOf(JSON.parse(readFileSync(report, 'utf8')), status);
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(report, status) {
  // A file that could not even be loaded has no tests, and would pass in silence.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every(({ status: one }) => one !== 'failed'),
  ).length;
  const failed = report.numFailedTests + broken;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    parts: timesOf(report.testResults),
  };
}

/** Time spent in the test files of each folder, longest first. */
function timesOf(files) {
  const times = new Map();
  for (const { name, startTime, endTime } of files) {
    const part = relative(root, name).split('/').slice(0, 2).join('/');
    times.set(part, (times.get(part) ?? 0) + Math.max(0, endTime - startTime));
  }
  return [...times].sort((a, b) => b[1] - a[1]);
}

function runCases(engine) {
  const args = [join(root, 'scripts/cases.mjs'), 'test/cases', '--engine', engine];
  const { stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
    env: { ...process.env, INIT_CWD: root },
  });
  const match = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(stdout ?? '');
  console.log((stdout ?? '').replace(match?.[0] ?? '', '').trimEnd());
  if (match === null) return { passed: 0, failed: 1, skipped: 0 };
  const [passed, failed, skipped] = match.slice(1).map((count) => Number(count ?? 0));
  return { passed, failed, skipped };
}
