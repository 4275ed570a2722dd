/** Headers whose names are hostile: as extra columns of a load, and as columns of a new table. */
import type { Attempt } from './attempt.ts';
import { judgeAll } from './stand.ts';

const names: readonly (readonly [string, string])[] = [
  ['an injection by a double quote', 'x"); DROP TABLE canary; --'],
  ['an injection by a single quote', "x'); DROP TABLE canary; --"],
  ['an injection by a reader’s option', "x': 'VARCHAR'}); DROP TABLE canary; --"],
  ['a comment', '/* x */ -- y'],
  ['a reserved word', 'select'],
  ['a name of the staging', 's0'],
  ['a name of the engine', 'rowid'],
  ['a prototype', '__proto__'],
  ['a constructor', 'constructor'],
  ['dots', 'a.b.c'],
  ['brackets', 'items[].price'],
  ['300 characters', 'n'.repeat(300)],
  ['an emoji', '💥👩‍👩‍👧'],
  ['letters from right to left', 'שלום'],
  ['a mark that turns the direction', 'abc\u202edef'],
  ['escape bytes', '\x1b[31mred\x1b[0m\x07'],
  ['a title sequence', '\x1b]0;pwned\x07'],
  ['a C1 control', 'a\u009b31mb'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a template', '${env:HOME}{{7*7}}`id`$(id)'],
  ['a line end', 'two\nlines'],
  ['a tab', 'a\tb'],
  ['a backslash', 'a\\b\\'],
  ['blanks on both sides', '  padded  '],
];

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Names that an output could stumble over, in a finding. */
const extra = names
  .filter(([, name]) => /[\p{Cc}\p{Cf}<'"\\]|__|\.|[$]/u.test(name))
  .map(
    ([what, name]): Attempt => ({
      name: `an extra column: ${what}`,
      files: { 'a.csv': `id,name,amount,${cell(name)}\n3,x,1,secret value\n` },
      source: 'a.csv',
      flags: ['--on-extra', 'error'],
      expect: { exit: 1, findings: [{ name: 'extra_column', severity: 'error', path: name, file: 'a.csv' }] },
    }),
  );

const created = names.map(
  ([what, name]): Attempt => ({
    name: `a new table with a column: ${what}`,
    files: { 'a.csv': `${cell(name)},n\nvalue,1\n` },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: {
      exit: 0,
      rows: {
        sql: "SELECT f.n || ' ' || f.c || ' ' || c.column_name AS v FROM (SELECT n, COLUMNS(* EXCLUDE n) AS c FROM fresh) f, duckdb_columns() c WHERE c.table_name = 'fresh' AND c.column_index = 1",
        are: [`1 value ${name}`],
      },
    },
  }),
);

const collision = (name: string, header: string): Attempt => ({
  name,
  files: { 'a.csv': `${header}\n3,x,1,2\n` },
  source: 'a.csv',
  expect: { exit: 1, findings: [{ name: 'name_collision', severity: 'error', path: 'name', file: 'a.csv' }] },
});

judgeAll([
  ...extra,
  ...created,
  collision('the same name twice', 'id,name,name,amount'),
  collision('two variants of a name', 'id,Name,NAME,amount'),
  {
    name: 'a variant beside the exact name',
    files: { 'a.csv': 'id,name, NAME ,amount\n3,x,y,1\n' },
    source: 'a.csv',
    expect: {
      exit: 0,
      findings: [{ name: 'name_collision', severity: 'warning', path: 'name' }],
      rows: { sql: 'SELECT name AS v FROM orders WHERE id = 3', are: ['x'] },
    },
  },
  {
    name: 'names that are not there',
    files: { 'a.csv': 'id,,name,,amount\n3,a,x,b,1\n' },
    source: 'a.csv',
    expect: {
      exit: 0,
      findings: [{ name: 'extra_column', severity: 'warning', path: '', count: 1 }],
      rows: { sql: 'SELECT name AS v FROM orders WHERE id = 3', are: ['x'] },
    },
  },
  {
    name: 'a new table of names that are not there',
    files: { 'a.csv': ',,\n1,2,3\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh', '--create', '--header'],
    expect: { exit: 2, fault: 'TARGET_MISSING', says: /no columns/ },
  },
  {
    name: 'a new table of a name that stands twice',
    files: { 'a.csv': 'a,a\n1,2\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: { exit: 1, findings: [{ name: 'name_collision', severity: 'error', path: 'a' }] },
  },
  {
    name: 'a new table of names that differ in case only',
    files: { 'a.csv': 'a,A\n1,2\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: { exit: 2, fault: 'TARGET_INCOMPATIBLE', says: /\ba\b.*\bA\b/ },
  },
]);
