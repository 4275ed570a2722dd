import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../fault.ts';
import { parseType, printType } from './type-text.ts';
import type { TypeDialect } from './type-text.ts';
import type { LogicalType } from './type.ts';
import { date, decimal, float, int, list, map, sameType, string, struct, unknown } from './type.ts';
import * as types from './type.ts';

const text = string();
const aliases: readonly (readonly [LogicalType, string])[] = [
  [types.boolean, 'boolean|BOOL|logical'],
  [int(8), 'tinyint|INT1|byte'],
  [int(16), 'smallint|int2|INT16|short'],
  [int(32), 'int|INTEGER|int4|int32|int(11)'],
  [int(64), 'bigint|int8|INT64|long'],
  [decimal(12, 2), 'decimal(12,2)|NUMERIC( 12 , 2 )|dec(12,2)|number(12,2)'],
  [decimal(10, 0), 'decimal(10)'],
  [decimal(38, 0), 'decimal|numeric'],
  [float(32), 'real|float4|float|float32|float(24)'],
  [float(64), 'double|DOUBLE PRECISION|double  precision|float8|float64|float(53)'],
  [text, 'string|text|varchar|character varying|nvarchar|bpchar|varchar(max)'],
  [string(10), 'VARCHAR(10)|character varying(10)|char(10)|nvarchar(10)|string(10)|varchar2(10 char)'],
  [string(1), 'char|character'],
  [date, 'date|DATE'],
  [types.time, 'time|time(6)|time without time zone|time(3) without time zone'],
  [
    types.timestamp,
    'timestamp|datetime|timestamp(6)|timestamp_ntz|timestamp_s|timestamp_ms|timestamp_ns|timestamp without time zone|datetime2(7)',
  ],
  [
    types.timestamptz,
    'timestamptz|timestamp with time zone|TIMESTAMP(3) WITH TIME ZONE|timestamp_ltz|datetimeoffset(7)|timestamp with local time zone',
  ],
  [types.binary, 'binary|bytea|blob|bytes|varbinary|varbinary(max)|binary(16)'],
  [types.uuid, 'uuid|uniqueidentifier'],
  [types.json, 'json|jsonb'],
];

describe('parseType', () => {
  it.each(aliases.flatMap(([type, spellings]) => spellings.split('|').map((spelling) => [spelling, type] as const)))(
    'reads %s',
    (spelling, type) => {
      expect(parseType(spelling)).toEqual(type);
    },
  );

  const ab = struct([
    { name: 'a', type: int(32) },
    { name: 'b c', type: text },
  ]);
  it.each<[string, LogicalType]>([
    ['STRUCT(a INT, "b c" VARCHAR)', ab],
    ['struct<a:int,`b c`:string>', ab],
    ['struct<a: int, [b c]: string>', ab],
    ['ROW(a integer, "b c" text)', ab],
    ['struct<a int, `b c` string>', ab],
    [
      'struct<a:int,b:array<string>>',
      struct([
        { name: 'a', type: int(32) },
        { name: 'b', type: list(text) },
      ]),
    ],
    ['STRUCT("a""b" INTEGER)', struct([{ name: 'a"b', type: int(32) }])],
    ['struct<>', struct([])],
    ['struct<"":int>', struct([{ name: '', type: int(32) }])],
    [
      'struct<__proto__:int,constructor:string,not:int,struct:date>',
      struct([
        { name: '__proto__', type: int(32) },
        { name: 'constructor', type: text },
        { name: 'not', type: int(32) },
        { name: 'struct', type: date },
      ]),
    ],
    [
      "struct<a: int NOT NULL COMMENT 'it''s', b: string>",
      struct([
        { name: 'a', type: int(32), nullable: false, comment: "it's" },
        { name: 'b', type: text },
      ]),
    ],
    [
      'STRUCT<a INT64 NOT NULL OPTIONS(description="x", other=(1)), b STRING>',
      struct([
        { name: 'a', type: int(64), nullable: false, comment: 'x' },
        { name: 'b', type: text },
      ]),
    ],
    ['int[]', list(int(32))],
    ['INTEGER[3]', list(int(32))],
    ['INTEGER[][]', list(list(int(32)))],
    ['integer ARRAY', list(int(32))],
    ['integer ARRAY[4]', list(int(32))],
    ['STRUCT(a INT, "b c" VARCHAR)[]', list(ab)],
    ['array<decimal(10,2)>', list(decimal(10, 2))],
    ['list<list<date>>', list(list(date))],
    ['map<string,array<int>>', map(text, list(int(32)))],
    ['MAP(VARCHAR, INTEGER[])', map(text, list(int(32)))],
    [' int /* note */ -- end', int(32)],
    ['timestamp(3) with time zone[]', list(types.timestamptz)],
  ])('reads %s', (spelling, type) => {
    expect(parseType(spelling)).toEqual(type);
  });

  it.each([
    'INTERVAL',
    "ENUM('x', 'y,''z')",
    'interval day to second',
    'geometry(point, 4326)',
    'UNION(a INTEGER, b VARCHAR)',
    'public.my_type',
    'TIME WITH TIME ZONE',
    '"NULL"',
    'int unsigned',
    '__proto__',
    'constructor',
    'range<date>',
    'bit(3)',
    'numeric(3,-2)',
  ])('keeps the spelling of %s', (spelling) => {
    expect(parseType(spelling)).toEqual(unknown(spelling));
    expect(parseType(`struct<a:${spelling},b:list<${spelling}>>`)).toEqual(
      struct([
        { name: 'a', type: unknown(spelling) },
        { name: 'b', type: list(unknown(spelling)) },
      ]),
    );
  });

  it('takes a list of an unknown type apart', () => {
    expect(parseType('INTERVAL[]')).toEqual(list(unknown('INTERVAL')));
  });

  it.each<[string, number]>([
    ['', 1],
    ['   ', 4],
    ['decimal(2,12)', 1],
    ['decimal(0)', 1],
    ['varchar(10', 11],
    ['struct<a:int', 13],
    ['struct<a int b int>', 14],
    ['map<string>', 11],
    ['int int', 5],
    ['struct<a:>', 10],
    ['int]', 4],
    ["enum('a", 6],
    ['struct<"a:int>', 8],
    ['struct<[a:int>', 8],
    ['not null', 1],
    ['list<int>>', 10],
    ['float(54)', 1],
    ['foo(', 4],
    ['a;b', 2],
    ['int /* x', 5],
    ['42', 1],
  ])('refuses %j at column %i', (spelling, column) => {
    const fault = catchFault(() => parseType(spelling));
    expect(fault.code).toBe('SCHEMA_TEXT');
    expect(fault.place.column).toBe(column);
    expect(fault.message).toContain(`column ${column}: `);
  });

  it('refuses endless nesting instead of exhausting the stack', () => {
    expect(catchFault(() => parseType('list<'.repeat(100_000))).code).toBe('SCHEMA_TEXT');
    expect(catchFault(() => parseType(`int${'[]'.repeat(100_000)}`)).code).toBe('SCHEMA_TEXT');
  });

  it.each<[TypeDialect, string, LogicalType]>([
    ['duckdb', 'DECIMAL', decimal(18, 3)],
    ['duckdb', 'char', text],
    ['postgres', 'float', float(64)],
    ['spark', 'timestamp', types.timestamptz],
    ['spark', 'timestamp_ntz', types.timestamp],
    ['spark', 'decimal', decimal(10, 0)],
    ['bigquery', 'TIMESTAMP', types.timestamptz],
    ['bigquery', 'DATETIME', types.timestamp],
    ['bigquery', 'NUMERIC', decimal(38, 9)],
    ['bigquery', 'NUMERIC(10)', decimal(10, 0)],
    ['bigquery', 'INTEGER', int(64)],
    ['tsql', 'bit', types.boolean],
    ['tsql', '[decimal](10, 2)', decimal(10, 2)],
    ['tsql', 'float', float(64)],
    ['tsql', 'nvarchar', string(1)],
    ['tsql', 'nvarchar(max)', text],
    ['tsql', 'timestamp', types.binary],
  ])('reads in %s %s', (dialect, spelling, type) => {
    expect(parseType(spelling, dialect)).toEqual(type);
  });
});

