/** Words for the types without parts, in the meaning of the SQL standard, with the readings that differ between engines. */
import type { LogicalType } from './type.ts';
import { binary, boolean, date, decimal, float, int, json, string, time, timestamp, timestamptz, uuid } from './type.ts';

/**
 * Whose words they are. `ansi` is the standard where it says something, and else the commonest reading.
 * An engine's own texts are read in its own dialect.
 */
export type TypeDialect = 'ansi' | 'duckdb' | 'postgres' | 'spark' | 'bigquery' | 'tsql';

/** Arguments in parentheses; `max` is T-SQL's word for no limit. */
export type TypeArguments = readonly (number | 'max')[];

/** The type of a word with its arguments; undefined when there is no such type, a text when the arguments are wrong. */
type Scalar = (args: TypeArguments) => LogicalType | undefined | { readonly wrong: string };

const fixed =
  (type: LogicalType): Scalar =>
  () =>
    type;
const words = (spellings: string, scalar: Scalar): readonly (readonly [string, Scalar])[] =>
  spellings.split(',').map((spelling) => [spelling.trim(), scalar] as const);

/** Text; `bare` is the meaning of the word without a length, `undefined` for no limit. */
const text =
  (bare: number | undefined): Scalar =>
  ([length]) => {
    if (length === 'max') return string();
    return string(length ?? bare);
  };

/** Decimals; `bare` is the meaning without arguments. With a precision alone the scale is 0, as in the standard. */
const exact =
  (bare: readonly [number, number]): Scalar =>
  ([precision, scale = 0]) => {
    if (precision === undefined) return decimal(...bare);
    if (precision === 'max' || scale === 'max') return undefined;
    if (precision < 1) return { wrong: 'the precision must be at least 1' };
    if (scale > precision) return { wrong: `the scale ${scale} is greater than the precision ${precision}` };
    return decimal(precision, scale);
  };

/** `float(n)` counts binary digits: up to 24 fit 32 bits. */
const binaryFloat =
  (bare: 32 | 64): Scalar =>
  ([digits]) => {
    if (digits === undefined) return float(bare);
    return digits === 'max' || digits < 1 || digits > 53 ? { wrong: 'float takes 1 to 53 binary digits' } : float(digits <= 24 ? 32 : 64);
  };

const ansi: ReadonlyMap<string, Scalar> = new Map([
  ...words('boolean, bool, logical', fixed(boolean)),
  ...words('tinyint, int1, byte', fixed(int(8))),
  ...words('smallint, int2, int16, short', fixed(int(16))),
  ...words('integer, int, int4, int32, signed', fixed(int(32))),
  // The SQL meaning: eight bytes (PostgreSQL, DuckDB). Parquet and Arrow call the type of eight bits INT_8 or int8.
  ...words('bigint, int8, int64, long', fixed(int(64))),
  ...words('decimal, numeric, dec, number', exact([38, 0])),
  ...words('real, float4, float32', fixed(float(32))),
  ...words('double, double precision, float8, float64', fixed(float(64))),
  ...words('float', binaryFloat(32)),
  ...words(
    'string, text, varchar, character varying, char varying, nvarchar, national character varying, national char varying',
    text(undefined),
  ),
  ...words('varchar2, nvarchar2, bpchar, clob, ntext, tinytext, mediumtext, longtext, character large object', text(undefined)),
  ...words('char, character, nchar, national character, national char', text(1)),
  ...words('date', fixed(date)),
  ...words('time, time without time zone', fixed(time)),
  ...words('timestamp, timestamp without time zone, datetime, datetime2, smalldatetime, timestamp_ntz', fixed(timestamp)),
  ...words('timestamp_s, timestamp_ms, timestamp_us, timestamp_ns', fixed(timestamp)),
  ...words(
    'timestamptz, timestamp with time zone, timestamp with local time zone, timestamp_ltz, timestamp_tz, datetimeoffset',
    fixed(timestamptz),
  ),
  ...words('binary, varbinary, blob, bytea, bytes, binary varying, binary large object', fixed(binary)),
  ...words('uuid, uniqueidentifier, guid', fixed(uuid)),
  ...words('json, jsonb', fixed(json)),
  ...words('smallserial, serial2', fixed(int(16))),
  ...words('serial, serial4', fixed(int(32))),
  ...words('bigserial, serial8', fixed(int(64))),
]);

const overrides: Readonly<Record<TypeDialect, ReadonlyMap<string, Scalar>>> = {
  ansi: new Map(),
  // https://duckdb.org/docs/stable/sql/data_types/overview
  duckdb: new Map([...words('decimal, numeric, dec', exact([18, 3])), ...words('char, character, nchar', text(undefined))]),
  // https://www.postgresql.org/docs/current/datatype-numeric.html
  postgres: new Map(words('float', binaryFloat(64))),
  // https://spark.apache.org/docs/latest/sql-ref-datatypes.html: a plain TIMESTAMP is an instant.
  spark: new Map([...words('timestamp', fixed(timestamptz)), ...words('decimal, numeric, dec', exact([10, 0]))]),
  // https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types
  bigquery: new Map([
    ...words('timestamp', fixed(timestamptz)),
    ...words('float', fixed(float(64))),
    ...words('numeric, decimal', exact([38, 9])),
    ...words('bignumeric, bigdecimal', exact([76, 38])),
    ...words('tinyint, smallint, integer, int, byteint', fixed(int(64))),
  ]),
  // https://learn.microsoft.com/sql/t-sql/data-types: TINYINT is 0 to 255, TIMESTAMP a row version.
  tsql: new Map([
    ...words('bit', fixed(boolean)),
    ...words('tinyint', fixed(int(16))),
    ...words('float', binaryFloat(64)),
    ...words('decimal, numeric, dec', exact([18, 0])),
    ...words('money', fixed(decimal(19, 4))),
    ...words('smallmoney', fixed(decimal(10, 4))),
    ...words('varchar, nvarchar', text(1)),
    ...words('timestamp, rowversion, image', fixed(binary)),
  ]),
};

/** What a word (lower case, single blanks) means in a dialect; undefined when it is not the name of a type without parts. */
export function scalarOf(spelling: string, dialect: TypeDialect): Scalar | undefined {
  return overrides[dialect].get(spelling) ?? ansi.get(spelling);
}
