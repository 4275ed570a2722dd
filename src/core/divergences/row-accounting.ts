import type { DivergenceKind } from './kind.ts';

export const rowAccounting: DivergenceKind = {
  code: 'SA402',
  name: 'row_accounting',
  title: 'The rows do not add up',
  summary:
    'Rows read are not the sum of rows loaded, quarantined and superseded, or the target does not hold the number of rows that ' +
    'follows from its former count.',
  why:
    'A join that multiplies, a reader that drops bad lines, a trigger or another writer: each changes the number of rows and ' +
    'nothing else that anyone would see.',
  consequence:
    'An error: the transaction is rolled back and nothing is changed. In `verify` it means that rows were added or removed ' +
    'since the load.',
  fix:
    'See who else writes to the table: triggers, other jobs, hand-made corrections. If nobody does, please report it; the sum ' +
    'has to hold for every run.',
  example: {
    file: 'orders.csv',
    source: 'id\n1\n2\n3\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL);',
    rules: 'mode: replace',
    commands: ['schemalign load orders', 'schemalign verify orders'],
    meanwhile: 'DELETE FROM orders WHERE id = 2;',
    found: { path: null, reason: null, count: 1, says: 'after a row was deleted by hand, verify finds 2 rows, expected 3' },
  },
};
