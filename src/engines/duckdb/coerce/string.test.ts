import { expect, test } from 'vitest';
import { type Outcomes, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { string } from '../../../core/model/type.ts';

const long = 'invalid_value:too_long';
const nul = 'invalid_value:nul_character';

const same = (...texts: readonly string[]): Outcomes => texts.map((text) => [text, text] as const);

test('text is kept as it is', async () => {
  const table = same(
    '',
    ' ',
    '  padded ',
    '\t\n\v\f\r',
    '01004',
    '1e3',
    '1.50',
    'true',
    'null',
    'NULL',
    'NaN',
    "it's",
    '"quoted"',
    '\\n',
    '%_',
    '\u00a0\u202f',
    '\ufeff',
    'e\u0301',
    '\u00e9',
    '\u{1f600}',
    '\u202eright to left',
    '\u001b[31m',
    '\u0001\u007f',
    'x"); DROP TABLE canary; --',
    'a'.repeat(100_000),
    '\ufffd',
  );
  expect(await outcomes(string(), table)).toEqual(table);
  expect(await outcomes(string(), table, { number: true })).toEqual(table);
});

test('the length is counted in code points, blanks included', async () => {
  const table: Outcomes = [
    ...same(
      '',
      'abc',
      'abcde',
      '     ',
      '\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}',
      'e\u0301e\u0301e',
      '\u00e9\u00e9\u00e9\u00e9\u00e9',
    ),
    ['abcdef', long],
    ['abc   ', long],
    ['      ', long],
    ['\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}', long],
    ['e\u0301e\u0301e\u0301', long],
    // One picture, seven code points.
    ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}', long],
    ['a'.repeat(100_000), long],
  ];
  expect(await outcomes(string(5), table)).toEqual(table);
  const rounded = await outcomes(string(5), table, { rule: { onLossy: 'truncate' } });
  expect(rounded).toEqual(table);
});

test('U+0000 is refused where the source can hold it', async () => {
  const table: Outcomes = [
    ['a\u0000b', nul],
    ['\u0000', nul],
    ['abc\u0000', nul],
    ['a', 'a'],
    ['\\u0000', '\\u0000'],
    ['abcdef\u0000', nul],
  ];
  expect(await outcomes(string(), table)).toEqual(table);
  const short: Outcomes = [
    ['a\u0000b', nul],
    ['ab', 'ab'],
    ['abcdefg', long],
  ];
  expect(await outcomes(string(6), short)).toEqual(short);
});

test('trim: always takes the blanks away before anything is judged; never and auto keep them', async () => {
  const table: Outcomes = [
    [' ab ', 'ab'],
    ['\t\n\v\f\r abc \n', 'abc'],
    ['   ', ''],
    ['\u00a0', '\u00a0'],
    ['a b', 'a b'],
    [' abcd ', long],
    ['\u0000 ', nul],
  ];
  expect(await outcomes(string(3), table, { rule: { trim: 'always' } })).toEqual(table);
  const kept = same(' ab', 'ab ', '\n');
  expect(await outcomes(string(3), kept, { rule: { trim: 'never' } })).toEqual(kept);
  const unlimited: Outcomes = [[' a ', 'a']];
  expect(await outcomes(string(), unlimited, { nul: false, rule: { trim: 'always' } })).toEqual(unlimited);
});
