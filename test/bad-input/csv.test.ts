/** CSV whose records, bytes or dialect are wrong. */
import type { Attempt } from './attempt.ts';
import { judgeAll } from './stand.ts';

const head = 'id,name,amount\n';
const utf16 = (text: string, bom: boolean): Buffer => Buffer.from((bom ? '\ufeff' : '') + text, 'utf16le');
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** One malformed record: its reason, its physical line. */
const malformed = (name: string, text: string | Buffer, reason: string, line: number): Attempt => ({
  name,
  files: { 'a.csv': text },
  source: 'a.csv',
  expect: {
    exit: 1,
    findings: [{ name: 'malformed_record', severity: 'error', reason, count: 1, file: 'a.csv', line }],
    fix: reason === 'encoding' ? /encoding: latin-1/ : /on_malformed: quarantine/,
  },
});

const records: readonly Attempt[] = [
  malformed('too few fields', `${head}3,x,1\n4,y\n5,z,1\n`, 'fields', 3),
  malformed('too many fields', `${head}3,x,1\n\n4,y,1,2\n`, 'fields', 4),
  malformed('a record of a single delimiter', `${head}3,x,1\n,\n`, 'fields', 3),
  malformed('a quote never closed', `${head}3,x,1\n4,"y,1\n5,z,1\n`, 'quote', 3),
  malformed('a quote that the next one closes at the wrong place', `${head}3,"x,1\n4,"y,1\n5,z,1\n`, 'quote', 2),
  malformed('text after a closing quote', `${head}3,"x"y,1\n4,z,1\n`, 'quote', 2),
  malformed('bytes that are no UTF-8', bytes(head, '3,x,1\n4,', [0xff, 0xc3, 0x28], ',1\n'), 'encoding', 3),
  malformed('latin-1 that nobody declared', Buffer.from(`${head}3,x,1\n4,Zoë,1\n`, 'latin1'), 'encoding', 3),
  malformed('UTF-8 in an overlong form', bytes(head, '3,', [0xc0, 0xaf], ',1\n'), 'encoding', 2),
  malformed('a surrogate in UTF-8', bytes(head, '3,', [0xed, 0xa0, 0x80], ',1\n'), 'encoding', 2),
  malformed(
    'half a pair in UTF-16',
    Buffer.concat([utf16(`${head}3,x`, true), Buffer.from([0x3d, 0xd8]), utf16(',1\n4,y,1\n', false)]),
    'encoding',
    2,
  ),
  malformed('UTF-16 cut within a character', utf16(`${head}3,x,1\n4,y,15`, true).subarray(0, -1), 'encoding', 3),
  malformed('a broken record behind a record of two lines and a blank line', `${head}3,"x\ny",1\n\n4,z\n`, 'fields', 5),
];

const loads = (name: string, text: string | Buffer, sql: string, are: readonly string[], flags: readonly string[] = []): Attempt => ({
  name,
  files: { 'a.csv': text },
  source: 'a.csv',
  flags,
  expect: { exit: 0, rows: { sql, are } },
});

/** No column of the file is one of the target: nothing is loaded as NULL. */
const alien = (name: string, text: string | Buffer, flags: readonly string[] = []): Attempt => ({
  name,
  files: { 'a.csv': text },
  source: 'a.csv',
  flags,
  expect: {
    exit: 2,
    fault: 'TARGET_INCOMPATIBLE',
    file: 'a.csv',
    says: /no column in common.*\bid, name, amount/,
    fix: /delimiter.*header/,
  },
});

const newNames = 'SELECT name AS v FROM orders WHERE id > 2 ORDER BY id';

