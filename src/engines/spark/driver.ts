/** The one session at the server that a run has, and where it keeps what only it needs. */
import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { OpenRequest } from '../../run/engine.ts';
import { openSpark, type Row, type SparkClient, type Table } from './connect/client.ts';
import { toFault } from './errors.ts';

export type { Cell, Row } from './connect/client.ts';

export interface Session {
  readonly client: SparkClient;
  /** Schema of a table that is named without one. */
  readonly defaultSchema: string;
  readonly hasDelta: boolean;
  /** Whether the server is of this version or a later one. */
  readonly isAtLeast: (major: number, minor: number) => boolean;
  readonly run: (sql: string) => Promise<void>;
  /** Not cut off by the signal: what must come to its end once begun. */
  readonly hold: (sql: string) => Promise<readonly Row[]>;
  readonly rows: (sql: string) => Promise<readonly Row[]>;
  readonly table: (sql: string) => Promise<Table>;
  readonly one: (sql: string) => Promise<Row>;
  readonly close: () => Promise<void>;
}

/** `${env:…}` in a name is that name; methods too long for the JIT are not made. */
const settings = { 'spark.sql.variable.substitute': 'false', 'spark.sql.codegen.hugeMethodLimit': '8000' };

/**
 * For few rows the time goes into making code for them, splitting them up, and counting how best to go on. Spark does without, and is three
 * times as fast.
 */
export const settingsOfFewRows = {
  'spark.sql.codegen.wholeStage': 'false',
  'spark.sql.codegen.factoryMode': 'NO_CODEGEN',
  'spark.sql.adaptive.enabled': 'false',
  'spark.sql.shuffle.partitions': '1',
};

/** Sessions of a user's own address may be given another zone, which changes no result. */
export async function openSession(request: OpenRequest): Promise<Session> {
  const client = await openSpark(request.url, {
    tags: ['schemalign'],
    config: { ...settings, ...(request.sessionTimezone === undefined ? {} : { 'spark.sql.session.timeZone': request.sessionTimezone }) },
    ...(request.signal ? { signal: request.signal } : {}),
  });
  try {
    const now = await client.table('SELECT current_schema()');
    const [major = 0, minor = 0] = client.version.split('.').map(Number);
    const telling = async <T>(work: Promise<T>): Promise<T> =>
      work.catch((error: unknown) => {
        throw toFault(error);
      });
    return {
      client,
      defaultSchema: String(now.rows[0]?.[0] ?? 'default'),
      hasDelta: await client.hasDelta(),
      isAtLeast: (x, y) => major > x || (major === x && minor >= y),
      run: (sql) => telling(client.run(sql)),
      hold: (sql) => telling(client.rows(sql, { hold: true })),
      rows: (sql) => telling(client.rows(sql)),
      table: (sql) => telling(client.table(sql)),
      one: (sql) => telling(client.one(sql)),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Who runs: so that another run can tell whether what it finds is of one that lives. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Seconds since 1970. */
  readonly since: number;
}

export const hostMark = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

export const owner = (): Owner => ({ host: hostMark(), pid: process.pid, since: Math.floor(Date.now() / 1000) });

/** Of another machine's runs nothing is known; after this time they are taken for dead. */
const longestRun = 86_400;

/** Whether a run of this owner may still be going on, as far as can be told from here. */
export function mayLive({ host, pid, since }: Owner): boolean {
  if (host !== hostMark()) return Date.now() / 1000 - since < longestRun;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Part of the names of a run's own tables: `schemalign_x1y2_abcd1234_4711_1`. */
export const ownName = (kind: string): string => {
  const { host, pid, since } = owner();
  return `schemalign_${kind}_${since.toString(36)}_${host}_${pid}_${randomUUID().slice(0, 8)}`;
};

/** The owner that such a name tells of. */
export function ownerOf(name: string): Owner | undefined {
  const match = /^schemalign_[a-z]+_([0-9a-z]+)_([0-9a-f]{8})_(\d+)_[0-9a-f]{8}$/.exec(name);
  return match ? { since: Number.parseInt(match[1] as string, 36), host: match[2] as string, pid: Number(match[3]) } : undefined;
}
