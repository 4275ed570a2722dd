import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../model/schema.ts';
import { parseType } from '../model/type-text.ts';
import type { CompareOptions } from './compare-schemas.ts';
import { checkSchema, compareSchemas, differingColumns } from './compare-schemas.ts';

/** `id bigint!` is NOT NULL, `n int!=0` has a default as well. Columns are parted by `; `. */
function schema(text: string): Schema {
  return {
    columns:
      text === ''
        ? []
        : text.split('; ').map((part) => {
            const [, name, type, bang, fallback] = /^(\S+) (.*?)(!?)(?:=(.*))?$/s.exec(part) as RegExpExecArray;
            return {
              name: name as string,
              type: parseType(type as string),
              nullable: bang === '',
              ...(fallback === undefined ? {} : { default: fallback }),
            };
          }),
  };
}

const found = (source: string, target: string, options?: CompareOptions) =>
  compareSchemas(schema(source), schema(target), options).map(({ kind, severity, path, actual, expected }) =>
    [kind, severity, path, ...(kind === 'type_mismatch' ? [actual, expected] : [])].join(' '),
  );

describe('compareSchemas', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['equal schemas', 'id bigint!; name string', 'id bigint!; name string', []],
    ['a missing column', 'id int', 'id int; a date', ['missing_column warning a']],
    ['a missing required column', 'id int', 'id int; a date!', ['missing_column error a']],
    ['a missing column with a default', 'id int', 'id int; a date!=now()', ['missing_column warning a']],
    ['an extra column', 'id int; coupon string', 'id int', ['extra_column warning coupon']],
    ['a wider type', 'a int', 'a bigint', ['type_mismatch remark a int bigint']],
    ['a narrower type', 'a bigint', 'a int', ['type_mismatch warning a bigint int']],
    ['another family', 'a string', 'a int', ['type_mismatch warning a string int']],
    ['a longer text', 'a varchar(5)', 'a varchar(10)', ['type_mismatch remark a varchar(5) varchar(10)']],
    ['a shorter text', 'a string', 'a varchar(10)', ['type_mismatch warning a string varchar(10)']],
    ['precision and scale', 'a decimal(12,2)', 'a decimal(12,4)', ['type_mismatch warning a decimal(12,2) decimal(12,4)']],
    ['a date for a timestamp', 'a date', 'a timestamp', ['type_mismatch warning a date timestamp']],
    ['a nullable source for NOT NULL', 'a int', 'a int!', ['nullability_mismatch remark a']],
    ['a NOT NULL source', 'a int!', 'a int', []],
    ['another order', 'y int; x int; z int', 'x int; y int; z int', ['column_order remark ']],
    ['a variant', 'ID int', 'id int', ['name_variant warning id']],
    ['a collision', 'ID int; Id int', 'id int', ['name_collision error id']],
    ['an extra field', 'c struct<name:string,vip:boolean>', 'c struct<name:string>', ['extra_column warning c.vip']],
    ['a missing field', 'c struct<name:string>', 'c struct<name:string,tier:int>', ['missing_column warning c.tier']],
    ['a retyped field', 'c struct<tier:string>', 'c struct<tier:int>', ['type_mismatch warning c.tier string int']],
    [
      'a field below a list',
      'items list<struct<price:double>>',
      'items list<struct<price:int>>',
      ['type_mismatch warning items[].price double int'],
    ],
    ['elements of lists of lists', 'm list<list<bigint>>', 'm list<list<int>>', ['type_mismatch warning m[][] bigint int']],
    ['the values of a map', 'm map<string,bigint>', 'm map<string,int>', ['type_mismatch warning m.value bigint int']],
    ['a structure for a scalar', 'c struct<a:int>', 'c string', ['type_mismatch warning c struct<a:int> string']],
    ['a variant among fields', 'c struct<Name:string>', 'c struct<name:string>', ['name_variant warning c.name']],
    ['a field name with a dot', 'c struct<"a.b":int>', 'c struct<"a.b":string>', ['type_mismatch warning c."a.b" int string']],
    [
      'a required field',
      'c struct<a:int>',
      'c struct<a:int not null,b:int not null>',
      ['missing_column error c.b', 'nullability_mismatch remark c.a'],
    ],
    ['a required field below a list', 'c list<struct<a:int>>', 'c list<struct<a:int not null>>', ['nullability_mismatch remark c[].a']],
    [
      'names of Object.prototype',
      '__proto__ int; constructor int',
      '__proto__ int; toString int',
      ['missing_column warning toString', 'extra_column warning constructor'],
    ],
  ])('%s', (_, source, target, expected) => {
    expect(found(source, target)).toEqual(expected);
  });

  it('does not expect a column that the target computes', () => {
    const target: Schema = {
      columns: [...schema('id int').columns, { name: 'total', type: parseType('int'), nullable: false, generated: true }],
    };
    expect(compareSchemas(schema('id int'), target)).toEqual([]);
    expect(compareSchemas(schema('id int; total int'), target).map(({ kind, path }) => `${kind} ${path}`)).toEqual(['extra_column total']);
  });

  it('uses other names of columns and fields', () => {
    const from = new Map([
      ['order_id', ['Order No']],
      ['c.name', ['title']],
    ]);
    const source: Schema = {
      columns: [{ name: 'Order No', type: parseType('int'), nullable: true }, ...schema('c struct<title:string>').columns],
    };
    expect(compareSchemas(source, schema('order_id int; c struct<name:string>'), { from })).toEqual([]);
  });

  it('follows JSON paths into the source', () => {
    const options: CompareOptions = {
      sourceForm: 'json',
      from: new Map([
        ['zip', ['$.address.zip']],
        ['city', ['$.address.town']],
      ]),
    };
    expect(found('address struct<zip:bigint>', 'zip date; city string', options)).toEqual([
      'extra_column remark address',
      'type_mismatch warning zip bigint date',
      'missing_column warning city',
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ['string', 'int', []],
    ['string', 'timestamptz', []],
    ['string', 'struct<a:int>', []],
    ['string', 'string', []],
    ['string', 'varchar(5)', ['type_mismatch remark a string varchar(5)']],
    ['varchar(3)', 'varchar(5)', []],
    ['varchar(9)', 'varchar(5)', ['type_mismatch warning a varchar(9) varchar(5)']],
    ['int', 'string', []],
    ['int', 'bigint', []],
    ['int', 'decimal(10,2)', []],
    ['date', 'timestamp', []],
    ['decimal(5,1)', 'int', ['type_mismatch warning a decimal(5,1) int']],
    ['bigint', 'int', ['type_mismatch warning a bigint int']],
    ['int', 'boolean', ['type_mismatch warning a int boolean']],
    ['timestamp', 'timestamptz', ['type_mismatch warning a timestamp timestamptz']],
  ])('CSV: %s into %s', (from, to, expected) => {
    expect(found(`a ${from}`, `a ${to}!`, { sourceForm: 'text' })).toEqual(expected);
  });

  it.each<[string, string, readonly string[]]>([
    ['string', 'date', []],
    ['string', 'timestamptz', []],
    ['string', 'uuid', []],
    ['string', 'binary', []],
    ['string', 'json', []],
    ['string', 'string', []],
    ['string', 'int', ['type_mismatch warning a string int']],
    ['string', 'boolean', ['type_mismatch warning a string boolean']],
    ['string', 'struct<a:int>', ['type_mismatch warning a string struct<a:int>']],
    ['bigint', 'int', []],
    ['double', 'int', []],
    ['bigint', 'decimal(5,2)', []],
    ['decimal(20,2)', 'double', []],
    ['bigint', 'string', ['type_mismatch remark a bigint string']],
    ['boolean', 'string', ['type_mismatch remark a boolean string']],
    ['bigint', 'date', ['type_mismatch warning a bigint date']],
    ['boolean', 'int', ['type_mismatch warning a boolean int']],
    ['struct<x:int>', 'json', []],
    ['struct<x:int>', 'string', ['type_mismatch warning a struct<x:int> string']],
    ['struct<x:string,y:string>', 'map<string,int>', ['type_mismatch warning a.value string int']],
    ['struct<x:int>', 'map<string,int>', []],
    ['list<string>', 'string', ['type_mismatch warning a list<string> string']],
    ['struct<x:int>', 'list<int>', ['type_mismatch warning a struct<x:int> list<int>']],
  ])('JSON: %s into %s', (from, to, expected) => {
    expect(found(`a ${from}`, `a ${to}!`, { sourceForm: 'json' })).toEqual(expected);
  });

  it('gives no meaning to the order of JSON keys', () => {
    expect(found('b int; a int', 'a int; b int', { sourceForm: 'json' })).toEqual([]);
  });

  it('shows both orders in the remark on the order', () => {
    expect(compareSchemas(schema('y int; x int'), schema('x int; y int'))[0]).toMatchObject({ expected: 'x, y', actual: 'y, x' });
  });

  it('finds nothing between any schema and itself', () => {
    const type = fc.constantFrom(
      'int!',
      'string',
      'decimal(9,2)',
      'list<struct<a:int,b:map<string,date>>>',
      'struct<x:int not null>',
      'interval',
      'json',
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom('a', 'A', 'b', '__proto__', '"')),
        fc.array(type, { minLength: 5, maxLength: 5 }),
        (names, types) => {
          const one = schema(names.map((name, i) => `${name} ${types[i]}`).join('; '));
          expect(compareSchemas(one, one)).toEqual([]);
          expect(checkSchema(one, one)).toEqual([]);
          expect(differingColumns(one, one)).toEqual([]);
        },
      ),
    );
  });
});

