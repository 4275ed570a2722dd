import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../core/fault.ts';
import type { FileSource } from '../core/model/policy.ts';
import { findFiles } from './find-files.ts';

const base = mkdtempSync(join(tmpdir(), 'schemalign-find-'));
afterAll(() => rmSync(base, { recursive: true }));

const hostile = [
  'a[1].csv',
  'with spaces.csv',
  '😀.csv',
  'line\nbreak.csv',
  '-dash.csv',
  `${'x'.repeat(200)}.csv`,
  'a*b?.csv',
  '{a,b}.csv',
  'q\'uote".csv',
  'x\u202egnp.csv',
  'esc\u001b[31m.csv',
  'back\\slash.csv',
  '__proto__.csv',
];
const files = [
  'in/part-01.csv',
  'in/part-02.csv',
  'in/part-10.csv',
  'in/notes.md',
  'in/_SUCCESS',
  'in/.hidden.csv',
  'in/_temporary/0.csv',
  'in/deep/er/x.CSV',
  'in/deep/y.csv.gz',
  'mixed/a.json',
  'mixed/b.csv',
  'mixed/c.ndjson',
  'mixed/d.parquet',
  'mixed/e.parquet.gz',
  'plain/part-0000',
  'plain/part-0001',
  'glob/a1.csv',
  'glob/b1.csv',
  'glob/c1.csv',
  'glob/.dot.csv',
  'glob/_under.csv',
  'glob/é1.csv',
  'glob/2024/01/x.csv',
  'glob/2024/02/y.csv',
  ...hostile.map((name) => `hostile/${name}`),
  'hostile/a1.csv',
  'hostile/ab.csv',
];

beforeAll(() => {
  for (const file of files) {
    mkdirSync(join(base, file, '..'), { recursive: true });
    writeFileSync(join(base, file), 'id\n');
  }
  mkdirSync(join(base, 'empty'));
  mkdirSync(join(base, 'links'));
  symlinkSync(join(base, 'in/part-01.csv'), join(base, 'links/one.csv'));
  symlinkSync(join(base, 'links'), join(base, 'links/circle'));
  mkdirSync(join(base, 'broken'));
  symlinkSync('nowhere', join(base, 'broken/gone.csv'));
});

const find = async (path: string, source: Partial<FileSource> = {}): Promise<readonly string[]> =>
  (await findFiles({ kind: 'files', path, base, ...source })).map((file) => file.path);

const faultOf = async (path: string, source: Partial<FileSource> = {}): Promise<Fault> =>
  await find(path, source).then(
    (found) => expect.fail(`found ${JSON.stringify(found)}`),
    (error: unknown) => error as Fault,
  );

describe('findFiles: one file', () => {
  it.each(hostile)('takes %j for a name, not a pattern', async (name) => {
    expect(await findFiles({ kind: 'files', path: `hostile/${name}`, base })).toEqual([
      { path: `hostile/${name}`, absolute: join(base, 'hostile', name) },
    ]);
  });

  it('shows the path as the user wrote it', async () => {
    expect(await find('./in/../in/part-01.csv')).toEqual(['./in/../in/part-01.csv']);
    expect(await find(join(base, 'in/part-01.csv'))).toEqual([join(base, 'in/part-01.csv')]);
    const fromHere = relative(process.cwd(), join(base, 'in/part-01.csv'));
    expect(await findFiles({ kind: 'files', path: fromHere })).toEqual([{ path: fromHere, absolute: join(base, 'in/part-01.csv') }]);
  });

  it('follows a link', async () => {
    expect(await find('links/one.csv')).toEqual(['links/one.csv']);
  });

  it('takes a file of any extension or none', async () => {
    expect(await find('plain/part-0000')).toEqual(['plain/part-0000']);
    expect(await find('in/.hidden.csv')).toEqual(['in/.hidden.csv']);
  });
});

describe('findFiles: a folder', () => {
  it.each([
    ['in', {}, ['in/deep/er/x.CSV', 'in/deep/y.csv.gz', 'in/part-01.csv', 'in/part-02.csv', 'in/part-10.csv']],
    ['./in/', { format: 'csv' }, ['./in/deep/er/x.CSV', './in/deep/y.csv.gz', './in/part-01.csv', './in/part-02.csv', './in/part-10.csv']],
    ['mixed', {}, ['mixed/a.json', 'mixed/b.csv', 'mixed/c.ndjson', 'mixed/d.parquet']],
    ['mixed', { format: 'csv' }, ['mixed/b.csv']],
    ['mixed', { format: 'ndjson' }, ['mixed/a.json', 'mixed/c.ndjson']],
    ['mixed', { format: 'json' }, ['mixed/a.json']],
    ['mixed', { format: 'parquet' }, ['mixed/d.parquet']],
    ['plain', {}, ['plain/part-0000', 'plain/part-0001']],
    ['plain', { format: 'csv' }, ['plain/part-0000', 'plain/part-0001']],
    ['links', {}, ['links/one.csv']],
  ] as const)('%s %j', async (path, source, wanted) => {
    expect(await find(path, source)).toEqual(wanted);
  });

  it('finds files of hostile names, but for the one that starts with `_`', async () => {
    expect(await find('hostile')).toHaveLength(hostile.length - 1 + 2);
  });
});

