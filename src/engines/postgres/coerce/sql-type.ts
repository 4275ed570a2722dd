import { Fault, invariant } from '../../../core/fault.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';

type SqlTypes = { readonly [K in TypeKind]: (type: TypeOf<K>) => string };

/** PostgreSQL has no integer of 8 bits; the values are held to its range all the same. */
const intTypes = { 8: 'smallint', 16: 'smallint', 32: 'integer', 64: 'bigint' } as const;
const floatTypes = { 32: 'real', 64: 'double precision' } as const;
const largestPrecision = 1_000;

const sqlTypes: SqlTypes = {
  boolean: () => 'boolean',
  int: ({ bits }) => intTypes[bits],
  decimal: ({ precision, scale }) => {
    if (precision > largestPrecision) throw new Fault('GAP', `PostgreSQL's decimals have at most ${largestPrecision} digits`);
    return `numeric(${precision},${scale})`;
  },
  float: ({ bits }) => floatTypes[bits],
  // A cast to varchar(n) cuts in silence, so values are text; `columnType` names the length.
  string: () => 'text',
  date: () => 'date',
  time: () => 'time',
  timestamp: () => 'timestamp',
  timestamptz: () => 'timestamptz',
  binary: () => 'bytea',
  uuid: () => 'uuid',
  // Not jsonb, which rewrites numbers and drops keys.
  json: () => 'json',
  struct: () => 'jsonb',
  list: ({ element }) => (isScalar(element) ? `${sqlType(element)}[]` : 'jsonb'),
  map: () => 'jsonb',
  unknown: ({ text }) => {
    throw new Fault('GAP', `the type ${text} has no equal among Schemalign's types`);
  },
};

/** Whether values are not taken apart. */
export const isScalar = (type: LogicalType): boolean => !['struct', 'list', 'map'].includes(type.kind);

/**
 * PostgreSQL's type of the values of a logical type. There are no structs without a name and no maps: both are jsonb, by field and by
 * key. A list of scalars is an array; arrays of arrays must be rectangular, so any other list is jsonb.
 * Throws GAP for types of other engines.
 */
export function sqlType(type: LogicalType): string {
  const render = sqlTypes[type.kind] as (type: LogicalType) => string;
  invariant(render !== undefined, `no PostgreSQL type for ${type.kind}`);
  return render(type);
}

/** The type of a column that is to hold such values, for CREATE TABLE. */
export function columnType(type: LogicalType): string {
  return type.kind === 'string' && type.length !== undefined ? `varchar(${type.length})` : sqlType(type);
}

/** A NULL of the type; a plain NULL where the type cannot be written. */
export function nullOf(type: LogicalType): string {
  return type.kind === 'unknown' ? 'NULL' : `CAST(NULL AS ${sqlType(type)})`;
}
