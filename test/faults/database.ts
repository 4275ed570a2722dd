/** Looks into a DuckDB file and changes it, by SQL of its own. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

export type Row = Readonly<Record<string, unknown>>;

const settings = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', threads: '2' } as const;

async function within<T>(file: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(file, settings);
  try {
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    try {
      return await work(connection);
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** Runs statements on the very file. */
export async function change(file: string, ...statements: readonly string[]): Promise<void> {
  await within(file, async (connection) => {
    for (const statement of statements) await connection.run(statement);
  });
}

/** Rows of a query on a copy, so that looking replays no write-ahead log in the file itself. Wide numbers come as text. */
export async function ask(file: string, sql: string): Promise<readonly Row[]> {
  return look(file, (query) => query(sql));
}

/** Several queries on one copy. */
export async function look<T>(file: string, work: (query: (sql: string) => Promise<readonly Row[]>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(file), 'look-'));
  try {
    const copy = join(folder, 'copy.duckdb');
    await copyDatabase(file, copy);
    return await within(copy, (connection) => work(async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A database with its write-ahead log, if there is one. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  for (const end of ['', '.wal']) {
    await rm(`${to}${end}`, { force: true });
    if (existsSync(`${from}${end}`)) await copyFile(`${from}${end}`, `${to}${end}`);
  }
}

/** Equal for equal multisets of rows under equal column names and types; made of MD5, not of what the product uses. */
export const contentSql = (table: string): string =>
  `SELECT (SELECT string_agg(column_name || ' ' || data_type, ',' ORDER BY column_index) FROM duckdb_columns() WHERE table_name = '${table}') || ' ' || ` +
  `count(*) || ' ' || coalesce(sum(md5_number_lower(to_json(t)::VARCHAR)::HUGEINT), 0) AS h FROM "${table}" t`;

export async function contentOf(file: string, table: string): Promise<string> {
  const [row] = await ask(file, contentSql(table));
  return String(row?.['h']);
}
