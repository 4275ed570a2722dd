/** Hostile names of files, tables and jobs, and hostile values: each is only a name, only a value. */
import type { Attempt } from './attempt.ts';
import { good } from './fixtures.ts';
import { judgeAll } from './stand.ts';

/** Beside each file lies one that a pattern, a shell or SQL would find in its place. */
const fileNames: readonly (readonly [string, string, string])[] = [
  ['brackets', 'a[1].csv', 'a1.csv'],
  ['a star', 'a*.csv', 'ab.csv'],
  ['a question mark', 'a?.csv', 'ab.csv'],
  ['braces', 'a{b,c}.csv', 'ab.csv'],
  ['blanks', 'a b  c.csv', 'a.csv'],
  ['a quote', "it's.csv", 'its.csv'],
  ['double quotes', 'say "x".csv', 'say x.csv'],
  ['an injection', "x'); DROP TABLE canary; --.csv", 'x.csv'],
  ['a per cent sign', 'a%20b.csv', 'a b.csv'],
  ['a semicolon', 'a;b.csv', 'a.csv'],
  ['a hash', 'a#b.csv', 'a.csv'],
  ['a backslash', 'a\\b.csv', 'ab.csv'],
  ['a colon', 's3:bucket.csv', 'bucket.csv'],
  ['a line end', 'a\nb.csv', 'a.csv'],
  ['escape bytes', 'a\x1b[31mb.csv', 'ab.csv'],
  ['a mark that turns the direction', 'a\u202eb.csv', 'ab.csv'],
  ['an emoji', '💥.csv', 'x.csv'],
  ['letters from right to left', 'שלום.csv', 'x.csv'],
  ['letters put together in another way', 'e\u0301.csv', 'x.csv'],
  ['240 characters', `${'n'.repeat(236)}.csv`, 'n.csv'],
  ['a tilde', '~.csv', 'home.csv'],
  ['a dollar', '$HOME.csv', 'HOME.csv'],
  ['markup', '<img src=x onerror=alert(1)>.csv', 'x.csv'],
];
const decoy = 'id,name,amount\n666,decoy,6.66\n';

