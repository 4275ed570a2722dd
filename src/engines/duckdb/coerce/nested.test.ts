import { readFileSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Ask } from '../../../../test/harness/coercion-query.ts';
import { coerce, coercionQuery } from '../../../../test/harness/coercion-query.ts';
import type { Field, LogicalType } from '../../../core/model/type.ts';
import * as t from '../../../core/model/type.ts';
import { literal } from '../quote.ts';

let connection: DuckDBConnection;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
  connection = await instance.connect();
});

const struct = (fields: Readonly<Record<string, LogicalType>>): LogicalType =>
  t.struct(Object.entries(fields).map(([name, type]): Field => ({ name, type })));

const json = { form: 'json' } as const;
const text = { form: 'text' } as const;
const rejected = undefined;

async function answer(ask: Omit<Ask, 'raws'>, raw: string | null): Promise<Answer> {
  const [first] = await coerce(connection, { ...ask, raws: [raw === null ? 'NULL::VARCHAR' : literal(raw)] });
  if (first === undefined) throw new Error('no row came back');
  return first;
}

const issuesOf = (given: Answer): string[] => given.issues.map((issue) => `${issue.path} ${issue.code} ${issue.outcome} ${issue.value}`);

async function outcome(ask: Omit<Ask, 'raws'>, raw: string | null): Promise<unknown[]> {
  const given = await answer(ask, raw);
  return [given.value, ...issuesOf(given)];
}

describe('an object or a string (case 010)', () => {
  const records = JSON.parse(
    readFileSync(new URL('../../../../test/cases/010-object-or-string/customers.json', import.meta.url), 'utf8'),
  ) as {
    customer?: unknown;
    tags?: unknown;
  }[];
  const raws = (value: (record: (typeof records)[number]) => unknown): string[] =>
    records.map((record) => {
      const token = value(record);
      return token === undefined || token === null ? 'NULL::VARCHAR' : literal(JSON.stringify(token));
    });

  it('refuses the string, keeps null, {} and objects apart, and takes the digits in a string', async () => {
    const answers = await coerce(connection, {
      from: json,
      to: struct({ name: t.string(), tier: t.int(32) }),
      rule: { onInvalid: 'quarantine' },
      path: 'customer',
      raws: raws((record) => record.customer),
    });
    expect(answers.map((given) => given.value)).toEqual([
      "{'name': Ann, 'tier': 2}",
      rejected,
      null,
      null,
      "{'name': Eve, 'tier': 3}",
      "{'name': NULL, 'tier': NULL}",
      "{'name': NULL, 'tier': 0}",
    ]);
    expect(answers.flatMap(issuesOf)).toEqual(['customer invalid_value:structure rejected "Bob"']);
    expect(answers.flatMap((given) => given.notes)).toEqual(['string customer.tier: 3']);
  });

  it('keeps the empty list and the null in a list', async () => {
    const answers = await coerce(connection, { from: json, to: t.list(t.string()), path: 'tags', raws: raws((record) => record.tags) });
    expect(answers.map((given) => given.value)).toEqual(['[a, b]', '[x]', null, '[c]', '[d]', '[]', '[f, NULL]']);
  });
});

