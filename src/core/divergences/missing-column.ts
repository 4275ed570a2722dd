import type { DivergenceKind } from './kind.ts';

export const missingColumn: DivergenceKind = {
  code: 'SA101',
  name: 'missing_column',
  title: 'The source lacks a column that the target has',
  summary:
    'A column of the target has no counterpart in the source: not under its own name, not under a variant of it, and not under ' +
    'any name listed in `from`.',
  why:
    'A column is missing because the producer dropped it, renamed it, or never had it. In a folder it is often missing from the ' +
    'older files only. Readers that unite files by name fill such a column with NULL and say nothing; a rename then looks like ' +
    'a column that went empty overnight.',
  consequence:
    'A warning. The column takes the rule `default`, else the default of the table, else NULL. A merge leaves the stored values ' +
    'of existing rows alone. It is an error, found before anything is read, when the column is NOT NULL and nothing can fill ' +
    'it, or when `on_missing: error` is set. Files of a folder are judged one by one.',
  fix:
    'If the column was renamed, list the new name under `from`. If it is really absent, give it a `default`, or accept NULL. If ' +
    'a load without it makes no sense, set `on_missing: error`.',
  example: {
    file: 'people.csv',
    source: 'id,name\n1,Ann\n2,Bo\n',
    target: 'CREATE TABLE people (id BIGINT NOT NULL, name VARCHAR, birth DATE);',
    rules: null,
    found: { path: 'birth', reason: null, count: 2, says: 'birth is absent from people.csv; it is NULL in 2 records' },
  },
};
