import { describe, expect, it } from 'vitest';
import { parseCaseType, sameTypeText } from './case-type.ts';
import { canonical, type PlainValue } from './case-value.ts';

const equal: readonly (readonly [type: string, a: PlainValue, b: PlainValue])[] = [
  ['bigint', '9007199254740993', '9007199254740993'],
  ['int', 12, '12'],
  ['decimal(12,2)', '1234.50', '1234.5'],
  ['decimal(12,2)', '-0.00', '0'],
  ['double', 'NaN', Number.NaN],
  ['double', 'inf', Number.POSITIVE_INFINITY],
  ['double', '0.1', 0.1],
  ['float32', '0.1', 0.10000000149011612],
  ['timestamp', '2024-07-01 12:00:00.5', '2024-07-01T12:00:00.500000'],
  ['timestamp', '2024-07-01 12:00', '2024-07-01 12:00:00'],
  ['timestamptz', '2024-07-01T12:00:00Z', '2024-07-01 12:00:00+00'],
  ['time', '10:00', '10:00:00.000000'],
  ['json', '{"a": 1.10}', '{"a":1.10}'],
  ['binary', 'AA', 'aa'],
  ['struct<name:string,tier:int>', { name: 'Ann', tier: 2 }, { tier: 2, name: 'Ann' }],
  ['struct<name:string,tier:int>', { name: null, tier: null }, {}],
  [
    'map<string,int>',
    { a: 1, b: 2 },
    [
      ['b', 2],
      ['a', 1],
    ],
  ],
];

const different: readonly (readonly [type: string, a: PlainValue, b: PlainValue])[] = [
  ['bigint', '9007199254740993', '9007199254740992'],
  ['decimal(12,2)', '1234.50', '1234.51'],
  ['decimal(3,0)', '100', '1'],
  ['double', 0.1, 0.30000000000000004],
  ['timestamp', '2024-07-01 12:00:00', '2024-07-01 12:00:00.000001'],
  ['timestamptz', '2024-07-01T12:00:00Z', '2024-07-01 12:00:00'],
  ['string', '', null],
  ['string', 'null', null],
  ['string', 'a ', 'a'],
  ['boolean', 'true', true],
  ['list<string>', [], null],
  ['list<string>', ['f', null], ['f']],
  ['struct<name:string,tier:int>', { name: null, tier: null }, null],
  ['json', '{"a b": 1}', '{"ab": 1}'],
  ['json', '1.10', '1.1'],
];

describe('the written form of values', () => {
  it.each(equal)('%s: %j equals %j', (type, a, b) => {
    expect(canonical(parseCaseType(type), a)).toEqual(canonical(parseCaseType(type), b));
  });

  it.each(different)('%s: %j is not %j', (type, a, b) => {
    expect(canonical(parseCaseType(type), a)).not.toEqual(canonical(parseCaseType(type), b));
  });
});

describe('type texts', () => {
  it.each([
    ['int', 'integer'],
    ['bigint', 'int64'],
    ['string', 'VARCHAR'],
    ['struct<name:string,tier:int>', 'struct<name: varchar, tier: integer>'],
    ['decimal(12,2)', 'DECIMAL(12, 2)'],
  ])('%s is %s', (a, b) => {
    expect(sameTypeText(a, b)).toBe(true);
  });

  it.each([
    ['int', 'bigint'],
    ['string', 'varchar(5)'],
    ['decimal(12,2)', 'decimal(12,3)'],
    ['struct<Name:string>', 'struct<name:string>'],
    ['list<int>', 'int'],
  ])('%s is not %s', (a, b) => {
    expect(sameTypeText(a, b)).toBe(false);
  });

  it('refuses a type it does not know', () => {
    expect(() => parseCaseType('colour')).toThrow('unknown type "colour"');
    expect(() => parseCaseType('constructor')).toThrow('unknown type "constructor"');
  });
});
