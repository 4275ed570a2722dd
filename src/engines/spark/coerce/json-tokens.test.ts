import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sparkServer } from '../../../../test/harness/spark-server.ts';
import { openSpark, type SparkClient } from '../connect/client.ts';
import { ident, literal } from '../quote.ts';
import { decodedString, encodedJson, fromEncoded, isJson, jsonKey, plainJson, tokenOf } from './json-tokens.ts';

const server = await sparkServer();

describe.skipIf(server === undefined)('JSON tokens', () => {
  let spark: SparkClient;
  beforeAll(async () => {
    spark = await openSpark(server?.url ?? '');
  });
  afterAll(() => spark.close());

  /** One piece of SQL over each of the texts, as column x. */
  async function each(texts: readonly string[], sql: string): Promise<readonly unknown[]> {
    const values = texts.map((text, n) => `(${n}, ${literal(text)})`).join(', ');
    const { rows } = await spark.table(`SELECT n, ${sql} FROM VALUES ${values} AS given(n, x)`);
    return [...rows].sort(([a], [b]) => Number(a) - Number(b)).map(([, value]) => value);
  }

  test('are the values of an object exactly as written', async () => {
    const line = '{"a":1.50, "b":12345678901234567890.10,"c":1e400,"d":"x\\n\\"\\\\\\u00e9é","e":true,"f":"true","g":null,"h":"1"}';
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'absent'];
    const type = `STRUCT<${names.map((name) => `${ident(jsonKey(name))}: STRING`).join(', ')}>`;
    const [found] = await each([line], fromEncoded(encodedJson('x'), type));
    const tokens = ['1.50', '12345678901234567890.10', '1e400', '"x\\n\\"\\\\\\u00e9é"', 'true', '"true"', null, '"1"', null];
    expect(found).toEqual(Object.fromEntries(names.map((name, i) => [jsonKey(name), tokens[i]])));
  });

  test('nested values come back as written, but for blanks', async () => {
    const texts = [
      '{"a":[1.50,"x\\"y\\\\",{"b":"\\\\\\""}],"c":{}}',
      '[]',
      '{}',
      '["","\\\\","\\\\\\\\","\\"","\\n","é\\u00e9","a:b","[1, 2]","true",true,-0,1E+2,null]',
      '[[["\\u0041"]]]',
    ];
    expect(await each(texts, plainJson(`(${tokenOf('x')})`))).toEqual(texts);
    expect(await each([' [ 1 , {"a" :\t"b c"} ] '], plainJson(`(${tokenOf('x')})`))).toEqual(['[1,{"a":"b c"}]']);
  });

  test('keys with escapes are those without', async () => {
    const type = `STRUCT<${ident(jsonKey('name'))}: STRING, ${ident(jsonKey('a"b'))}: STRING>`;
    const [found] = await each(['{"n\\u0061me":"v","a\\"b":"w\\u0061"}'], fromEncoded(encodedJson('x'), type));
    expect(found).toEqual({ '"name"': '"v"', '"a\\"b"': '"w\\u0061"' });
  });

  test('strings are read, half pairs marked', async () => {
    const tokens = ['"x"', '""', '"a\\nb\\u00e9"', '"\\ud83d\\ude00"', '"\\u0000"', '"\\\\ud83d"'];
    expect(await each(tokens, decodedString('x'))).toEqual(['x', '', 'a\nbé', '😀', '\0', '\\ud83d']);
    const [half] = await each(['"\\ud83d"'], decodedString('x'));
    expect(half).toContain('half');
  });

  // RFC 8259, and what lies beside it.
  const right = ['1', '-0', '1.5e-3', '""', '"a\\/b"', 'true', 'null', '[]', ' {"a" : [1 , 2]} ', '"\u007f"', '[1,"\\\\"]', '{"":1}'];
  const wrong = [
    ...['', ' ', '01', '+1', '.5', '1.', '1e', '-', '0x1', 'NaN', 'Infinity', '-Infinity', 'tru', 'True', 'nul', '"a', 'a"', "'a'"],
    ...[
      '"\\x41"',
      '"\\u12"',
      '"a\nb"',
      '"\t"',
      '"\u0001"',
      '[1,]',
      '[,1]',
      '[1 2]',
      '{"a":1,}',
      '{"a"}',
      '{a:1}',
      "{'a':1}",
      '{"a":01}',
      '{"a":1',
    ],
    ...['1],[2', '1},{"v":2', '[1],[2]', '1,2', '{"a":1} x', '{"a":1}{"b":2}', '1,"end"],[2', 'end', '"end"]', '[1] // c', '/* c */ 1'],
    ...['\ufeff1', '\u00a01', '1\f', '\u0003', '"\u0003"', '{"\u0003a":1}', '[1.5.5]', '[1-2]', '"\\ud83d"', '{"\\ud83d":1}'],
  ];

  test('what is JSON', async () => {
    expect(await each(right, isJson('x'))).toEqual(right.map(() => true));
  });

  test('what is not', async () => {
    const found = await each(wrong, isJson('x'));
    expect(wrong.filter((_, i) => found[i] !== false)).toEqual([]);
  });

  test('long texts take no stack', async () => {
    const long = [`{"a":"${'\\n'.repeat(200_000)}"}`, `[${'1,'.repeat(200_000)}1]`, `"${'x'.repeat(1_000_000)}"`];
    expect(await each(long, isJson('x'))).toEqual([true, true, true]);
  });
});
