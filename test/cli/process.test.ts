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
  const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true };
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const out = join(folder, 'dist', name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, ts.transpileModule(readFileSync(join(root, 'src', name), 'utf8'), { compilerOptions: options, fileName: name }).outputText);
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
    "export async function resolve(specifier, context, next) { if (!/^[./]|^(node|file|data):/.test(specifier)) { (await import('node:fs')).writeSync(2, 'npm:' + specifier + '\\\\n'); } return next(specifier, context); }"));
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
  expect(stderr.trim().split('\n').toSorted()).toEqual(['[]', 'npm:commander']);
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

/** Stands in for a run that never hears of the signal. */
const deaf = `
  const { runProcess } = await import(${JSON.stringify('DIST/cli/process.js')});
  setInterval(() => undefined, 1000);
  process.stdout.write('ready\\n');
  await runProcess(['inspect', process.argv[1]]);
`;

test('Ctrl-C stops what only reads; a second one does not wait', async () => {
  // A named pipe that nobody writes to: reading it never ends.
  spawnSync('mkfifo', [join(folder, 'never.sql')]);
  const script = deaf.replace('DIST', join(folder, 'dist'));
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, 'never.sql'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGINT'), 500));
  const exit = await new Promise((done) => child.on('close', done));
  expect(stderr).toContain('stopping; once more to stop at once');
  expect([2, 130]).toContain(exit);
});