describe('differingColumns', () => {
  it('lists what is missing or of another type, with the types to reach', () => {
    expect(differingColumns(schema('ID int; a string; x int'), schema('id bigint; a string; b date'))).toEqual([
      { name: 'id', from: parseType('int'), to: parseType('bigint') },
      { name: 'b', from: null, to: parseType('date') },
    ]);
  });
});

describe('checkSchema', () => {
  it.each<[string, string, readonly string[]]>([
    ['a int', 'a bigint', ['type_mismatch error a']],
    ['a int', 'a int; b int', ['missing_column error b']],
    ['a int; b int', 'a int', ['extra_column warning b']],
    ['a int', 'a int!', ['nullability_mismatch error a']],
    ['a int!', 'a int', ['nullability_mismatch warning a']],
    ['b int; a int', 'a int; b int', ['column_order remark ']],
  ])('a table (%s) against (%s)', (actual, expected, divergences) => {
    expect(checkSchema(schema(actual), schema(expected)).map(({ kind, severity, path }) => `${kind} ${severity} ${path}`)).toEqual(
      divergences,
    );
  });

  it('expects computed columns to be there', () => {
    const total = { name: 'total', type: parseType('int'), nullable: true, generated: true };
    expect(checkSchema(schema('a int'), { columns: [...schema('a int').columns, total] })).toMatchObject([
      { kind: 'missing_column', path: 'total' },
    ]);
    const both = { columns: [...schema('a int').columns, total] };
    expect(checkSchema(both, both)).toEqual([]);
  });
});
