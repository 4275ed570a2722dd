/** The verbs that only look: what they are given may be just as bad. */
import type { Attempt } from './attempt.ts';
import { good, gzipped, images } from './fixtures.ts';
import { judgeAll } from './stand.ts';

const looks = (name: string, argv: readonly string[], expect: Attempt['expect'], files: Attempt['files'] = { 'a.csv': good }): Attempt => ({
  name,
  argv,
  expect,
  files,
});

judgeAll([
  looks('inspect: nothing there', ['inspect', 'no.csv', '--json'], { exit: 2, fault: 'SOURCE_NOT_FOUND', file: 'no.csv' }),
  looks(
    'inspect: an image',
    ['inspect', 'a.csv', '--json'],
    { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv' },
    { 'a.csv': images.png ?? '' },
  ),
  looks(
    'inspect: a cut gzip',
    ['inspect', 'a.csv.gz', '--json'],
    { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'a.csv.gz' },
    { 'a.csv.gz': gzipped.subarray(0, 600) },
  ),
  looks('inspect: a table that does not exist', ['inspect', 'w.duckdb#ordres', '--json'], {
    exit: 2,
    fault: 'TARGET_MISSING',
    says: /ordres/,
    fix: /main\.orders/,
  }),
  looks('inspect: a database that does not exist', ['inspect', 'no.duckdb#orders', '--json'], {
    exit: 2,
    fault: 'NOT_FOUND',
    says: /no\.duckdb/,
  }),
  looks(
    'inspect: DDL that is none',
    ['inspect', 'a.sql', '--json'],
    { exit: 2, fault: 'SCHEMA_TEXT', file: 'a.sql', line: 2 },
    { 'a.sql': 'CREATE TABLE t (\n  id BIGINT,, name VARCHAR)' },
  ),
  looks('inspect: an empty DDL file', ['inspect', 'a.sql', '--json'], { exit: 2, fault: 'SCHEMA_TEXT', file: 'a.sql' }, { 'a.sql': '' }),
  looks(
    'inspect: broken JSON',
    ['inspect', 'a.json', '--json'],
    { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.json', line: 2 },
    { 'a.json': '[\n{"id":1,]\n' },
  ),
  looks('inspect: an object of nothing', ['inspect', 'a.json', '--json'], { exit: 0 }, { 'a.json': '{}' }),
  looks('inspect: a header that would clear the screen', ['inspect', 'a.csv'], { exit: 0 }, { 'a.csv': '"\x1b[2J\u202e",b\n1,2\n' }),
  looks(
    'diff: a header that would clear the screen',
    ['diff', 'a.csv', 'w.duckdb#orders'],
    { exit: 1 },
    { 'a.csv': 'id,"\x1b[2J\u202e",name,amount,id\n1,2,x,1,1\n' },
  ),
  looks(
    'diff: a cut gzip',
    ['diff', 'a.csv.gz', 'w.duckdb#orders', '--json'],
    { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'a.csv.gz' },
    { 'a.csv.gz': gzipped.subarray(0, 600) },
  ),
  looks('verify: a database that does not exist', ['verify', 'a.csv', 'no.duckdb', '--table', 'orders'], {
    exit: 2,
    fault: 'TARGET_MISSING',
    says: /no\.duckdb/,
  }),
  looks(
    'history: a text named like a database',
    ['history', 'n.duckdb', '--json'],
    { exit: 2, fault: 'TARGET_URL' },
    { 'n.duckdb': 'no database\n'.repeat(1000) },
  ),
  looks('report: no run there', ['report', 'w.duckdb', '--json'], { exit: 2, fault: 'NOT_FOUND', says: /no run/ }),
  looks('report: into a folder that does not exist', ['report', 'w.duckdb', '--json', '--out', 'no/such/r.html'], { exit: 2 }),
  looks('explain: a code that does not exist', ['explain', 'SA999\x1b[2J'], { exit: 2 }),
  looks('load: a plan that is cut', ['load', 'plan.json'], { exit: 2 }, { 'plan.json': '{"schema":"plan-1","plan":{' }),
  looks(
    'load: a plan of another version',
    ['load', 'plan.json'],
    { exit: 2, fault: 'PLAN_INVALID', says: /plan-1/ },
    { 'plan.json': '{"schema":"plan-99"}' },
  ),
  looks(
    'load: a plan without its parts',
    ['load', 'plan.json'],
    { exit: 2, fault: 'PLAN_INVALID' },
    { 'plan.json': '{"schema":"plan-1","invocation":{"operands":["a.csv"],"options":{}}}' },
  ),
  looks(
    'load: a plan whose options are hostile',
    ['load', 'plan.json'],
    { exit: 2, fault: 'PLAN_INVALID' },
    {
      'plan.json':
        '{"schema":"plan-1","invocation":{"operands":["a.csv"],"options":{"rule":{"a":1}}},"plan":{},"plan_hash":"x","locks":{"files":[]}}',
    },
  ),
  looks(
    'load: a report into a folder that does not exist',
    ['load', 'a.csv', 'w.duckdb', '--table', 'orders', '--report', 'html=no/such/r.html'],
    { exit: 2, fault: 'USAGE', says: /no\/such/ },
  ),
  looks(
    'load: a report over a folder',
    ['load', 'a.csv', 'w.duckdb', '--table', 'orders', '--report', 'html=d'],
    { exit: 2, fault: 'USAGE', says: /folder/ },
    { 'a.csv': good, 'd/x': '' },
  ),
]);
