/** A file that is written to while it is read is not loaded: its hash would be that of another content. */
import { appendFileSync, renameSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { change, contentOf } from './database.ts';
import { csv, makePlace, type Place, type Ran } from './place.ts';

let place: Place;
let db: string;

beforeEach(async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  await change(db, 'CREATE TABLE t (id BIGINT, amount DECIMAL(12,2))');
  place.write(
    'in.csv',
    csv('id,amount', 50_000, (i) => `${i},${i}.50`),
  );
});
afterEach(() => place.remove());

/** Disturbs the source again and again until the command ends. */
async function disturbed(args: readonly string[], disturb: (i: number) => void): Promise<Ran> {
  const running = place.start(...args);
  for (let i = 0; running.process.exitCode === null; i += 1) {
    disturb(i);
    await wait(3);
  }
  return running.done;
}

const load = ['load', 'in.csv', 'w.duckdb', '--table', 't'] as const;

it.each([
  ['grows', (i: number) => appendFileSync(place.path('in.csv'), `${1_000_000 + i},1\n`)],
  [
    'is replaced by another',
    (i: number) => {
      place.write(
        'next',
        csv('id,amount', 50_000, (k) => `${k},${i}.25`),
      );
      renameSync(place.path('next'), place.path('in.csv'));
    },
  ],
])('a file that %s all the time is refused', async (_, disturb) => {
  const before = await contentOf(db, 't');
  const ran = await disturbed(load, disturb);
  expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('was changed while it was read')]);
  expect(await contentOf(db, 't')).toBe(before);
  expect(place.leftovers()).toEqual([]);
});

it('a file that is only looked at is not', async () => {
  const ran = await disturbed(load, () => undefined);
  expect(ran.exit, ran.stderr).toBe(0);
});
