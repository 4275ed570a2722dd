/** Does what a guide says, in a folder of its own, and tells where it says something else than what came. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import ts from 'typescript';
import { main } from '../../src/cli/main.ts';
import { builtCommand } from '../faults/built-command.ts';
import { firstLie, type Step } from './guide-text.ts';

const root = resolve(import.meta.dirname, '../..');

export interface Came {
  readonly step: Step;
  readonly output: string;
  readonly exit: number;
  /** What the guide says and did not come; undefined when it is right. */
  readonly lie: string | undefined;
}

/** Runs the steps in order. The folder has the demo's data and tables where a clone has them after `make demo`, but nothing is loaded yet. */
export async function runGuide(steps: readonly Step[]): Promise<readonly Came[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'guide-')));
  const home = process.cwd();
  for (const name of ['node_modules', 'demo']) symlinkSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, '.demo'));
  process.chdir(folder);
  try {
    if (steps.some((step) => step.kind === 'command' && step.argv.some((word) => /\bdemo\//.test(word)))) {
      await rowsOf('.demo/warehouse.duckdb', readFileSync(join(root, 'demo/warehouse.sql'), 'utf8'));
    }
    const came: Came[] = [];
    for (const step of steps) came.push(await runStep(step, folder));
    return came;
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runStep(step: Step, folder: string): Promise<Came> {
  if (step.kind === 'file') {
    mkdirSync(dirname(join(folder, step.name)), { recursive: true });
    writeFileSync(join(folder, step.name), `${step.text}\n`);
    return { step, output: '', exit: 0, lie: undefined };
  }
  if (step.kind === 'command') {
    const { output, exit } = await command(step.argv, folder);
    return { step, output, exit, lie: exit === step.exit ? firstLie(step.shown, output) : `exit code ${step.exit}, and got ${exit}` };
  }
  const { output, exit } =
    step.kind === 'sql' ? { output: await rowsOf(step.database, step.sql), exit: 0 } : program(step.name, step.text, folder);
  return { step, output, exit, lie: exit === 0 ? step.shown && firstLie(step.shown, output) : `a program that ends well: ${output}` };
}

async function command(argv: readonly string[], cwd: string): Promise<{ output: string; exit: number }> {
  const [name, ...args] = argv[0] === 'npx' ? argv.slice(1) : argv;
  if (name !== 'schemalign') throw new Error(`a guide runs schemalign only, not ${name}`);
  let output = '';
  const stream = {
    write: (text: string) => {
      output += text;
    },
  };
  const exit = await main(args, {
    stdout: stream,
    stderr: stream,
    env: { HOME: cwd },
    cwd,
    signal: new AbortController().signal,
    clock: () => performance.now(),
  });
  return { output, exit };
}

/** Rows of the last statement as a table of text, as wide as they need. */
async function rowsOf(database: string, sql: string): Promise<string> {
  const instance = await DuckDBInstance.create(database);
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    const rows = [
      reader.deduplicatedColumnNames(),
      ...reader.getRowsJson().map((row) => row.map((value) => (value === null ? 'NULL' : String(value)))),
    ];
    const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
    return rows
      .map((row) =>
        row
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A TypeScript program that imports the package, as the user would have installed it. */
function program(name: string, text: string, folder: string): { output: string; exit: number } {
  const library = pathToFileURL(join(dirname(builtCommand()), '../index.js')).href;
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  const { outputText } = ts.transpileModule(text.replaceAll("from 'schemalign'", `from '${library}'`), { compilerOptions, fileName: name });
  const file = join(folder, name.replace(/\.ts$/, '.mjs'));
  writeFileSync(file, outputText);
  const ran = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  return { output: ran.status === 0 ? ran.stdout : `${ran.stdout}${ran.stderr}`, exit: ran.status ?? 1 };
}
