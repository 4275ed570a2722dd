import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ident, literal } from '../../src/engines/duckdb/quote.ts';
import { Random } from './random.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
  connection = await instance.connect();
  await connection.run('CREATE TABLE canary AS SELECT 42 AS alive');
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

const pieces = [
  '"',
  "'",
  '""',
  "''",
  '\\',
  "\\'",
  '\\"',
  '`',
  ';',
  '--',
  '/*',
  '*/',
  '$$',
  '$1',
  '$a$',
  '?',
  ':x',
  '@x',
  '%',
  '_',
  '#',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ' ',
  '\t',
  '\n',
  '\r',
  '\u00a0',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\u0001',
  '\u007f',
  'a',
  'Z',
  '0',
  'é',
  'e\u0301',
  'ß',
  'İ',
  '한',
  '😀',
  'null',
  'select',
  "E'",
  'x"); DROP TABLE canary; --',
  "x'); DROP TABLE canary; --",
  "' || (SELECT 1) || '",
  '*',
  '=',
  '~',
  '^',
  '|',
];
const hostile = (random: Random): string => Array.from({ length: random.int(1, 8) }, () => random.pick(pieces)).join('');

const perTable = 200;
const tables = 10;

/** Names that no folding of case makes equal: DuckDB keeps one of `a` and `A`. */
function namesOf(random: Random, count: number): readonly string[] {
  const names = new Map<string, string>();
  while (names.size < count) {
    const name = hostile(random);
    names.set(name.toLowerCase().toUpperCase(), name);
  }
  return [...names.values()];
}

const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex').toUpperCase();

test('2,000 hostile names and texts survive a table', async () => {
  const random = new Random(5);
  for (let i = 0; i < tables; i += 1) {
    const names = namesOf(random, perTable);
    const texts = names.map(() =>
      random.chance(0.05) ? `${hostile(random)}\0${hostile(random)}` : random.chance(0.01) ? '' : hostile(random),
    );
    const table = ident(`${hostile(random)}${i}`);
    await connection.run(`CREATE TABLE ${table} (${names.map((name) => `${ident(name)} VARCHAR`).join(', ')})`);
    await connection.run(`INSERT INTO ${table} (${names.map(ident).join(', ')}) VALUES (${texts.map(literal).join(', ')})`);

    const columns = await connection.runAndReadAll(
      `SELECT hex(encode(column_name)) FROM duckdb_columns() WHERE table_oid = (SELECT max(table_oid) FROM duckdb_tables()) ORDER BY column_index`,
    );
    expect(columns.getRows().map(([name]) => name)).toEqual(names.map(hex));
    const stored = await connection.runAndReadAll(`SELECT ${names.map((name) => `hex(encode(${ident(name)}))`).join(', ')} FROM ${table}`);
    expect(stored.getRows()).toEqual([texts.map(hex)]);
    const found = await connection.runAndReadAll(
      `SELECT count(*)::INTEGER FROM ${table} WHERE ${names.map((name, at) => `${ident(name)} = ${literal(texts[at] as string)}`).join(' AND ')}`,
    );
    expect(found.getRows()).toEqual([[1]]);
  }
  expect((await connection.runAndReadAll('SELECT alive FROM canary')).getRows()).toEqual([[42]]);
});