describe('shapes', () => {
  const name = struct({ name: t.string() });
  type Row = [to: LogicalType, token: string | null, stored: string | null | undefined, ...issues: string[]];
  const structure = (token: string): string => `c invalid_value:structure rejected ${token}`;
  const rows: Row[] = [
    [name, '{"name":"a"}', "{'name': a}"],
    [name, '{"Name":"a"}', "{'name': NULL}"],
    [name, '{}', "{'name': NULL}"],
    [name, 'null', null],
    [name, null, null],
    [name, '[]', rejected, structure('[]')],
    [name, '[{"name":"a"}]', rejected, structure('[{"name":"a"}]')],
    [name, '"a"', rejected, structure('"a"')],
    [name, '1', rejected, structure('1')],
    [name, 'true', rejected, structure('true')],
    [name, '{"name":{"x":1}}', rejected, 'c.name invalid_value:structure rejected {"x":1}'],
    [t.list(t.int(32)), '[1,null,"3"]', '[1, NULL, 3]'],
    [t.list(t.int(32)), '{}', rejected, structure('{}')],
    [t.list(t.int(32)), '1', rejected, structure('1')],
    [t.list(t.int(32)), '[1,"x",2.5]', rejected, 'c[] invalid_value rejected x', 'c[] lossy_value rejected 2.5'],
    [t.list(t.list(t.int(32))), '[[1],[],null,[2,null]]', '[[1], [], NULL, [2, NULL]]'],
    [t.list(t.list(t.int(32))), '[[1],2,["x"]]', rejected, 'c[] invalid_value:structure rejected 2', 'c[][] invalid_value rejected x'],
    [t.map(t.string(), t.int(32)), '{"a":1,"b":null}', '{a=1, b=NULL}'],
    [t.map(t.string(), t.int(32)), '{}', '{}'],
    [t.map(t.string(), t.int(32)), '[]', rejected, structure('[]')],
    [t.map(t.int(32), t.string()), '{"1":"x","2":"y"}', '{1=x, 2=y}'],
    [t.map(t.int(32), t.string()), '{"1":"x","z":"y"}', rejected, 'c invalid_value rejected z'],
    [t.map(t.int(32), t.string()), '{"1":"x","01":"y"}', rejected, 'c invalid_value:duplicate_key_in_object rejected {"1":"x","01":"y"}'],
    [t.map(t.string(), t.int(8)), '{"a":300}', rejected, 'c.* invalid_value:out_of_range rejected 300'],
    [t.map(t.string(), struct({ x: t.list(t.boolean) })), '{"a":{"x":[true]},"b":{}}', "{a={'x': [true]}, b={'x': NULL}}"],
    [
      struct({ b: t.boolean, d: t.date, j: t.json }),
      '{"b":true,"d":"2026-01-02","j":{"k":[1]}}',
      `{'b': true, 'd': 2026-01-02, 'j': '{"k":[1]}'}`,
    ],
  ];
  it.each(rows)('%j takes %j', async (to, token, ...expected) => {
    expect(await outcome({ from: json, to }, token)).toEqual(expected);
  });
});

