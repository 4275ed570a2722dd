/**
 * A real PostgreSQL server for tests: one for all test files of a run, started by the first that asks and stopped when the run ends,
 * also when it is killed. Each test file makes databases of its own in it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresServer {
  /** `postgres://user:password@127.0.0.1:port`, without a database. The password holds characters that a URL must escape. */
  readonly url: string;
  /** Process of the server itself. */
  readonly server: number;
}

/** A server of one test alone, which that test may kill. */
export interface OwnServer extends PostgresServer {
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly name: string;
  /** Address with user, password and database. */
  readonly url: string;
  /** A new connection, ended by `drop` at the latest; `settings` are set in its session. */
  connect(settings?: Readonly<Record<string, string>>): Promise<pg.Client>;
  drop(): Promise<void>;
}

interface Ready {
  readonly url: string;
  readonly keeper: number;
  readonly server: number;
}

const patience = 60_000;

/** Test workers have the run as their parent; anything else is a run of its own. */
const run = process.env['VITEST_POOL_ID'] === undefined ? process.pid : process.ppid;

let shared: Promise<PostgresServer> | undefined;

/** The server of this run. */
export function postgresServer(): Promise<PostgresServer> {
  shared ??= joinServer(join(tmpdir(), `schemalign-postgres-${run}`));
  return shared;
}

let own = 0;

/** A server for the caller alone. It also stops when the calling process ends. */
export async function ownPostgresServer(): Promise<OwnServer> {
  own += 1;
  const folder = join(tmpdir(), `schemalign-postgres-${run}-${process.pid}-${own}`);
  makeFolder(folder);
  const ready = await waitFor(folder, startKeeper(folder, process.pid));
  return {
    url: ready.url,
    server: ready.server,
    stop: async () => {
      if (isAlive(ready.keeper)) process.kill(ready.keeper, 'SIGTERM');
      while (existsSync(folder) && isAlive(ready.keeper)) await sleep(20);
    },
  };
}

/** Who makes the folder starts the server; the others wait for it. A folder that a dead keeper left is made anew. */
async function joinServer(folder: string): Promise<PostgresServer> {
  if (makeFolder(folder)) return waitFor(folder, startKeeper(folder, run));
  const ready = await waitFor(folder, undefined);
  if (isAlive(ready.keeper)) return ready;
  rmSync(folder, { recursive: true, force: true });
  return joinServer(folder);
}

/** False when it is there already. The user of the server must be able to pass through it. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  chmodSync(folder, 0o755);
  return true;
}

function startKeeper(folder: string, watched: number): ChildProcess {
  const script = join(import.meta.dirname, 'postgres-keeper.mjs');
  const keeper = spawn(process.execPath, [script, folder, String(watched)], { detached: true, stdio: 'ignore' });
  keeper.unref();
  return keeper;
}

async function waitFor(folder: string, keeper: ChildProcess | undefined): Promise<Ready> {
  const failed = join(folder, 'failed.txt');
  for (let waited = 0; waited < patience; waited += 20) {
    if (existsSync(join(folder, 'ready.json'))) return JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8')) as Ready;
    if (existsSync(failed)) throw new Error(`PostgreSQL for the tests did not start: ${readFileSync(failed, 'utf8')}`);
    if (keeper?.exitCode !== null && keeper?.exitCode !== undefined) throw new Error('PostgreSQL for the tests did not start');
    await sleep(20);
  }
  throw new Error(`PostgreSQL for the tests did not start within ${patience / 1000} s; ${folder} can be removed`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

let databases = 0;

/** A new, empty database in the server of this run, or in the one given. */
export async function testDatabase(server?: PostgresServer): Promise<TestDatabase> {
  const { url: root } = server ?? (await postgresServer());
  databases += 1;
  const name = `t${process.pid}_${databases}`;
  await ask(`${root}/postgres`, `CREATE DATABASE ${name}`);
  const url = `${root}/${name}`;
  const clients: pg.Client[] = [];
  return {
    name,
    url,
    connect: async (settings = {}) => {
      const client = new pg.Client({ connectionString: url });
      // A server that a test kills, or a database that is dropped, is no error of the client that nobody uses any more.
      client.on('error', () => undefined);
      await client.connect();
      clients.push(client);
      for (const [key, value] of Object.entries(settings)) await client.query('SELECT set_config($1, $2, false)', [key, value]);
      return client;
    },
    drop: async () => {
      await Promise.allSettled(clients.map((client) => client.end()));
      await ask(`${root}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
