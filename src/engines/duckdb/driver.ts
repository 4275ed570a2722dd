import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Fault } from '../../core/fault.ts';
import { toFault } from './errors.ts';
import { literal } from './quote.ts';

/** A value of a result row: counts, sums and the few examples; never the rows of a load. */
export type Cell = string | number | boolean | null | Cell[] | { [key: string]: Cell };
export type Row = { readonly [column: string]: Cell };

export interface OpenOptions {
  readonly readOnly?: boolean;
  readonly memoryLimit?: string;
  readonly sessionTimezone?: string;
  readonly threads?: number;
  readonly signal?: AbortSignal;
}

/** An open DuckDB database with one connection; statements run one after another. */
export interface Session {
  /** Runs statements; results are dropped. */
  readonly run: (sql: string) => Promise<void>;
  /** Runs one query; 64-bit and wider numbers, decimals and dates come as text. */
  readonly rows: (sql: string) => Promise<readonly Row[]>;
  /** The first row of a query that always has one. */
  readonly one: (sql: string) => Promise<Row>;
  /** Share done of the running statement, 0 to 1, or undefined. */
  readonly progress: () => number | undefined;
  /** Private folder of this session for spilling and copies; removed by `close`. */
  readonly scratch: string;
  readonly close: () => void;
}

const scratchPrefix = 'schemalign-';

/**
 * Opens a database file, or `:memory:`. Extensions are never installed or loaded by themselves, so nothing reaches the network.
 * @throws Fault ENGINE_LOCKED, TARGET_URL, ENGINE_REJECTED
 */
export async function openSession(path: string, options: OpenOptions = {}): Promise<Session> {
  const client = loadClient();
  const scratch = makeScratch();
  let instance: DuckDBInstance | undefined;
  try {
    instance = await client.DuckDBInstance.create(path, {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      temp_directory: join(scratch, 'spill'),
      threads: String(options.threads ?? cpus().length),
      ...(options.readOnly === true && path !== ':memory:' ? { access_mode: 'READ_ONLY' } : {}),
      ...(options.memoryLimit === undefined ? {} : { memory_limit: options.memoryLimit }),
    });
    const connection = await instance.connect();
    const session = makeSession({ instance, connection, scratch, ...(options.signal ? { signal: options.signal } : {}) });
    await session.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
    await session.run(`SET TimeZone = ${literal(options.sessionTimezone ?? 'UTC')}`);
    return session;
  } catch (error) {
    instance?.closeSync();
    rmSync(scratch, { recursive: true, force: true });
    throw toFault(error);
  }
}

function loadClient(): typeof import('@duckdb/node-api') {
  try {
    // The client is CommonJS: required so, its many files are not searched for exports first.
    return createRequire(import.meta.url)('@duckdb/node-api') as typeof import('@duckdb/node-api');
  } catch (cause) {
    throw new Fault('ENGINE_MISSING', 'the DuckDB client cannot be loaded', { cause, fix: 'npm install @duckdb/node-api@1.5.6-r.1' });
  }
}

interface Parts {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly scratch: string;
  readonly signal?: AbortSignal;
}

function makeSession({ instance, connection, scratch, signal }: Parts): Session {
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  const guarded = async <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    if (signal?.aborted) throw new Fault('INTERRUPTED', 'the run was interrupted');
    try {
      return await work();
    } catch (error) {
      throw toFault(error, sql);
    }
  };
  const rows = (sql: string): Promise<readonly Row[]> =>
    guarded(sql, async () => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[]);
  return {
    scratch,
    rows,
    run: (sql) => guarded(sql, async () => void (await connection.run(sql))),
    one: async (sql) => {
      const [row] = await rows(sql);
      if (row === undefined) throw new Fault('BUG', 'a query that always has a row had none', { statement: sql });
      return row;
    },
    progress: () => {
      const share = connection.progress.percentage;
      return share >= 0 ? share / 100 : undefined;
    },
    close: () => {
      signal?.removeEventListener('abort', interrupt);
      connection.closeSync();
      instance.closeSync();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** A folder that only this user can read. Those of processes that were killed are removed. */
function makeScratch(): string {
  const root = tmpdir();
  for (const name of readdirSync(root)) {
    const owner = /^schemalign-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(root, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(root, `${scratchPrefix}${process.pid}-`));
  chmodSync(folder, 0o700);
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a database file is there; a new one would be made by opening it for writing. */
export function databaseExists(path: string): boolean {
  return path !== ':memory:' && existsSync(path);
}
