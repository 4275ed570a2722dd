import { describe, expect, it } from 'vitest';
import { inChunks } from '../../test/fixtures/byte-streams.ts';
import { jsonShape } from './json-shape.ts';
import { type JsonScan, type NdjsonScan, scanJsonText, scanNdjsonText } from './scan-json.ts';
import { alignedUtf8 } from './text-encoding.ts';

const all = Array.from({ length: 20 }, (_, index) => index + 1);
const sizes = [1, 2, 3, 1000];
const stream = (text: string | Buffer, size: number): AsyncIterable<Buffer> => alignedUtf8(inChunks(Buffer.from(text), size));

const corrupt = [
  '{"id":1,"v":"a"}',
  '{"id":2,"v":"b"}TRAILER',
  '{"id":3,"v":',
  '{"id":4,"v":"d"}',
  '',
  '{"id":5,"v":NaN}',
  '[6,"f"]',
  '"just a string"',
  '{"id":7,"v":"g"}',
  '{"id":8,"v":"x\\u0000y"}',
  '{"id":9,"v":"h"',
].join('\n');

const lineCases: readonly (readonly [string, string | Buffer, readonly number[], NdjsonScan['malformed']])[] = [
  ['nothing', '', [], []],
  ['lines with and without an end', '{}\n{}', [1, 2], []],
  ['blank lines are no records', '\n{"a":1}\r\n \t\r\n\r\n{"a":2}\n\n', [2, 5], []],
  ['a lone CR does not end a line', '{"a":1}\r{"a":2}\n{}', [1, 2], []],
  ['corrupt lines count (case 011)', corrupt, [1, 2, 3, 4, 6, 7, 8, 9, 10, 11], []],
  [
    'bytes that are no UTF-8',
    Buffer.from('{"a":"\xff"}\r\n{"b":"x"}\n\xc3\n{"c":1}', 'latin1'),
    [1, 2, 3, 4],
    [
      { record: 1, line: 1, raw: '{"a":"\uFFFD"}' },
      { record: 3, line: 3, raw: '\uFFFD' },
    ],
  ],
  [
    'good bytes before and after the bad ones',
    Buffer.concat([Buffer.from('{"a":"éé'), Buffer.from([0xff]), Buffer.from('€€"}\n{"é":1}\n')]),
    [1, 2],
    [{ record: 1, line: 1, raw: '{"a":"éé\uFFFD€€"}' }],
  ],
];

describe('scanNdjsonText', () => {
  it.each(lineCases)('%s', async (_, text, lines, malformed) => {
    for (const size of sizes) {
      const scan = await scanNdjsonText(stream(text, size), { want: all });
      expect([[...scan.lines.values()], scan.records, scan.malformed]).toEqual([lines, lines.length, malformed]);
    }
  });

  it('gives only the lines that are wanted and exist', async () => {
    expect((await scanNdjsonText(stream('{}\n\n{}\n{}', 2), { want: [2, 9] })).lines).toEqual(new Map([[2, 3]]));
  });
});

const customers = [
  '[',
  '  {',
  '    "id":1,"customer":{"name":"Ann","tier":2},"tags":["a","b"]',
  '  },',
  '  {',
  '    "id":2,"customer":"B]o{b","tags":["x"]',
  '  }',
  ']',
  '',
].join('\n');

type Broken = NonNullable<JsonScan['broken']>;
type JsonCase = readonly [string, 'array' | 'objects', string, readonly number[], Omit<Broken, 'message'>?, RegExp?];

const jsonCases: readonly JsonCase[] = [
  ['an array over several lines (case 010)', 'array', customers, [2, 5]],
  ['an empty array', 'array', ' [ \n ] \n', []],
  ['scalars and arrays are records too', 'array', '[1, "a,]",\r\n[2,[3]],\rnull,{}]', [1, 1, 2, 3, 3]],
  ['escapes in strings', 'array', '["a\\"]", "b\\\\",\n"c"]', [1, 1, 2]],
  ['CRLF counts once', 'array', '[\r\n1,\r\n\r\n2\r\n]', [2, 4]],
  ['a line end inside a string counts', 'array', '["a\nb",\n1]', [1, 3]],
  ['objects one after the other', 'objects', '{"a":1}\n{\n"a":2}\n\n{"a":{"b":[1]}}', [1, 2, 5]],
  ['objects without anything between', 'objects', '{}{}', [1, 1]],
  ['nothing', 'objects', ' \n', []],
  ['an array that is never closed', 'array', '[\n{"a":1},\n{"a":2}\n', [2, 3], { record: 2, line: 4, column: 1 }, /array is never closed/],
  ['a record that is never closed', 'array', '[{"a":1},\n{"a":[2}]', [1, 2], { record: 2, line: 2, column: 8 }, /"}" closes a "\["/],
  [
    'an object that is never closed',
    'objects',
    '{"a":1}\n{"b":',
    [1, 2],
    { record: 2, line: 2, column: 6 },
    /record 2, which starts at line 2, is never closed/,
  ],
  ['a string that is never closed', 'objects', '{"a":"x\n', [1], { record: 1, line: 2, column: 1 }, /string in record 1/],
  ['something after the array', 'array', '[1]\n  x', [1], { record: 1, line: 2, column: 3 }, /follows the end/],
  ['a second array', 'array', '[1]\n[2]', [1], { record: 1, line: 2, column: 1 }, /follows the end/],
  ['a missing comma; columns count characters', 'array', '["é€😀" {}]', [1], { record: 1, line: 1, column: 8 }, /comma is missing/],
  ['a comma at the end', 'array', '[1,]', [1], { record: 1, line: 1, column: 4 }, /"]" stands where a record should start/],
  ['a bracket too many', 'objects', '{"a":1}}', [1], { record: 1, line: 1, column: 8 }, /"}" stands where/],
  ['commas between objects', 'objects', '{},{}', [1], { record: 1, line: 1, column: 3 }, /"," stands where/],
];

describe('scanJsonText', () => {
  it.each(jsonCases.map(([name, ...rest]) => ({ name, rest })))('$name', async ({ rest: [shape, text, lines, broken, message] }) => {
    for (const size of sizes) {
      const scan = await scanJsonText(stream(text, size), shape, { want: all });
      expect([[...scan.lines.values()], scan.records]).toEqual([lines, lines.length]);
      if (broken === undefined) expect(scan.broken).toBeUndefined();
      else expect(scan.broken).toEqual({ ...broken, message: expect.stringMatching(message ?? /./u) });
    }
  });
});

describe('jsonShape', () => {
  it.each([
    ['an array', ' \n[1]', true, 'array'],
    ['objects on lines', '{"a":1}\n{"a":2}\n', true, 'lines'],
    ['objects on lines with blank lines and CRLF', '\r\n{"a":1}\r\n\r\n{"a":2}', true, 'lines'],
    ['one object', '{"a":1}\n', true, 'objects'],
    ['an object over several lines', '{\n"a":{"b":1}\n}', true, 'objects'],
    ['two objects over several lines', '{\n"a":1\n}\n{\n"a":2\n}', true, 'objects'],
    ['the last line of a head may be cut', '{"a":1}\n{"a":2}\n{"a":', false, 'lines'],
    ['broken lines among good ones (case 011)', corrupt, true, 'lines'],
    ['nothing', '', true, 'objects'],
  ] as const)('%s', (_, text, whole, shape) => {
    expect(jsonShape(text, whole)).toBe(shape);
  });
});