judgeAll([
  ...records,
  {
    name: 'NUL in a text',
    files: { 'a.csv': `${head}3,x,1\n4,a\0b,1\n` },
    source: 'a.csv',
    expect: { exit: 1, findings: [{ name: 'invalid_value', reason: 'nul_character', path: 'name', file: 'a.csv', line: 3 }] },
  },
  {
    name: 'NUL in a number',
    files: { 'a.csv': `${head}3\0,x,1\n` },
    source: 'a.csv',
    expect: { exit: 1, findings: [{ name: 'invalid_value', path: 'id', file: 'a.csv', line: 2 }] },
  },
  {
    name: 'bytes of the header that are no UTF-8',
    files: { 'a.csv': Buffer.from('id,näme,amount\n3,x,1\n', 'latin1') },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', line: 1, fix: /--encoding latin-1/ },
  },
  {
    name: 'a header whose quote is never closed',
    files: { 'a.csv': '"id,name,amount\n3,x,1\n' },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', line: 1, says: /never closed/ },
  },
  {
    name: 'a header with text after a closing quote',
    files: { 'a.csv': '"id"x,name,amount\n3,x,1\n' },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', line: 1, says: /after a closing quote/ },
  },
  {
    name: 'UTF-16 that neither a mark nor a flag tells of',
    files: { 'a.csv': utf16(`${head}3,x,1\n`, false) },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', says: /UTF-16/, fix: /--encoding utf-16/ },
  },
  loads('UTF-16 with its mark', utf16(`${head}3,Zoë😀,1\n`, true), newNames, ['Zoë😀']),
  loads('UTF-16 by a flag', utf16(`${head}3,Zoë😀,1\n`, false), newNames, ['Zoë😀'], ['--encoding', 'utf-16']),
  loads('latin-1 by a flag', Buffer.from(`${head}3,Zoë,1\n`, 'latin1'), newNames, ['Zoë'], ['--encoding', 'latin-1']),
  {
    name: 'ASCII declared as UTF-16',
    files: { 'a.csv': `${head}3,x,1\n` },
    source: 'a.csv',
    flags: ['--encoding', 'utf-16'],
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', line: 1, says: /encoding/ },
  },
  {
    name: 'an encoding that does not exist',
    files: { 'a.csv': head },
    source: 'a.csv',
    flags: ['--encoding', 'ebcdic'],
    expect: { exit: 2, fault: 'USAGE', says: /encoding/ },
  },
  alien('a delimiter that is not the file’s', `${head}3,x,1\n`, ['--delimiter', ';']),
  alien('a header declared absent', `${head}3,x,1\n`, ['--no-header']),
  alien('no header at all', '3,x,1.00\n4,y,2.00\n'),
  alien('a header of blanks', ' , , \n3,x,1\n'),
  alien('another file altogether', 'customer,city\n3,Porto\n'),
  {
    name: 'another file among good ones',
    files: { 'in/a.csv': `${head}3,x,1\n`, 'in/b.csv': 'customer,city\n3,Porto\n' },
    source: 'in',
    expect: { exit: 2, fault: 'TARGET_INCOMPATIBLE', file: 'in/b.csv', says: /no column in common/ },
  },
  ...['||', 'ab', '\n', 'é', '\0'].map(
    (delimiter): Attempt => ({
      name: `the delimiter ${JSON.stringify(delimiter)}`,
      files: { 'a.csv': head },
      source: 'a.csv',
      flags: ['--delimiter', delimiter],
      expect: { exit: 2, fault: 'USAGE', says: /--delimiter: expected one ASCII character/, fix: /schemalign load --help/ },
    }),
  ),
  {
    name: 'one character for delimiter and quote',
    files: { 'a.csv': head },
    source: 'a.csv',
    flags: ['--delimiter', ';', '--quote', ';'],
    expect: { exit: 2, fault: 'USAGE', says: /same character/ },
  },
  {
    name: 'one column',
    files: { 'a.csv': 'id\n3\n\n4\n' },
    source: 'a.csv',
    expect: {
      exit: 0,
      findings: [{ name: 'missing_column', severity: 'warning', path: 'name' }],
      rows: { sql: 'SELECT id AS v FROM orders ORDER BY id', are: ['1', '2', '3', '4'] },
    },
  },
  loads(
    'a field of three million characters',
    `${head}3,${'x'.repeat(3_000_000)},1\n4,short,1\n`,
    'SELECT length(name) AS v FROM orders WHERE id > 2 ORDER BY id',
    ['3000000', '5'],
  ),
  loads(
    'a quoted field of three million characters on many lines',
    `${head}3,"${'x\n'.repeat(1_500_000)}",1\n4,short,1\n`,
    'SELECT length(name) AS v FROM orders WHERE id > 2 ORDER BY id',
    ['3000000', '5'],
  ),
  {
    name: 'a long field in a record that is malformed',
    files: { 'a.csv': `${head}3,x,1\n4,${'y'.repeat(3_000_000)}\n` },
    source: 'a.csv',
    expect: { exit: 1, findings: [{ name: 'malformed_record', reason: 'fields', file: 'a.csv', line: 3 }] },
  },
  {
    name: 'five thousand columns, all but three of them extra',
    files: {
      'a.csv': `${[...Array.from({ length: 4997 }, (_, i) => `x${i}`), 'id', 'name', 'amount'].join(',')}\n${[...Array.from({ length: 4997 }, () => '1'), '3', 'x', '1'].join(',')}\n`,
    },
    source: 'a.csv',
    expect: {
      exit: 0,
      findings: [{ name: 'extra_column', severity: 'warning', path: 'x4996', count: 1 }],
      rows: { sql: newNames, are: ['x'] },
    },
  },
  loads('mixed line ends', `${head}3,a,1\r\n4,b,1\r5,c,1\n`, newNames, ['a', 'b', 'c']),
  loads('a file that ends in the end mark of old systems', `${head}3,a,1\n`, newNames, ['a']),
]);
