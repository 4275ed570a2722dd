import { describe, expect, test } from 'vitest';
import { camel } from './build-job.ts';
import { columnKeys } from './column-keys.ts';
import { jobKeys } from './file-keys.ts';
import { flagKeys } from './flag-keys.ts';
import { flagsFromOptions } from './flags.ts';

test('every key of defaults is a flag, or stands for operands and groups of flags', () => {
  const grouped = ['source', 'target', 'merge', 'partition', 'replace', 'columns'];
  const missing = jobKeys.filter(
    (key) => !grouped.includes(key.name) && !flagKeys.some((each) => each.flag === key.name.replaceAll('_', '-')),
  );
  expect(missing).toEqual([]);
});

test('no flag stands for two keys', () => {
  expect(new Set(flagKeys.map((each) => camel(each.flag))).size).toBe(flagKeys.length);
});

describe('values', () => {
  const jobOf = (options: Parameters<typeof flagsFromOptions>[0]) => flagsFromOptions(options).job;

  test.each([
    ['a text', { timezone: 'UTC' }, { timezone: 'UTC' }],
    ['the word null, which a shell cannot mistake', { onInvalid: 'null' }, { on_invalid: 'null' }],
    ['a number', { nullBudget: '0.25' }, { null_budget: 0.25 }],
    ['true and false', { exponent: true }, { exponent: true }],
    ['commas', { formats: ['iso, dd/MM/yyyy'] }, { formats: ['iso', 'dd/MM/yyyy'] }],
    ['repeated', { key: ['a', 'b,c'] }, { key: ['a', 'b', 'c'] }],
    ['YAML, for items with commas', { formats: ['["MMM d, yyyy", iso]'] }, { formats: ['MMM d, yyyy', 'iso'] }],
    ['digits stay texts', { key: ['1,007'], default: '0010' }, { key: ['1', '007'], default: '0010' }],
    ['the empty text', { nullValues: [''] }, { null_values: [''] }],
    ['a lone dash', { nullValues: ['-,?'] }, { null_values: ['-', '?'] }],
    ['no substitution: the shell has done it', { default: '${env:HOME}' }, { default: '${env:HOME}' }],
    ['years', { twoDigitYearRange: ['1925,2024'] }, { two_digit_year_range: [1925, 2024] }],
    ['a comma as decimal mark', { decimal: ',' }, { decimal: ',' }],
    [
      'partitions',
      { partitionColumns: ['dt'], partitionValues: ['2026-09-01,2026-09-02'] },
      { partition: { columns: ['dt'], values: ['2026-09-01', '2026-09-02'] } },
    ],
    ['partitions of several columns', { partitionValues: ['[[2026, 09]]'] }, { partition: { values: [['2026', '09']] } }],
    ['partitions present', { partitionValues: ['present'] }, { partition: { values: 'present' } }],
    [
      'guards hold for both modes',
      { maxShrink: '1', allowEmpty: true },
      { partition: { max_shrink: 1, allow_empty: true }, replace: { max_shrink: 1, allow_empty: true } },
    ],
    [
      'an accepted finding',
      { ignore: ['{code: SA102, column: coupon, reason: "marketing only"}'] },
      { ignore: [{ code: 'SA102', column: 'coupon', reason: 'marketing only' }] },
    ],
  ])('%s', (_, options, expected) => {
    expect(jobOf(options)).toEqual(expected);
  });

  test('flags of the engine, the audit, the exit code', () => {
    expect(flagsFromOptions({ memoryLimit: '1GB', auditPrefix: 'a_', maxExamples: '100', failOn: 'never', force: true })).toEqual({
      job: {},
      engine: { memory_limit: '1GB' },
      audit: { prefix: 'a_', max_examples: 100 },
      failOn: 'never',
      force: true,
    });
  });

  test.each([
    [{ onInvalid: 'ignore' }, /^\[USAGE\] --on-invalid: expected one of error, quarantine/],
    [{ nullBudget: '5%' }, /--null-budget: expected a number from 0 to 1/],
    [{ nullBudget: '[' }, /--null-budget/],
    [{ timezone: 'Lisbon' }, /--timezone: expected an IANA/],
    [{ formats: ['%d/%m/%Y'] }, /--formats: .*strptime/],
    [{ twoDigitYearRange: ['1925'] }, /--two-digit-year-range: .*list of 1/],
    [{ key: [''] }, /--key: .*not empty/],
    [{ ignore: ['SA102'] }, /--ignore: expected a mapping/],
    [{ memoryLimit: 'much' }, /--memory-limit: expected a size/],
  ])('refuses %j', (options, says) => {
    expect(() => jobOf(options)).toThrow(says);
  });
});

describe('--rule', () => {
  const rules = (...rule: readonly string[]) => [...(flagsFromOptions({ rule }).job.columns ?? [])];

  test.each([
    ['amount.decimal=,', [['amount', { decimal: ',' }]]],
    ['address.city.on_invalid=null', [['address.city', { on_invalid: 'null' }]]],
    ['items[].price.on-lossy=truncate', [['items[].price', { on_lossy: 'truncate' }]]],
    ['"a.b".null_values=?', [['a.b', { null_values: ['?'] }]]],
    ['"a=b"."no".x=y', undefined],
    ['"a=b".default=x=y.z', [['a=b', { default: 'x=y.z' }]]],
    ['"say ""hi""".default=', [['say "hi"', { default: '' }]]],
    ['at.formats=[iso, "dd/MM/yyyy, HH:mm"]', [['at', { formats: ['iso', 'dd/MM/yyyy, HH:mm'] }]]],
    ['at.formats=iso,dd/MM/yyyy', [['at', { formats: ['iso', 'dd/MM/yyyy'] }]]],
    ['zip.from=$.address.zip', [['zip', { from: ['$.address.zip'] }]]],
    ['qty.exponent=true', [['qty', { exponent: true }]]],
    ['__proto__.trim=never', [['__proto__', { trim: 'never' }]]],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(() => rules(text)).toThrow(/USAGE/);
    else expect(rules(text)).toEqual(expected);
  });

  test('several of one column add up', () => {
    expect(rules('a.decimal=,', 'a.group=.')).toEqual([['a', { decimal: ',', group: '.' }]]);
  });

  test.each([
    ['amount', /COLUMN\.KEY=VALUE/],
    ['amount=,', /COLUMN\.KEY=VALUE/],
    ['.decimal=,', /COLUMN\.KEY=VALUE/],
    ['amount.=,', /COLUMN\.KEY=VALUE/],
    ['amount.decimel=,', /unknown key "decimel" \(did you mean decimal\?\)/],
    ['amount.on_malformed=error', /a key of a job/],
    ['amount.on_invalid=ignore', /--rule amount\.on_invalid: expected one of/],
    ['amount.exponent=yes', /true or false/],
  ])('refuses %s', (text, says) => {
    expect(() => rules(text)).toThrow(says);
  });
});

test('column keys of the rule type and of the tables are the same', () => {
  expect(columnKeys.map((key) => camel(key.name)).toSorted()).toEqual([
    'binary',
    'decimal',
    'default',
    'exponent',
    'falseValues',
    'formats',
    'from',
    'group',
    'mask',
    'nullBudget',
    'nullValues',
    'onInvalid',
    'onLossy',
    'onMissing',
    'onNull',
    'timezone',
    'toTimezone',
    'trim',
    'trueValues',
    'twoDigitYearRange',
  ]);
});
