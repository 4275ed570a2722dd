/** Spark's types as logical types. */
import type { Column } from '../../core/model/schema.ts';
import type { Field, LogicalType } from '../../core/model/type.ts';
import {
  binary,
  boolean,
  date,
  decimal,
  float,
  int,
  list,
  map,
  string,
  struct,
  timestamp,
  timestamptz,
  unknown,
} from '../../core/model/type.ts';
import { sqlType } from './coerce/sql-type.ts';
import type { SparkField, SparkType } from './connect/spark-type.ts';
import { ident } from './quote.ts';

type Plain = Exclude<
  SparkType,
  { kind: 'string' | 'char' | 'varchar' | 'decimal' | 'time' | 'array' | 'map' | 'struct' | 'unknown' }
>['kind'];

const plain: Partial<Record<Plain, LogicalType>> = {
  boolean,
  byte: int(8),
  short: int(16),
  integer: int(32),
  long: int(64),
  float: float(32),
  double: float(64),
  binary,
  date,
  timestamp: timestamptz,
  timestamp_ntz: timestamp,
};

export function logicalType(type: SparkType): LogicalType {
  switch (type.kind) {
    case 'string':
      return string();
    case 'varchar':
      return string(type.length);
    // Spark fills such a text up with blanks.
    case 'char':
      return unknown(`char(${type.length})`);
    case 'decimal':
      return decimal(type.precision, type.scale);
    case 'time':
      return unknown(`time(${type.precision})`);
    case 'array':
      return list(logicalType(type.element));
    case 'map':
      return map(logicalType(type.key), logicalType(type.value));
    case 'struct':
      return struct(type.fields.map(fieldOf));
    case 'unknown':
      return unknown(type.text);
    default:
      return plain[type.kind] ?? unknown(type.kind);
  }
}

function fieldOf({ name, type, nullable }: SparkField): Field {
  return { name, type: logicalType(type), ...(nullable ? {} : { nullable: false }) };
}

/** Where Spark keeps the length of a text, whose own type is plain STRING. */
const lengthKey = '__CHAR_VARCHAR_TYPE_STRING';

/** The declared type of a column that has texts of a limited length somewhere, as DDL. */
export function declaredText({ metadata }: SparkField): string | undefined {
  const text = metadata[lengthKey];
  return typeof text === 'string' ? text : undefined;
}

/** The type of a column in DDL: with the lengths of its texts. */
export function columnType(type: LogicalType): string {
  if (type.kind === 'string' && type.length !== undefined) return `VARCHAR(${type.length})`;
  if (type.kind === 'list') return `ARRAY<${columnType(type.element)}>`;
  if (type.kind === 'map') return `MAP<${columnType(type.key)}, ${columnType(type.value)}>`;
  if (type.kind === 'struct') return `STRUCT<${type.fields.map((field) => `${ident(field.name)}: ${columnType(field.type)}`).join(', ')}>`;
  return sqlType(type);
}

/** The columns of a table `t` in forms that can be hashed. */
export const comparableColumns = (columns: readonly Column[]): readonly string[] =>
  columns.map(({ name, type }) =>
    /^(?:map|list|struct|unknown)$/.test(type.kind) ? `CAST(t.${ident(name)} AS STRING)` : `t.${ident(name)}`,
  );
