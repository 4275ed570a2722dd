import { Fault } from '../../core/fault.ts';
import type { Column, Schema } from '../../core/model/schema.ts';
import type { LogicalType } from '../../core/model/type.ts';
import { string, unknown } from '../../core/model/type.ts';
import { parseType } from '../../core/model/type-text.ts';
import type { Row, Session } from './driver.ts';
import { ident, literal } from './quote.ts';

/** A table name taken apart; `catalog` is only given for attached databases. */
export interface TableRef {
  readonly catalog?: string;
  readonly schema: string;
  readonly table: string;
}

export interface TargetTable {
  readonly ref: TableRef;
  readonly schema: Schema;
  /** Column lists that a primary key or unique constraint protects. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly rows: number;
  readonly isView: boolean;
}

/** Our temporary tables; the engine looks for temporary tables first, whatever the schema. */
const ours = /^schemalign_/i;

/** `table`, `schema.table` or `catalog.schema.table`; parts with dots or other signs in double quotes. */
export function parseTableName(text: string): TableRef {
  const parts: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^."]+))\s*(\.|$)/y;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null)
      throw new Fault('USAGE', `the table name ${text} cannot be read`, {
        fix: 'Write schema.table; put a name with dots or quotes in double quotes, quotes doubled.',
      });
    parts.push(match[1]?.replaceAll('""', '"') ?? (match[2] as string).trim());
  }
  const [table, schema, catalog, more] = parts.reverse();
  if (table === undefined || table === '' || more !== undefined) throw new Fault('USAGE', `the table name ${text} cannot be read`);
  if (ours.test(table))
    throw new Fault('USAGE', `the table name ${text} is kept for Schemalign's own temporary tables`, {
      fix: 'Choose a name that does not begin with schemalign_.',
    });
  return { table, schema: schema ?? 'main', ...(catalog === undefined ? {} : { catalog }) };
}

export function tableSql(ref: TableRef): string {
  return [ref.catalog, ref.schema, ref.table].flatMap((part) => (part === undefined ? [] : [ident(part)])).join('.');
}

const where = (ref: TableRef): string =>
  `database_name = ${ref.catalog === undefined ? 'current_database()' : literal(ref.catalog)} AND schema_name = ${literal(ref.schema)} AND table_name = ${literal(ref.table)}`;

/** The table as it is in the catalogue, or undefined when there is none. Views are described too, with no rows counted. */
export async function describeTable(session: Session, ref: TableRef): Promise<TargetTable | undefined> {
  const columns = await session.rows(
    `SELECT column_name, data_type, is_nullable, column_default, comment FROM duckdb_columns() WHERE ${where(ref)} ORDER BY column_index`,
  );
  if (columns.length === 0) return undefined;
  const constraints = await session.rows(
    `SELECT constraint_type, constraint_text, constraint_column_names FROM duckdb_constraints() WHERE ${where(ref)}`,
  );
  const [table] = await session.rows(`SELECT sql FROM duckdb_tables() WHERE ${where(ref)}`);
  const generated = generatedColumns(String(table?.['sql'] ?? ''));
  const lengths = checkedLengths(constraints);
  const keys = uniqueKeys(constraints);
  const count = await session.one(`SELECT count(*) AS n FROM ${tableSql(ref)}`);
  return {
    ref,
    schema: {
      name: `${ref.schema}.${ref.table}`,
      columns: columns.map((row) => describeColumn(row, { lengths, generated, primary: keys.primary })),
    },
    uniqueKeys: keys.all,
    rows: Number(count['n']),
    isView: table === undefined,
  };
}

interface ColumnFacts {
  readonly lengths: ReadonlyMap<string, number>;
  readonly generated: ReadonlySet<string>;
  readonly primary: readonly string[];
}

function describeColumn(row: Row, facts: ColumnFacts): Column {
  const name = String(row['column_name']);
  const native = String(row['data_type']);
  const isGenerated = facts.generated.has(name);
  return {
    name,
    type: duckdbType(native, facts.lengths.get(name)),
    nullable: row['is_nullable'] === true,
    native,
    ...(row['column_default'] === null || isGenerated ? {} : { default: String(row['column_default']) }),
    ...(row['comment'] === null ? {} : { comment: String(row['comment']) }),
    ...(facts.primary.includes(name) ? { key: true } : {}),
    ...(isGenerated ? { generated: true } : {}),
  };
}

/** DuckDB's type text as a logical type. `FLOAT` is 32 bits here. DuckDB forgets the n of VARCHAR(n); `length` comes from a CHECK. */
export function duckdbType(native: string, length?: number): LogicalType {
  const wide: Readonly<Record<string, LogicalType>> = {
    UTINYINT: { kind: 'unknown', text: 'UTINYINT' },
    USMALLINT: { kind: 'unknown', text: 'USMALLINT' },
    UINTEGER: { kind: 'unknown', text: 'UINTEGER' },
    UBIGINT: { kind: 'unknown', text: 'UBIGINT' },
    HUGEINT: { kind: 'unknown', text: 'HUGEINT' },
    UHUGEINT: { kind: 'unknown', text: 'UHUGEINT' },
  };
  // Lists of a fixed length refuse others only when rows are written.
  const type = wide[native] ?? (/\[\d+\]/.test(native) ? unknown(native) : parseType(native, 'duckdb'));
  return type.kind === 'string' && length !== undefined ? string(length) : type;
}

/** `CHECK (length(col) <= n)`: the way to say VARCHAR(n) in DuckDB, which keeps no length of its own. */
function checkedLengths(constraints: readonly Row[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const row of constraints) {
    if (row['constraint_type'] !== 'CHECK') continue;
    const match =
      /^CHECK\s*\(\(?\s*(?:length|len|char_length|character_length)\((?:"((?:[^"]|"")+)"|(\w+))\)\s*<=\s*(?:CAST\()?(\d+)/i.exec(
        String(row['constraint_text']),
      );
    if (match) found.set(match[1]?.replaceAll('""', '"') ?? (match[2] as string), Number(match[3]));
  }
  return found;
}

function uniqueKeys(constraints: readonly Row[]): { primary: readonly string[]; all: readonly (readonly string[])[] } {
  const named = constraints
    .filter((row) => row['constraint_type'] === 'PRIMARY KEY' || row['constraint_type'] === 'UNIQUE')
    .map((row) => ({ primary: row['constraint_type'] === 'PRIMARY KEY', columns: (row['constraint_column_names'] as string[]) ?? [] }));
  return { primary: named.find((key) => key.primary)?.columns ?? [], all: named.map((key) => key.columns) };
}

/** Generated columns are told apart from defaults only by the table's DDL. */
function generatedColumns(sql: string): ReadonlySet<string> {
  const found = new Set<string>();
  const pattern = /(?:[(,]\s*)(?:"((?:[^"]|"")+)"|([A-Za-z_]\w*))\s+(?:[^,()]|\([^()]*\))*?GENERATED ALWAYS AS/g;
  for (const match of sql.matchAll(pattern)) found.add(match[1]?.replaceAll('""', '"') ?? (match[2] as string));
  return found;
}
