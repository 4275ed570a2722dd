import type { DivergenceKind } from './kind.ts';

export const nullability: DivergenceKind = {
  code: 'SA203',
  name: 'nullability',
  title: 'A NULL meets a NOT NULL column',
  summary: 'The record has an empty field, a JSON null, an absent key or a listed null token where the target demands a value.',
  why:
    'The engine would stop at the first such row and name only that one. A NOT NULL constraint that was relaxed "for now" lets ' +
    'them all in instead.',
  consequence:
    'A NULL in a NOT NULL column is a refused value and follows `on_invalid` of the column: `error` (built in), `quarantine` or ' +
    '`default`. In mode merge a NULL in a key column is SA304 alone.',
  fix: 'Give the column a `default` and set `on_invalid: default`, or quarantine the records, or allow NULL in the target.',
  example: {
    file: 'books.csv',
    source: 'code,title\nA1,Short\nA2,\n',
    target: 'CREATE TABLE books (code VARCHAR(4) NOT NULL, title VARCHAR(10) NOT NULL);',
    rules: 'columns:\n  title: { on_invalid: default, default: untitled }',
    found: { path: 'title', reason: null, count: 1, says: 'books.csv:3 title is NULL; the default was stored in 1 record' },
  },
};
