import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig, locate } from './load-config.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'schemalign-config-')));
  mkdirSync(join(root, 'home/repo/a/b'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string | Uint8Array = 'version: 1\n'): void => writeFileSync(join(root, path), text);
const find = (cwd: string): Promise<string | undefined> =>
  loadConfig({ cwd: join(root, cwd), home: join(root, 'home') }).then((config) => config?.file.slice(root.length + 1));

describe('the file is looked for', () => {
  test('here first', async () => {
    put('home/repo/schemalign.yaml');
    put('home/repo/a/b/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBe('home/repo/a/b/schemalign.yaml');
  });

  test('upwards', async () => {
    put('home/repo/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBe('home/repo/schemalign.yaml');
  });

  test('up to the repository root and no further', async () => {
    mkdirSync(join(root, 'home/repo/.git'));
    put('home/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBeUndefined();
    put('home/repo/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBe('home/repo/schemalign.yaml');
  });

  test('a worktree has a file .git', async () => {
    put('home/repo/a/.git', 'gitdir: elsewhere\n');
    put('home/repo/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBeUndefined();
  });

  test('up to home and no further', async () => {
    put('schemalign.yaml');
    expect(await find('home/repo/a/b')).toBeUndefined();
    put('home/schemalign.yaml');
    expect(await find('home/repo/a/b')).toBe('home/schemalign.yaml');
  });

  test('outside of both only here', async () => {
    mkdirSync(join(root, 'other/a'), { recursive: true });
    put('other/schemalign.yaml');
    expect(await find('other/a')).toBeUndefined();
    expect(await find('other')).toBe('other/schemalign.yaml');
  });
});

describe('the file named', () => {
  const load = (file: string) => loadConfig({ cwd: root, file });

  test('starts from the working folder', async () => {
    put('home/other.yaml');
    expect(await load('home/other.yaml')).toMatchObject({ folder: join(root, 'home') });
  });

  test('does not exist', async () => {
    await expect(load('nothing.yaml')).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
      exit: 2,
      message: expect.stringContaining('nothing.yaml'),
    });
  });

  test('is a folder', async () => {
    await expect(load('home')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('it is a folder') });
  });

  test('has a byte-order mark and CRLF', async () => {
    put('c.yaml', '\uFEFFversion: 1\r\ndefaults:\r\n  trim: maybe\r\n');
    await expect(load('c.yaml')).rejects.toMatchObject({ place: { line: 3, column: 9 } });
  });

  test('is Latin-1', async () => {
    put('c.yaml', Buffer.from('version: 1\naudit:\n  prefix: ação\n', 'latin1'));
    await expect(load('c.yaml')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      place: { line: 3, column: 1 },
      message: expect.stringContaining('UTF-8'),
    });
  });

  test('is binary', async () => {
    put('c.yaml', new Uint8Array([0x76, 0x0a, 0x00, 0x01]));
    await expect(load('c.yaml')).rejects.toMatchObject({ code: 'CONFIG_INVALID', place: { line: 2, column: 1 } });
  });
});

test('places of keys and values, for faults found later', async () => {
  put('c.yaml', 'version: 1\ndefaults:\n  columns:\n    a/b: { trim: never }\n');
  const file = join(root, 'c.yaml');
  expect(await locate(file, ['/jobs/x/columns/a~1b', '/defaults/columns/a~1b'])).toEqual({ file, line: 4, column: 5 });
  expect(await locate(file, ['/defaults/columns/a~1b/trim'], 'value')).toEqual({ file, line: 4, column: 18 });
  expect(await locate(file, ['/defaults/columns/a~1b/mask'])).toEqual({ file });
  expect(await locate(join(root, 'gone.yaml'), ['/defaults'])).toEqual({ file: join(root, 'gone.yaml') });
});