describe('policies inside', () => {
  const items = t.list(struct({ sku: t.string(3), price: t.decimal(5, 2) }));
  const ask = { from: json, to: items, path: 'items' } as const;

  it('truncates by the rule of a path, and says so with the path', async () => {
    const nested = { 'items[].price': { onLossy: 'truncate' } } as const;
    expect(await outcome({ ...ask, nested }, '[{"sku":"a","price":1.999},{"sku":"b","price":"2.50"}]')).toEqual([
      "[{'sku': a, 'price': 1.99}, {'sku': b, 'price': 2.50}]",
      'items[].price lossy_value:scale altered 1.999',
    ]);
  });

  it('reports all faults and rejects for one of them', async () => {
    const nested = { 'items[].price': { onInvalid: 'null', onLossy: 'round' }, 'items[].sku': { onInvalid: 'quarantine' } } as const;
    expect(await outcome({ ...ask, nested }, '[{"sku":"abcd","price":"x"},7,{"price":1.555}]')).toEqual([
      rejected,
      'items[].sku invalid_value:too_long rejected abcd',
      'items[].price invalid_value nulled x',
      'items[] invalid_value:structure rejected 7',
      'items[].price lossy_value:scale altered 1.555',
    ]);
  });

  it('rebuilds the value around nulled and defaulted parts', async () => {
    const nested = {
      'items[].price': { onInvalid: 'null' },
      'items[].sku': { onInvalid: 'default', default: 'zzz' },
      'items[]': { onInvalid: 'null' },
    } as const;
    expect(await outcome({ ...ask, nested }, '[{"sku":"abcd","price":"x"},7,{"sku":"b","price":1}]')).toEqual([
      "[{'sku': zzz, 'price': NULL}, NULL, {'sku': b, 'price': 1.00}]",
      'items[].sku invalid_value:too_long defaulted abcd',
      'items[].price invalid_value nulled x',
      'items[] invalid_value:structure nulled 7',
    ]);
  });

  it('hands policies down, but not what belongs to the column alone', async () => {
    const rule = { onInvalid: 'default', default: '[]', nullValues: ['n/a'] } as const;
    expect(await outcome({ ...ask, rule, defaultSql: '[]' }, '[{"sku":"n/a","price":"x"}]')).toEqual([
      "[{'sku': n/a, 'price': NULL}]",
      'items[].price invalid_value nulled x',
    ]);
    expect(await outcome({ ...ask, rule, defaultSql: '[]' }, '"oops"')).toEqual(['[]', 'items invalid_value:structure defaulted "oops"']);
    expect(await outcome({ ...ask, rule, defaultSql: '[]' }, '"n/a"')).toEqual([null]);
  });

  it('uses the null tokens of a path', async () => {
    expect(await outcome({ ...ask, nested: { 'items[].price': { nullValues: ['-'] } } }, '[{"price":"-"}]')).toEqual([
      "[{'sku': NULL, 'price': NULL}]",
    ]);
  });

  it('goes as deep as the type', async () => {
    const deep = struct({ a: t.list(struct({ b: t.list(struct({ c: t.map(t.string(), t.list(t.int(8))) })) })) });
    const given = { from: json, to: deep } as const;
    expect(await outcome(given, '{"a":[{"b":[{"c":{"k":[1,null]}},null]}]}')).toEqual(["{'a': [{'b': [{'c': {k=[1, NULL]}}, NULL]}]}"]);
    const nested = { 'c.a[].b[].c.*[]': { onInvalid: 'null' } } as const;
    expect(await outcome({ ...given, nested }, '{"a":[{"b":[{"c":{"k":[1,999]}}]}]}')).toEqual([
      "{'a': [{'b': [{'c': {k=[1, NULL]}}]}]}",
      'c.a[].b[].c.*[] invalid_value:out_of_range nulled 999',
    ]);
    // SQL grows with the parts of the type, not with their depth.
    expect(coercionQuery({ ...given, nested, raws: ["'{}'"] }).length).toBeLessThan(80_000);
  });
});

describe('exact numbers', () => {
  const to = struct({ d: t.decimal(38, 3), s: t.string(), l: t.list(t.decimal(3, 2)) });

  it('keeps the digits of marked numbers', async () => {
    const token = '{"d":"#9f#12345678901234567890.123","s":"#9f#1.10","l":["#9f#1.10","#9f#2e0","1.5"]}';
    expect(await outcome({ from: json, to, mark: '#9f#' }, token)).toEqual([
      "{'d': 12345678901234567890.123, 's': 1.10, 'l': [1.10, 2.00, 1.50]}",
    ]);
  });

  it('shows the numbers as they were written', async () => {
    expect(await outcome({ from: json, to, mark: '#9f#' }, '{"d":"#9f#0.12345","l":{"x":"#9f#1.10"}}')).toEqual([
      rejected,
      'c.d lossy_value:scale rejected 0.12345',
      'c.l invalid_value:structure rejected {"x":1.10}',
    ]);
  });

  it('keeps them in JSON that arrives as text', async () => {
    const written = '{"d": 12345678901234567890.123, "s": 1.10, "l": [1.10, 2e0], "x": "a1.5,2.5:3.5 \\" 4.5"}';
    expect(await outcome({ from: text, to }, written)).toEqual(["{'d': 12345678901234567890.123, 's': 1.10, 'l': [1.10, 2.00]}"]);
  });

  it('does not touch digits in strings that follow the last number', async () => {
    expect(
      await outcome(
        { from: text, to: struct({ n: t.decimal(3, 2), s: t.string(), q: t.string() }) },
        '{"n":1.10,"s":"x1.5","q":"\\"7.25"}',
      ),
    ).toEqual([`{'n': 1.10, 's': x1.5, 'q': '"7.25'}`]);
  });

  it('takes text that holds the mark for no number', async () => {
    const [first] = await coerce(connection, { from: text, to: t.list(t.string()), raws: [literal('["#schemalign:number#1.5"]')] });
    expect(first?.value).not.toBe('[1.5]');
    expect(await outcome({ from: text, to: t.list(t.int(32)) }, '["\\u0023schemalign:number#5"]')).toEqual([
      rejected,
      expect.stringMatching(/^c/),
    ]);
  });
});

