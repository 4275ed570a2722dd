import { Fault, invariant } from '../../../core/fault.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';
import { ident } from '../quote.ts';

type SqlTypes = { readonly [K in TypeKind]: (type: TypeOf<K>) => string };

const intTypes = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INT', 64: 'BIGINT' } as const;
const floatTypes = { 32: 'FLOAT', 64: 'DOUBLE' } as const;
const largestPrecision = 38;

const sqlTypes: SqlTypes = {
  boolean: () => 'BOOLEAN',
  int: ({ bits }) => intTypes[bits],
  decimal: ({ precision, scale }) => {
    if (precision > largestPrecision) throw new Fault('GAP', `Spark's decimals have at most ${largestPrecision} digits`);
    return `DECIMAL(${precision},${scale})`;
  },
  float: ({ bits }) => floatTypes[bits],
  // Expressions have no VARCHAR(n): its length is looked at when a table is written.
  string: () => 'STRING',
  date: () => 'DATE',
  // Neither Delta nor Spark Connect has the TIME of Spark 4.1: a time is text, `HH:mm:ss` with a fraction if there is one.
  time: () => 'STRING',
  timestamp: () => 'TIMESTAMP_NTZ',
  timestamptz: () => 'TIMESTAMP',
  binary: () => 'BINARY',
  // In small letters.
  uuid: () => 'STRING',
  // Not VARIANT, which keeps neither the digits of numbers nor the order of keys.
  json: () => 'STRING',
  struct: ({ fields }) => `STRUCT<${fields.map((field) => `${ident(field.name)}: ${sqlType(field.type)}`).join(', ')}>`,
  list: ({ element }) => `ARRAY<${sqlType(element)}>`,
  map: ({ key, value }) => `MAP<${sqlType(key)}, ${sqlType(value)}>`,
  unknown: ({ text }) => {
    throw new Fault('GAP', `the type ${text} has no equal among Schemalign's types`);
  },
};

/**
 * Spark's type of the values of a logical type, fit for a CAST. Throws GAP for types of other engines.
 */
export function sqlType(type: LogicalType): string {
  const render = sqlTypes[type.kind] as (type: LogicalType) => string;
  invariant(render !== undefined, `no Spark type for ${type.kind}`);
  return render(type);
}

/** A NULL of the type; a plain NULL where the type cannot be written. */
export function nullOf(type: LogicalType): string {
  return type.kind === 'unknown' ? 'NULL' : `CAST(NULL AS ${sqlType(type)})`;
}
