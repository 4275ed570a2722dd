import type { DivergenceKind } from './kind.ts';

export const columnContent: DivergenceKind = {
  code: 'SA403',
  name: 'column_content',
  title: 'A column does not hold what was aligned',
  summary:
    'The rows of the batch were read back from the target, and for this column the equal rows, the NULLs, the least or the ' +
    'greatest value differ from what was to be stored.',
  why:
    'The engine may coerce once more on insert (a collation, a trigger, a generated column), or someone has changed rows since. ' +
    'A count of rows alone would not show it.',
  consequence: 'An error: a load is rolled back where the engine has transactions; `verify` exits 1. The examples show rows that differ.',
  fix: 'Look for triggers, generated columns and later updates of this column. If later updates are expected, verify before they run.',
  example: {
    file: 'orders.csv',
    source: 'id,status\n1,new\n2,paid\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, status VARCHAR);',
    rules: 'mode: merge\nkey: [id]',
    commands: ['schemalign load orders', 'schemalign verify orders'],
    meanwhile: "UPDATE orders SET status = 'lost' WHERE id = 2;",
    found: { path: 'status', reason: null, count: 1, says: 'after an update by hand, 1 of 2 rows differs in status' },
  },
};
