/** A schema of a test at the shared server, and the command run against it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { builtCommand } from '../../faults/built-command.ts';
import type { Ran, Running } from '../../faults/place.ts';
import { schemaName, sparkServer } from '../../harness/spark-server.ts';

/** Jobs need seconds on a busy machine. */
export const limitMs = 300_000;

export interface Scene {
  readonly url: string;
  readonly client: SparkClient;
  readonly schema: string;
  readonly write: (name: string, text: string) => string;
  /** Writes the configuration with one job, `j`, that loads `source` into a table of the schema. */
  readonly job: (source: string | Readonly<Record<string, unknown>>, table: string, more?: Readonly<Record<string, unknown>>) => void;
  readonly start: (...args: readonly string[]) => Running;
  readonly record: (...args: readonly string[]) => Promise<RunRecord>;
  readonly change: (...statements: readonly string[]) => Promise<void>;
  /** Rows by position. */
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** Latest version of a table of the schema by the files of its log; -1 when there is none. */
  readonly version: (table: string) => number;
  /** What lies in the folder for temporary files. */
  readonly leftovers: () => readonly string[];
  readonly end: () => Promise<void>;
}

/** Undefined where no server can be started, which was said. */
export async function makeScene(url?: string): Promise<Scene | undefined> {
  const address = url ?? process.env['SCHEMALIGN_SPARK'] ?? (await sparkServer())?.url;
  if (address === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'spark-scene-'));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const schema = schemaName('scene');
  const tables = join(folder, 'tables');
  const client = await openSpark(address);
  await client.run(`CREATE SCHEMA ${schema} LOCATION '${pathToFileURL(tables).href}'`);
  await client.run(`USE ${schema}`);
  const bin = builtCommand();
  const start = (...args: readonly string[]): Running => startCommand(bin, args, { cwd: folder, temporary });
  return {
    url: address,
    client,
    schema,
    start,
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    job: (source, table, more = {}) => {
      const from = typeof source === 'string' ? { path: source } : source;
      const job = { source: from, target: { connection: 'c', table: `${schema}.${table}`, ...((more['target'] as object) ?? {}) } };
      const config = { version: 1, connections: { c: { url: address } }, audit: { schema }, jobs: { j: { ...more, ...job } } };
      writeFileSync(join(folder, 'schemalign.yaml'), JSON.stringify(config));
    },
    record: async (...args) => {
      const ran = await start(...args, '--json').done;
      if (!ran.stdout.includes('"run-1"')) throw new Error(`no record: ${ran.stdout}${ran.stderr}`);
      return JSON.parse(ran.stdout) as RunRecord;
    },
    change: async (...statements) => {
      for (const statement of statements) await client.run(statement);
    },
    rows: async (sql) => (await client.table(sql)).rows,
    version: (table) => {
      const log = join(tables, table, '_delta_log');
      const names = existsSync(log) ? readdirSync(log) : [];
      return Math.max(-1, ...names.flatMap((name) => /^(\d{20})\.json$/.exec(name)?.[1] ?? []).map(Number));
    },
    leftovers: () => readdirSync(temporary),
    end: async () => {
      await client.run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`).catch(() => undefined);
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startCommand(bin: string, args: readonly string[], { cwd, temporary }: { cwd: string; temporary: string }): Running {
  const env = { ...process.env, NO_COLOR: '1', TMPDIR: temporary, HOME: cwd };
  const started = performance.now();
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, ...texts, ms: performance.now() - started });
    });
  });
  return { process: child, done };
}
