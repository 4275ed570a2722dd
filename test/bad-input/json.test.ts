/** JSON that is none, and JSON that is only odd. */
import type { Attempt } from './attempt.ts';
import { judgeAll } from './stand.ts';

/** A line that is no record, between two that are. */
const badLine = (name: string, line: string | Buffer, reason?: string): Attempt => ({
  name: `NDJSON: ${name}`,
  files: { 'a.ndjson': Buffer.concat([Buffer.from('{"id":3,"name":"x"}\n\n'), Buffer.from(line), Buffer.from('\n{"id":5}\n')]) },
  source: 'a.ndjson',
  expect: {
    exit: 1,
    findings: [
      { name: 'malformed_record', severity: 'error', ...(reason === undefined ? {} : { reason }), count: 1, file: 'a.ndjson', line: 3 },
    ],
    fix: reason === 'encoding' ? /encoding/ : /on_malformed: quarantine/,
  },
});

/** A document that cannot be read to its end, or a record of it that is none. */
const badDocument = (name: string, text: string, line: number): Attempt => ({
  name: `JSON: ${name}`,
  files: { 'a.json': text },
  source: 'a.json',
  expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', file: 'a.json', line }] },
});

const nested = (depth: number): string => '[['.repeat(depth / 2) + ']]'.repeat(depth / 2);
const events = ['CREATE TABLE events (id BIGINT, doc JSON, s STRUCT(a INTEGER, b VARCHAR), l INTEGER[])'];
const intoEvents = (name: string, text: string | Buffer, expect: Attempt['expect'], flags: readonly string[] = []): Attempt => ({
  name,
  sql: events,
  files: { 'e.ndjson': text },
  argv: ['load', 'e.ndjson', 'w.duckdb', '--table', 'events', ...flags],
  expect,
});

