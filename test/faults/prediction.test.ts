/** A plan counts what the load then does, also where the load changes the table first. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ask, change } from './database.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;

beforeEach(async () => {
  place = makePlace();
  const table = "SELECT i::INTEGER AS id, DATE '2026-09-01' + (i % 2)::INTEGER AS day, i::SMALLINT AS amount FROM range(10) r(i)";
  await change(
    place.path('w.duckdb'),
    `CREATE TABLE t AS ${table}`,
    `CREATE TABLE wide AS SELECT id::BIGINT AS id, day, amount::BIGINT AS amount FROM (${table})`,
    `CREATE TABLE other AS SELECT id::BIGINT AS id, day, 70000 + amount::BIGINT AS amount FROM (${table}) WHERE id > 2`,
  );
  place.write('more.csv', 'id,day,amount,extra\n1,2026-09-02,1,x\n3,2026-09-02,4,y\n11,2026-09-02,11,z\n');
});
afterEach(() => place.remove());

const modes = {
  merge: ['--key', 'id'],
  append: ['--mode', 'append'],
  'overwrite-partition': ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', 'present'],
  replace: ['--mode', 'replace', '--max-shrink', '1'],
} as const;
const sources = {
  'a file with a new column': ['more.csv', 'w.duckdb', '--on-extra', 'add_column', '--schema-changes', 'add_column'],
  'a file whose extra values are rescued': ['more.csv', 'w.duckdb', '--on-extra', 'rescue', '--schema-changes', 'add_column'],
  'the same rows in wider types': ['w.duckdb', '--source-table', 'wide', '--schema-changes', 'widen'],
  'other rows in wider types': ['w.duckdb', '--source-table', 'other', '--schema-changes', 'widen'],
} as const;

const stories = Object.keys(modes).flatMap((mode) => Object.keys(sources).map((source) => [mode, source] as const));

it.each(stories)('%s of %s', async (mode, source) => {
  const args = [...sources[source as keyof typeof sources], '--table', 't', ...modes[mode as keyof typeof modes]];
  const planned = await place.record('plan', ...args);
  const loaded = await place.record('load', ...args);
  expect([planned.exit, loaded.exit, loaded.committed]).toEqual([0, 0, true]);
  expect(planned.counts).toEqual(loaded.counts);
  expect(planned.schema_changes).toEqual(loaded.schema_changes);
  const again = await place.record('load', ...args);
  expect([again.exit, again.counts.inserted, again.counts.updated, again.counts.deleted]).toEqual([0, 0, 0, 0]);
});

it('a merge keeps what it rescues of rows that are there already', async () => {
  const args = ['more.csv', 'w.duckdb', '--table', 't', '--key', 'id', '--on-extra', 'rescue', '--schema-changes', 'add_column'] as const;
  expect(await place.record('load', ...args)).toMatchObject({ exit: 0, counts: { inserted: 1, updated: 2 } });
  const rows = await ask(place.path('w.duckdb'), "SELECT id, _rescued->>'$.extra' AS extra FROM t WHERE _rescued IS NOT NULL ORDER BY id");
  expect(rows).toEqual([
    { id: 1, extra: 'x' },
    { id: 3, extra: 'y' },
    { id: 11, extra: 'z' },
  ]);
});
