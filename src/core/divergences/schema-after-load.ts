import type { DivergenceKind } from './kind.ts';

export const schemaAfterLoad: DivergenceKind = {
  code: 'SA401',
  name: 'schema_after_load',
  title: 'The target has another schema than planned',
  summary:
    'A column of the target is missing, or of another type or nullability than the plan says, or than the last load of the job ' +
    'has left.',
  why:
    'Someone altered the table, a load tool widened it on the fly, or an engine stored another type than it was asked for. ' +
    'Queries keep working until they touch that column.',
  consequence:
    'An error. In a load it is found before the commit where the engine has transactions, and nothing is changed; on Delta it ' +
    'is found after the commit, and said so. `verify` exits 1.',
  fix: 'Compare with `schemalign diff`, then mend the table or the expected schema. Allow a wanted change with `schema_changes`.',
  example: {
    file: 'orders.csv',
    source: 'id,amount\n1,12.50\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, amount DECIMAL(12,2));',
    rules: 'mode: replace',
    commands: ['schemalign load orders', 'schemalign verify orders'],
    meanwhile: 'ALTER TABLE orders ALTER amount TYPE DOUBLE;',
    found: {
      path: 'amount',
      reason: null,
      count: 1,
      says: 'after the column was altered by hand, amount is double, expected decimal(12,2)',
    },
  },
};
