import { describe, expect, it } from 'vitest';
import { parseType } from '../model/type-text.ts';
import { changeOf, isWidening } from './type-change.ts';

/** `from`, `to`, what becomes of the values; reasoned from the ranges of the types. */
const cases: readonly (readonly [string, string, string])[] = [
  ['int', 'int', 'same'],
  ['int', 'bigint', 'widening'],
  ['bigint', 'int', 'narrowing'],
  ['tinyint', 'decimal(3,0)', 'widening'],
  ['tinyint', 'decimal(2,0)', 'narrowing'],
  ['int', 'decimal(12,2)', 'widening'],
  ['int', 'decimal(11,2)', 'narrowing'],
  ['bigint', 'decimal(19,0)', 'widening'],
  ['bigint', 'decimal(18,0)', 'narrowing'],
  ['int', 'double', 'widening'],
  ['bigint', 'double', 'narrowing'],
  ['smallint', 'float', 'widening'],
  ['int', 'float', 'narrowing'],
  ['decimal(9,0)', 'int', 'widening'],
  ['decimal(10,0)', 'int', 'narrowing'],
  ['decimal(18,0)', 'bigint', 'widening'],
  ['decimal(4,1)', 'bigint', 'narrowing'],
  ['decimal(10,2)', 'decimal(12,2)', 'widening'],
  ['decimal(10,2)', 'decimal(12,4)', 'widening'],
  ['decimal(10,2)', 'decimal(11,4)', 'narrowing'],
  ['decimal(10,2)', 'decimal(10,1)', 'narrowing'],
  ['decimal(10,2)', 'double', 'narrowing'],
  ['double', 'decimal(38,10)', 'narrowing'],
  ['double', 'bigint', 'narrowing'],
  ['float', 'double', 'widening'],
  ['double', 'float', 'narrowing'],
  ['varchar(5)', 'varchar(10)', 'widening'],
  ['varchar(5)', 'string', 'widening'],
  ['varchar(10)', 'varchar(5)', 'narrowing'],
  ['string', 'varchar(5)', 'narrowing'],
  ['date', 'timestamp', 'other'],
  ['timestamp', 'date', 'narrowing'],
  ['timestamp', 'timestamptz', 'other'],
  ['timestamptz', 'timestamp', 'other'],
  ['int', 'string', 'other'],
  ['string', 'int', 'other'],
  ['boolean', 'int', 'other'],
  ['string', 'json', 'other'],
  ['uuid', 'string', 'other'],
  ['list<int>', 'list<bigint>', 'widening'],
  ['list<int>', 'list<string>', 'other'],
  ['list<int>', 'int', 'other'],
  ['map<string,int>', 'map<string,bigint>', 'widening'],
  ['map<string,bigint>', 'map<string,int>', 'narrowing'],
  ['struct<a:int>', 'struct<a:bigint>', 'widening'],
  ['struct<a:int>', 'struct<a:int,b:int>', 'widening'],
  ['struct<a:int,b:int>', 'struct<a:int>', 'narrowing'],
  ['struct<a:int,b:string>', 'struct<b:string,a:int>', 'same'],
  ['struct<a:int,b:bigint>', 'struct<a:bigint,b:int>', 'narrowing'],
  ['interval', 'interval', 'same'],
  ['interval', 'string', 'other'],
];

describe('changeOf', () => {
  it.each(cases)('%s into %s: %s', (from, to, kind) => {
    expect(changeOf(parseType(from), parseType(to)).kind).toBe(kind);
    expect(isWidening(parseType(from), parseType(to))).toBe(kind === 'widening');
  });

  it('says which length, precision or scale decides', () => {
    const why = (from: string, to: string) => changeOf(parseType(from), parseType(to)).why;
    expect(why('decimal(12,2)', 'decimal(10,1)')).toBe('10 whole digits into 9, scale 2 into 1');
    expect(why('varchar(10)', 'varchar(5)')).toBe('length 10 into 5');
    expect(why('string', 'varchar(5)')).toBe('length without limit into 5');
  });
});
