import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sparkServer } from '../../../test/harness/spark-server.ts';
import { openSpark, type SparkClient } from './connect/client.ts';
import { ident, literal } from './quote.ts';

const server = await sparkServer();

/** Whatever could end a name or a text early, start an escape, or mean something to the parser. */
const hostile = [
  "it's",
  "''",
  '\\',
  "\\'",
  'a\\nb',
  '\\u0041',
  '\\%\\_',
  '"',
  '`',
  '``',
  '${env:HOME}',
  '$${system:user.home}',
  '\\${env:HOME}',
  '{}',
  ';',
  '--',
  '/*',
  '*/',
  '?',
  ':a',
  '@x',
  '%',
  ' ',
  '\t\r\n\v\f',
  '\0',
  'a\0b',
  '\u0001',
  '\u007f',
  '\u2028\u2029',
  '\ufeff',
  '\u00a0\u202f',
  'é e\u0301 ß İ 한 😀',
  "x'); DROP TABLE canary; --",
  'x`; DROP TABLE canary; --',
  '',
];

describe.skipIf(server === undefined)('quoting', () => {
  let spark: SparkClient;
  beforeAll(async () => {
    // No name can be escaped against Spark's variables.
    spark = await openSpark(server?.url ?? '', { config: { 'spark.sql.variable.substitute': 'false' } });
  });
  afterAll(() => spark.close());

  test('a literal is its text', async () => {
    const { rows } = await spark.table(`SELECT ${hostile.map((text) => `hex(${literal(text)})`).join(', ')}`);
    expect(rows).toEqual([hostile.map((text) => Buffer.from(text, 'utf8').toString('hex').toUpperCase())]);
  });

  test('a literal is its text where Spark puts in variables', async () => {
    const other = await openSpark(server?.url ?? '');
    try {
      const { rows } = await other.table(`SELECT ${hostile.map((text) => `hex(${literal(text)})`).join(', ')}`);
      expect(rows).toEqual([hostile.map((text) => Buffer.from(text, 'utf8').toString('hex').toUpperCase())]);
    } finally {
      await other.close();
    }
  });

  test('an identifier is its name', async () => {
    // The client's reader drops a byte-order mark at the start of a name.
    const names = hostile.filter((name) => name !== '' && !name.startsWith('\ufeff'));
    const { columns, rows } = await spark.table(
      `SELECT ${names.map((name) => ident(name)).join(', ')} FROM (SELECT ${names.map((name, i) => `${i} AS ${ident(name)}`).join(', ')})`,
    );
    expect(columns).toEqual(names);
    expect(rows).toEqual([names.map((_, i) => i)]);
  });

  test('there are no empty names', () => {
    expect(() => ident('')).toThrow('no empty names');
  });
});
