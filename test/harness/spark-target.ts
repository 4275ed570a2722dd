/** A schema of Delta tables as the target of a case. Quoting and types are its own, so that the product's cannot vouch for themselves. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Cell, openSpark, type SparkClient } from '../../src/engines/spark/connect/client.ts';
import { CannotHold } from './cannot-hold.ts';
import type { CaseColumn, CaseSpec, CaseTable } from './case-file.ts';
import { type CaseType, parseCaseType } from './case-type.ts';
import type { PlainValue } from './case-value.ts';
import type { Rows, TableState } from './outcome.ts';
import { schemaName, sparkServer } from './spark-server.ts';
import type { Target } from './target.ts';

/** Versions of the tables, by name. */
type Versions = ReadonlyMap<string, number>;

/** Makes a schema, in a folder of the case, with the target and the bystander tables. `SCHEMALIGN_SPARK` names a server that runs already. */
export async function sparkTarget(folder: string, spec: CaseSpec): Promise<Target> {
  const { url: address } = await server();
  checkTypes(spec);
  const client = await openSpark(address, { config: { 'spark.sql.variable.substitute': 'false' } });
  const schema = schemaName('case');
  const place = join(folder, 'spark');
  await client.run(`CREATE SCHEMA ${quote(schema)} LOCATION ${literal(decodeURI(pathToFileURL(place).href))}`);
  await client.run(`USE ${quote(schema)}`);
  await createTable(client, spec.target.table, spec.target);
  for (const [extra, table] of Object.entries(spec.extra_tables ?? {})) await createTable(client, extra, table);
  const kept = new Map<string, Versions>();
  return {
    connection: { url: address },
    schema,
    readTables: () => readTables(client, place, spec),
    countQuarantined: (runId) => countQuarantined(client, place, runId),
    ask: (probes) => ask(client, probes),
    save: async (name) => void kept.set(name, versions(place)),
    restore: (name) => restore(client, place, kept.get(name) ?? new Map()),
    drop: async () => {
      await client.run(`DROP SCHEMA IF EXISTS ${quote(schema)} CASCADE`);
      await client.close();
    },
  };
}

async function server(): Promise<{ readonly url: string }> {
  const given = process.env['SCHEMALIGN_SPARK'];
  if (given !== undefined) return { url: given };
  const started = await sparkServer();
  if (started === undefined) throw new Error('no Spark server: Java 17 and Maven are needed');
  return started;
}

/** What Delta tables cannot hold. */
function checkTypes({ target, extra_tables: extra }: CaseSpec): void {
  for (const { columns } of [target, ...Object.values(extra ?? {})]) {
    const seen = new Set<string>();
    for (const { name, type } of columns) {
      const parsed = parseCaseType(type);
      for (const kind of ['time', 'uuid', 'json'])
        if (name !== '_rescued' && holds(parsed, (part) => part.kind === 'scalar' && part.name === kind))
          throw new CannotHold(`column ${name}: Spark has no type ${kind}, only text`);
      if (seen.has(name.toLowerCase())) throw new CannotHold(`column ${name}: Spark takes names that differ in case only for the same`);
      seen.add(name.toLowerCase());
    }
  }
}

function holds(type: CaseType, test: (part: CaseType) => boolean): boolean {
  if (test(type)) return true;
  if (type.kind === 'list') return holds(type.element, test);
  if (type.kind === 'map') return holds(type.key, test) || holds(type.value, test);
  return type.kind === 'struct' && type.fields.some((field) => holds(field.type, test));
}

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``;
const literal = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

async function createTable(client: SparkClient, name: string, table: CaseTable): Promise<void> {
  const columns = table.columns.map(columnSql).join(', ');
  const properties = "'delta.columnMapping.mode' = 'name', 'delta.feature.allowColumnDefaults' = 'supported'";
  await client.run(`CREATE TABLE ${quote(name)} (${columns}) USING delta TBLPROPERTIES (${properties})`);
  const rows = table.rows ?? [];
  if (rows.length === 0) return;
  const values = rows.map(
    (row) => `(${table.columns.map((column, i) => valueSql(parseCaseType(column.type), row[i] ?? null)).join(', ')})`,
  );
  await client.run(`INSERT INTO ${quote(name)} VALUES ${values.join(', ')}`);
}

function columnSql({ name, type, nullable, default: value }: CaseColumn): string {
  const parsed = parseCaseType(type);
  return [
    quote(name),
    typeSql(parsed),
    ...(nullable === false ? ['NOT NULL'] : []),
    ...(value === undefined || value === null ? [] : [`DEFAULT ${valueSql(parsed, value)}`]),
  ].join(' ');
}

const scalarTypes: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  int8: 'TINYINT',
  int16: 'SMALLINT',
  int32: 'INT',
  int64: 'BIGINT',
  decimal: 'DECIMAL',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  string: 'STRING',
  date: 'DATE',
  timestamp: 'TIMESTAMP_NTZ',
  timestamptz: 'TIMESTAMP',
  binary: 'BINARY',
  json: 'STRING',
};