describe('printType', () => {
  it.each<[LogicalType, string]>([
    [types.boolean, 'boolean'],
    [int(8), 'tinyint'],
    [int(16), 'smallint'],
    [int(32), 'int'],
    [int(64), 'bigint'],
    [decimal(12, 2), 'decimal(12,2)'],
    [float(32), 'float'],
    [float(64), 'double'],
    [text, 'string'],
    [string(10), 'varchar(10)'],
    [date, 'date'],
    [types.time, 'time'],
    [types.timestamp, 'timestamp'],
    [types.timestamptz, 'timestamptz'],
    [types.binary, 'binary'],
    [types.uuid, 'uuid'],
    [types.json, 'json'],
    [
      struct([
        { name: 'name', type: text },
        { name: 'tier', type: int(32) },
      ]),
      'struct<name:string,tier:int>',
    ],
    [list(text), 'list<string>'],
    [map(text, int(32)), 'map<string,int>'],
    [struct([{ name: 'b "c', type: text }]), 'struct<"b ""c":string>'],
    [unknown('INTERVAL'), 'INTERVAL'],
    [unknown('int'), 'unknown<"int">'],
    [unknown('a, b'), 'unknown<"a, b">'],
  ])('writes %j', (type, spelling) => {
    expect(printType(type)).toBe(spelling);
  });

  it('reads back to the same type, whatever the type', () => {
    fc.assert(
      fc.property(anyType, (type) => {
        expect(parseType(printType(type))).toEqual(type);
      }),
    );
  });

  it('differs exactly when the types differ', () => {
    fc.assert(fc.property(anyType, anyType, (a, b) => (printType(a) === printType(b)) === sameType(a, b)));
  });
});

function catchFault(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('no fault was thrown');
}

const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('a', '__proto__', 'constructor', 'not', 'null', 'x.y', '1', 'é', '', ' ', '"', ']', '`', '\u202e'),
);
const anyType: fc.Arbitrary<LogicalType> = fc.letrec<{ type: LogicalType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...aliases.map(([type]) => type)),
    fc.integer({ min: 1, max: 76 }).chain((p) => fc.integer({ min: 0, max: p }).map((s) => decimal(p, s))),
    fc.integer({ min: 1, max: 1_000_000 }).map((length) => string(length)),
    fc
      .oneof(
        name,
        fc.constantFrom('INTERVAL', 'time with time zone', 'a > b', 'foo[]', "enum('a')", 'x not null', 'x -- y', 'a array', "'", '('),
      )
      .map(unknown),
    tie('type').map(list),
    fc.tuple(tie('type'), tie('type')).map(([key, value]) => map(key, value)),
    fc.array(fc.record({ name, type: tie('type') }), { maxLength: 4 }).map(struct),
  ),
})).type;
