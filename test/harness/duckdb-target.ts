/** A DuckDB file as the target of a case. Quoting and types are its own, so that the product's cannot vouch for themselves. */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDecimalValue,
  DuckDBInstance,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { CaseColumn, CaseSpec, CaseTable } from './case-file.ts';
import { type CaseType, parseCaseType } from './case-type.ts';
import type { PlainValue } from './case-value.ts';
import type { Rows, TableState } from './outcome.ts';
import type { Target } from './target.ts';

const FILE = 'target.duckdb';

/** Makes `target.duckdb` in the folder with the target and the bystander tables. */
export async function duckdbTarget(folder: string, spec: CaseSpec): Promise<Target> {
  const file = join(folder, FILE);
  await withDatabase(file, async (connection) => {
    await createTable(connection, spec.target.table, spec.target);
    for (const [name, table] of Object.entries(spec.extra_tables ?? {})) await createTable(connection, name, table);
  });
  const reading = <T>(work: (connection: DuckDBConnection) => Promise<T>) => withCopy(folder, work);
  return {
    connection: { url: file },
    readTables: () => reading((connection) => readTables(connection, spec)),
    countQuarantined: (runId) => reading((connection) => countQuarantined(connection, runId)),
    ask: (probes) => reading((connection) => ask(connection, probes)),
    save: (name) => copyDatabase(folder, join(folder, name)),
    restore: (name) => copyDatabase(join(folder, name), folder),
  };
}

async function withDatabase<T>(file: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(file, { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
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

/** Reads a copy, so that looking never replays a write-ahead log in the database under test. */
async function withCopy<T>(folder: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(folder, 'look-'));
  try {
    await copyDatabase(folder, copy);
    return await withDatabase(join(copy, FILE), work);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** The database and its write-ahead log; a log that is not there is not there in the copy either. */
async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of [FILE, `${FILE}.wal`]) {
    await rm(join(to, name), { force: true });
    await cp(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || name === FILE) throw error;
    });
  }
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const qualified = (table: string) => table.split('.').map(quote).join('.');

async function createTable(connection: DuckDBConnection, name: string, table: CaseTable): Promise<void> {
  const schema = name.split('.').slice(0, -1).at(-1);
  if (schema !== undefined) await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
  await connection.run(`CREATE TABLE ${qualified(name)} (${table.columns.map(columnSql).join(', ')})`);
  for (const row of table.rows ?? []) {
    const values = table.columns.map((column, i) => valueSql(parseCaseType(column.type), row[i] ?? null));
    await connection.run(`INSERT INTO ${qualified(name)} VALUES (${values.join(', ')})`);
  }
}

/** DuckDB forgets the n of varchar(n); a length is declared there by a CHECK. */
function columnSql({ name, type, nullable, default: value }: CaseColumn): string {
  const parsed = parseCaseType(type);
  const length = parsed.kind === 'scalar' && parsed.name === 'string' ? parsed.args[0] : undefined;
  return [
    quote(name),
    typeSql(parsed),
    ...(nullable === false ? ['NOT NULL'] : []),
    ...(value === undefined || value === null ? [] : [`DEFAULT ${literal(String(value))}`]),
    ...(length === undefined ? [] : [`CHECK (length(${quote(name)}) <= ${length})`]),
  ].join(' ');
}

const scalarTypes: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  int8: 'TINYINT',
  int16: 'SMALLINT',
  int32: 'INTEGER',
  int64: 'BIGINT',
  decimal: 'DECIMAL',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  string: 'VARCHAR',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
  binary: 'BLOB',
  uuid: 'UUID',
  json: 'JSON',
};

function typeSql(type: CaseType): string {
  if (type.kind === 'struct') return `STRUCT(${type.fields.map((field) => `${quote(field.name)} ${typeSql(field.type)}`).join(', ')})`;
  if (type.kind === 'list') return `${typeSql(type.element)}[]`;
  if (type.kind === 'map') return `MAP(${typeSql(type.key)}, ${typeSql(type.value)})`;
  const args = type.name === 'decimal' && type.args.length > 0 ? `(${type.args.join(', ')})` : '';
  return `${scalarTypes[type.name]}${args}`;
}

function valueSql(type: CaseType, value: PlainValue): string {
  if (value === null) return 'NULL';
  if (type.kind === 'scalar' && type.name === 'binary') return `unhex(${literal(String(value))})`;
  const nested = type.kind !== 'scalar' || type.name === 'json';
  return nested && typeof value === 'object'
    ? `CAST(${literal(JSON.stringify(value))}::JSON AS ${typeSql(type)})`
    : `CAST(${literal(String(value))} AS ${typeSql(type)})`;
}

async function readTables(connection: DuckDBConnection, spec: CaseSpec): Promise<TableState> {
  const extra: Record<string, Rows> = {};
  for (const [name, { columns }] of Object.entries(spec.extra_tables ?? {})) {
    if (await tableExists(connection, name)) extra[name] = await readRows(connection, name, columns);
  }
  return { target: await readRows(connection, spec.target.table, spec.target.columns), extra };
}

async function tableExists(connection: DuckDBConnection, name: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_tables() WHERE table_name = ${literal(name.split('.').at(-1) ?? name)}`,
  );
  return reader.currentRowCount > 0;
}

async function readRows(connection: DuckDBConnection, table: string, columns: readonly CaseColumn[]): Promise<Rows> {
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const reader = await connection.runAndReadAll(`SELECT ${names} FROM ${qualified(table)}`);
  return reader.getRows().map((row) => row.map(plain));
}

function plain(value: DuckDBValue): PlainValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, item]) => [name, plain(item)]));
  if (value instanceof DuckDBListValue) return value.items.map(plain);
  if (value instanceof DuckDBMapValue) return value.entries.map(({ key, value: item }) => [plain(key), plain(item)]);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  if (value instanceof DuckDBTimestampTZValue) return `${microsText(value.micros)}Z`;
  if (value instanceof DuckDBTimestampValue) return microsText(value.micros);
  if (value instanceof DuckDBDecimalValue) return value.toString();
  return String(value);
}

/** Microseconds since 1970 as `yyyy-MM-dd HH:mm:ss.ffffff`. */
function microsText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const instant = new Date(Number((micros - fraction) / 1000n)).toISOString();
  return `${instant.slice(0, 19).replace('T', ' ')}.${String(fraction).padStart(6, '0')}`;
}

async function countQuarantined(connection: DuckDBConnection, runId: string | undefined): Promise<number> {
  if (!(await tableExists(connection, 'audit_schema_quarantine'))) return 0;
  const where = runId === undefined ? '' : ` WHERE run_id = ${literal(runId)}`;
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM audit_schema_quarantine${where}`);
  return Number(reader.getRows()[0]?.[0] ?? 0);
}

async function ask(connection: DuckDBConnection, probes: readonly string[]): Promise<(string | null)[]> {
  const answers: (string | null)[] = [];
  for (const sql of probes) {
    const reader = await connection.runAndReadAll(`SELECT CAST((${sql.trim().replace(/;$/, '')}) AS VARCHAR)`);
    const answer = reader.getRows()[0]?.[0] ?? null;
    answers.push(answer === null ? null : String(answer));
  }
  return answers;
}
