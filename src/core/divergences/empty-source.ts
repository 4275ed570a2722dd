import type { DivergenceKind } from './kind.ts';

export const emptySource: DivergenceKind = {
  code: 'SA305',
  name: 'empty_source',
  title: 'The source holds no rows',
  summary: 'The files or the query exist and can be read, but yield no record.',
  why:
    'An upstream job that failed often leaves an empty file. Replacing a table or a partition from it empties the target, and ' +
    'everything downstream is "correct" and empty.',
  consequence:
    'In the modes overwrite-partition and replace the run is refused with exit 3, unless `allow_empty: true`. In append and ' +
    'merge it is a remark, as nothing would change.',
  fix: 'Find out why there is no data. If emptying is intended, set `allow_empty: true` under `replace` or `partition`.',
  example: {
    file: 'rates.csv',
    source: 'code,rate\n',
    target: "CREATE TABLE rates (code VARCHAR NOT NULL, rate DECIMAL(8,4));\nINSERT INTO rates VALUES ('EUR', 1);",
    rules: 'mode: replace',
    found: { path: null, reason: null, count: 0, says: 'rates.csv holds no rows; the target was left as it is' },
  },
};