judgeAll([
  badLine('not a number', '{"id":NaN}'),
  badLine('infinity', '{"id":-Infinity}'),
  badLine('a trailing comma', '{"id":4,}'),
  badLine('a trailing comma in a list', '{"id":4,"x":[1,2,]}'),
  badLine('a trailing comma in an object within', '{"id":4,"x":{"a":1,}}'),
  badLine('single quotes', "{'id':4}"),
  badLine('a name without quotes', '{id:4}'),
  badLine('a comment behind the record', '{"id":4} // four'),
  badLine('a comment inside the record', '{"id":/* four */4}'),
  badLine('two objects on one line', '{"id":4}{"id":6}'),
  badLine('two objects and a comma', '{"id":4},{"id":6}'),
  badLine('a number with leading zeros', '{"id":04}'),
  badLine('a number with a plus', '{"id":+4}'),
  badLine('a number without digits before the point', '{"amount":.5}'),
  badLine('a hexadecimal number', '{"id":0x1F}'),
  badLine('a word', '{"id":None}'),
  badLine('True', '{"id":True}'),
  badLine('a tab inside a text', '{"name":"a\tb"}'),
  badLine('an escape that does not exist', '{"name":"a\\xb"}'),
  badLine('bytes that are no UTF-8', Buffer.from('{"name":"Zo\xeb"}', 'latin1'), 'encoding'),
  badLine('a number for a record', '4'),
  badLine('a text for a record', '"four"'),
  badLine('null for a record', 'null'),
  badLine('a list for a record', '[4]'),
  badLine('the same key twice', '{"id":4,"name":"a","id":5}', 'duplicate_key_in_object'),
  badLine('the same key twice, once written as an escape', '{"id":4,"\\u0069d":5}', 'duplicate_key_in_object'),
  badLine('the same key twice in an object that is not wanted', '{"id":4,"x":{"a":1,"a":2}}', 'duplicate_key_in_object'),
  badLine('the same key twice in a list of objects', '{"id":4,"x":[{"a":1},{"b":1,"b":2}]}', 'duplicate_key_in_object'),
  ...['{"id":04}', '{"id":True}', '{id:4}', '{"id" 4}', '{"name":"a\tb"}', '{"name":"a\\xb"}', '{"id":4 "x":5}'].map((record) =>
    badDocument(`the record ${record}`, `[\n{"id":3},\n${record}\n]\n`, 3),
  ),
  {
    name: 'a new table from a broken document',
    files: { 'a.json': '[\n{"id":3},\n{id:4}\n]\n' },
    argv: ['load', 'a.json', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.json', line: 3 },
  },
  {
    name: 'a new table from lines of which one is broken',
    files: { 'a.ndjson': '{"id":3}\n{id:4}\n' },
    argv: ['load', 'a.ndjson', 'w.duckdb', '--table', 'fresh', '--create'],
    expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', file: 'a.ndjson', line: 2 }] },
  },
  badDocument('a trailing comma behind the last record', '[\n{"id":3},\n{"id":4},\n]\n', 4),
  badDocument('a trailing comma inside a record', '[\n{"id":3},\n{"id":4,}\n]\n', 3),
  badDocument('a missing comma', '[\n{"id":3}\n{"id":4}\n]\n', 3),
  badDocument('single quotes', "[\n{'id':3}\n]\n", 2),
  badDocument('a comment', '[\n// three\n{"id":3}\n]\n', 2),
  badDocument('text behind the array', '[\n{"id":3}\n]\nend\n', 4),
  badDocument('a number among the records', '[\n{"id":3},\n4,\n{"id":5}\n]\n', 3),
  badDocument('null among the records', '[\n{"id":3},\nnull\n]\n', 3),
  badDocument('NaN', '[\n{"id":3},\n{"id":NaN}\n]\n', 3),
  badDocument('the same key twice', '[\n{"id":3},\n{"id":4,"id":5}\n]\n', 3),
  badDocument('a single number', '42\n', 1),
  badDocument('a single text', '"orders"\n', 1),
  badDocument('brackets nested a hundred thousand deep and never closed', '['.repeat(100_000), 1),
  {
    name: 'objects one behind the other are records',
    files: { 'a.json': '{"id":3,"name":"a"}{"id":4,"name":"b"}\n{"id":5,\n"name":"c"}' },
    source: 'a.json',
    expect: { exit: 0, rows: { sql: 'SELECT name AS v FROM orders WHERE id > 2 ORDER BY id', are: ['a', 'b', 'c'] } },
  },
  {
    name: 'a byte-order mark before JSON',
    files: { 'a.json': '\ufeff[{"id":3,"name":"a"}]' },
    source: 'a.json',
    expect: { exit: 0, rows: { sql: 'SELECT name AS v FROM orders WHERE id > 2 ORDER BY id', are: ['a'] } },
  },
  {
    name: 'half a surrogate pair, written as an escape',
    files: { 'a.ndjson': '{"id":3,"name":"x"}\n{"id":4,"name":"\\ud800"}\n' },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ severity: 'error', name: 'malformed_record', file: 'a.ndjson', line: 2 }] },
  },
  {
    name: 'NUL, written as an escape',
    files: { 'a.ndjson': '{"id":3,"name":"x"}\n{"id":4,"name":"a\\u0000b"}\n' },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ name: 'invalid_value', reason: 'nul_character', path: 'name', file: 'a.ndjson', line: 2 }] },
  },
  {
    name: 'a number with an exponent beyond all bounds',
    files: { 'a.ndjson': '{"id":3}\n{"id":1e999999999}\n' },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ name: 'invalid_value', path: 'id', file: 'a.ndjson', line: 2, value: '1e999999999' }] },
  },
  {
    name: 'a number of ten thousand digits',
    files: { 'a.ndjson': `{"id":3}\n{"amount":${'9'.repeat(10_000)}}\n` },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ name: 'invalid_value', reason: 'out_of_range', path: 'amount', file: 'a.ndjson', line: 2 }] },
  },
  {
    name: 'a number of ten thousand digits is a text as it is written',
    files: { 'a.ndjson': `{"id":3,"name":${'9'.repeat(10_000)}}\n{"id":4,"name":"y"}\n` },
    source: 'a.ndjson',
    expect: { exit: 0, rows: { sql: 'SELECT length(name) || left(name, 3) AS v FROM orders WHERE id = 3', are: ['10000999'] } },
  },
  intoEvents('JSON nested a thousand deep, where JSON is wanted', `{"id":3,"doc":${nested(1000)}}\n{"id":4}\n`, {
    exit: 0,
    rows: { sql: 'SELECT length(doc::VARCHAR) AS v FROM events WHERE id = 3', are: ['2000'] },
  }),
  intoEvents('JSON nested a thousand deep, where nobody wants it', `{"id":3,"x":${nested(1000)}}\n{"id":4}\n`, {
    exit: 0,
    findings: [{ name: 'extra_column', severity: 'warning', path: 'x', count: 1 }],
    rows: { sql: 'SELECT id AS v FROM events ORDER BY 1', are: ['3', '4'] },
  }),
  intoEvents('JSON nested a thousand deep, where a number is wanted', `{"id":${nested(1000)}}\n{"id":4}\n`, {
    exit: 1,
    findings: [{ name: 'invalid_value', reason: 'structure', path: 'id', file: 'e.ndjson', line: 1 }],
  }),
  intoEvents('the same key twice inside a struct', '{"id":3}\n{"id":4,"s":{"a":1,"a":2}}\n', {
    exit: 1,
    findings: [{ name: 'malformed_record', reason: 'duplicate_key_in_object', file: 'e.ndjson', line: 2 }],
  }),
  intoEvents('the same key twice inside JSON', '{"id":3}\n{"id":4,"doc":{"x":[{"a":1,"a":2}]}}\n', {
    exit: 1,
    findings: [{ name: 'malformed_record', reason: 'duplicate_key_in_object', file: 'e.ndjson', line: 2 }],
  }),
  intoEvents('an object for a list, a list for an object, a scalar for a list', '{"id":3,"l":{}}\n{"id":4,"s":[]}\n{"id":5,"l":7}\n', {
    exit: 1,
    findings: [
      { name: 'invalid_value', reason: 'structure', path: 'l', count: 2, file: 'e.ndjson', line: 1 },
      { name: 'invalid_value', reason: 'structure', path: 's', count: 1, file: 'e.ndjson', line: 2 },
    ],
  }),
  intoEvents(
    'keys of a prototype are ordinary',
    '{"id":3,"__proto__":{"a":1},"constructor":"x"}\n{"id":4}\n',
    {
      exit: 1,
      findings: [
        { name: 'extra_column', severity: 'error', path: '__proto__' },
        { name: 'extra_column', severity: 'error', path: 'constructor' },
      ],
    },
    ['--on-extra', 'error'],
  ),
  intoEvents(
    'a hostile key',
    `{"id":3,"x\\"); DROP TABLE canary; --":1,"\\u001b[31m":2,"it's":3}\n{"id":4}\n`,
    {
      exit: 1,
      findings: [
        { name: 'extra_column', severity: 'error', path: 'x"); DROP TABLE canary; --' },
        { name: 'extra_column', severity: 'error', path: '\x1b[31m' },
        { name: 'extra_column', severity: 'error', path: "it's" },
      ],
    },
    ['--on-extra', 'error'],
  ),
]);
