import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../model/schema.ts';
import type { LogicalType } from '../model/type.ts';
import * as types from '../model/type.ts';
import { parseType, printType } from '../model/type-text.ts';
import { printBigQuerySchema } from './print-bigquery.ts';
import { printDdl } from './print-ddl.ts';
import { printSparkDdl, printSparkJson } from './print-spark.ts';
import { printTree } from './print-tree.ts';
import { visible } from './visible.ts';

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const orders: Schema = {
  columns: [
    { name: 'id', type: types.int(64), nullable: false, key: true, comment: "the 'key'" },
    { name: 'customer', type: parseType('struct<name:string,tier:int>'), nullable: true },
    { name: 'items', type: parseType('list<struct<price:decimal(10,2)>>'), nullable: true },
    { name: 'attrs', type: parseType('map<string,double>'), nullable: true },
    { name: 'status', type: types.string(10), nullable: false, default: "'new'" },
    { name: 'at', type: types.timestamptz, nullable: true, partition: true },
    { name: 'local', type: types.timestamp, nullable: true },
  ],
};

describe('printDdl', () => {
  it('writes one column per line, the key, and comments', () => {
    expect(printDdl(orders, ['main', 'orders'], quote)).toBe(`CREATE TABLE "main"."orders" (
  "id" BIGINT NOT NULL,
  "customer" STRUCT("name" VARCHAR, "tier" INTEGER),
  "items" STRUCT("price" DECIMAL(10, 2))[],
  "attrs" MAP(VARCHAR, DOUBLE PRECISION),
  "status" VARCHAR(10) NOT NULL DEFAULT 'new',
  "at" TIMESTAMP WITH TIME ZONE,
  "local" TIMESTAMP,
  PRIMARY KEY ("id")
);
COMMENT ON COLUMN "main"."orders"."id" IS 'the ''key''';
`);
  });

  it('keeps a hostile spelling of a type from ending the statement', () => {
    const hostile = 'int); DROP TABLE canary; --';
    const ddl = printDdl({ columns: [{ name: 'a', type: types.unknown(hostile), nullable: true }] }, 't', quote);
    expect(ddl).toBe(`CREATE TABLE "t" (\n  "a" ${quote(hostile)}\n);\n`);
  });

  it('writes computed columns', () => {
    const ddl = printDdl({ columns: [{ name: 'n', type: types.int(32), nullable: true, generated: true, default: 'a + 1' }] }, 't', quote);
    expect(ddl).toContain('"n" INTEGER GENERATED ALWAYS AS (a + 1)');
  });

  it('makes the same table in DuckDB', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(printDdl(orders, 'orders', quote));
    const result = await connection.runAndReadAll(
      "SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_name = 'orders'",
    );
    const kept = (type: LogicalType) => printType(type.kind === 'string' ? types.string() : type);
    expect(result.getRows().map(([name, type, nullable]) => [name, printType(parseType(String(type), 'duckdb')), nullable])).toEqual(
      orders.columns.map((column) => [column.name, kept(column.type), column.nullable ? 'YES' : 'NO']),
    );
    connection.closeSync();
  });
});

describe('Spark', () => {
  it('writes the columns of a StructType', () => {
    expect(
      printSparkDdl({
        columns: [
          { name: 'a`b', type: types.int(64), nullable: false, comment: "it's" },
          { name: 's', type: types.struct([{ name: 'x y', type: types.uuid, nullable: false, comment: 'c' }]), nullable: true },
          { name: 'at', type: types.timestamptz, nullable: true },
          { name: 'local', type: types.timestamp, nullable: true },
        ],
      }),
    ).toBe(
      "`a``b` BIGINT NOT NULL COMMENT 'it\\'s',\n`s` STRUCT<`x y`: STRING NOT NULL COMMENT 'c'>,\n`at` TIMESTAMP,\n`local` TIMESTAMP_NTZ\n",
    );
  });

  it('writes the JSON of a StructType', () => {
    expect(
      printSparkJson({
        columns: [
          { name: 'n', type: types.string(10), nullable: false, comment: 'c' },
          { name: 'l', type: parseType('list<map<string,struct<d:decimal(10,2)>>>'), nullable: true },
          { name: 'at', type: types.timestamp, nullable: true },
        ],
      }),
    ).toEqual({
      type: 'struct',
      fields: [
        { name: 'n', type: 'string', nullable: false, metadata: { comment: 'c', __CHAR_VARCHAR_TYPE_STRING: 'varchar(10)' } },
        {
          name: 'l',
          nullable: true,
          metadata: {},
          type: {
            type: 'array',
            containsNull: true,
            elementType: {
              type: 'map',
              keyType: 'string',
              valueContainsNull: true,
              valueType: { type: 'struct', fields: [{ name: 'd', type: 'decimal(10,2)', nullable: true, metadata: {} }] },
            },
          },
        },
        { name: 'at', type: 'timestamp_ntz', nullable: true, metadata: {} },
      ],
    });
  });
});

