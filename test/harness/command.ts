/** Starts the real command as a process of its own. */
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export interface Ran {
  /** Exit code; null when the process was killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Start {
  readonly bin: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** TZ of the process; undefined leaves it as it is. */
  readonly timeZone: string | undefined;
  /** Kill -9 after so many milliseconds. */
  readonly killAfter?: number;
}

/** A command that hangs is a fault; no case needs a fraction of this. */
const LIMIT_MS = 120_000;

export function runCommand({ bin, args, cwd, timeZone, killAfter }: Start): Promise<Ran> {
  const started = performance.now();
  const env = { ...process.env, NO_COLOR: '1', ...(timeZone === undefined ? {} : { TZ: timeZone }) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), killAfter ?? LIMIT_MS);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (exit) => {
      clearTimeout(timer);
      resolve({ exit, stdout, stderr, ms: performance.now() - started });
    });
  });
}
