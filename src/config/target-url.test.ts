import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { targetFromUrl, tryTargetFromUrl } from './target-url.ts';

const folder = mkdtempSync(join(tmpdir(), 'schemalign-url-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'a#b.duckdb'), '');
writeFileSync(join(folder, 'x.duckdb#y.db'), '');

test.each([
  ['x.duckdb', { engine: 'duckdb', url: 'x.duckdb' }],
  ['x.db', { engine: 'duckdb', url: 'x.db' }],
  ['path/to/file.ddb', { engine: 'duckdb', url: 'path/to/file.ddb' }],
  ['X.DUCKDB', { engine: 'duckdb', url: 'X.DUCKDB' }],
  [':memory:', { engine: 'duckdb', url: ':memory:' }],
  ['duckdb:data/any.file', { engine: 'duckdb', url: 'data/any.file' }],
  ['duckdb://data/any.file', { engine: 'duckdb', url: 'data/any.file' }],
  ['duckdb:///data/any.file', { engine: 'duckdb', url: '/data/any.file' }],
  ['postgres://h/d', { engine: 'postgres', url: 'postgres://h/d' }],
  ['postgresql://h/d', { engine: 'postgres', url: 'postgresql://h/d' }],
  ['sc://h:15002/;use_ssl=true', { engine: 'spark', url: 'sc://h:15002/;use_ssl=true' }],
  ['bigquery://p/d', { engine: 'bigquery', url: 'bigquery://p/d' }],
  ['sqlserver://h;database=d', { engine: 'sqlserver', url: 'sqlserver://h;database=d' }],
  ['x.duckdb#main.orders', { engine: 'duckdb', url: 'x.duckdb', table: 'main.orders' }],
  ['x.duckdb#"a.b"', { engine: 'duckdb', url: 'x.duckdb', table: '"a.b"' }],
  ['postgres://h/d#sales.orders', { engine: 'postgres', url: 'postgres://h/d', table: 'sales.orders' }],
  // The file is there, or only the whole looks like a database: `#` belongs to its name.
  ['a#b.duckdb', { engine: 'duckdb', url: 'a#b.duckdb' }],
  ['x.duckdb#y.db', { engine: 'duckdb', url: 'x.duckdb#y.db' }],
  ['new#one.duckdb', { engine: 'duckdb', url: 'new#one.duckdb' }],
  ['a#b.duckdb#main.t', { engine: 'duckdb', url: 'a#b.duckdb', table: 'main.t' }],
  // A password that nobody encoded is no table.
  ['postgres://u:p#ss@h/d', { engine: 'postgres', url: 'postgres://u:p#ss@h/d' }],
])('%s', (text, expected) => {
  expect(targetFromUrl(text, folder)).toEqual(expected);
});

describe.each(['', 'x', 'x.csv', 'duckdb:', 'mysql://h/d', 'postgres:h', 'https://h/x.duckdb', '.duckdb', 'x.csv#t', 'constructor://x'])(
  '%j',
  (text) => {
    test('is no target', () => {
      expect(tryTargetFromUrl(text, folder)).toBeUndefined();
      expect(() => targetFromUrl(text, folder)).toThrow(expect.objectContaining({ code: 'TARGET_URL' }));
    });
  },
);

test('a near scheme is named, a password is not', () => {
  expect(() => targetFromUrl('postgre://u:hunter2@h/d')).toThrow(/did you mean postgres:\/\/\?/);
  expect(() => targetFromUrl('postgre://u:hunter2@h/d')).not.toThrow(/hunter2/);
});
