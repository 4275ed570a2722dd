/** The keys of a column rule. All but `from` may also stand on a job or under `defaults`. */
import { choice, flag, listOf, share, text, type Key, type Shape } from './shape.ts';
import { dateFormat, numberMark, someName, timezone } from './text-checks.ts';

const year: Shape = { kind: 'number', min: 1, max: 9999, integer: true, means: 'a year from 1 to 9999' };
const zone = text('an IANA time zone such as Europe/Lisbon', timezone);
const token = text('a text');

const fromKey: Key = {
  name: 'from',
  shape: listOf(text('a source name, or a JSON path such as $.address.zip', someName), 'a list of source names', 1),
  meaning: 'Other names of the column in the source, in order, looked for in each file after its own name; `$.a.b` is a JSON path',
  builtIn: '[]',
};

export const sharedColumnKeys: readonly Key[] = [
  {
    name: 'on_invalid',
    shape: choice('error', 'quarantine', 'null', 'default'),
    builtIn: 'error',
    meaning:
      'What becomes of a value that the target cannot hold exactly; also of nulls in a NOT NULL column and of rows outside the partition',
  },
  {
    name: 'on_lossy',
    shape: choice('invalid', 'round', 'truncate'),
    builtIn: 'invalid',
    meaning: 'What becomes of a value that only a nearby value could stand for',
  },
  {
    name: 'on_missing',
    shape: choice('default', 'error'),
    builtIn: 'default',
    meaning: 'What an absent column gets: its rule default, else the table default, else NULL',
  },
  { name: 'on_null', shape: choice('keep', 'default'), builtIn: 'keep', meaning: 'What an explicit null or an empty field gets' },
  {
    name: 'trim',
    shape: choice('auto', 'always', 'never'),
    builtIn: 'auto',
    meaning: 'Whether ASCII blanks around a value are ignored; `auto` means all types but text',
  },
  {
    name: 'formats',
    shape: listOf(text('a format', dateFormat), 'a list of formats such as [iso, dd/MM/yyyy]', 1),
    builtIn: 'the ISO grammar',
    meaning: "Date and time formats in Java's letters, in order and exhaustive; also `iso`, `epoch_s`, `epoch_ms`, `epoch_us`",
  },
  { name: 'timezone', shape: zone, meaning: 'What a date and time without an offset means when the target is an instant' },
  { name: 'to_timezone', shape: zone, meaning: 'Into which zone text with an offset is turned when the target has no zone' },
  {
    name: 'two_digit_year_range',
    shape: listOf(year, 'the first and the last year, such as [1925, 2024]', 2, 2),
    meaning: 'The years that a two-digit year may mean, at most 100',
  },
  { name: 'null_budget', shape: share, meaning: 'Largest share of values that `on_invalid: "null"` may make NULL' },
  { name: 'decimal', shape: text('one character', numberMark), builtIn: '"."', meaning: 'Decimal mark of numbers in text' },
  { name: 'group', shape: text('one character', numberMark), meaning: 'Group separator of numbers in text; none is allowed without it' },
  { name: 'exponent', shape: flag, builtIn: 'false', meaning: 'Whether text such as 1e3 is a whole number or decimal' },
  { name: 'null_values', shape: listOf(token, 'a list of texts'), builtIn: '[]', meaning: 'Texts that mean NULL' },
  {
    name: 'true_values',
    shape: listOf(token, 'a list of texts', 1),
    builtIn: '[]',
    meaning: 'Texts other than true that mean true, in any case',
  },
  {
    name: 'false_values',
    shape: listOf(token, 'a list of texts', 1),
    builtIn: '[]',
    meaning: 'Texts other than false that mean false, in any case',
  },
  {
    name: 'default',
    shape: text('a text, read by the law of the column type'),
    meaning: 'The value of an absent column, of a null (`on_null: default`) or of a refused value (`on_invalid: default`)',
  },
  {
    name: 'mask',
    shape: choice('none', 'shape', 'hash', 'drop'),
    builtIn: 'none',
    meaning: 'How examples of this column are shown; `shape` keeps AA-99',
  },
  { name: 'binary', shape: choice('hex', 'base64'), meaning: 'How text spells bytes; text is no binary without it' },
];

export const columnKeys: readonly Key[] = [fromKey, ...sharedColumnKeys];
