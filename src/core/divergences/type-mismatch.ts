import type { DivergenceKind } from './kind.ts';

export const typeMismatch: DivergenceKind = {
  code: 'SA103',
  name: 'type_mismatch',
  title: 'The type of a column differs between source and target',
  summary:
    'The source holds another type than the target, or text whose look the target cannot keep. This concerns the column as a ' +
    'whole; single values that do not fit are SA201 and SA202.',
  why:
    'A field that was a number arrives as a string; a code such as 01004 meets an integer column and loses its zeros for good; ' +
    'an object turns into a string. Each value may still convert today, and that is why the change is easily missed until one ' +
    'does not.',
  consequence:
    'A remark when every value converts without loss. A warning when something cannot be got back afterwards: digit strings ' +
    'with leading zeros in a numeric column are converted, and said. An error when no conversion exists. CSV text is no ' +
    'mismatch as long as it converts: a CSV column has no type but what all its values could be.',
  fix:
    'Where the target is wrong (codes kept as numbers), change the target to text. Where the source is wrong, tell its ' +
    'producer. Where both are meant, accept the finding with an entry under `ignore`.',
  example: {
    file: 'sites.csv',
    source: 'site,zip\nA,01004\nB,75011\n',
    target: 'CREATE TABLE sites (site VARCHAR(5) NOT NULL, zip INTEGER);',
    rules: null,
    found: {
      path: 'zip',
      reason: null,
      count: 1,
      says: 'zip holds digit strings with leading zeros (01004); as int32 the zeros are gone',
    },
  },
};
