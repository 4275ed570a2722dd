/** A PostgreSQL database as the target of a case. Quoting and types are its own, so that the product's cannot vouch for themselves. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { CaseColumn, CaseSpec, CaseTable } from './case-file.ts';
import { type CaseType, parseCaseType } from './case-type.ts';
import type { PlainValue } from './case-value.ts';
import type { Rows, TableState } from './outcome.ts';
import { postgresServer } from './postgres-server.ts';
import { CannotHold } from './cannot-hold.ts';
import type { Target } from './target.ts';

type Client = pg.Client;

let made = 0;

/** Makes a database with the target and the bystander tables. */
export async function postgresTarget(_folder: string, spec: CaseSpec): Promise<Target> {
  const { url: root } = await postgresServer();
  made += 1;
  const name = `case_${process.pid}_${made}`;
  const kept: string[] = [];
  const admin = (statements: readonly string[]) =>
    withClient(`${root}/postgres`, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const drop = (database: string) => `DROP DATABASE IF EXISTS ${quote(database)} WITH (FORCE)`;
  const copy = (from: string, to: string) => admin([drop(to), `CREATE DATABASE ${quote(to)} TEMPLATE ${quote(from)}`]);
  const reading = <T>(work: (client: Client) => Promise<T>) => withClient(`${root}/${name}`, work);
  checkTypes(spec);
  await admin([`CREATE DATABASE ${quote(name)}`]);
  await reading(async (client) => {
    await createTable(client, spec.target.table, spec.target);
    for (const [extra, table] of Object.entries(spec.extra_tables ?? {})) await createTable(client, extra, table);
  });
  return {
    connection: { url: `${root}/${name}` },
    readTables: () => reading((client) => readTables(client, spec)),
    countQuarantined: (runId) => reading((client) => countQuarantined(client, runId)),
    ask: (probes) => reading((client) => ask(client, probes)),
    save: async (state) => {
      // A process that was killed may still have its connection; copying needs the database to itself.
      await admin([`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`]);
      await copy(name, `${name}_${state}`);
      if (!kept.includes(state)) kept.push(state);
    },
    restore: (state) => copy(`${name}_${state}`, name),
    drop: () => admin([name, ...kept.map((state) => `${name}_${state}`)].map(drop)),
  };
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser: () => (value: unknown) => value } as never });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query("SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET bytea_output = 'hex'; SET extra_float_digits = 1");
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What a table of PostgreSQL cannot say of its columns. */
function checkTypes({ target, extra_tables: extra }: CaseSpec): void {
  for (const { columns } of [target, ...Object.values(extra ?? {})]) {
    for (const { name, type } of columns) {
      const parsed = parseCaseType(type);
      if (holds(parsed, (part) => part.kind === 'map')) throw new CannotHold(`column ${name}: PostgreSQL has no maps`);
      if (holds(parsed, (part) => part.kind === 'list' && part.element.kind === 'list'))
        throw new CannotHold(`column ${name}: PostgreSQL has no lists of lists, only arrays of several dimensions`);
      if (holds(parsed, (part) => part.kind === 'scalar' && part.name === 'int8'))
        throw new CannotHold(`column ${name}: PostgreSQL has no integer of 8 bits`);
    }
  }
}

function holds(type: CaseType, test: (part: CaseType) => boolean): boolean {
  if (test(type)) return true;
  if (type.kind === 'list') return holds(type.element, test);
  return type.kind === 'struct' && type.fields.some((field) => holds(field.type, test));
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const qualified = (table: string) => table.split('.').map(quote).join('.');

async function createTable(client: Client, name: string, table: CaseTable): Promise<void> {
  const schema = name.split('.').slice(0, -1).at(-1);
  if (schema !== undefined) await client.query(`CREATE SCHEMA IF NOT EXISTS ${quote(schema)}`);
  for (const column of table.columns) await createTypes(client, parseCaseType(column.type));
  await client.query(`CREATE TABLE ${qualified(name)} (${table.columns.map(columnSql).join(', ')})`);
  for (const row of table.rows ?? []) {
    const values = table.columns.map((column, i) => valueSql(parseCaseType(column.type), row[i] ?? null));
    await client.query(`INSERT INTO ${qualified(name)} VALUES (${values.join(', ')})`);
  }
}

/** A struct is a composite type, named after what it holds. */
async function createTypes(client: Client, type: CaseType): Promise<void> {
  if (type.kind === 'list') await createTypes(client, type.element);
  if (type.kind !== 'struct') return;
  for (const field of type.fields) await createTypes(client, field.type);
  const { rows } = await client.query('SELECT to_regtype($1) AS found', [compositeName(type)]);
  if ((rows[0] as { found: string | null }).found !== null) return;
  const fields = type.fields.map((field) => `${quote(field.name)} ${typeSql(field.type)}`);
  await client.query(`CREATE TYPE ${compositeName(type)} AS (${fields.join(', ')})`);
}

const compositeName = (type: CaseType): string => `struct_${createHash('sha256').update(JSON.stringify(type)).digest('hex').slice(0, 16)}`;

function columnSql({ name, type, nullable, default: value }: CaseColumn): string {
  return [
    quote(name),
    typeSql(parseCaseType(type)),
    ...(nullable === false ? ['NOT NULL'] : []),
    ...(value === undefined || value === null ? [] : [`DEFAULT ${literal(String(value))}`]),
  ].join(' ');
}

const scalarTypes: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  int16: 'smallint',
  int32: 'integer',
  int64: 'bigint',
  decimal: 'numeric',
  float32: 'real',
  float64: 'double precision',
  string: 'text',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  binary: 'bytea',
  uuid: 'uuid',
  json: 'json',
};