describe('findFiles: a pattern', () => {
  it.each([
    ['glob/*.csv', ['glob/_under.csv', 'glob/a1.csv', 'glob/b1.csv', 'glob/c1.csv', 'glob/é1.csv']],
    ['glob/?1.csv', ['glob/a1.csv', 'glob/b1.csv', 'glob/c1.csv', 'glob/é1.csv']],
    ['glob/[a-b]1.csv', ['glob/a1.csv', 'glob/b1.csv']],
    ['glob/[!a-b]1.csv', ['glob/c1.csv', 'glob/é1.csv']],
    ['glob/{a,c}1.csv', ['glob/a1.csv', 'glob/c1.csv']],
    ['glob/{a,2024/*/}*.csv', ['glob/2024/01/x.csv', 'glob/2024/02/y.csv', 'glob/a1.csv']],
    [
      'glob/**/*.csv',
      ['glob/2024/01/x.csv', 'glob/2024/02/y.csv', 'glob/_under.csv', 'glob/a1.csv', 'glob/b1.csv', 'glob/c1.csv', 'glob/é1.csv'],
    ],
    ['./glob/2024/*/x.csv', ['./glob/2024/01/x.csv']],
    ['glob/.*.csv', ['glob/.dot.csv']],
    ['**/y.csv', ['glob/2024/02/y.csv']],
    ['hostile/a[1].cs?', ['hostile/a1.csv']],
    ['hostile/a\\[1\\].cs?', ['hostile/a[1].csv']],
    ['hostile/a\\[1\\].csv', ['hostile/a[1].csv']],
    ['hostile/a\\*b*', ['hostile/a*b?.csv']],
    ['hostile/line*.csv', ['hostile/line\nbreak.csv']],
    ['hostile/[[]x', []],
    ['hostile/a[[]1].csv', ['hostile/a[1].csv']],
    ['in/part-{01,01,02}.csv', ['in/part-01.csv', 'in/part-02.csv']],
  ])('%s', async (pattern, wanted) => {
    if (wanted.length === 0) expect((await faultOf(pattern)).code).toBe('SOURCE_NO_MATCH');
    else expect(await find(pattern)).toEqual(wanted);
  });

  it('works from the root', async () => {
    expect(await find(join(base, 'glob', 'a*.csv'))).toEqual([join(base, 'glob', 'a1.csv')]);
  });
});

describe('findFiles: nothing there', () => {
  it.each([
    ['gone.csv', 'SOURCE_NOT_FOUND', /gone\.csv/u],
    ['', 'SOURCE_NOT_FOUND', /empty/u],
    ['in/part-01.csv/x', 'SOURCE_NOT_FOUND', /does not exist/u],
    ['a\0b', 'SOURCE_NOT_FOUND', /a\\u0000b/u],
    ['y'.repeat(5000), 'SOURCE_NOT_FOUND', /yyy/u],
    ['in/part-*.tsv', 'SOURCE_NO_MATCH', /"in\/part-\*\.tsv"/u],
    ['glob/20*', 'SOURCE_NO_MATCH', /only folders such as "glob\/2024"/u],
    ['empty', 'SOURCE_NO_MATCH', /holds no files/u],
    ['{a,b}'.repeat(11), 'SOURCE_NO_MATCH', /alternatives/u],
    ['broken', 'SOURCE_UNREADABLE', /leads nowhere/u],
    ['broken/*.csv', 'SOURCE_UNREADABLE', /leads nowhere/u],
    ['/dev/null', 'SOURCE_UNREADABLE', /a device/u],
  ] as const)('%j: %s', async (path, code, message) => {
    const fault = await faultOf(path);
    expect(fault).toBeInstanceOf(Fault);
    expect([fault.code, fault.exit]).toEqual([code, 2]);
    expect(fault.message).toMatch(message);
  });

  it('names what is near', async () => {
    expect((await faultOf('in/prat-01.csv')).fix).toContain('"part-01.csv"');
    expect((await faultOf('in/part-01.cvs*')).fix).toContain('"part-01.csv"');
  });

  it('says that a folder holds only other formats', async () => {
    mkdirSync(join(base, 'other'));
    writeFileSync(join(base, 'other/x.json'), '{}');
    const fault = await faultOf('other', { format: 'parquet' });
    expect([fault.code, fault.message]).toEqual(['SOURCE_NO_MATCH', expect.stringMatching(/no parquet files.*"x\.json"/u)]);
  });

  it('refuses a socket', async () => {
    const path = join(base, 'socket');
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    const fault = await faultOf('socket');
    await new Promise((resolve) => server.close(resolve));
    expect([fault.code, fault.message]).toEqual(['SOURCE_UNREADABLE', expect.stringContaining('a socket')]);
  });

  it('refuses a file without permission, where permissions bind', async () => {
    const path = join(base, 'closed.csv');
    writeFileSync(path, 'id\n');
    chmodSync(path, 0);
    const outcome = await find('closed.csv').catch((error: unknown) => (error as Fault).code);
    chmodSync(path, 0o600);
    // The superuser reads everything.
    expect(outcome).toEqual(process.getuid?.() === 0 ? ['closed.csv'] : 'SOURCE_UNREADABLE');
  });
});
