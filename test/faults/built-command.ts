/** The command as JavaScript, made from the sources as they are now, so that no test meets a stale build. Test files share one copy. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '../..');
const shelf = join(root, 'build/faults');
const staleAfterMs = 3_600_000;

/** Path of `bin.js`. It stands below the repository, so that it finds node_modules and package.json. */
export function builtCommand(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(root, 'src', name), 'utf8') }));
  const digest = createHash('sha256');
  for (const { name, text } of sources) digest.update(`${name}\0${text}\0`);
  const folder = join(shelf, digest.digest('hex').slice(0, 16));
  const bin = join(folder, 'cli/bin.js');
  if (!exists(bin)) {
    mkdirSync(shelf, { recursive: true });
    removeStale();
    build(sources, folder);
  }
  return bin;
}

function build(sources: readonly { readonly name: string; readonly text: string }[], folder: string): void {
  const making = mkdtempSync(join(shelf, 'making-'));
  const compilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
  };
  for (const { name, text } of sources) {
    const out = join(making, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, ts.transpileModule(text, { compilerOptions, fileName: name }).outputText);
  }
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another test file was quicker.
    rmSync(making, { recursive: true, force: true });
    if (!exists(join(folder, 'cli/bin.js'))) throw error;
  }
}

function removeStale(): void {
  for (const name of readdirSync(shelf)) {
    const folder = join(shelf, name);
    if (Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > staleAfterMs)
      rmSync(folder, { recursive: true, force: true });
  }
}

const exists = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;
