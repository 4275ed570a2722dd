/** Schemas printed and read again are the same schemas. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../model/schema.ts';
import type { LogicalType } from '../model/type.ts';
import * as types from '../model/type.ts';
import { parseDdl } from './parse-ddl.ts';
import { parseJsonSchema } from './parse-json-schema.ts';
import { printDdl } from './print-ddl.ts';
import { printJsonSchema } from './print-json-schema.ts';
import { printSparkDdl } from './print-spark.ts';

interface SchemaShape {
  /** Whether types without a logical equal occur. */
  readonly unknown: boolean;
  /** Whether the keys of maps are always text. */
  readonly textKeys: boolean;
  /** Types to leave out. */
  readonly without?: readonly LogicalType['kind'][];
}

/** No names such as `1`, which objects of JavaScript put first. */
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.constantFrom('a', '__proto__', 'constructor', 'select', 'a.b', '"', '`', ']', ' x', "'", '--', '/*'),
  )
  .filter((name) => !/^\d+$/.test(name));

function anyType(shape: SchemaShape): fc.Arbitrary<LogicalType> {
  const scalars = [
    types.boolean,
    types.int(8),
    types.int(16),
    types.int(32),
    types.int(64),
    types.float(32),
    types.float(64),
    types.string(),
    types.string(1),
    types.string(4000),
    types.date,
    types.time,
    types.timestamp,
    types.timestamptz,
    types.binary,
    types.uuid,
    types.json,
    ...(shape.unknown ? [types.unknown('INTERVAL'), types.unknown("enum('a')")] : []),
  ].filter((type) => !shape.without?.includes(type.kind));
  return fc.letrec<{ type: LogicalType }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...scalars),
      fc
        .integer({ min: 1, max: 38 })
        .chain((precision) => fc.integer({ min: 0, max: precision }).map((scale) => types.decimal(precision, scale))),
      tie('type').map(types.list),
      fc
        .tuple(shape.textKeys ? fc.constant(types.string()) : fc.constantFrom(...scalars), tie('type'))
        .map(([key, value]) => types.map(key, value)),
      fc
        .uniqueArray(fc.record({ name: anyName, type: tie('type') }), {
          minLength: 1,
          maxLength: 3,
          selector: ({ name }) => name.normalize('NFC').toLowerCase(),
        })
        .map((fields) => types.struct(fields.map((field) => ({ ...field })))),
    ),
  })).type;
}

function anySchema(shape: SchemaShape): fc.Arbitrary<Schema> {
  const column = fc.record({
    name: anyName,
    type: anyType(shape),
    nullable: fc.boolean(),
    comment: fc.option(fc.oneof(fc.string(), fc.constantFrom("it's", '\\', '"', '$x$')), { nil: undefined }),
    default: fc.constantFrom(undefined, "'x, ''y'')'", '1.5', '-2'),
  });
  const selector = ({ name }: { name: string }) => name.normalize('NFC').trim().toLowerCase();
  return fc.uniqueArray(column, { minLength: 1, maxLength: 5, selector }).map((columns) => ({
    columns: columns.map(({ comment, default: fallback, ...rest }) => ({
      ...rest,
      ...(comment === undefined ? {} : { comment }),
      ...(fallback === undefined ? {} : { default: fallback }),
    })),
  }));
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

describe('a schema is read back as it was', () => {
  it('from DDL', () => {
    fc.assert(
      fc.property(anySchema({ unknown: true, textKeys: false }), (schema) => {
        expect(parseDdl(printDdl(schema, 't', quote), { dialect: 'ansi' })).toEqual({ name: 't', columns: schema.columns });
      }),
      { numRuns: 60 },
    );
  });

  it('from the DDL of a Delta table', () => {
    fc.assert(
      fc.property(anySchema({ unknown: false, textKeys: false, without: ['time', 'uuid', 'json'] }), (schema) => {
        const columns = schema.columns.map(({ default: _, ...column }, i) => ({ ...column, ...(i === 0 ? { partition: true } : {}) }));
        expect(parseDdl(printSparkDdl({ columns }, ['lake', 't']))).toEqual({ name: 'lake.t', columns });
      }),
      { numRuns: 60 },
    );
  });

  it('from JSON Schema', () => {
    fc.assert(
      fc.property(anySchema({ unknown: false, textKeys: true }), (schema) => {
        expect(parseJsonSchema(JSON.parse(JSON.stringify(printJsonSchema(schema))))).toEqual(schema);
      }),
      { numRuns: 60 },
    );
  });
});
