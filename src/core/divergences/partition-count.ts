import type { DivergenceKind } from './kind.ts';

export const partitionCount: DivergenceKind = {
  code: 'SA404',
  name: 'partition_count',
  title: 'A partition holds another number of rows than planned',
  summary: 'After the load, the rows counted in a touched partition are not those that the plan puts there.',
  why:
    'The total may be right while rows sit in the wrong partition: a time zone moved them over midnight, or another writer ' +
    'worked on the same day.',
  consequence:
    'An error: a load is rolled back where the engine has transactions; `verify` exits 1. The report shows the counts before ' +
    'and after for every touched partition.',
  fix:
    'Compare the partition column in source and target, its zone first. If another job writes to the same partition, let one of ' +
    'them own it.',
  example: {
    file: 'sales.csv',
    source: 'dt,amount\n2026-09-01,10\n2026-09-01,20\n',
    target: 'CREATE TABLE sales (dt DATE NOT NULL, amount INTEGER);',
    rules: 'mode: overwrite-partition\npartition: { columns: [dt], values: ["2026-09-01"] }',
    commands: ['schemalign load sales', 'schemalign verify sales'],
    meanwhile: "INSERT INTO sales VALUES ('2026-09-01', 30);",
    found: { path: 'dt', reason: null, count: 1, says: 'after a row was added by hand, dt=2026-09-01 holds 3 rows, expected 2' },
  },
};
