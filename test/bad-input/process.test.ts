/** A handful as real processes: what no call inside this process can show. */
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtCommand } from '../faults/built-command.ts';
import { change, contentOf } from '../faults/database.ts';
import { makePlace, type Place } from '../faults/place.ts';
import { good, gzipped, images, pipe } from './fixtures.ts';

let place: Place;
let before: readonly string[];
const tables = ['orders', 'canary'];
const contents = async (): Promise<readonly string[]> => Promise.all(tables.map((table) => contentOf(place.path('w.duckdb'), table)));

beforeEach(async () => {
  place = makePlace();
  await change(
    place.path('w.duckdb'),
    "CREATE TABLE orders AS SELECT 1::BIGINT AS id, 'old' AS name, 1.00::DECIMAL(12,2) AS amount",
    'CREATE TABLE canary AS SELECT 7 AS id',
  );
  before = await contents();
});
afterEach(async () => {
  // Whatever came in: both tables are as before, and nothing lies about.
  expect(await contents()).toEqual(before);
  expect(place.leftovers()).toEqual([]);
  place.remove();
});

const load = ['w.duckdb', '--table', 'orders'] as const;

test('a broken file: words on standard error, nothing else, and no stack', async () => {
  writeFileSync(place.path('a.csv'), images.png ?? '');
  const { exit, stdout, stderr } = await place.run('load', 'a.csv', ...load);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr.split('\n').map((line) => line.replace(/^(error\[\w+\]|\s*\w+).*/, '$1'))).toEqual([
    'error[SOURCE_FORMAT]',
    '  at',
    '  fix',
    '',
  ]);
});

test('a cut file: the verdict on standard output, exit 1', async () => {
  writeFileSync(place.path('a.csv.gz'), gzipped.subarray(0, 900));
  const { exit, stdout, stderr } = await place.run('load', 'a.csv.gz', ...load);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(stdout).toMatch(/^\S* ?FAILED/);
  expect(stdout).toContain('SA302 malformed_file');
});

test('a pipe that nobody writes to is not waited for', async () => {
  pipe(place.path('a.csv'));
  const { exit, stderr, ms } = await place.run('load', 'a.csv', ...load);
  expect({ exit, says: /is a pipe/.test(stderr) }).toEqual({ exit: 2, says: true });
  expect(ms).toBeLessThan(10_000);
});

test('a file name that looks like an option, with a line end and escapes in a value', async () => {
  place.write('-x\n.csv', 'id,name,amount\n"\x1b[2J\u202e",x,1\n');
  const { exit, stdout, stderr } = await place.run('load', ...load, '--', '-x\n.csv');
  expect(exit).toBe(2);
  expect(stderr).toMatch(/TARGET_URL|USAGE/);
  const second = await place.run('load', './-x\n.csv', ...load);
  expect({ exit: second.exit, stderr: second.stderr }).toEqual({ exit: 1, stderr: '' });
  expect(second.stdout).toContain('\\x1b[2J\\u202e');
  for (const text of [stdout, stderr, second.stdout]) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
});

test('a password in the address is nowhere: not on the streams, not in the folder', async () => {
  place.write('a.csv', good);
  const { exit, stdout, stderr } = await place.run(
    'load',
    'a.csv',
    'postgres://etl:hunter2-secret@db.example/sales',
    '--table',
    'orders',
    '--json',
  );
  expect(exit).toBe(2);
  expect(stdout + stderr).not.toContain('hunter2-secret');
  const files = readdirSync(place.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files) expect(readFileSync(`${file.parentPath}/${file.name}`).includes('hunter2-secret'), file.name).toBe(false);
});

test('temporary files go to a folder that exists, or the run says so', async () => {
  place.write('a.csv', good);
  const env = { ...process.env, TMPDIR: place.path('no/such') };
  const { status, stderr } = spawnSync(process.execPath, [builtCommand(), 'load', 'a.csv', ...load], {
    cwd: place.folder,
    env,
    encoding: 'utf8',
  });
  expect({ status, says: /temporary files/.test(stderr) }).toEqual({ status: 2, says: true });
  expect(existsSync(place.path('no'))).toBe(false);
});

describe('the network', () => {
  let server: Server;
  let connections = 0;
  let port = 0;
  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(() => void server.close());

  test.each([
    ['a query of a file', (url: string) => [...load, '--query', `SELECT * FROM read_csv('${url}/x.csv')`]],
    ['a query of a Parquet file', (url: string) => [...load, '--query', `SELECT * FROM '${url}/x.parquet'`]],
    ['a source', (url: string) => [`${url}/x.csv`, ...load]],
  ])('%s asks nobody, and fails at once', async (_, args) => {
    const { exit, stderr, ms } = await place.run('load', ...args(`http://127.0.0.1:${port}`));
    expect(exit).toBe(2);
    expect(stderr).toMatch(/extension|only files are read/);
    expect(connections).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});
