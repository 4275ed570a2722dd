import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running Spark Connect server, with Delta Lake unless it was left out. */
export interface SparkServer {
  /** As in `--target`: `sc://127.0.0.1:PORT`, with its token if it has one. */
  readonly url: string;
  readonly port: number;
  /** Of the Java process. */
  readonly pid: number;
  /** The version of Spark. */
  readonly spark: string;
  /** Its folder, with `warehouse` and `server.log`; removed at the end. */
  readonly work: string;
}

/** A server of one test alone, which may be stopped and killed. */
export interface OwnSparkServer extends SparkServer {
  /** Asks it to end, as SIGTERM does, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** As the power cut does. */
  readonly kill: () => Promise<void>;
}

export interface SparkServerOptions {
  readonly spark?: '4.2.0' | '4.0.1';
  readonly token?: string;
  readonly delta?: boolean;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Further settings of the server. */
  readonly conf?: Readonly<Record<string, string>>;
}

/**
 * The server that all test files of a run share; the first caller starts it, and it ends with the run. Files keep apart by session and
 * by the names of their schemas (`schemaName`). Undefined where there is no Java or no Maven, which is said; with CI=true that is a failure.
 */
export async function sparkServer(options: Pick<SparkServerOptions, 'spark'> = {}): Promise<SparkServer | undefined> {
  const spark = options.spark ?? '4.2.0';
  // Test files run in forks of the process that is the run.
  const run = process.env['VITEST_WORKER_ID'] === undefined ? process.pid : process.ppid;
  const state = join(folder(), `shared-${run}-${spark}.json`);
  const lock = `${state}.lock`;
  dropStale(state);
  if (tryMakeFolder(lock)) launch({ ...options, spark }, state, run);
  const answer = await answerIn(state, lock);
  return serverOf(answer);
}

/** Starts a server for the caller alone, which must stop it; it ends with this process at the latest. */
export async function ownSparkServer(options: SparkServerOptions = {}): Promise<OwnSparkServer | undefined> {
  const state = join(folder(), `own-${randomUUID()}.json`);
  launch(options, state, process.pid);
  const server = serverOf(await answerIn(state));
  if (server === undefined) return undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (isAlive(server.pid)) process.kill(server.pid, signal);
    // A server that is told to end keeps its port for a while, and refuses what comes.
    while (isAlive(server.pid) || isAlive(server.keeper)) await sleep(50);
  };
  return { ...server, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** A name for a schema that no other test uses. */
export function schemaName(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}

interface Running extends SparkServer {
  readonly keeper: number;
}
type Answer = Running | { readonly error: string; readonly missing: boolean };

function launch(options: SparkServerOptions, state: string, owner: number): void {
  const args = [
    join(root(), 'scripts/spark-server.mjs'),
    ...['--state', state, '--owner', String(owner), '--port', String(options.port ?? 0)],
    ...(options.spark === undefined ? [] : ['--spark', options.spark]),
    ...(options.token === undefined ? [] : ['--token', options.token]),
    ...(options.delta === false ? ['--no-delta'] : []),
    ...Object.entries(options.conf ?? {}).flatMap(([key, value]) => ['--conf', `${key}=${value}`]),
  ];
  spawn(process.execPath, args, { cwd: root(), detached: true, stdio: 'ignore' }).unref();
}

async function answerIn(state: string, lock?: string): Promise<Answer> {
  const until = Date.now() + 900_000;
  while (Date.now() < until) {
    if (existsSync(state)) return JSON.parse(readFileSync(state, 'utf8')) as Answer;
    await sleep(100);
  }
  if (lock !== undefined) rmSync(lock, { recursive: true, force: true });
  throw new Error('the Spark server did not start within 15 minutes');
}

function serverOf(answer: Answer): Running | undefined {
  if (!('error' in answer)) return answer;
  const message = `No Spark server: ${answer.error}`;
  if (!answer.missing || process.env['CI'] === 'true') throw new Error(message);
  console.warn(`\n*** SKIPPED: every test that needs Spark. ${message} ***\n`);
  return undefined;
}

/** What a run before this one left behind, whose process had the same number. */
function dropStale(state: string): void {
  const answer = existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as Answer) : undefined;
  const isOver = answer !== undefined && ('error' in answer ? statSync(state).mtimeMs < Date.now() - 600_000 : !isAlive(answer.keeper));
  if (!isOver) return;
  rmSync(state, { force: true });
  rmSync(`${state}.lock`, { recursive: true, force: true });
}

function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function folder(): string {
  const path = join(process.env['SCHEMALIGN_SPARK_HOME'] ?? join(root(), 'build/spark'), 'state');
  mkdirSync(path, { recursive: true });
  return path;
}

/** The top of the repository, from here or from where this file was built. */
function root(): string {
  let path = import.meta.dirname;
  while (!existsSync(join(path, 'scripts/spark-server.mjs'))) {
    if (dirname(path) === path) throw new Error('scripts/spark-server.mjs was not found');
    path = resolve(path, '..');
  }
  return path;
}