describe('printBigQuerySchema', () => {
  it('writes modes, records and limits', () => {
    expect(printBigQuerySchema(orders)).toEqual([
      { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: "the 'key'" },
      {
        name: 'customer',
        type: 'RECORD',
        mode: 'NULLABLE',
        fields: [
          { name: 'name', type: 'STRING', mode: 'NULLABLE' },
          { name: 'tier', type: 'INTEGER', mode: 'NULLABLE' },
        ],
      },
      {
        name: 'items',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [{ name: 'price', type: 'NUMERIC', precision: '10', scale: '2', mode: 'NULLABLE' }],
      },
      {
        name: 'attrs',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [
          { name: 'key', type: 'STRING', mode: 'REQUIRED' },
          { name: 'value', type: 'FLOAT', mode: 'NULLABLE' },
        ],
      },
      { name: 'status', type: 'STRING', maxLength: '10', mode: 'REQUIRED', defaultValueExpression: "'new'" },
      { name: 'at', type: 'TIMESTAMP', mode: 'NULLABLE' },
      { name: 'local', type: 'DATETIME', mode: 'NULLABLE' },
    ]);
  });

  it.each<[string, object]>([
    ['decimal(38,9)', { type: 'NUMERIC', precision: '38', scale: '9' }],
    ['decimal(38,0)', { type: 'BIGNUMERIC', precision: '38', scale: '0' }],
    ['decimal(38,10)', { type: 'BIGNUMERIC', precision: '38', scale: '10' }],
    ['decimal(60,0)', { type: 'STRING' }],
    ['uuid', { type: 'STRING' }],
    ['list<list<int>>', { type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'list', type: 'INTEGER', mode: 'REPEATED' }] }],
  ])('%s', (type, field) => {
    expect(printBigQuerySchema({ columns: [{ name: 'a', type: parseType(type), nullable: true }] })).toEqual([
      { name: 'a', mode: 'NULLABLE', ...field },
    ]);
  });
});

describe('printTree', () => {
  it('shows nested parts, defaults, comments and notes', () => {
    expect(printTree(orders, { notes: new Map([['items[].price', '3 nulls']]) })).toBe(`root
 |-- id: bigint (nullable = false, key)  -- the 'key'
 |-- customer: struct (nullable = true)
 |    |-- name: string (nullable = true)
 |    |-- tier: int (nullable = true)
 |-- items: list (nullable = true)
 |    |-- element: struct
 |    |    |-- price: decimal(10,2) (nullable = true)  -- 3 nulls
 |-- attrs: map (nullable = true)
 |    |-- key: string
 |    |-- value: double
 |-- status: varchar(10) (nullable = false, default = 'new')
 |-- at: timestamptz (nullable = true, partition)
 |-- local: timestamp (nullable = true)
`);
  });

  it('shows control characters instead of sending them', () => {
    const tree = printTree(
      { columns: [{ name: 'a\u001b[2J\nb\u202ec', type: types.unknown('x\u009by'), nullable: true, comment: '\u0007' }] },
      { root: 'f\u0000' },
    );
    expect(tree).toBe('f\\u{0}\n |-- a\\u{1b}[2J\\nb\\u{202e}c: unknown<"x\\u{9b}y"> (nullable = true)  -- \\u{7}\n');
  });
});

describe('visible', () => {
  it.each([
    ['plain é 😀', 'plain é 😀'],
    ['\t\r\n', '\\t\\r\\n'],
    ['\u007f\u200f\ufeff', '\\u{7f}\\u{200f}\\u{feff}'],
    ['\ud800', '\\u{d800}'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
