/** What is there, or is not there, but is no file that could be read. */
import { judgeAll } from './stand.ts';
import { folder, good, linkTo, pipe, socket } from './fixtures.ts';

judgeAll([
  {
    name: 'a file that does not exist, with one of nearly its name',
    files: { 'orders.csv': good },
    source: 'order.csv',
    expect: { exit: 2, fault: 'SOURCE_NOT_FOUND', file: 'order.csv', says: /"order\.csv" does not exist/, fix: /"orders\.csv"/ },
  },
  {
    name: 'a path below a file',
    files: { 'a.csv': good },
    source: 'a.csv/b.csv',
    expect: { exit: 2, fault: 'SOURCE_NOT_FOUND', file: 'a.csv/b.csv' },
  },
  { name: 'a name longer than any file may have', source: `${'x'.repeat(5000)}.csv`, expect: { exit: 2, fault: 'SOURCE_NOT_FOUND' } },
  { name: 'a name with NUL', source: 'a\0b.csv', expect: { exit: 2, fault: 'SOURCE_NOT_FOUND' } },
  { name: 'an empty name', source: '', expect: { exit: 2, fault: 'USAGE' } },
  {
    name: 'an empty folder named like a file',
    files: { 'in.csv': folder },
    source: 'in.csv',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: 'in.csv', says: /holds no files/ },
  },
  {
    name: 'a folder of empty folders',
    files: { in: folder, 'in/deep': folder },
    source: 'in/',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: 'in/', says: /holds no files/ },
  },
  {
    name: 'a folder without files of the named format',
    files: { 'in/a.parquet': 'x', 'in/b.json': '{}' },
    source: 'in',
    flags: ['--format', 'csv'],
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: 'in', says: /no csv files/ },
  },
  {
    name: 'a folder of hidden files only',
    files: { 'in/.a.csv': good, 'in/_temporary/b.csv': good },
    source: 'in',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: 'in' },
  },
  {
    name: 'a pattern that nothing matches',
    files: { 'a.json': '{}' },
    source: '*.csv',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: '*.csv', says: /no file matches/ },
  },
  {
    name: 'a pattern that only folders match',
    files: { 'in1/a.csv': good },
    source: 'in*',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: 'in*', fix: /\/\*\*/ },
  },
  {
    name: 'a pattern of far too many alternatives',
    source: `${'{a,b}'.repeat(12)}.csv`,
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', says: /alternatives/ },
  },
  {
    name: 'two formats in one folder',
    files: { 'in/a.csv': good, 'in/b.json': '{"id":1}' },
    source: 'in',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', says: /csv, json/, fix: /format/ },
  },
  {
    name: 'a link that leads nowhere',
    files: { 'in.csv': linkTo('gone.csv') },
    source: 'in.csv',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'in.csv', says: /leads nowhere/ },
  },
  {
    name: 'a link that leads nowhere, in a folder of good files',
    files: { 'in/a.csv': good, 'in/b.csv': linkTo('gone.csv') },
    source: 'in',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'in/b.csv', says: /leads nowhere/ },
  },
  {
    name: 'a link to itself',
    files: { 'in.csv': linkTo('in.csv') },
    source: 'in.csv',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'in.csv', says: /circle/ },
  },
  {
    name: 'a folder that holds itself by a link is read once',
    files: { 'in/a.csv': good, 'in/again': linkTo('.') },
    source: 'in',
    expect: { exit: 0, rows: { sql: 'SELECT count(*) AS v FROM orders', are: ['4'] } },
  },
  {
    name: 'a pipe that nobody writes to',
    files: { 'in.csv': pipe },
    source: 'in.csv',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'in.csv', says: /a pipe/, fix: /to a file first/ },
  },
  {
    name: 'a pipe that a pattern matches',
    files: { 'in.csv': pipe },
    source: '*.csv',
    expect: { exit: 2, fault: 'SOURCE_NO_MATCH', file: '*.csv' },
  },
  {
    name: 'a socket',
    files: { 's.csv': socket },
    source: 's.csv',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 's.csv', says: /a socket/ },
  },
  { name: 'a device', source: '/dev/zero', expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: '/dev/zero', says: /a device/ } },
  {
    name: 'standard input as a file',
    argv: ['load', '-', 'w.duckdb', '--table', 'orders'],
    expect: { exit: 2, fault: 'SOURCE_NOT_FOUND', says: /"-" does not exist/ },
  },
]);
