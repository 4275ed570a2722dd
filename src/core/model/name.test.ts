import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldKey, isBlank, nameKey } from './name.ts';

describe('nameKey', () => {
  it('is the same for composed and decomposed letters, and keeps case and blanks', () => {
    expect(nameKey('cafe\u0301')).toBe(nameKey('caf\u00e9'));
    expect(nameKey('Name')).not.toBe(nameKey('name'));
    expect(nameKey(' name')).not.toBe(nameKey('name'));
  });
});

describe('foldKey', () => {
  it.each([
    ['ID', 'id'],
    [' Name ', 'name'],
    ['\tid\r\n', 'id'],
    ['\u00a0id\u202f', 'id'],
    ['\ufeffid', 'id'],
    ['\u0085id\u3000', 'id'],
    ['STRASSE', 'straße'],
    ['STRA\u1e9eE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['CAFE\u0301', 'café'],
    ['\u212a', 'k'],
    ['ﬁ', 'FI'],
  ])('joins %j and %j', (a, b) => {
    expect(foldKey(a)).toBe(foldKey(b));
  });

  it.each([
    ['order id', 'orderid'],
    ['order_id', 'order id'],
    ['ılk', 'ilk'],
    ['a', 'á'],
    ['a\u200bb', 'ab'],
  ])('keeps %j and %j apart', (a, b) => {
    expect(foldKey(a)).not.toBe(foldKey(b));
  });

  it('is the same for names with the same key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldKey(nameKey(name))).toBe(foldKey(name));
        expect(foldKey(name.normalize('NFD'))).toBe(foldKey(name));
      }),
    );
  });

  it('is the same for both cases of any letter', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((name) => !/[ıİI]/u.test(name)),
        (name) => {
          expect(foldKey(name.toLowerCase())).toBe(foldKey(name));
        },
      ),
    );
  });
});

describe('isBlank', () => {
  it.each([
    ['', true],
    [' \t\u00a0', true],
    ['a', false],
    ['"', false],
  ])('%j: %s', (name, blank) => {
    expect(isBlank(name)).toBe(blank);
  });
});
