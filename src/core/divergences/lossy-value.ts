import type { DivergenceKind } from './kind.ts';

export const lossyValue: DivergenceKind = {
  code: 'SA202',
  name: 'lossy_value',
  title: 'A value fits the target only by losing something',
  summary:
    'The target has a value nearby, but not this one: more decimals than the scale, a fraction in a whole number, nanoseconds ' +
    'in a column of microseconds, a time in a date.',
  why:
    'Casts round, cut and shift without a word: 12.7 becomes 13, a time of day vanishes, the last digits of an id past 2^53 ' +
    'change. Sums no longer agree with the source, and nobody can say since when.',
  consequence:
    'By `on_lossy: invalid` (built in) such a value is refused and follows `on_invalid`. With `round` or `truncate` the nearby ' +
    'value is stored and counted as *altered*, with a warning.',
  fix:
    'If the precision is needed, widen the target column. If it is not, write down the loss: `on_lossy: round` (half away from ' +
    'zero) or `on_lossy: truncate`.',
  example: {
    file: 'prices.csv',
    source: 'id,price\n1,9.99\n2,9.995\n',
    target: 'CREATE TABLE prices (id BIGINT NOT NULL, price DECIMAL(8,2));',
    rules: 'columns:\n  price: { on_lossy: round }',
    found: { path: 'price', reason: 'scale', count: 1, says: 'prices.csv:3 "9.995" was rounded to 10.00' },
  },
};