describe('JSON as text', () => {
  const to = struct({ a: t.int(32) });
  it.each([
    ['{"a": 1}', "{'a': 1}"],
    [' {"a":1} ', "{'a': 1}"],
    ['\t{"a":1}\v', "{'a': 1}"],
    ['null', null],
    ['n/a', null],
    ['{"a":null}', "{'a': NULL}"],
  ])('%j becomes %j', async (written, value) => {
    expect(await outcome({ from: text, to, rule: { nullValues: ['n/a'] } }, written)).toEqual([value]);
  });
  it.each(['{"a":1,}', '{"a":1', "{'a':1}", '{"a":NaN}', '', '[1]', '"x"', '{"a":1} x', 'a'])('%j is refused', async (written) => {
    expect(await outcome({ from: text, to }, written)).toEqual([rejected, `c invalid_value:structure rejected ${written}`]);
  });
});

describe('hostile names', () => {
  const names = [
    'a"b',
    "a'b",
    'a.b',
    'a b',
    '*',
    '$',
    'a\\b',
    '/',
    '~',
    '~1',
    '[0]',
    '__proto__',
    'constructor',
    'é',
    '😀',
    'select',
    '0',
    '#1',
    'x"); DROP TABLE canary; --',
    'sa1',
    'raw',
    'v',
    'p0',
    '\u202e',
    '%',
    'n'.repeat(300),
  ];
  const to = t.struct(names.map((name) => ({ name, type: t.string() })));

  it('are fields like others', async () => {
    await connection.run('CREATE OR REPLACE TABLE canary AS SELECT 1 AS x');
    const token = `{${names.map((name, i) => `${JSON.stringify(name)}:"${i}"`).join(',')}}`;
    const given = await answer({ from: json, to, path: 'c' }, token);
    expect(given.value).toContain(`'é': ${names.indexOf('é')}`);
    expect(given.value?.match(/: \d+[,}]/g)).toHaveLength(names.length);
    expect((await connection.runAndReadAll('SELECT x FROM canary')).getRowsJson()).toEqual([[1]]);
  });

  it.each(names)('%j is named in the issue and the remark', async (name) => {
    const one = t.struct([{ name, type: t.int(32) }]);
    const [bad, good] = await coerce(connection, {
      from: json,
      to: one,
      raws: [literal(`{${JSON.stringify(name)}:"x'y"}`), literal(`{${JSON.stringify(name)}:"5"}`)],
    });
    expect(bad?.issues).toEqual([{ path: `c.${name}`, code: 'invalid_value', outcome: 'rejected', value: "x'y" }]);
    expect(good?.notes).toEqual([`string c.${name}: 5`]);
  });
});

describe('remarks on fields of structs', () => {
  it('names the kind of token that was taken', async () => {
    const to = struct({ s: t.string(), n: t.decimal(4, 1), in: struct({ b: t.boolean }) });
    const [given] = await coerce(connection, { from: json, to, raws: [literal('{"s":1.5,"n":"007","in":{"b":"true"}}')] });
    expect(given?.notes).toEqual(['number c.s: 1.5', 'string c.n: 007', 'string c.in.b: true']);
  });
});

