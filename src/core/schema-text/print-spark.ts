/** Schemas as Spark writes them. Types that Spark lacks (time, uuid, json, decimals beyond 38 digits) are strings there. */
import type { Column, Schema } from '../model/schema.ts';
import type { LogicalType, TypeKind, TypeOf } from '../model/type.ts';

type Printers<T> = { readonly [K in TypeKind]: (type: TypeOf<K>) => T };

const intWords = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INT', 64: 'BIGINT' } as const;
const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const literal = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

const ddlPrinters: Printers<string> = {
  boolean: () => 'BOOLEAN',
  int: ({ bits }) => intWords[bits],
  decimal: ({ precision, scale }) => (precision > 38 ? 'STRING' : `DECIMAL(${precision}, ${scale})`),
  float: ({ bits }) => (bits === 32 ? 'FLOAT' : 'DOUBLE'),
  string: ({ length }) => (length === undefined ? 'STRING' : `VARCHAR(${length})`),
  date: () => 'DATE',
  time: () => 'STRING',
  timestamp: () => 'TIMESTAMP_NTZ',
  timestamptz: () => 'TIMESTAMP',
  binary: () => 'BINARY',
  uuid: () => 'STRING',
  json: () => 'STRING',
  struct: ({ fields }) => `STRUCT<${fields.map((field) => `${quote(field.name)}: ${sparkType(field.type)}${suffix(field)}`).join(', ')}>`,
  list: ({ element }) => `ARRAY<${sparkType(element)}>`,
  map: ({ key, value }) => `MAP<${sparkType(key)}, ${sparkType(value)}>`,
  unknown: () => 'STRING',
};

function sparkType(type: LogicalType): string {
  return (ddlPrinters[type.kind] as (type: LogicalType) => string)(type);
}

function suffix({ nullable, comment }: { readonly nullable?: boolean; readonly comment?: string }): string {
  return `${nullable === false ? ' NOT NULL' : ''}${comment === undefined ? '' : ` COMMENT ${literal(comment)}`}`;
}

/**
 * Spark DDL: the list of columns that `StructType.fromDDL` reads, one per line, or with the parts of a table's name a CREATE TABLE
 * for Delta.
 * Lengths are kept as VARCHAR(n), which Spark takes in tables but not in `spark.read.schema`; use the JSON form there.
 */
export function printSparkDdl(schema: Schema, table?: readonly string[]): string {
  const columns = schema.columns.map((column) => `${quote(column.name)} ${sparkType(column.type)}${suffix(column)}`);
  if (table === undefined) return `${columns.join(',\n')}\n`;
  const partitions = schema.columns.filter((column) => column.partition === true).map((column) => quote(column.name));
  const partitioned = partitions.length === 0 ? '' : `\nPARTITIONED BY (${partitions.join(', ')})`;
  const body = columns.map((column) => `  ${column}`).join(',\n');
  return `CREATE TABLE ${table.map(quote).join('.')} (\n${body}\n)\nUSING delta${partitioned};\n`;
}

/** A data type in Spark's JSON: a word, or an object for nested types. */
export type SparkJsonType = string | { readonly type: string; readonly [key: string]: unknown };

export interface SparkJsonField {
  readonly name: string;
  readonly type: SparkJsonType;
  readonly nullable: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface SparkJsonSchema {
  readonly type: 'struct';
  readonly fields: readonly SparkJsonField[];
}

const jsonIntWords = { 8: 'byte', 16: 'short', 32: 'integer', 64: 'long' } as const;

const jsonPrinters: Printers<SparkJsonType> = {
  boolean: () => 'boolean',
  int: ({ bits }) => jsonIntWords[bits],
  decimal: ({ precision, scale }) => (precision > 38 ? 'string' : `decimal(${precision},${scale})`),
  float: ({ bits }) => (bits === 32 ? 'float' : 'double'),
  string: () => 'string',
  date: () => 'date',
  time: () => 'string',
  timestamp: () => 'timestamp_ntz',
  timestamptz: () => 'timestamp',
  binary: () => 'binary',
  uuid: () => 'string',
  json: () => 'string',
  struct: ({ fields }) => ({ type: 'struct', fields: fields.map(sparkField) }),
  list: ({ element }) => ({ type: 'array', elementType: sparkJsonType(element), containsNull: true }),
  map: ({ key, value }) => ({ type: 'map', keyType: sparkJsonType(key), valueType: sparkJsonType(value), valueContainsNull: true }),
  unknown: () => 'string',
};

function sparkJsonType(type: LogicalType): SparkJsonType {
  return (jsonPrinters[type.kind] as (type: LogicalType) => SparkJsonType)(type);
}

/** Spark keeps the length of text in the field's metadata under this key (`CharVarcharUtils`). */
const lengthKey = '__CHAR_VARCHAR_TYPE_STRING';

function sparkField({
  name,
  type,
  nullable,
  comment,
}: Pick<Column, 'name' | 'type' | 'comment'> & { readonly nullable?: boolean }): SparkJsonField {
  const length = type.kind === 'string' && type.length !== undefined ? { [lengthKey]: `varchar(${type.length})` } : {};
  return {
    name,
    type: sparkJsonType(type),
    nullable: nullable !== false,
    metadata: { ...(comment === undefined ? {} : { comment }), ...length },
  };
}

/** The StructType of a schema, as `StructType.fromJson` reads it. */
export function printSparkJson(schema: Schema): SparkJsonSchema {
  return { type: 'struct', fields: schema.columns.map(sparkField) };
}
