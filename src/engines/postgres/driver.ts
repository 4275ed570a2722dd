/** One session of a PostgreSQL server. Statements run one after another; every value comes as text. */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client, QueryResult } from 'pg';
import { Fault, invariant } from '../../core/fault.ts';
import { commitFault, toConnectFault, toFault } from './errors.ts';
import { literal } from './quote.ts';

/** A result row: counts, sums and the few examples; never the rows of a load. Booleans are `t` and `f`. */
export type Row = Readonly<Record<string, string | null>>;

export interface OpenOptions {
  readonly memoryLimit?: string;
  readonly sessionTimezone?: string;
  readonly signal?: AbortSignal;
}

export interface FieldDescription {
  readonly name: string;
  readonly type: number;
  readonly modifier: number;
}

export interface Session {
  /** Number of the server's version, such as 160004. */
  readonly version: number;
  /** Where a table without a schema in its name is looked for and made. */
  readonly defaultSchema: string;
  /** Runs statements; answers the rows that the last one wrote. */
  readonly run: (sql: string) => Promise<number>;
  readonly rows: (sql: string) => Promise<readonly Row[]>;
  /** The first row of a query that always has one. */
  readonly one: (sql: string) => Promise<Row>;
  /** The columns of one statement, which is looked at and not run. @throws Fault ENGINE_REJECTED, for several statements too */
  readonly describe: (sql: string) => Promise<readonly FieldDescription[]>;
  /** Sends bytes to a COPY … FROM STDIN as fast as the server takes them; answers the rows it took. */
  readonly copy: (sql: string, bytes: Readable) => Promise<number>;
  /** Ends the transaction. Once begun it is not interrupted, so that what it answers is what happened. */
  readonly commit: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const oldest = 160000;
const install = 'npm install pg@8.23.1 pg-copy-streams@7.0.0';

/**
 * Connects, and sets the session so that no setting of server, database or role changes how values are read or written.
 * @throws Fault ENGINE_MISSING, ENGINE_CONNECT, TARGET_URL, and GAP for a server before version 16
 */
export async function openSession(url: string, options: OpenOptions): Promise<Session> {
  const clients = await loadClients();
  const client = makeClient(clients, url);
  try {
    await client.connect();
    const version = await checkVersion(client);
    for (const statement of settings(options)) await client.query(statement);
    const found = await client.query(
      "SELECT coalesce(current_schema(), 'public') AS schema, current_setting('server_encoding') AS encoding",
    );
    const { schema, encoding } = found.rows[0] as { schema: string; encoding: string };
    if (encoding !== 'UTF8')
      throw new Fault('GAP', `the database keeps text in ${encoding}, in which not every text can be written`, {
        fix: "Use a database made with ENCODING 'UTF8'.",
      });
    return makeSession({ clients, client, url, version, defaultSchema: schema, ...(options.signal ? { signal: options.signal } : {}) });
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toConnectFault(error);
  }
}

interface Clients {
  readonly Client: typeof Client;
  readonly copyFrom: typeof import('pg-copy-streams').from;
}

async function loadClients(): Promise<Clients> {
  try {
    const [pg, streams] = await Promise.all([import('pg'), import('pg-copy-streams')]);
    return { Client: pg.default.Client, copyFrom: streams.from };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Fault('ENGINE_MISSING', 'the PostgreSQL client is not installed', { cause, fix: install });
  }
}

const asText = { getTypeParser: () => (value: unknown) => value };

/** `sslmode` means what it means to every client of PostgreSQL: `require` encrypts, `verify-full` also checks the certificate. */
const asLibpq = (url: string): string =>
  /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url) ? `${url}&uselibpqcompat=true` : url;

function makeClient({ Client }: Pick<Clients, 'Client'>, url: string): Client {
  try {
    const client = new Client({
      connectionString: asLibpq(url),
      application_name: 'schemalign',
      connectionTimeoutMillis: 30_000,
      keepAlive: true,
      types: asText as never,
    });
    // Without a listener a connection that is lost between two statements would end the process; the next statement tells of it.
    client.on('error', () => undefined);
    return client;
  } catch (cause) {
    throw new Fault('TARGET_URL', 'the address cannot be read', { cause, fix: 'Write postgres://USER:PASSWORD@HOST:PORT/DATABASE.' });
  }
}

async function checkVersion(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name");
  const { number, name } = rows[0] as { number: string; name: string };
  checkSupported(Number(number), name);
  return Number(number);
}

/** Only from 16 on can a cast be tried without an error that ends the statement. @throws Fault GAP */
export function checkSupported(version: number, name: string): void {
  if (version >= oldest) return;
  throw new Fault(
    'GAP',
    `the server is PostgreSQL ${name}; version 16 or newer is needed, as an older one cannot test a value without failing`,
    {
      fix: 'Upgrade the server, or load into another one.',
    },
  );
}

