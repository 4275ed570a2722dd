import type { DivergenceKind } from './kind.ts';

export const nullKey: DivergenceKind = {
  code: 'SA304',
  name: 'null_key',
  title: 'A key column is NULL',
  summary: 'In mode merge, a row of the source has NULL in at least one key column.',
  why:
    'NULL equals nothing, so such a row never matches what is stored: every run inserts it again, and the table grows by the ' +
    'same rows each night.',
  consequence:
    '`on_null_key: error` (built in) stops the load; `on_null_key: quarantine` sets the rows aside with a warning. In other ' +
    'modes a NULL is judged by the column alone (SA203).',
  fix:
    'Set `merge: { on_null_key: quarantine }` and mend the source; or fill the column with `default` and `on_null: default` if ' +
    'there is a value that means "none".',
  example: {
    file: 'amounts.csv',
    source: 'id,amount\n1,10\n,20\n',
    target: 'CREATE TABLE amounts (id BIGINT, amount INTEGER);',
    rules: 'mode: merge\nkey: [id]\nmerge: { on_null_key: quarantine }',
    found: { path: 'id', reason: null, count: 1, says: 'amounts.csv:3 has no id; 1 record was quarantined' },
  },
};
