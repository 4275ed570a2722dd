import type { DivergenceKind } from './kind.ts';

export const nullabilityMismatch: DivergenceKind = {
  code: 'SA107',
  name: 'nullability_mismatch',
  title: 'Source and target disagree on whether NULL is allowed',
  summary:
    'The declared schema of one side allows NULL and that of the other does not. Only sides that declare it are compared: a CSV ' +
    'or JSON file cannot say.',
  why:
    'A column that became optional at the source will sooner or later bring a NULL into a NOT NULL column, and then a load ' +
    'fails at night. The declaration shows it earlier.',
  consequence:
    'A remark when the target is the more generous side, a warning when the source is. No row is touched: real NULLs in a NOT ' +
    'NULL column are SA203.',
  fix: 'Decide now what a NULL shall become: give the column a `default` and `on_null: default`, or allow NULL in the target.',
  example: {
    file: 'users.ddl',
    source: 'CREATE TABLE users (id BIGINT NOT NULL, email VARCHAR);',
    target: 'CREATE TABLE users (id BIGINT NOT NULL, email VARCHAR NOT NULL);',
    rules: null,
    commands: ['schemalign diff users.ddl warehouse.duckdb#users'],
    found: { path: 'email', reason: null, count: 1, says: 'email may be NULL in the source and must not be in the target' },
  },
};
