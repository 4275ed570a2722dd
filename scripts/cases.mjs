// `npm run --silent cases -- [DIR] [--engine NAME]`: builds what is missing or out of date, then runs the cases.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFresh } from './fresh.mjs';

const root = resolve(import.meta.dirname, '..');
const at = (...path) => join(root, ...path);

// Whatever a build says goes to standard error: standard output belongs to the cases.
const node = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(2);
};

if (!isFresh(at('dist/.built'), [at('src'), at('tsconfig.base.json'), at('tsconfig.build.json')])) node(at('scripts/build.mjs'));
if (!isFresh(at('build/.built'), [at('test/harness'), at('src/core/record'), at('tsconfig.base.json')])) {
  node(at('node_modules/typescript/bin/tsc'), '-p', 'test/harness/tsconfig.json');
  mkdirSync(at('build'), { recursive: true });
  // It runs as a process of its own, so it is no module of the others.
  copyFileSync(at('test/harness/postgres-keeper.mjs'), at('build/test/harness/postgres-keeper.mjs'));
  writeFileSync(at('build/.built'), '');
}

const { main } = await import('../build/test/harness/cases-main.js');
process.exitCode = await main(root, process.env.INIT_CWD ?? process.cwd(), process.argv.slice(2));
