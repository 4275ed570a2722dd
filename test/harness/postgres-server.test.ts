import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownPostgresServer, postgresServer, testDatabase } from './postgres-server.ts';

test('databases of one server are apart, and sessions have the settings asked for', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  expect(one.name).not.toBe(two.name);
  const client = await one.connect({ TimeZone: 'Asia/Kathmandu', DateStyle: 'SQL, DMY' });
  await client.query('CREATE TABLE t (a int)');
  expect((await client.query("SELECT current_setting('TimeZone') AS zone, current_setting('DateStyle') AS style")).rows).toEqual([
    { zone: 'Asia/Kathmandu', style: 'SQL, DMY' },
  ]);
  const other = await two.connect();
  expect((await other.query("SELECT to_regclass('t') AS t")).rows).toEqual([{ t: null }]);
  const names = (await other.query('SELECT current_setting($1)::int AS version', ['server_version_num'])).rows as { version: number }[];
  expect(names[0]?.version).toBeGreaterThanOrEqual(160000);
  await one.drop();
  await two.drop();
});

test('texts sort by a language, so that SQL cannot count on the order of bytes', async () => {
  const database = await testDatabase();
  const client = await database.connect();
  expect((await client.query(`SELECT 'a' < 'B' AS language, 'a' < 'B' COLLATE "C" AS bytes`)).rows).toEqual([
    { language: true, bytes: false },
  ]);
  await database.drop();
});

test('a server of its own can be stopped, and leaves nothing', async () => {
  const own = await ownPostgresServer();
  expect(own.url).not.toBe((await postgresServer()).url);
  const database = await testDatabase(own);
  const client = await database.connect();
  const folder = String(((await client.query('SHOW data_directory')).rows[0] as { data_directory: string }).data_directory);
  expect(existsSync(folder)).toBe(true);
  await own.stop();
  expect(existsSync(folder)).toBe(false);
});
