import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../fault.ts';
import type { JsonPathSegment, PathSegment } from './path.ts';
import { findPath, isJsonPath, parseJsonPath, parsePath, printJsonPath, printPath } from './path.ts';
import { int, list, map, string, struct } from './type.ts';

const f = (name: string): PathSegment & JsonPathSegment => ({ kind: 'field', name });
const each: PathSegment = { kind: 'element' };
const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', '', ' ', 'a.b', '"', "'", '\\', '[]', '__proto__', '$', 'x y'));

describe('column paths', () => {
  it.each<[string, readonly PathSegment[]]>([
    ['a', [f('a')]],
    ['a.b', [f('a'), f('b')]],
    ['items[].price', [f('items'), each, f('price')]],
    ['m[][]', [f('m'), each, each]],
    ['"a.b".c', [f('a.b'), f('c')]],
    ['a."say ""x"""', [f('a'), f('say "x"')]],
    ['unit price.b c', [f('unit price'), f('b c')]],
    ['a.""', [f('a'), f('')]],
    ['__proto__.constructor', [f('__proto__'), f('constructor')]],
  ])('reads %s', (text, segments) => {
    expect(parsePath(text)).toEqual(segments);
  });

  it.each([
    ['', 1],
    ['.a', 1],
    ['a..b', 2],
    ['[]', 1],
    ['a[', 2],
    ['a[0]', 2],
    ['a.', 2],
    ['a"b"', 2],
    ['"a', 1],
    ['a[]b', 4],
  ])('refuses %j at position %i', (text, position) => {
    expect(() => parsePath(text)).toThrow(Fault);
    expect(() => parsePath(text)).toThrow(`(position ${position})`);
  });

  it('writes a column alone as its bare name', () => {
    expect(printPath([f('a.b" x')])).toBe('a.b" x');
  });

  it('reads back what it writes', () => {
    const segment = fc.oneof(name.map(f), fc.constant(each));
    fc.assert(
      fc.property(name, segment, fc.array(segment), (first, second, rest) => {
        const segments = [f(first), second, ...rest];
        expect(parsePath(printPath(segments))).toEqual(segments);
      }),
    );
  });
});

describe('JSON paths', () => {
  it.each<[string, readonly JsonPathSegment[]]>([
    ['$.a.b', [f('a'), f('b')]],
    ["$['x y'].z", [f('x y'), f('z')]],
    ['$["x.y"][0].z', [f('x.y'), { kind: 'index', index: 0 }, f('z')]],
    ["$['it\\'s']", [f("it's")]],
    ['$."x y".z', [f('x y'), f('z')]],
    ['$.a-b', [f('a-b')]],
  ])('reads %s', (text, segments) => {
    expect(parseJsonPath(text)).toEqual(segments);
    expect(isJsonPath(text)).toBe(true);
  });

  it.each(['', '$', 'a.b', '$..a', '$.a[*]', '$.', "$['a", '$a', '$.a['])('refuses %j', (text) => {
    expect(() => parseJsonPath(text)).toThrow(Fault);
  });

  it.each(['$id', 'a', '', '$'])('takes %j for a name', (text) => {
    expect(isJsonPath(text)).toBe(false);
  });

  it('reads back what it writes', () => {
    const segment = fc.oneof(
      name.map(f),
      fc.nat().map((index): JsonPathSegment => ({ kind: 'index', index })),
    );
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
        expect(parseJsonPath(printJsonPath(segments))).toEqual(segments);
      }),
    );
  });
});

describe('findPath', () => {
  const address = struct([{ name: 'zip', type: string(5) }]);
  const schema = {
    columns: [
      { name: 'address', type: address, nullable: true },
      { name: 'address.zip', type: int(32), nullable: true },
      { name: 'items', type: list(struct([{ name: 'price', type: int(64) }])), nullable: true },
      { name: 'attrs', type: map(string(), int(8)), nullable: true },
    ],
  };
  it.each([
    ['address', address],
    ['address.zip', int(32)],
    ['"address".zip', string(5)],
    ['items[].price', int(64)],
    ['attrs.value', int(8)],
    ['attrs.key', string()],
  ])('finds %s', (text, type) => {
    expect(findPath(schema, text)?.type).toEqual(type);
  });
  it.each(['nothing', 'address.city', 'address[]', 'items.price', '', '[', 'address.zip.x', 'constructor'])('does not find %j', (text) => {
    expect(findPath(schema, text)).toBeUndefined();
  });
});
