// Runs one process to its end and says what it took.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const meter = pathToFileURL(join(import.meta.dirname, 'meter.mjs')).href;

/**
 * @param {readonly string[]} args script and arguments for node
 * @param {{ cwd: string }} options
 * @returns {Promise<{ wall: number, cpu: number, peak: number, stdout: string }>} seconds, CPU seconds (user and system), MiB
 * @throws when the process fails
 */
export async function measure(args, { cwd }) {
  const file = join(cwd, 'meter.json');
  rmSync(file, { force: true });
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', meter, ...args], {
    cwd,
    env: { ...process.env, BENCH_METER: file },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  const { code, wall } = await new Promise((resolve, reject) => {
    let ended = 0;
    child.once('error', reject);
    child.once('exit', () => (ended = performance.now() - start));
    child.once('close', (status) => resolve({ code: status, wall: ended / 1000 }));
  });
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}\n${output.stderr}`);
  return { wall, ...JSON.parse(readFileSync(file, 'utf8')), stdout: output.stdout };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
