import type { DivergenceKind } from './kind.ts';

export const duplicateKey: DivergenceKind = {
  code: 'SA303',
  name: 'duplicate_key',
  title: 'Several source rows have the same key',
  summary:
    'In mode merge, two or more rows of the source carry equal values in all key columns. The count is the number of keys; ' +
    'beside it stands the number of rows.',
  why:
    'Some engines refuse such a MERGE late and name one row; others let one row win by chance, or insert a new key twice. The ' +
    'same load then gives another result each time.',
  consequence:
    '`on_duplicate_key: error` (built in) stops the load. With `keep_latest` the row with the greatest `order_by` is loaded and ' +
    'the others are superseded, with a warning. Rows that tie on `order_by` and differ are quarantined, as chance must not ' +
    'decide; identical copies are superseded.',
  fix:
    'Name the column that tells which row is the latest: `merge: { on_duplicate_key: keep_latest, order_by: updated_at }`. If ' +
    'the rows are different things, the key lacks a column.',
  example: {
    file: 'amounts.csv',
    source: 'id,amount,updated_at\n1,10,2024-01-01\n1,11,2024-01-03\n2,20,2024-01-01\n',
    target: 'CREATE TABLE amounts (id BIGINT NOT NULL, amount INTEGER, updated_at DATE);',
    rules: 'mode: merge\nkey: [id]\nmerge: { on_duplicate_key: keep_latest, order_by: updated_at }',
    found: { path: 'id', reason: null, count: 1, says: '1 key occurs in 2 rows; the latest was kept, 1 row was superseded' },
  },
};
