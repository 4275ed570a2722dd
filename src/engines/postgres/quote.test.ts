import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/harness/postgres-server.ts';
import { Random } from '../../../test/properties/random.ts';
import { ident, literal } from './quote.ts';

describe('as PostgreSQL writes them', () => {
  test('identifiers', () => {
    expect(ident('a')).toBe('"a"');
    expect(ident('A "b"')).toBe('"A ""b"""');
    expect(ident('a\\b')).toBe('"a\\b"');
  });

  test('literals; a backslash asks for the form that no setting changes', () => {
    expect(literal('')).toBe("''");
    expect(literal("it's")).toBe("'it''s'");
    expect(literal("\\'")).toBe(" E'\\\\'''");
  });

  test('what PostgreSQL cannot hold is refused, and never cut', () => {
    const gap = expect.objectContaining({ code: 'GAP' });
    expect(() => literal('a\0b')).toThrow(gap);
    expect(() => ident('a\0b')).toThrow(gap);
    expect(() => ident('')).toThrow(gap);
    expect(ident(`${'é'.repeat(31)}x`)).toBe(`"${'é'.repeat(31)}x"`);
    expect(() => ident('é'.repeat(32))).toThrow(gap);
  });
});

describe('hostile names and texts survive a table', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  const pieces = [
    ...[
      '"',
      "'",
      '""',
      "''",
      '\\',
      "\\'",
      '\\"',
      '\\\\',
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
    ],
    ...[
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
    ],
    ...[
      'null',
      "E'",
      "U&'",
      'x"); DROP TABLE canary; --',
      "x'); DROP TABLE canary; --",
      "\\'); DROP TABLE canary; --",
      "' || (SELECT 1) || '",
    ],
  ];
  const hostile = (random: Random): string => Array.from({ length: random.int(1, 8) }, () => random.pick(pieces)).join('');
  const shortName = (random: Random): string => {
    for (;;) {
      const name = hostile(random);
      if (Buffer.byteLength(name) <= 63) return name;
    }
  };
  const hex = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

  async function roundTrip(client: pg.Client, random: Random): Promise<void> {
    const names = [...new Set(Array.from({ length: 200 }, () => shortName(random)))];
    const texts = names.map(() => hostile(random));
    const table = ident(shortName(random));
    await client.query(`CREATE TABLE ${table} (${names.map((name) => `${ident(name)} text`).join(', ')})`);
    await client.query(`INSERT INTO ${table} (${names.map(ident).join(', ')}) VALUES (${texts.map(literal).join(', ')})`);
    const columns = await client.query<{ name: string }>(
      `SELECT encode(convert_to(attname, 'UTF8'), 'hex') AS name FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum`,
      [table],
    );
    expect(columns.rows.map(({ name }) => name)).toEqual(names.map(hex));
    const stored = await client.query({
      text: `SELECT ${names.map((name) => `encode(convert_to(${ident(name)}, 'UTF8'), 'hex')`).join(', ')} FROM ${table}`,
      rowMode: 'array',
    });
    expect(stored.rows).toEqual([texts.map(hex)]);
    const all = names.map((name, i) => `${ident(name)} = ${literal(texts[i] as string)}`).join(' AND ');
    expect((await client.query(`SELECT count(*)::int AS n FROM ${table} WHERE ${all}`)).rows).toEqual([{ n: 1 }]);
    await client.query(`DROP TABLE ${table}`);
  }

  test.each(['on', 'off'])('standard_conforming_strings %s', async (setting) => {
    const client = await database.connect({ standard_conforming_strings: setting, escape_string_warning: 'off' });
    await client.query('CREATE TABLE IF NOT EXISTS canary AS SELECT 42 AS alive');
    const random = new Random(setting.length);
    for (let i = 0; i < 5; i += 1) await roundTrip(client, random);
    expect((await client.query('SELECT alive FROM canary')).rows).toEqual([{ alive: 42 }]);
  });
});
