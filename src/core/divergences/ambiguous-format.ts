import type { DivergenceKind } from './kind.ts';

export const ambiguousFormat: DivergenceKind = {
  code: 'SA204',
  name: 'ambiguous_format',
  title: 'A date can be read in two ways',
  summary:
    'Two listed formats read the same value differently, or a column without `formats` holds values that read both as day-month ' +
    'and as month-day.',
  why:
    '01/02/2024 is the first of February in Lisbon and the second of January in Boston. Parsers that decide row by row take ' +
    '13/01 one way and 12/01 the other, in one column: every value looks plausible and a part of them is wrong.',
  consequence:
    'The values are refused, never guessed, and follow `on_invalid`. The examples show the values that read both ways, and ' +
    'those that would decide, if there are any.',
  fix:
    'Declare the format: `formats: [dd/MM/yyyy]` or `formats: [MM/dd/yyyy]`. A declared list is exhaustive and ordered; `iso` ' +
    'in it names the built-in grammar.',
  example: {
    file: 'orders.csv',
    source: 'id,ordered\n1,01/02/2024\n2,03/04/2024\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, ordered DATE);',
    rules: null,
    found: { path: 'ordered', reason: null, count: 2, says: 'orders.csv:2 "01/02/2024" is 1 February or 2 January; nothing was loaded' },
  },
};