/** Memory for sorting and hashing, where the user has named a limit. */
function memorySettings(limit: string | undefined): readonly string[] {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b\s*$/i.exec(limit ?? '');
  if (match === null) return ["SET work_mem = '128MB'"];
  const unit = { k: 1, m: 1024, g: 1024 ** 2, t: 1024 ** 3 }[(match[2] ?? '').toLowerCase()] ?? 1 / 1024;
  const kilobytes = Math.floor((Number(match[1]) * unit) / 4);
  return [`SET work_mem = '${Math.min(Math.max(kilobytes, 64), 2_000_000)}kB'`];
}

function settings({ memoryLimit, sessionTimezone }: OpenOptions): readonly string[] {
  return [
    "SET client_encoding = 'UTF8'",
    `SET TimeZone = ${literal(sessionTimezone ?? 'UTC')}`,
    "SET DateStyle = 'ISO, YMD'",
    "SET IntervalStyle = 'iso_8601'",
    'SET extra_float_digits = 1',
    'SET standard_conforming_strings = on',
    "SET bytea_output = 'hex'",
    'SET transform_null_equals = off',
    "SET default_transaction_isolation = 'read committed'",
    // The big expressions of a staging query take longer to compile than to run.
    'SET jit = off',
    "SET temp_buffers = '128MB'",
    ...memorySettings(memoryLimit),
    'SET statement_timeout = 0',
    'SET idle_in_transaction_session_timeout = 0',
    // The server notices that its client was killed while a statement runs, and ends it with its locks.
    "SET client_connection_check_interval = '1s'",
  ];
}

interface Parts {
  readonly clients: Clients;
  readonly client: Client;
  readonly url: string;
  readonly version: number;
  readonly defaultSchema: string;
  readonly signal?: AbortSignal;
}

function makeSession({ clients, client, url, version, defaultSchema, signal }: Parts): Session {
  const interrupts = interruptOn(signal, () => cancel(clients, client, url));
  const guarded = async <T>(sql: string, work: () => Promise<T>): Promise<T> => {
    if (signal?.aborted) throw new Fault('INTERRUPTED', 'the run was interrupted');
    try {
      return await work();
    } catch (error) {
      throw signal?.aborted ? new Fault('INTERRUPTED', 'the run was interrupted', { cause: error }) : toFault(error, sql);
    }
  };
  const query = (sql: string): Promise<QueryResult> =>
    guarded(sql, async () => {
      const result = (await client.query(sql)) as QueryResult | QueryResult[];
      return Array.isArray(result) ? (result.at(-1) as QueryResult) : result;
    });
  const rows = async (sql: string): Promise<readonly Row[]> => (await query(sql)).rows as Row[];
  return {
    version,
    defaultSchema,
    rows,
    run: async (sql) => (await query(sql)).rowCount ?? 0,
    one: async (sql) => {
      const [row] = await rows(sql);
      invariant(row, 'a query that always has a row had none');
      return row;
    },
    describe: (sql) => guarded(sql, () => describeStatement(client, sql)),
    copy: (sql, bytes) =>
      guarded(sql, async () => {
        const stream = client.query(clients.copyFrom(sql));
        await pipeline(bytes, stream, ...(signal ? [{ signal }] : []));
        return stream.rowCount;
      }),
    commit: async () => {
      if (signal?.aborted) throw new Fault('INTERRUPTED', 'the run was interrupted');
      await interrupts
        .without(() => client.query('COMMIT'))
        .catch((error: unknown) => {
          throw commitFault(error);
        });
    },
    close: async () => {
      interrupts.end();
      await client.end().catch(() => undefined);
    },
  };
}

/** By the extended protocol, which takes one statement only; of its rows none is asked for. */
async function describeStatement(client: Client, sql: string): Promise<readonly FieldDescription[]> {
  const extended = { text: `SELECT * FROM (${sql}\n) schemalign_source LIMIT 0`, queryMode: 'extended' };
  const { fields } = await client.query(extended as never as string);
  return fields.map((field) => ({ name: field.name, type: field.dataTypeID, modifier: field.dataTypeModifier }));
}

/** Asks the server, by a connection of its own, to break off what the session is doing. */
async function cancel(clients: Clients, client: Client, url: string): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number | null };
  if (processID === null) return;
  const second = makeClient(clients, url);
  try {
    await second.connect();
    await second.query(`SELECT pg_cancel_backend(${Number(processID)})`);
  } finally {
    await second.end().catch(() => undefined);
  }
}

const betweenInterruptsMs = 100;

/** A request that comes just before a statement starts is lost to the server, so it is made again until the session ends. */
function interruptOn(signal: AbortSignal | undefined, ask: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let holds = false;
  let asking = false;
  const interrupt = (): void => {
    if (holds || asking) return;
    asking = true;
    // A server that cannot be asked any more has nothing left to break off.
    void ask()
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
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
