/** Runs the worked example of a divergence kind in a folder of its own, through the command. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse, stringify } from 'yaml';
import { main } from '../../src/cli/main.ts';
import { commandsOf, tableOf } from '../../src/core/divergences/example-text.ts';
import type { DivergenceKind } from '../../src/core/divergences/kind.ts';
import type { Finding } from '../../src/core/record/finding.ts';
import { change } from '../faults/database.ts';

/** What every example's commands call the target. */
const database = 'warehouse.duckdb';

export interface Said {
  readonly exit: number;
  /** Findings of the last command: those of a run, or the differences of `diff` and `verify --against`, each counted once. */
  readonly findings: readonly Pick<Finding, 'code' | 'path' | 'reason' | 'count'>[];
  readonly err: string;
  /** The document of the last command as it was printed. */
  readonly document: { readonly schema?: string };
}

/** The target is made, then the commands run in order; what is done by hand is done after the first of them. */
export async function runExample({ code, example }: DivergenceKind): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), `example-${code}-`));
  try {
    writeFileSync(join(folder, example.file), code === 'SA302' ? cutStream() : example.source);
    writeFileSync(join(folder, 'schemalign.yaml'), jobFile(tableOf(example), example.file, example.rules));
    await change(join(folder, database), ...statements(example.target));
    let said: Said | undefined;
    for (const [i, command] of commandsOf(example).entries()) {
      if (i === 1 && example.meanwhile !== undefined) await change(join(folder, database), ...statements(example.meanwhile));
      said = await run(folder, command.split(' ').slice(1));
    }
    if (said === undefined) throw new Error(`${code} has no command`);
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const statements = (sql: string): readonly string[] => sql.split(/;\s*(?:\n|$)/).filter((statement) => statement.trim() !== '');

function jobFile(name: string, file: string, rules: string | null): string {
  const job = { source: { path: file }, target: { connection: 'wh', table: name }, ...(parse(rules ?? '{}') as object) };
  return stringify({ version: 1, connections: { wh: { url: database } }, jobs: { [name]: job } });
}

async function run(folder: string, argv: readonly string[]): Promise<Said> {
  let out = '';
  let err = '';
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const exit = await main([...argv, '--json'], {
    stdout: {
      write: (text: string) => {
        out += text;
      },
    },
    stderr: {
      write: (text: string) => {
        err += text;
      },
    },
    env: { HOME: home },
    cwd: folder,
    signal: new AbortController().signal,
    clock: () => performance.now(),
  });
  const document = JSON.parse(out) as Document;
  return { exit, err, document, findings: findingsIn(document) };
}

interface Document {
  readonly schema?: string;
  readonly findings?: readonly Finding[];
  readonly divergences?: readonly { readonly code: string; readonly path: string }[];
}

const findingsIn = ({ findings, divergences = [] }: Document): Said['findings'] =>
  findings ?? divergences.map(({ code, path }) => ({ code, path, reason: null, count: 1 }));

/** A gzip stream of more than 900 bytes, cut after 900. */
function cutStream(): Uint8Array {
  let seed = 1;
  const lines = Array.from({ length: 400 }, (_, i) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return `${i + 1},${(seed % 1_000_000) / 100}`;
  });
  const whole = gzipSync(`id,amount\n${lines.join('\n')}\n`);
  if (whole.length <= 1000) throw new Error('the stream is too short to be cut');
  return whole.subarray(0, 900);
}
