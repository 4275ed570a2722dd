import type { DivergenceKind } from './kind.ts';

export const nullBudget: DivergenceKind = {
  code: 'SA205',
  name: 'null_budget',
  title: 'More values would become NULL than the column allows',
  summary: 'The share of values that `on_invalid: null` would turn into NULL exceeds `null_budget` of the column.',
  why:
    '`on_invalid: null` is meant for a few stray values. When a source changes its format, the same rule empties the whole ' +
    'column and the load still succeeds; the budget is the fuse against that.',
  consequence: 'The run is refused with exit 3 and nothing is changed.',
  fix:
    'Look at the examples first: usually a format has changed and a line under `formats` or `decimal` is missing. Raise ' +
    '`null_budget` only if the loss is really acceptable.',
  example: {
    file: 'people.csv',
    source: 'id,birth\n1,1968-02-01\n2,soon\n',
    target: 'CREATE TABLE people (id BIGINT NOT NULL, birth DATE);',
    rules: 'columns:\n  birth: { on_invalid: "null", null_budget: 0.1 }',
    found: { path: 'birth', reason: null, count: 1, says: '50 % of birth would become NULL, the budget is 10 %' },
  },
};
