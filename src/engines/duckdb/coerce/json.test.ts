import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Outcomes, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { json } from '../../../core/model/type.ts';

const invalid = 'invalid_value';
const same = (...texts: readonly string[]): Outcomes => texts.map((text) => [text, text] as const);
const refused = (...texts: readonly string[]): Outcomes => texts.map((text) => [text, invalid] as const);

test('valid JSON is kept as it is written, digits and all', async () => {
  const table: Outcomes = [
    ...same(
      '{}',
      '[]',
      '""',
      '0',
      '-0',
      '1.10',
      '1e400',
      '123456789012345678901234567890.123456789',
      '1E+2',
      'true',
      'null',
      '"a"',
      '{"a": [1, 2,  3.50]}',
      '{"b":1,"a":2}',
      '{"a":1,"a":2}',
      '"NaN"',
      '"Infinity, inf"',
      '{"nan":"inf,]","x":",}"}',
      '["a,]\\"",1]',
      '"\\\\"',
      '["\\\\",","]',
      '"\\u0000"',
      '"\\ud83d\\ude00"',
      '"\u{1f600}"',
      '{"information":1}',
      '[[[[]]]]',
      '[1 ,\n2]',
    ),
    [' {"a":1}\n', '{"a":1}'],
    ['\t[1]\r', '[1]'],
  ];
  expect(await outcomes(json, table)).toEqual(table);
});

test('what is not JSON by RFC 8259 is refused', async () => {
  const table = refused(
    '',
    ' ',
    'NaN',
    'nan',
    '-NaN',
    'Infinity',
    '-Infinity',
    'inf',
    '-inf',
    '[NaN]',
    '{"a":NaN}',
    '{"a":"x","b":-INFINITY}',
    '[1,]',
    '[1, ]',
    '[1,\n\t]',
    '{"a":1,}',
    '{"a":1 , }',
    '["]",]',
    '{"a":",]","b":[1,]}',
    '[,]',
    '[,1]',
    '{,}',
    '01',
    '+1',
    '.5',
    '5.',
    '1e',
    '-',
    '0x1F',
    '1_000',
    'True',
    'NULL',
    'undefined',
    "'a'",
    '{a:1}',
    "{'a':1}",
    '[1 2]',
    '{"a" 1}',
    '{"a":1',
    '[1',
    '"a',
    '"\t"',
    '"a\nb"',
    '"\\x"',
    '"\\u12"',
    '/* c */ 1',
    '1 // c',
    '[1] x',
    '{}{}',
    '\ufeff1',
    '\u00a01',
    '1\u0000',
    '"a\u0000b"',
    'abc',
    '"\\ud800"',
    '["a\\"", NaN, "b"]',
  );
  expect(await outcomes(json, table)).toEqual(table);
});

test('trim: never keeps the blanks that JSON itself allows', async () => {
  const table: Outcomes = [
    [' {"a":1}\n', ' {"a":1}\n'],
    ['[1]', '[1]'],
    ['\f1', invalid],
    ['1\v', invalid],
  ];
  expect(await outcomes(json, table, { rule: { trim: 'never' } })).toEqual(table);
});

test('agrees with a strict parser on damaged JSON', async () => {
  const piece = fc.constantFrom(
    ',',
    ']',
    '}',
    '[',
    '{',
    '"',
    '\\',
    'NaN',
    'Infinity',
    'inf',
    ':',
    ' ',
    '0',
    '.',
    'e',
    '-',
    '\n',
    'nan,',
    ',]',
  );
  const damaged = fc.tuple(fc.json({ maxDepth: 3 }), piece, fc.nat(), fc.boolean()).map(([text, extra, seed, cut]) => {
    const at = seed % (text.length + 1);
    return text.slice(0, at) + extra + text.slice(cut ? at + 1 : at);
  });
  const texts = fc.oneof(damaged, fc.json({ maxDepth: 2 })).filter((text) => !/\p{Surrogate}/u.test(text) && !/\\u[dD]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 300, maxLength: 300 }), async (sample) => {
      const trimmed = sample.map((text) => text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, ''));
      const expected = trimmed.map((text, i) => [sample[i] as string, parses(text) ? text : invalid] as const);
      expect(await outcomes(json, expected)).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