describe('typed values', () => {
  const from = (type: LogicalType) => ({ form: 'typed', type }) as const;
  const ask = async (given: Omit<Ask, 'raws'>, sql: string): Promise<unknown[]> => {
    const [first] = await coerce(connection, { ...given, raws: [sql] });
    return first === undefined ? [] : [first.value, ...issuesOf(first)];
  };
  const small = struct({ a: t.int(64), b: t.string() });

  it('reads structs by name, with missing fields NULL and further ones left out', async () => {
    const to = struct({ b: t.string(), z: t.date, a: t.int(32) });
    expect(await ask({ from: from(small), to }, "{'a': 1::BIGINT, 'b': 'x'}")).toEqual(["{'b': x, 'z': NULL, 'a': 1}"]);
    expect(await ask({ from: from(small), to }, 'NULL::STRUCT(a BIGINT, b VARCHAR)')).toEqual([null]);
    expect(await ask({ from: from(small), to }, "{'a': 3000000000::BIGINT, 'b': NULL::VARCHAR}")).toEqual([
      rejected,
      'c.a invalid_value:out_of_range rejected 3000000000',
    ]);
    expect(await ask({ from: from(small), to: struct({ z: t.int(32) }) }, "{'a': 1::BIGINT, 'b': 'x'}")).toEqual(["{'z': NULL}"]);
  });

  it('reads lists and maps part by part', async () => {
    const lists = { from: from(t.list(t.float(64))), to: t.list(t.decimal(4, 1)) };
    expect(await ask(lists, '[0.1::DOUBLE, NULL]')).toEqual(['[0.1, NULL]']);
    expect(await ask({ ...lists, nested: { 'c[]': { onLossy: 'round' } } }, '[0.15::DOUBLE, NULL]')).toEqual([
      '[0.2, NULL]',
      'c[] lossy_value:scale altered 0.15',
    ]);
    const maps = { from: from(t.map(t.string(), t.int(64))), to: t.map(t.string(), t.int(8)) };
    expect(await ask(maps, "MAP {'a': 1::BIGINT, 'b': NULL}")).toEqual(['{a=1, b=NULL}']);
    expect(await ask(maps, "MAP {'a': 1000::BIGINT}")).toEqual([rejected, 'c.* invalid_value:out_of_range rejected 1000']);
  });

  it('refuses another shape', async () => {
    expect(await ask({ from: from(t.list(t.int(32))), to: small }, '[1]')).toEqual([rejected, 'c invalid_value:structure rejected [1]']);
    expect(await ask({ from: from(t.int(32)), to: small }, '1')).toEqual([rejected, 'c invalid_value:structure rejected 1']);
    expect(await ask({ from: from(small), to: t.string() }, "{'a': 1::BIGINT, 'b': 'x'}")).toEqual([
      rejected,
      'c invalid_value:structure rejected {"a":1,"b":"x"}',
    ]);
    expect(await ask({ from: from(t.list(t.int(32))), to: small }, 'NULL::INTEGER[]')).toEqual([null]);
  });

  it('takes equal types over, and looks into them where text may be refused', async () => {
    expect(await ask({ from: from(small), to: small, nul: false }, "{'a': 1::BIGINT, 'b': 'x'}")).toEqual(["{'a': 1, 'b': x}"]);
    expect((await ask({ from: from(small), to: small }, "{'a': 1::BIGINT, 'b': 'x' || chr(0)}"))[1]).toMatch(
      /^c\.b invalid_value:nul_character/,
    );
  });

  it('reads text inside as JSON where the target is nested', async () => {
    expect(await ask({ from: from(t.string()), to: small }, `'{"a":1,"b":"x"}'`)).toEqual(["{'a': 1, 'b': x}"]);
    expect(await ask({ from: from(struct({ s: t.string() })), to: struct({ s: t.list(t.int(32)) }) }, `{'s': '[1,2]'}`)).toEqual([
      "{'s': [1, 2]}",
    ]);
    expect(await ask({ from: from(t.json), to: small }, `'{"a":1.5,"b":"x"}'::JSON`)).toEqual([rejected, 'c.a lossy_value rejected 1.5']);
  });
});
