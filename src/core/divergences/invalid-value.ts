import type { DivergenceKind } from './kind.ts';

export const invalidValue: DivergenceKind = {
  code: 'SA201',
  name: 'invalid_value',
  title: 'A value cannot be represented in the type of the target',
  summary:
    'The text or value has no meaning as the target type under the rules of the column: a word in a number, a date that does ' +
    'not exist, a number out of range, a text that is too long.',
  why:
    '`CAST` stops the whole load at the first such value; `TRY_CAST` turns it into NULL and tells nobody; some readers guess, ' +
    'and read 0x1F as 31, 1_000 as 1000 or 24-01-02 as the year 24. Every engine draws these lines elsewhere, so here one ' +
    'grammar holds for all of them.',
  consequence:
    'The policy `on_invalid` of the column decides: `error` (built in) stops the load before anything is written; `quarantine` ' +
    'sets the record aside with its raw text; `null` stores NULL and counts it; `default` stores the default. Except for ' +
    '`error` it is a warning.',
  fix:
    'If the values are right and only written in another way, say how: `formats`, `decimal`, `group`, `true_values`, ' +
    '`null_values`, `exponent`, `timezone`. If they are wrong, set `on_invalid: quarantine`, load the rest, and replay the ' +
    'quarantined records once the source is mended.',
  example: {
    file: 'orders.csv',
    source: 'id,amount\n1,12.50\n2,"1,234.50"\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, amount DECIMAL(12,2));',
    rules: 'columns:\n  amount: { on_invalid: quarantine }',
    found: { path: 'amount', reason: null, count: 1, says: 'orders.csv:3 "1,234.50" is no decimal(12,2); 1 record was quarantined' },
  },
};