function typeSql(type: CaseType): string {
  if (type.kind === 'list') return `${typeSql(type.element)}[]`;
  if (type.kind === 'struct') return compositeName(type);
  if (type.kind !== 'scalar') throw new Error(`no type for ${type.kind}`);
  if (type.name === 'string' && type.args.length > 0) return `varchar(${type.args[0]})`;
  const args = type.name === 'decimal' && type.args.length > 0 ? `(${type.args.join(', ')})` : '';
  return `${scalarTypes[type.name]}${args}`;
}

function valueSql(type: CaseType, value: PlainValue): string {
  if (value === null) return 'NULL';
  if (type.kind === 'list')
    return `CAST(ARRAY[${(value as readonly PlainValue[]).map((item) => valueSql(type.element, item)).join(', ')}] AS ${typeSql(type)})`;
  if (type.kind === 'struct') {
    const fields = type.fields.map((field) => valueSql(field.type, (value as Readonly<Record<string, PlainValue>>)[field.name] ?? null));
    return `CAST(ROW(${fields.join(', ')}) AS ${typeSql(type)})`;
  }
  if (type.kind === 'scalar' && type.name === 'binary') return `decode(${literal(String(value))}, 'hex')`;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `CAST(${literal(text)} AS ${typeSql(type)})`;
}

async function readTables(client: Client, spec: CaseSpec): Promise<TableState> {
  const extra: Record<string, Rows> = {};
  for (const [name, { columns }] of Object.entries(spec.extra_tables ?? {})) {
    if (await tableExists(client, qualified(name))) extra[name] = await readRows(client, name, columns);
  }
  return { target: await readRows(client, spec.target.table, spec.target.columns), extra };
}

async function tableExists(client: Client, name: string): Promise<boolean> {
  const { rows } = await client.query('SELECT to_regclass($1) AS found', [name]);
  return (rows[0] as { found: string | null }).found !== null;
}

/** Every value as its text; lists and structs as JSON. */
async function readRows(client: Client, table: string, columns: readonly CaseColumn[]): Promise<Rows> {
  const types = columns.map(({ type }) => parseCaseType(type));
  const values = columns.map(({ name }, i) => `${types[i]?.kind === 'scalar' ? quote(name) : `to_json(${quote(name)})`} AS v${i}`);
  const { rows } = await client.query(`SELECT ${values.join(', ')} FROM ${qualified(table)}`);
  return (rows as Record<string, string | null>[]).map((row) => types.map((type, i) => plain(type, row[`v${i}`] ?? null)));
}

function plain(type: CaseType, text: string | null): PlainValue {
  if (text === null) return null;
  return type.kind === 'scalar' ? plainScalar(type, text) : plainPart(type, JSON.parse(withTexts(text)) as PlainValue);
}

function plainPart(type: CaseType, value: PlainValue): PlainValue {
  if (value === null) return null;
  if (type.kind === 'list') return (value as readonly PlainValue[]).map((item) => plainPart(type.element, item));
  if (type.kind === 'struct') {
    const fields = value as Readonly<Record<string, PlainValue>>;
    return Object.fromEntries(type.fields.map((field) => [field.name, plainPart(field.type, fields[field.name] ?? null)]));
  }
  return type.kind === 'scalar' ? plainScalar(type, String(value)) : value;
}

function plainScalar({ name }: Extract<CaseType, { kind: 'scalar' }>, text: string): PlainValue {
  if (name === 'boolean') return text === 't' || text === 'true';
  return name === 'binary' ? text.slice(2) : text;
}

/** Numbers outside of strings as strings, so that no digit is lost by the reader of JSON. */
const withTexts = (json: string): string =>
  json.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (token, quoted: string | undefined) => quoted ?? `"${token}"`);

async function countQuarantined(client: Client, runId: string | undefined): Promise<number> {
  if (!(await tableExists(client, 'audit_schema_quarantine'))) return 0;
  const where = runId === undefined ? '' : ` WHERE run_id = ${literal(runId)}`;
  const { rows } = await client.query(`SELECT count(*) AS n FROM audit_schema_quarantine${where}`);
  return Number((rows[0] as { n: string }).n);
}

async function ask(client: Client, probes: readonly string[]): Promise<(string | null)[]> {
  const answers: (string | null)[] = [];
  for (const sql of probes) {
    const { rows } = await client.query(`SELECT CAST((${sql.trim().replace(/;$/, '')}) AS text) AS answer`);
    answers.push((rows[0] as { answer: string | null } | undefined)?.answer ?? null);
  }
  return answers;
}