const readFiles = fileNames.map(
  ([what, name, beside]): Attempt => ({
    name: `a file name with ${what}`,
    files: { [name]: good, [beside]: decoy },
    source: name,
    expect: { exit: 0, rows: { sql: 'SELECT id AS v FROM orders WHERE id > 2 ORDER BY id', are: ['3', '4'] } },
  }),
);
/** Names that an output could stumble over. */
const toldFiles = fileNames
  .filter(([, name]) => /[\p{Cc}\p{Cf}<'"\\%]/u.test(name))
  .map(
    ([what, name, beside]): Attempt => ({
      name: `a bad value in a file name with ${what}`,
      files: { [name]: 'id,name,amount\n3,x,one\n', [beside]: decoy },
      source: name,
      expect: { exit: 1, findings: [{ name: 'invalid_value', severity: 'error', path: 'amount', file: name, line: 2, value: 'one' }] },
    }),
  );

const tableNames: readonly (readonly [string, string, string])[] = [
  ['dots', '"a.b"', 'a.b'],
  ['quotes', '"say ""x"""', 'say "x"'],
  ['an injection', '"x""); DROP TABLE canary; --"', 'x"); DROP TABLE canary; --'],
  ['a reserved word', 'select', 'select'],
  ['an emoji', '💥', '💥'],
  ['escape bytes', '"\x1b[2J\u009b31m"', '\x1b[2J\u009b31m'],
  ['a mark that turns the direction', 'a\u202eb', 'a\u202eb'],
  ['a schema', 'main.plain', 'plain'],
  ['a quoted schema', '"main"."quoted"', 'quoted'],
  ['blanks', '"a  b"', 'a  b'],
  ['300 characters', 'n'.repeat(300), 'n'.repeat(300)],
  ['markup', '"<b>bold</b>"', '<b>bold</b>'],
];
const tables = tableNames.map(
  ([what, table, name]): Attempt => ({
    name: `a new table whose name has ${what}`,
    files: { 'a.csv': good },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', table, '--create', '--key', 'id'],
    expect: {
      exit: 0,
      rows: {
        sql: "SELECT table_name AS v FROM duckdb_tables() WHERE table_name NOT IN ('orders', 'canary') AND table_name NOT LIKE 'audit_%'",
        are: [name],
      },
    },
  }),
);

const values: readonly (readonly [string, string])[] = [
  ['escape bytes', '\x1b[31mred\x1b[0m\x1b]0;pwned\x07'],
  ['C1 controls', '\u009b31mred\u009d0;pwned\u009c'],
  ['marks that turn the direction', 'abc\u202edef\u2066x'],
  ['characters without width', 'a\u200bb\ufeffc'],
  ['line separators', 'a\u2028b\u2029c'],
  ['a carriage return', 'safe\rEVIL'],
  ['a backspace', 'abc\b\b\b'],
  ['markup', '</script><script>alert(1)</script><img src=x onerror=alert(1)>'],
  ['Markdown', '| x | [a](javascript:alert(1)) ` `` ``` *b* |'],
  ['a formula', '=cmd|/c calc!A1'],
  ['an injection', "1'); DROP TABLE canary; --"],
  ['workflow commands', '::error file=x::pwned'],
];
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const valuesTold = values.map(
  ([what, value]): Attempt => ({
    name: `a refused value with ${what}`,
    files: { 'a.csv': `id,name,amount\n3,x,1\n${cell(value)},y,1\n` },
    source: 'a.csv',
    expect: { exit: 1, findings: [{ name: 'invalid_value', severity: 'error', path: 'id', file: 'a.csv', line: 3, value }] },
  }),
);
const valuesKept = values.slice(0, 4).map(
  ([what, value]): Attempt => ({
    name: `a good text with ${what}`,
    files: { 'a.csv': `id,name,amount\n3,${cell(value)},1\n` },
    source: 'a.csv',
    expect: { exit: 0, rows: { sql: 'SELECT name AS v FROM orders WHERE id = 3', are: [value] } },
  }),
);
const valuesAside = values.slice(0, 8).map(
  ([what, value]): Attempt => ({
    name: `a quarantined record with ${what}`,
    files: { 'a.csv': `id,name,amount\n3,x,1\n${cell(value)},y,1\n` },
    source: 'a.csv',
    flags: ['--on-invalid', 'quarantine'],
    expect: { exit: 0, rows: { sql: "SELECT json_extract_string(issues, '$[0].value') AS v FROM audit_schema_quarantine", are: [value] } },
  }),
);

judgeAll([
  ...readFiles,
  ...toldFiles,
  ...tables,
  ...valuesTold,
  ...valuesKept,
  ...valuesAside,
  {
    name: 'a table of the name of a temporary one',
    files: { 'a.csv': good },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'main.schemalign_stage', '--create'],
    expect: { exit: 2, fault: 'USAGE', says: /schemalign_stage/ },
  },
  {
    name: 'a file name that looks like an option',
    files: { '-x.csv': good },
    argv: ['load', '-x.csv', 'w.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'USAGE', says: /unknown option '-x\.csv'/, fix: /\.\/|-- / },
  },
  {
    name: 'a file name that looks like an option, behind two dashes',
    files: { '-x.csv': good },
    argv: ['load', '--table', 'orders', '--', '-x.csv', 'w.duckdb'],
    expect: { exit: 0, rows: { sql: 'SELECT id AS v FROM orders WHERE id > 2 ORDER BY id', are: ['3', '4'] } },
  },
  {
    name: 'a file name that looks like an option, behind a folder',
    files: { '-x.csv': good },
    source: './-x.csv',
    expect: { exit: 0, rows: { sql: 'SELECT id AS v FROM orders WHERE id > 2 ORDER BY id', are: ['3', '4'] } },
  },
  {
    name: 'a missing file whose name would clear the screen',
    source: '\x1b[2J\u202e.csv',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', says: /no file matches/ },
  },
  {
    name: 'a job whose name would clear the screen',
    files: { 'schemalign.yaml': 'version: 1\njobs: {}\n' },
    argv: ['load', '\x1b[2Jjob'],
    expect: { exit: 2, fault: 'NOT_FOUND' },
  },
  { name: 'an option that would clear the screen', argv: ['load', '--\x1b[2J'], expect: { exit: 2, fault: 'USAGE' } },
  { name: 'a verb that would clear the screen', argv: ['\x1b[2J', '--json'], expect: { exit: 2, fault: 'USAGE' } },
]);
