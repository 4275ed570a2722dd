/** A folder for one test, with its own folder for temporary files, and the command started in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { builtCommand } from './built-command.ts';

export interface Ran {
  /** Null when a signal ended the process. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Running {
  readonly process: ChildProcess;
  readonly done: Promise<Ran>;
}

export interface Place {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => string;
  readonly start: (...args: readonly string[]) => Running;
  readonly run: (...args: readonly string[]) => Promise<Ran>;
  /** Runs with `--json`; the record of a run that came to a verdict. */
  readonly record: (...args: readonly string[]) => Promise<RunRecord>;
  /** What lies in the folder for temporary files. */
  readonly leftovers: () => readonly string[];
  readonly remove: () => void;
}

/** A command that hangs is a fault. */
const limitMs = 60_000;

export function makePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const bin = builtCommand();
  const path = (name: string): string => join(folder, name);
  const start = (...args: readonly string[]): Running => startCommand(bin, args, { cwd: folder, temporary });
  const run = (...args: readonly string[]): Promise<Ran> => start(...args).done;
  return {
    folder,
    path,
    start,
    run,
    write: (name, text) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
      return path(name);
    },
    record: async (...args) => {
      const ran = await run(...args, '--json');
      const found: unknown = JSON.parse(ran.stdout);
      if ((found as { schema?: unknown }).schema !== 'run-1') throw new Error(`no record: ${ran.stdout}${ran.stderr}`);
      const record = found as RunRecord;
      if (record.exit !== ran.exit) throw new Error(`the record says exit ${record.exit}, the process ${ran.exit}`);
      return record;
    },
    leftovers: () => readdirSync(temporary),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function startCommand(bin: string, args: readonly string[], { cwd, temporary }: { cwd: string; temporary: string }): Running {
  const started = performance.now();
  const env = { ...process.env, NO_COLOR: '1', TMPDIR: temporary, HOME: cwd };
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, stdout, stderr, ms: performance.now() - started });
    });
  });
  return { process: child, done };
}

/** A CSV text of `count` lines after the header. */
export function csv(header: string, count: number, line: (i: number) => string): string {
  const lines = [header];
  for (let i = 0; i < count; i += 1) lines.push(line(i));
  return `${lines.join('\n')}\n`;
}