function typeSql(type: CaseType): string {
  if (type.kind === 'list') return `ARRAY<${typeSql(type.element)}>`;
  if (type.kind === 'map') return `MAP<${typeSql(type.key)}, ${typeSql(type.value)}>`;
  if (type.kind === 'struct') return `STRUCT<${type.fields.map((field) => `${quote(field.name)}: ${typeSql(field.type)}`).join(', ')}>`;
  if (type.name === 'string' && type.args.length > 0) return `VARCHAR(${type.args[0]})`;
  return `${scalarTypes[type.name]}${type.name === 'decimal' && type.args.length > 0 ? `(${type.args.join(', ')})` : ''}`;
}

function valueSql(type: CaseType, value: PlainValue): string {
  if (value === null) return 'NULL';
  if (type.kind === 'list') return `array(${(value as readonly PlainValue[]).map((item) => valueSql(type.element, item)).join(', ')})`;
  if (type.kind === 'struct') {
    const fields = value as Readonly<Record<string, PlainValue>>;
    return `named_struct(${type.fields.map((field) => `${literal(field.name)}, ${valueSql(field.type, fields[field.name] ?? null)}`).join(', ')})`;
  }
  if (type.kind === 'map') {
    const entries = Array.isArray(value) ? (value as readonly [PlainValue, PlainValue][]) : Object.entries(value);
    return `map(${entries.map(([key, item]) => `${valueSql(type.key, key)}, ${valueSql(type.value, item)}`).join(', ')})`;
  }
  if (type.name === 'binary') return `unhex(${literal(String(value))})`;
  return `CAST(${literal(String(value))} AS ${typeSql(type).replace(/^VARCHAR.*/, 'STRING')})`;
}

/** The latest version of each table, from the names of the files of its log. */
function versions(place: string): Versions {
  if (!existsSync(place)) return new Map();
  return new Map(
    readdirSync(place).flatMap((table) => {
      const log = join(place, table, '_delta_log');
      const found = existsSync(log) ? readdirSync(log).flatMap((name) => /^(\d{20})\.json$/.exec(name)?.[1] ?? []) : [];
      return found.length === 0 ? [] : [[table, Math.max(...found.map(Number))] as const];
    }),
  );
}

/** Tables that were not there then are dropped, the others go back to their version. */
async function restore(client: SparkClient, place: string, then: Versions): Promise<void> {
  for (const [table, version] of versions(place)) {
    const wanted = then.get(table);
    if (wanted === undefined) await client.run(`DROP TABLE IF EXISTS ${quote(table)}`);
    else if (wanted !== version) {
      await client.run(`RESTORE TABLE ${quote(table)} TO VERSION AS OF ${wanted}`);
    }
  }
}

async function readTables(client: SparkClient, place: string, spec: CaseSpec): Promise<TableState> {
  const there = versions(place);
  const extra: Record<string, Rows> = {};
  for (const [name, { columns }] of Object.entries(spec.extra_tables ?? {})) {
    if (there.has(name.toLowerCase()) || there.has(name)) extra[name] = await readRows(client, name, columns);
  }
  return { target: await readRows(client, spec.target.table, spec.target.columns), extra };
}

async function readRows(client: SparkClient, table: string, columns: readonly CaseColumn[]): Promise<Rows> {
  const types = columns.map(({ type }) => parseCaseType(type));
  const { rows } = await client.table(`SELECT ${columns.map(({ name }) => quote(name)).join(', ')} FROM ${quote(table)}`);
  return rows.map((row) => types.map((type, i) => plain(type, row[i] ?? null)));
}

function plain(type: CaseType, value: Cell): PlainValue {
  if (value === null) return null;
  if (type.kind === 'list') return (value as Cell[]).map((item) => plain(type.element, item));
  if (type.kind === 'map')
    return (value as { key: Cell; value: Cell }[]).map((entry) => [plain(type.key, entry.key), plain(type.value, entry.value)]);
  if (type.kind === 'struct') {
    const fields = value as Readonly<Record<string, Cell>>;
    return Object.fromEntries(type.fields.map((field) => [field.name, plain(field.type, fields[field.name] ?? null)]));
  }
  if (type.name === 'binary') return String(value).toLowerCase();
  if (type.name === 'timestamptz') return String(value).replace(/\+00$/, 'Z');
  return value as PlainValue;
}

async function countQuarantined(client: SparkClient, place: string, runId: string | undefined): Promise<number> {
  if (!versions(place).has('audit_schema_quarantine')) return 0;
  const where = runId === undefined ? '' : ` WHERE run_id = ${literal(runId)}`;
  return Number((await client.one(`SELECT count(*) AS n FROM audit_schema_quarantine${where}`))['n']);
}

/** Spark writes the order of an aggregate behind it. */
const ordered = /string_agg\((.*?),\s*('(?:[^']|'')*')\s+ORDER BY\s+([^()]+)\)/gi;

async function ask(client: SparkClient, probes: readonly string[]): Promise<(string | null)[]> {
  const answers: (string | null)[] = [];
  for (const sql of probes) {
    const query = sql
      .trim()
      .replace(/;$/, '')
      .replace(ordered, 'listagg($1, $2) WITHIN GROUP (ORDER BY $3)')
      .replaceAll('::VARCHAR', '::STRING');
    const { rows } = await client.table(`SELECT CAST((${query}) AS STRING)`);
    const answer = rows[0]?.[0] ?? null;
    answers.push(answer === null ? null : String(answer));
  }
  return answers;
}
