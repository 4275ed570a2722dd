import type { DivergenceKind } from './kind.ts';

export const columnOrder: DivergenceKind = {
  code: 'SA106',
  name: 'column_order',
  title: 'The columns stand in another order than in the target',
  summary: 'Source and target have common columns whose order differs, between source and target or between files of one folder.',
  why:
    'An `INSERT … SELECT *`, or a reader that is given its columns by position, swaps values when the order changes. If the ' +
    'types happen to agree, nothing fails and the values are wrong.',
  consequence: 'A remark. Columns are matched by name, never by position, so the order changes nothing in what is loaded.',
  fix: 'Nothing needs to be done here. Look at other consumers of the same files that read them by position.',
  example: {
    file: 'points.csv',
    source: 'y,x\n2,1\n',
    target: 'CREATE TABLE points (x INTEGER, y INTEGER);',
    rules: null,
    found: { path: null, reason: null, count: 1, says: 'the source has y, x where the target has x, y' },
  },
};
