import { expect, it } from 'vitest';
import { nestedFields } from './nested-fields.ts';

const paths = (target_type: string) => nestedFields({ path: 'c', target_type }).map(([path]) => path);

it('lists the fields of structs, lists and maps, outer before inner, as findings write their paths', () => {
  expect(paths('struct<a:int,b:list<struct<x:string>>,m:map<string,struct<y:int>>>')).toEqual([
    'c.a',
    'c.b',
    'c.b[].x',
    'c.m',
    'c.m.*',
    'c.m.*.y',
  ]);
});

it('lists nothing for scalars, for lists of them, and for types that cannot be read', () => {
  expect(['int', 'decimal(10,2)', 'list<int>', 'struct<', 'unknown<"a<b">', '<script>'].flatMap(paths)).toEqual([]);
});

it('cuts a column that is wider than a page can show', () => {
  const fields = Array.from({ length: 5000 }, (_, i) => `f${i}:int`).join(',');
  expect(paths(`struct<${fields}>`)).toHaveLength(2000);
});
