import type { DivergenceKind } from './kind.ts';

export const extraColumn: DivergenceKind = {
  code: 'SA102',
  name: 'extra_column',
  title: 'The source has a column that the target lacks',
  summary:
    'A column or nested field of the source has no place in the target. The count is the number of records in which it holds a ' + 'value.',
  why:
    'Producers add columns without telling anyone. A loader that selects the columns it knows drops the new one in silence; ' +
    'months later somebody asks for its history, which is gone. A nameless column at the end usually comes from a trailing ' +
    'delimiter and holds nothing.',
  consequence:
    'A warning, and the values are ignored. `on_extra: rescue` keeps them as JSON in the column `_rescued`; `on_extra: ' +
    'add_column` adds the column to the target, if `schema_changes` allows it; `on_extra: error` stops the load.',
  fix:
    'Choose what `on_extra` shall do. If the column is a renamed one, list its name under `from` of the target column. If it is ' +
    'known and unwanted, accept it with an entry under `ignore`, with a reason and a last day.',
  example: {
    file: 'orders.csv',
    source: 'id,total,coupon\n1,9.50,\n2,12.00,SPRING\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, total DECIMAL(10,2));',
    rules: null,
    found: { path: 'coupon', reason: null, count: 1, says: 'coupon has no place in the target; its values were ignored in 1 record' },
  },
};
