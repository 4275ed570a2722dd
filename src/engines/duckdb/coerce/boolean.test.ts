import { expect, test } from 'vitest';
import { type Outcomes, outcomes } from '../../../../test/harness/evaluate-scalar.ts';
import { boolean } from '../../../core/model/type.ts';

const invalid = 'invalid_value';

test('true and false in any case, and nothing else unless listed', async () => {
  const table: Outcomes = [
    ['true', 'true'],
    ['false', 'false'],
    ['TRUE', 'true'],
    ['False', 'false'],
    ['tRuE', 'true'],
    [' true ', 'true'],
    ['\tFALSE\r\n', 'false'],
    ['\v\ftrue', 'true'],
    ['1', invalid],
    ['0', invalid],
    ['1.0', invalid],
    ['yes', invalid],
    ['no', invalid],
    ['t', invalid],
    ['f', invalid],
    ['y', invalid],
    ['on', invalid],
    ['off', invalid],
    ['', invalid],
    [' ', invalid],
    ['truee', invalid],
    ['tru', invalid],
    ['t rue', invalid],
    ['true\u0000', invalid],
    ['\u00a0true', invalid],
    ['true\u202f', invalid],
    ['\uff54rue', invalid],
    ['null', invalid],
    ['maybe', invalid],
  ];
  expect(await outcomes(boolean, table)).toEqual(table);
});

test('lists stand beside the two words, and are compared in any case after trimming', async () => {
  const both: Outcomes = [
    ['yes', 'true'],
    ['YES', 'true'],
    [' Y ', 'true'],
    ['1', 'true'],
    ['n', 'false'],
    ['No', 'false'],
    ['0', 'false'],
    ['true', 'true'],
    ['false', 'false'],
    ['maybe', invalid],
    ['', invalid],
    ['01', invalid],
    ['1.0', invalid],
  ];
  const rule = { trueValues: ['true', 'yes', ' y', '1'], falseValues: ['NO', 'n', '0'] };
  expect(await outcomes(boolean, both, { rule })).toEqual(both);
  const onlyTrue: Outcomes = [
    ['ja', 'true'],
    ['JA', 'true'],
    ['true', 'true'],
    ['false', 'false'],
    ['FALSE', 'false'],
  ];
  expect(await outcomes(boolean, onlyTrue, { rule: { trueValues: ['ja'] } })).toEqual(onlyTrue);
  const onlyFalse: Outcomes = [
    ['true', 'true'],
    ['n/a', 'false'],
    ["it's", 'false'],
    ['\u00c9teint', 'false'],
    ['\u00e9TEINT', 'false'],
    ['', 'false'],
    ['  ', 'false'],
    ['false', 'false'],
  ];
  expect(await outcomes(boolean, onlyFalse, { rule: { falseValues: ['n/a', "it's", '\u00e9teint', ''] } })).toEqual(onlyFalse);
  const none: Outcomes = [
    ['true', 'true'],
    ['', invalid],
  ];
  expect(await outcomes(boolean, none, { rule: { trueValues: [], falseValues: [] } })).toEqual(none);
  const turned: Outcomes = [
    ['TRUE', 'false'],
    ['false', 'true'],
  ];
  expect(await outcomes(boolean, turned, { rule: { trueValues: ['False'], falseValues: ['true'] } })).toEqual(turned);
});

test('trim: never', async () => {
  const table: Outcomes = [
    ['true', 'true'],
    ['TRUE', 'true'],
    [' true', invalid],
    ['true\n', invalid],
    [' yes', 'true'],
    ['yes', invalid],
  ];
  expect(await outcomes(boolean, table, { rule: { trim: 'never', trueValues: ['true', ' yes'] } })).toEqual(table);
});

test('a JSON number is never a boolean, even when its text is listed', async () => {
  const table: Outcomes = [
    ['1', invalid],
    ['0', invalid],
    ['1.0', invalid],
  ];
  expect(await outcomes(boolean, table, { number: true, rule: { trueValues: ['1'], falseValues: ['0'] } })).toEqual(table);
});
