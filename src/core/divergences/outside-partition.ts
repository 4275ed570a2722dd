import type { DivergenceKind } from './kind.ts';

export const outsidePartition: DivergenceKind = {
  code: 'SA306',
  name: 'outside_partition',
  title: 'A row lies outside the partitions that are overwritten',
  summary: 'In mode overwrite-partition, a row of the source belongs to a partition that is not among the declared values.',
  why: 'A late row of yesterday in a file of today would either be lost, or, worse, overwrite the whole of yesterday with a single row.',
  consequence:
    'The row is a refused value of the partition column and follows its `on_invalid`: `error` (built in) stops the load, ' +
    '`quarantine` sets the row aside. It is never loaded.',
  fix:
    'If the partition belongs to this load, add it under `partition: { values: … }`. If it does not, quarantine such rows and ' +
    'load them with the partition they belong to.',
  example: {
    file: 'sales.csv',
    source: 'dt,amount\n2026-09-01,10\n2026-08-31,5\n',
    target: 'CREATE TABLE sales (dt DATE NOT NULL, amount INTEGER);',
    rules: 'mode: overwrite-partition\npartition: { columns: [dt], values: ["2026-09-01"] }\ncolumns:\n  dt: { on_invalid: quarantine }',
    found: { path: 'dt', reason: null, count: 1, says: 'sales.csv:3 lies in 2026-08-31; 1 record was quarantined' },
  },
};
