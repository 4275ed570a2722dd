/** The command as a process of its own: what no call inside this process can show. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
let folder: string;
let bin: string;

/** The sources as JavaScript, file by file, so that these tests never meet a stale build. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'schemalign-process-'));
  bin = join(folder, 'dist/cli/bin.js');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
  const options = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const out = join(folder, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(
      out,
      ts.transpileModule(readFileSync(join(root, 'src', name), 'utf8'), { compilerOptions: options, fileName: name }).outputText,
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schemalign = (args: readonly string[], node: readonly string[] = []): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...node, bin, ...args], { cwd: folder, encoding: 'utf8' });

/** Prints, at the end, which npm packages and native libraries the process has loaded. */
const tell = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module';
  process.on('exit', () => {
    const objects = process.report.getReport().sharedObjects.filter((path) => path.endsWith('.node'));
    process.stderr.write(JSON.stringify(objects) + '\\n');
  });
  register('data:text/javascript,' + encodeURIComponent(
    "export async function resolve(specifier, context, next) { if (!/^[./]|^(node|file|data):/.test(specifier) && context.parentURL.includes('/dist/')) { (await import('node:fs')).writeSync(2, 'npm:' + specifier + '\\\\n'); } return next(specifier, context); }"));
`)}`;

test('--version says the version and loads nothing', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { status, stdout, stderr } = schemalign(['--version'], ['--import', tell]);
  expect([status, stdout, stderr]).toEqual([0, `${version}\n`, '[]\n']);
});

test('diff of two DDL files loads neither an engine nor the configuration reader', () => {
  writeFileSync(join(folder, 'old.sql'), 'CREATE TABLE t (a INTEGER NOT NULL);\n');
  writeFileSync(join(folder, 'new.sql'), 'CREATE TABLE t (a INTEGER NOT NULL, b VARCHAR);\n');
  const { status, stdout, stderr } = schemalign(['diff', 'old.sql', 'new.sql', '--check'], ['--import', tell]);
  expect(stdout).toContain('missing_column b');
  expect(status).toBe(1);
  expect([...new Set(stderr.trim().split('\n'))].toSorted()).toEqual(['[]', 'npm:commander']);
});

test('a reader that goes away is no fault', async () => {
  // Much more than a pipe holds, so that writing must fail once nobody reads.
  const columns = Array.from({ length: 20_000 }, (_, i) => `column_with_a_long_name_${i} VARCHAR`);
  writeFileSync(join(folder, 'wide.sql'), `CREATE TABLE t (${columns.join(', ')});\n`);
  const child = spawn(process.execPath, [bin, 'inspect', 'wide.sql'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const exit = await new Promise((done) => child.on('close', done));
  expect([exit, stderr]).toEqual([0, '']);
});

test('exit codes leave the process', () => {
  expect(schemalign([]).status).toBe(2);
  expect(schemalign(['explain', 'SA201']).status).toBe(0);
  const { status, stdout } = schemalign(['load', 'orders', '--json']);
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ code: 'CONFIG_NOT_FOUND' });
});

/** A process whose run waits for the signal (`hears`), or for nothing at all. */
function waiting(hears: boolean): {
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<readonly [number | null, string]>;
  readonly ready: Promise<unknown>;
} {
  const script = `
    const { runProcess } = await import(${JSON.stringify(join(folder, 'dist/cli/process.js'))});
    const align = (job, { signal }) => new Promise((_, reject) => {
      setInterval(() => undefined, 1000);
      if (${hears}) signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), 50));
      process.stdout.write('ready\\n');
    });
    await runProcess(['load', 'a.csv', 'w.duckdb#t'], { align });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 30_000,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    signal: (name) => child.kill(name),
    ready: new Promise((done) => child.stdout.once('data', done)),
    ended: new Promise((done) => child.on('close', (exit) => done([exit, stderr]))),
  };
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s lets the run clean up, then the process ends', async (name) => {
  const running = waiting(true);
  await running.ready;
  running.signal(name);
  const [exit, stderr] = await running.ended;
  expect(exit).toBe(2);
  expect(stderr).toContain(`error[INTERRUPTED]: stopped by ${name}\n  fix: Run again: the target is as it was before.\n`);
});

test('a second signal does not wait', async () => {
  const running = waiting(false);
  await running.ready;
  running.signal('SIGINT');
  await new Promise((done) => setTimeout(done, 200));
  running.signal('SIGINT');
  const [exit, stderr] = await running.ended;
  expect(exit).toBe(130);
  expect(stderr).toBe('\nstopping; once more to stop at once\n');
});
