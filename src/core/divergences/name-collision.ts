import type { DivergenceKind } from './kind.ts';

export const nameCollision: DivergenceKind = {
  code: 'SA105',
  name: 'name_collision',
  title: 'Several source columns claim the same target column',
  summary:
    'Two or more columns of the source fit one column of the target: the same header twice, several spellings of it, or two ' +
    'hits among the names listed in `from`.',
  why:
    'Joins and hand-edited spreadsheets repeat headers. Most readers rename the second one or keep the last one, so the column ' +
    'that is loaded depends on the reader and on the order of the columns.',
  consequence:
    'An error before anything is read, as picking one would be a guess. If exactly one of them has the exact name, that one is ' +
    'used; the others are extra columns (SA102) and the collision is a warning.',
  fix: 'Rename or remove a column in the source. If `from` lists two names that occur in the same file, keep one of them.',
  example: {
    file: 'amounts.csv',
    source: 'id,amount,amount\n1,10.00,12.00\n',
    target: 'CREATE TABLE amounts (id BIGINT, amount DECIMAL(10,2));',
    rules: null,
    found: {
      path: 'amount',
      reason: null,
      count: 0,
      says: 'columns 2 and 3 are both named amount; the load stops before a record is read',
    },
  },
};
