import type { DivergenceKind } from './kind.ts';

export const keyNotUnique: DivergenceKind = {
  code: 'SA308',
  name: 'key_not_unique',
  title: 'The target already holds several rows of one key',
  summary: 'In mode merge, the key columns do not identify a row of the target: at least one key that arrives is stored more than once.',
  why:
    'A merge would update every one of those rows, and so hide that they were different; or the key named in the configuration ' +
    'is not the key of the table.',
  consequence: 'An error: nothing is changed. The examples show the keys concerned and how often each is stored.',
  fix:
    'Check `key` first: a column may be missing from it. If the table really holds duplicates, remove them once by hand, and ' +
    'put a unique constraint on the key.',
  example: {
    file: 'customers.csv',
    source: 'id,name\n7,Ann\n',
    target: "CREATE TABLE customers (id BIGINT NOT NULL, name VARCHAR);\nINSERT INTO customers VALUES (7, 'An'), (7, 'Anne');",
    rules: 'mode: merge\nkey: [id]',
    found: { path: 'id', reason: null, count: 1, says: 'the key 7 is stored 2 times in the target; nothing was changed' },
  },
};
