import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const below = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
const product = below('src').filter((file) => !file.endsWith('.test.ts'));
const tests = [...below('src'), ...below('test')].filter((file) => file.endsWith('.test.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const holding = (files: readonly string[], pattern: RegExp) => files.filter((file) => pattern.test(read(file)));

/** Written in two parts, so that this file does not find itself. */
const skipping = new RegExp(`\\b(?:it|test|describe)\\.(?:sk${'ip'}|on${'ly'}|to${'do'})\\b`);

describe('the house style', () => {
  it('names files by what they hold', () => {
    expect(product.filter((file) => ['utils.ts', 'helpers.ts', 'common.ts'].includes(basename(file)))).toEqual([]);
    expect(product.filter((file) => file.startsWith('src/core/') && basename(file) === 'types.ts')).toEqual([]);
  });

  it('has one door: no file but src/index.ts re-exports others', () => {
    expect(
      holding(
        product.filter((file) => file !== 'src/index.ts'),
        /^export \* from /m,
      ),
    ).toEqual([]);
  });

  it('throws faults, never bare errors', () => {
    expect(holding(product, /\bthrow new (?:Type|Range)?Error\(/)).toEqual([]);
  });

  it('asks no dialect and no engine for its name outside engines/', () => {
    // Type texts and DDL have grammars of their own, which are called dialects too.
    const grammars = /^src\/(?:core\/schema-text|core\/model\/type-text)/;
    const outside = product.filter((file) => !file.startsWith('src/engines/') && !grammars.test(file));
    expect(holding(outside, /switch \((?:\w+\.)*(?:dialect|engine)(?:\.name)?\)|\b(?:dialect|engine)(?:\.name)? [!=]== '/)).toEqual([]);
  });

  it('names no engine in the core', () => {
    const code = /^(?!\s*(?:\*|\/\/|\/\*)).*['"`](?:duckdb|postgres|spark|bigquery|sqlserver|synapse)['"`]\s*(?:===|==|:)/m;
    expect(
      holding(
        product.filter((file) => file.startsWith('src/core/compare') || file.startsWith('src/core/plan')),
        code,
      ),
    ).toEqual([]);
  });

  it('leaves no test out', () => {
    expect(holding(tests, skipping)).toEqual([]);
  });

  it('keeps numbered decisions, in order and without a hole', () => {
    const numbers = readdirSync(join(root, 'docs/adr')).map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  });
});

describe('the linter', () => {
  const refused = [
    ['the clock in the core', 'src/core/model/now.ts', 'export const now = () => Date.now();\n', 'noRestrictedGlobals'],
    ['chance in the core', 'src/core/model/any.ts', 'export const any = () => Math.random();\n', 'noRestrictedGlobals'],
    ['printing outside the command', 'src/run/say.ts', "console.log('x');\n", 'noConsole'],
    ['names in camel case', 'src/run/sayIt.ts', 'export const x = 1;\n', 'useFilenamingConvention'],
    ['a database client outside a driver', 'src/engines/duckdb/read.ts', "import '@duckdb/node-api';\n", 'noRestrictedImports'],
    ['five parameters', 'src/run/five.ts', 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e];\n', 'useMaxParams'],
    ['a long file', 'src/run/long.ts', `${'export const x = 1;\n'.repeat(401)}`, 'noExcessiveLinesPerFile'],
    ['a cycle', 'src/run/a.ts', "import './b.ts';\n", 'noImportCycles'],
  ] as const;
  const allowed = [
    ['src/cli/say.ts', "console.log('x');\n"],
    ['src/engines/duckdb/driver.ts', "import '@duckdb/node-api';\n"],
    ['src/run/clock.ts', 'export const now = () => Date.now();\n'],
  ] as const;

  let said = '';
  const folder = mkdtempSync(join(tmpdir(), 'schemalign-lint-'));
  beforeAll(() => {
    cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    const files = [...refused.map(([, path, text]) => [path, text] as const), ...allowed, ['src/run/b.ts', "import './a.ts';\n"] as const];
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--colors=off', '--max-diagnostics=none', folder], {
      cwd: folder,
      encoding: 'utf8',
    });
    said = `${stdout}${stderr}`;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const linesAbout = (path: string) => said.split('\n').filter((line) => line.includes(path) && line.includes('lint/'));

  it.each(refused)('refuses %s', (_, path, __, rule) => {
    expect(linesAbout(path).join('\n')).toContain(`/${rule} `);
  });

  it.each(allowed)('says nothing about %s', (path) => {
    expect(linesAbout(path)).toEqual([]);
  });
});
