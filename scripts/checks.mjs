// Runs tools one after another and tells how long each took and whether it passed.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const root = resolve(import.meta.dirname, '..');
const modules = (path) => join(root, 'node_modules', path);
const tsc = (project) => [modules('typescript/bin/tsc'), '--noEmit', '-p', project];

/** The checks, in the order in which their faults are best mended. */
export const checks = [
  {
    name: 'biome',
    args: [
      modules('@biomejs/biome/bin/biome'),
      'check',
      '--colors=off',
      '--error-on-warnings',
      '--diagnostic-level=warn',
      '--max-diagnostics=50',
      '.',
    ],
  },
  { name: 'types', args: tsc('tsconfig.json') },
  { name: 'types of core (pure)', args: tsc('src/core') },
  { name: 'types of the page', args: tsc('ui') },
  { name: 'types of the public API', args: tsc('test/types') },
  { name: 'boundaries', args: [join(root, 'scripts/boundaries.mjs')] },
  { name: 'knip', args: [modules('knip/bin/knip.js'), '--no-progress'] },
  { name: 'generated messages', args: [join(root, 'scripts/proto.mjs'), '--check'] },
  { name: 'build', args: [join(root, 'scripts/build.mjs')] },
  { name: 'api-extractor', args: [modules('@microsoft/api-extractor/bin/api-extractor'), 'run'] },
  { name: 'publint', args: [modules('publint/src/cli.js'), '--strict'] },
];

/** Runs every check, also after a fault; prints a line each and the words of those that failed. Answers how many passed and failed. */
export function runChecks() {
  let failed = 0;
  for (const { name, args } of checks) {
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, NO_COLOR: '1' },
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
    if (status === 0) continue;
    failed += 1;
    // Some tools colour their words whatever NO_COLOR says.
    console.log(
      `${stdout ?? ''}${stderr ?? ''}`
        .replaceAll(/\u001b\[\d*m/g, '')
        .trim()
        .replace(/^/gm, '     '),
    );
  }
  return { passed: checks.length - failed, failed, skipped: 0 };
}
