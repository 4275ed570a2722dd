import type { DivergenceKind } from './kind.ts';

export const fileSkipped: DivergenceKind = {
  code: 'SA307',
  name: 'file_skipped',
  title: 'A file was loaded before and is skipped',
  summary: 'In mode append, the ledger already holds a file with the same bytes for this target. The name of the file does not matter.',
  why: 'A scheduler that repeats a job, or a file that is delivered twice under two names, would otherwise double its rows.',
  consequence:
    'A remark. The file is not loaded; the report names the run that loaded it. If every file is skipped, the run ends with ' +
    'exit 0 and the status `skipped`.',
  fix: 'Nothing, if the file is the same delivery. If its rows must be appended once more, run with `--force`.',
  example: {
    file: 'orders-01.csv',
    source: 'id,amount\n1,10\n',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, amount INTEGER);',
    rules: 'mode: append',
    commands: ['schemalign load orders', 'schemalign load orders'],
    found: { path: null, reason: null, count: 1, says: 'on the second run: orders-01.csv was loaded before and was skipped' },
  },
};
