// Builds dist: the page (when there is one), the JavaScript and types of src, and an executable command.
// Old outputs whose source is gone are removed last, so that a command that is running is not pulled away.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const tool = (name, script, ...args) => {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  console.error(`build: ${name} failed`);
  process.exit(status ?? 1);
};

if (existsSync(join(root, 'ui/vite.config.ts')))
  tool('vite', 'vite/bin/vite.js', 'build', '--config', 'ui/vite.config.ts', '--logLevel', 'warn');
tool('tsc', 'typescript/bin/tsc', '-p', 'tsconfig.build.json');

const dist = join(root, 'dist');
for (const name of readdirSync(dist, { recursive: true }).filter((path) => /\.(js|d\.ts|js\.map)$/.test(path))) {
  const source = join(root, 'src', name.replace(/\.(js|d\.ts|js\.map)$/, '.ts'));
  if (!name.startsWith('ui') && !existsSync(source)) rmSync(join(dist, name));
}
const bin = join(dist, 'cli/bin.js');
if (existsSync(bin)) chmodSync(bin, 0o755);
writeFileSync(join(dist, '.built'), '');
