import { Fault, invariant } from '../../../core/fault.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';
import { ident } from '../quote.ts';

type SqlTypes = { readonly [K in TypeKind]: (type: TypeOf<K>) => string };

const intTypes = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' } as const;
const floatTypes = { 32: 'FLOAT', 64: 'DOUBLE' } as const;

const sqlTypes: SqlTypes = {
  boolean: () => 'BOOLEAN',
  int: ({ bits }) => intTypes[bits],
  decimal: ({ precision, scale }) => `DECIMAL(${precision},${scale})`,
  float: ({ bits }) => floatTypes[bits],
  // DuckDB takes VARCHAR(n) and forgets the n, so it is not written at all.
  string: () => 'VARCHAR',
  date: () => 'DATE',
  time: () => 'TIME',
  timestamp: () => 'TIMESTAMP',
  timestamptz: () => 'TIMESTAMPTZ',
  binary: () => 'BLOB',
  uuid: () => 'UUID',
  json: () => 'JSON',
  struct: ({ fields }) => {
    if (fields.length === 0) throw new Fault('GAP', 'DuckDB has no struct without fields');
    return `STRUCT(${fields.map((field) => `${ident(field.name)} ${sqlType(field.type)}`).join(', ')})`;
  },
  list: ({ element }) => `${sqlType(element)}[]`,
  map: ({ key, value }) => `MAP(${sqlType(key)}, ${sqlType(value)})`,
  unknown: ({ text }) => {
    throw new Fault('GAP', `the type ${text} has no equal among Schemalign's types`);
  },
};

/**
 * DuckDB's text of a logical type, fit for a CAST or a column definition: `DECIMAL(12,2)`, `STRUCT("name" VARCHAR, "tier" INTEGER)`.
 * The length of a string is not part of it: DuckDB keeps none. Throws GAP for a struct without fields and for types of other engines.
 */
export function sqlType(type: LogicalType): string {
  const render = sqlTypes[type.kind] as (type: LogicalType) => string;
  invariant(render !== undefined, `no DuckDB type for ${type.kind}`);
  return render(type);
}

/** A NULL of the type; a plain NULL where the type cannot be written. */
export function nullOf(type: LogicalType): string {
  return type.kind === 'unknown' ? 'NULL' : `CAST(NULL AS ${sqlType(type)})`;
}
