import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

/** A project of a few files, checked by the real checker with the real table. */
const root = resolve(import.meta.dirname, '../..');
const folders: string[] = [];

function check(files: Record<string, string>): { readonly code: number; readonly output: string } {
  const base = mkdtempSync(join(tmpdir(), 'schemalign-boundaries-'));
  folders.push(base);
  for (const name of ['package.json', 'tsconfig.base.json', 'tsconfig.json']) cpSync(join(root, name), join(base, name));
  symlinkSync(join(root, 'node_modules'), join(base, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  try {
    return { code: 0, output: execFileSync(process.execPath, [join(root, 'scripts/boundaries.mjs'), base], { encoding: 'utf8' }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { code: status, output: stdout };
  }
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const kind = 'export const kind = 1;\n';

describe('the boundary checker', () => {
  it('passes imports that point up the table', () => {
    const result = check({
      'src/core/model/kind.ts': kind,
      'src/core/fault.ts': kind,
      'src/core/compare/pair.ts': "import { kind } from '../model/kind.ts';\nimport '../fault.ts';\nexport const pair = kind;\n",
    });
    expect(result).toMatchObject({ code: 0 });
  });

  const refused: readonly { readonly name: string; readonly files: Record<string, string>; readonly says: RegExp }[] = [
    {
      name: 'an import down the table',
      files: { 'src/core/compare/pair.ts': kind, 'src/core/model/kind.ts': "import '../compare/pair.ts';\n" },
      says: /core\/model imports only/,
    },
    {
      name: 'a type-only import down the table',
      files: {
        'src/core/compare/pair.ts': 'export type Pair = 1;\n',
        'src/core/model/kind.ts': "import type { Pair } from '../compare/pair.ts';\nexport const one: Pair = 1;\n",
      },
      says: /core\/model imports only/,
    },
    {
      name: 'node in the core',
      files: { 'src/core/model/kind.ts': "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n" },
      says: /core\/model uses no node/,
    },
    {
      name: 'npm in the core',
      files: { 'src/core/model/kind.ts': "import { parse } from 'yaml';\nexport const read = parse;\n" },
      says: /core\/model uses only its npm packages/,
    },
    {
      name: 'one engine that imports another',
      files: { 'src/engines/a/quote.ts': kind, 'src/engines/b/quote.ts': "import '../a/quote.ts';\n" },
      says: /engines\/\* imports only/,
    },
    {
      name: 'a database client outside a driver',
      files: {
        'src/engines/duckdb/reader.ts': "import { DuckDBInstance } from '@duckdb/node-api';\nexport const open = DuckDBInstance.create;\n",
      },
      says: /driver\.ts alone/,
    },
    {
      name: 'a driver imported before it is asked for',
      files: { 'src/engines/duckdb/driver.ts': kind, 'src/engines/registry.ts': "import './duckdb/driver.ts';\n" },
      says: /by import\(\) only/,
    },
    {
      name: 'a folder that is not in the table',
      files: { 'src/misc/kind.ts': "import './other.ts';\n", 'src/misc/other.ts': kind },
      says: /belongs to a folder/,
    },
    {
      name: 'a cycle',
      files: { 'src/core/model/a.ts': "import './b.ts';\n", 'src/core/model/b.ts': "import './a.ts';\n" },
      says: /no cycles/,
    },
  ];

  it.each(refused)('refuses $name', ({ files, says }) => {
    const result = check(files);
    expect(result.output).toMatch(says);
    expect(result.code).toBe(1);
  });
});
