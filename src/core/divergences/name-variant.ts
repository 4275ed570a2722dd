import type { DivergenceKind } from './kind.ts';

export const nameVariant: DivergenceKind = {
  code: 'SA104',
  name: 'name_variant',
  title: 'A column name matches only after trimming and case folding',
  summary:
    'No column of the source has exactly the name of the target column, but exactly one has it apart from outer blanks or the ' +
    'case of its letters.',
  why:
    'Spreadsheets and exports pad headers or change their case. One engine folds case, the next compares bytes, and so the same ' +
    'file loads here and yields a column of NULLs there.',
  consequence: 'A warning. The column is used as if its name were exact, on every engine alike.',
  fix: 'Write the name as it stands in the source under `from`; the finding then goes away. Or mend the header.',
  example: {
    file: 'contacts.csv',
    source: 'id, Name \n1,Ann\n',
    target: 'CREATE TABLE contacts (id BIGINT NOT NULL, name VARCHAR);',
    rules: null,
    found: { path: 'name', reason: null, count: 1, says: 'the source writes " Name " for name' },
  },
};
