/** A schema as a CREATE TABLE statement in standard SQL, as far as there is a standard. */
import type { Column, Schema } from '../model/schema.ts';
import type { LogicalType, TypeKind, TypeOf } from '../model/type.ts';
import { parseType } from '../model/type-text.ts';

/** Quotes one identifier, whatever its characters. */
export type QuoteIdent = (name: string) => string;

const intWords = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' } as const;

const printers: { readonly [K in TypeKind]: (type: TypeOf<K>, quote: QuoteIdent) => string } = {
  boolean: () => 'BOOLEAN',
  int: ({ bits }) => intWords[bits],
  decimal: ({ precision, scale }) => `DECIMAL(${precision}, ${scale})`,
  float: ({ bits }) => (bits === 32 ? 'REAL' : 'DOUBLE PRECISION'),
  string: ({ length }) => (length === undefined ? 'VARCHAR' : `VARCHAR(${length})`),
  date: () => 'DATE',
  time: () => 'TIME',
  timestamp: () => 'TIMESTAMP',
  timestamptz: () => 'TIMESTAMP WITH TIME ZONE',
  binary: () => 'BLOB',
  uuid: () => 'UUID',
  json: () => 'JSON',
  struct: ({ fields }, quote) => `STRUCT(${fields.map(({ name, type }) => `${quote(name)} ${ddlType(type, quote)}`).join(', ')})`,
  list: ({ element }, quote) => `${ddlType(element, quote)}[]`,
  map: ({ key, value }, quote) => `MAP(${ddlType(key, quote)}, ${ddlType(value, quote)})`,
  // A spelling that is no type by itself could end the statement; as a quoted name it cannot.
  unknown: ({ text }, quote) => (isTypeText(text) ? text : quote(text)),
};

function ddlType(type: LogicalType, quote: QuoteIdent): string {
  return (printers[type.kind] as (type: LogicalType, quote: QuoteIdent) => string)(type, quote);
}

function isTypeText(text: string): boolean {
  try {
    const type = parseType(text);
    return type.kind === 'unknown' && type.text === text && !text.includes('--');
  } catch {
    return false;
  }
}

/**
 * The CREATE TABLE statement of a schema, and COMMENT ON statements for its comments, ready to be read by people and by `parseDdl`.
 * `table` is one name, or its parts (schema, table). Defaults stand as the schema has them. Key columns become the primary key.
 */
export function printDdl(schema: Schema, table: string | readonly string[], quote: QuoteIdent): string {
  const name = (typeof table === 'string' ? [table] : table).map(quote).join('.');
  const keys = schema.columns.filter((column) => column.key === true).map((column) => quote(column.name));
  const elements = [
    ...schema.columns.map((column) => columnDdl(column, quote)),
    ...(keys.length === 0 ? [] : [`PRIMARY KEY (${keys.join(', ')})`]),
  ];
  const comments = schema.columns.flatMap(({ name: column, comment }) =>
    comment === undefined ? [] : [`COMMENT ON COLUMN ${name}.${quote(column)} IS ${stringLiteral(comment)};\n`],
  );
  return `CREATE TABLE ${name} (\n${elements.map((element) => `  ${element}`).join(',\n')}\n);\n${comments.join('')}`;
}

function columnDdl(column: Column, quote: QuoteIdent): string {
  const computed = column.generated === true && column.default !== undefined;
  const type = column.type.kind === 'unknown' && computed ? [] : [ddlType(column.type, quote)];
  const required = column.nullable || computed ? [] : ['NOT NULL'];
  const fallback = column.default === undefined ? [] : [computed ? `GENERATED ALWAYS AS (${column.default})` : `DEFAULT ${column.default}`];
  const identity = column.generated === true && !computed ? ['GENERATED ALWAYS AS IDENTITY'] : [];
  return [quote(column.name), ...type, ...required, ...fallback, ...identity].join(' ');
}

function stringLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
