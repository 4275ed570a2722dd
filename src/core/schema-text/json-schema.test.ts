import { describe, expect, it } from 'vitest';
import type { Column } from '../model/schema.ts';
import { printType } from '../model/type-text.ts';
import { parseJsonSchema } from './parse-json-schema.ts';
import { printJsonSchema } from './print-json-schema.ts';

const typeOf = (property: unknown, more: object = {}) =>
  printType(parseJsonSchema({ type: 'object', properties: { a: property }, ...more }).columns[0]?.type as Column['type']);

describe('parseJsonSchema', () => {
  it.each<[string, unknown]>([
    ['boolean', { type: 'boolean' }],
    ['bigint', { type: 'integer' }],
    ['bigint', { type: 'integer', minimum: 0 }],
    ['int', { type: 'integer', format: 'int32' }],
    ['tinyint', { type: 'integer', minimum: 0, maximum: 127 }],
    ['smallint', { type: 'integer', minimum: 0, maximum: 128 }],
    ['tinyint', { type: 'integer', exclusiveMinimum: -129, exclusiveMaximum: 128 }],
    ['int', { type: 'integer', minimum: 0, maximum: 2147483647 }],
    ['bigint', { type: 'integer', minimum: 0, maximum: 2147483648 }],
    ['bigint', { type: 'integer', minimum: -(2 ** 63), maximum: JSON.parse('9223372036854775807') }],
    ['decimal(20,0)', { type: 'integer', minimum: 0, maximum: JSON.parse('18446744073709551615') }],
    ['double', { type: 'number' }],
    ['float', { type: 'number', format: 'float' }],
    ['decimal(38,2)', { type: 'number', multipleOf: 0.01 }],
    ['decimal(12,2)', { type: 'number', multipleOf: 0.01, exclusiveMinimum: -1e10, exclusiveMaximum: 1e10 }],
    ['decimal(7,2)', { type: 'number', multipleOf: 0.25, minimum: 0, maximum: 99999.75 }],
    ['decimal(10,9)', { type: 'number', multipleOf: 1e-9, minimum: 0, maximum: 1 }],
    ['decimal(4,0)', { type: 'number', multipleOf: 1, minimum: 0, maximum: 1000 }],
    ['string', { type: 'string' }],
    ['varchar(10)', { type: 'string', maxLength: 10 }],
    ['date', { type: 'string', format: 'date' }],
    ['time', { type: 'string', format: 'time' }],
    ['timestamptz', { type: 'string', format: 'date-time' }],
    ['timestamp', { type: 'string', format: 'date-time-local' }],
    ['uuid', { type: 'string', format: 'uuid' }],
    ['string', { type: 'string', format: 'email' }],
    ['binary', { type: 'string', contentEncoding: 'base64' }],
    ['list<int>', { type: 'array', items: { type: 'integer', format: 'int32' } }],
    ['list<json>', { type: 'array' }],
    ['list<string>', { type: 'array', items: [{ type: 'string' }, { type: 'string' }] }],
    ['list<json>', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }],
    ['struct<x:string>', { type: 'object', properties: { x: { type: 'string' } } }],
    ['struct<>', { type: 'object', properties: {} }],
    ['struct<x:string>', { properties: { x: { type: 'string' }, never: false } }],
    ['map<string,double>', { type: 'object', additionalProperties: { type: 'number' } }],
    ['json', { type: 'object' }],
    ['json', { type: 'object', additionalProperties: true }],
    ['json', {}],
    ['json', true],
    ['json', { type: ['string', 'integer'] }],
    ['double', { type: ['integer', 'number'] }],
    ['string', { enum: ['a', 'b', null] }],
    ['bigint', { const: 1 }],
    ['json', { enum: ['a', 1] }],
    ['string', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['json', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }],
    [
      'date',
      {
        oneOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date', description: 'x' },
        ],
      },
    ],
    ['struct<x:string,y:bigint>', { allOf: [{ properties: { x: { type: 'string' } } }, { properties: { y: { type: 'integer' } } }] }],
    ['struct<x:string>', { type: 'object', properties: { x: { type: 'string' } }, anyOf: [{ required: ['x'] }, { minProperties: 2 }] }],
  ])('%s', (type, property) => {
    expect(typeOf(property)).toBe(type);
  });

  it.each<[string, unknown, readonly string[] | undefined, boolean]>([
    ['an optional property', { type: 'string' }, undefined, true],
    ['a required one', { type: 'string' }, ['a'], false],
    ['one that allows null', { type: ['string', 'null'] }, ['a'], true],
    ['null among alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, ['a'], true],
    ['null among values', { enum: ['x', null] }, ['a'], true],
    ["OpenAPI's word", { type: 'string', nullable: true }, ['a'], true],
    ['anything', {}, ['a'], true],
  ])('takes the nullability of %s', (_, property, required, nullable) => {
    expect(parseJsonSchema({ properties: { a: property }, ...(required === undefined ? {} : { required }) }).columns[0]?.nullable).toBe(
      nullable,
    );
  });

  it('follows local references', () => {
    const more = {
      $defs: {
        'a/b~c d': { type: 'string', maxLength: 3 },
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, v: { type: 'integer' } } },
      },
    };
    expect(typeOf({ $ref: '#/$defs/a~1b~0c%20d', description: 'x' }, more)).toBe('varchar(3)');
    expect(typeOf({ $ref: '#/$defs/node' }, more)).toBe('struct<next:json,v:bigint>');
    expect(
      parseJsonSchema({ $ref: '#/definitions/r', definitions: { r: { type: 'object', properties: { x: { type: 'boolean' } } } } })
        .columns[0]?.name,
    ).toBe('x');
  });

  it('takes the records of an array, title, comments, defaults, and any names', () => {
    const document = JSON.parse(
      '{"title": "Orders", "type": "array", "items": {"type": "object", "required": ["__proto__"], "properties": {' +
        '"__proto__": {"type": "integer", "description": "the key"}, "constructor": {"type": "string", "default": "it\'s"}, "n": {"type": "number", "default": 1.5},' +
        '"b": {"type": "boolean", "default": false}, "d": {"type": "string", "default": null}}}}',
    );
    const schema = parseJsonSchema(document);
    expect(schema.name).toBe('Orders');
    expect(schema.columns).toMatchObject([
      { name: '__proto__', nullable: false, comment: 'the key' },
      { name: 'constructor', default: "'it''s'" },
      { name: 'n', default: '1.5' },
      { name: 'b', default: 'false' },
      { name: 'd' },
    ]);
    expect(schema.columns[4]).not.toHaveProperty('default');
  });

  const wide = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`d${i}`, { properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } } }]),
  );
  const deep = JSON.parse(`${'{"properties":{"a":'.repeat(2000)}{}${'}}'.repeat(2000)}`);
  it.each<[string, unknown, string]>([
    ['no object', 42, 'at the root'],
    ['null', null, 'at the root'],
    ['no properties', { type: 'object' }, 'at the root'],
    ['an array of scalars', { type: 'array', items: { type: 'string' } }, 'at the root'],
    ['a reference to nowhere', { properties: { a: { $ref: '#/nope' } } }, 'at /properties/a: the reference #/nope leads nowhere'],
    ['a reference outside', { properties: { 'x/y': { $ref: 'other.json' } } }, 'at /properties/x~1y: '],
    ['a reference to a prototype', { properties: { a: { $ref: '#/constructor' } } }, 'leads nowhere'],
    ['a schema that is none', { properties: { a: { type: 'array', items: 3 } } }, 'at /properties/a/items: '],
    ['endless width', { properties: { a: { $ref: '#/$defs/d0' } }, $defs: { ...wide, d40: {} } }, 'too large'],
    ['endless depth', deep, 'too deep'],
  ])('refuses %s', (_, value, message) => {
    const read = () => parseJsonSchema(value, 'c.json');
    expect(read).toThrow(
      expect.objectContaining({ code: 'SCHEMA_TEXT', place: { file: 'c.json' }, message: expect.stringContaining(message) }),
    );
  });
});

describe('printJsonSchema', () => {
  it('writes what a validator understands', () => {
    expect(
      printJsonSchema({
        name: 'orders',
        columns: [
          { name: 'id', type: { kind: 'int', bits: 32 }, nullable: false, comment: 'key' },
          { name: 'amount', type: { kind: 'decimal', precision: 12, scale: 2 }, nullable: true, default: '0' },
          { name: 'tags', type: { kind: 'list', element: { kind: 'string' } }, nullable: false, default: 'now()' },
        ],
      }),
    ).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'orders',
      type: 'object',
      required: ['id', 'tags'],
      properties: {
        id: { type: 'integer', minimum: -2147483648, maximum: 2147483647, description: 'key' },
        amount: { type: ['number', 'null'], multipleOf: 0.01, exclusiveMinimum: -1e10, exclusiveMaximum: 1e10, default: 0 },
        tags: { type: 'array', items: { type: ['string', 'null'] } },
      },
    });
  });
});
