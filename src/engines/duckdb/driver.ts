import { chmodSync, existsSync, linkSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Fault } from '../../core/fault.ts';
import { toFault, toOpeningFault } from './errors.ts';
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
  /** Ends the transaction. Once begun it is not interrupted, so that what it answers is what happened. */
  readonly commit: () => Promise<void>;
  /** Runs one query; 64-bit and wider numbers, decimals and dates come as text. */
  readonly rows: (sql: string) => Promise<readonly Row[]>;
  /** Whether a text is one statement that only reads. @throws Fault ENGINE_REJECTED for what cannot be read at all. */
  readonly isSelect: (sql: string) => Promise<boolean>;
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
    await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
    await connection.run(`SET TimeZone = ${literal(options.sessionTimezone ?? 'UTC')}`);
    return makeSession({ instance, connection, scratch, ...(options.signal ? { signal: options.signal } : {}) });
  } catch (error) {
    instance?.closeSync();
    rmSync(scratch, { recursive: true, force: true });
    throw toOpeningFault(error);
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
  const interrupts = interruptOn(signal, connection);
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
    isSelect: (sql) => guarded(sql, () => isSelect(connection, sql)),
    commit: () => guarded('COMMIT', () => interrupts.without(async () => void (await connection.run('COMMIT')))),
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
      interrupts.end();
      connection.closeSync();
      instance.closeSync();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** Prepares the first statement, which looks at tables and files but runs nothing. */
async function isSelect(connection: DuckDBConnection, sql: string): Promise<boolean> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return false;
  const prepared = await statements.prepare(0);
  try {
    return prepared.statementType === loadClient().StatementType.SELECT;
  } finally {
    prepared.destroySync();
  }
}

const betweenInterruptsMs = 20;

/** An interrupt that comes just before a statement starts is lost to the engine, so it is given again until the session ends. */
function interruptOn(signal: AbortSignal | undefined, connection: DuckDBConnection) {
  let timer: NodeJS.Timeout | undefined;
  let holds = false;
  const interrupt = (): void => {
    if (!holds) connection.interrupt();
  };
  const begin = (): void => {
    interrupt();
    timer = setInterval(interrupt, betweenInterruptsMs);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return {
    without: async <T>(work: () => Promise<T>): Promise<T> => {
      holds = true;
      return work().finally(() => {
        holds = false;
      });
    },
    end: (): void => {
      signal?.removeEventListener('abort', begin);
      clearInterval(timer);
    },
  };
}

/** A folder that only this user can read. Those of processes that were killed are removed. */
function makeScratch(): string {
  const root = tmpdir();
  try {
    removeOrphans(root, /^schemalign-(\d+)-/);
    const folder = mkdtempSync(join(root, `${scratchPrefix}${process.pid}-`));
    chmodSync(folder, 0o700);
    return folder;
  } catch (cause) {
    throw new Fault('ENGINE_RESOURCES', `no folder for temporary files can be made in ${root}`, {
      cause,
      fix: 'Set TMPDIR to a folder that exists and may be written to.',
    });
  }
}

/** Removes what processes of this user that are no more have left behind; their number is the first group of the pattern. */
function removeOrphans(folder: string, pattern: RegExp): void {
  for (const name of readdirSync(folder)) {
    const owner = pattern.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const path = join(folder, name);
    const isOurs = lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOurs) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Makes an empty database, whole or not at all: DuckDB writes a new file in steps, and cannot open one that was broken off between them.
 * A database that another process makes meanwhile is left as it is. Answers whether this one made it.
 */
export async function makeDatabase(path: string): Promise<boolean> {
  const name = basename(path)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 60);
  const making = join(dirname(path), `.${name}.${process.pid}.new`);
  try {
    removeOrphans(dirname(path), /^\..+\.(\d+)\.new$/);
    const instance = await loadClient().DuckDBInstance.create(making, {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    instance.closeSync();
    return moveInPlace(making, path);
  } catch (error) {
    throw toOpeningFault(error);
  } finally {
    rmSync(making, { force: true });
  }
}

function moveInPlace(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(to)) return false;
    // File systems without hard links.
    renameSync(from, to);
    return true;
  }
}

/** Takes away a database that was made for nothing. Done while it is still open, so that no other process can have it by then. */
export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  rmSync(`${path}.wal`, { force: true });
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
