/** Ctrl-C and SIGTERM stop a load within a second, leave the old state, and leave nothing lying about. */
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change, copyDatabase } from './database.ts';
import { stateOf } from './kill.ts';
import { csv, makePlace, type Place, type Running } from './place.ts';

/** A wide and long source, so that each phase lasts. */
const rows = 250_000;
let place: Place;
let db: string;
let whole: number;
/** Content of the database after a whole load. */
let loaded: string | undefined;
const load = ['load', 'in.csv', 'w.duckdb', '--table', 't', '--key', 'id'] as const;
/** Of a loaded machine more is not asked than of an idle one, but for the pauses of its scheduler. */
const stopsWithinMs = 1000;

beforeAll(async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  place.write(
    'in.csv',
    csv(
      'id,moment,amount,day,note',
      rows,
      (i) => `${i},2026-09-01T10:${String(i % 60).padStart(2, '0')}:00,${i % 977}.50,2026-09-0${1 + (i % 9)},"note, ${i * 7919}"`,
    ),
  );
  await change(
    place.path('kept.duckdb'),
    'CREATE TABLE t (id BIGINT, moment TIMESTAMP, amount DECIMAL(12,2), day DATE, note VARCHAR)',
    "INSERT INTO t SELECT i, NULL, 1, NULL, 'old' FROM range(100000) r(i)",
  );
  await copyDatabase(place.path('kept.duckdb'), db);
  const ran = await place.run(...load);
  expect(ran.exit, ran.stderr).toBe(0);
  whole = ran.ms;
  loaded = (await stateOf(db)).content;
});
afterAll(() => place.remove());

async function restore(): Promise<void> {
  await rm(`${db}.wal`, { force: true });
  await copyDatabase(place.path('kept.duckdb'), db);
}

interface Stopped {
  readonly exit: number | null;
  readonly ms: number;
  readonly stderr: string;
}

async function stop(running: Running, signal: NodeJS.Signals): Promise<Stopped> {
  const sent = performance.now();
  running.process.kill(signal);
  const { exit, stderr } = await running.done;
  return { exit, ms: performance.now() - sent, stderr };
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  // Shares of a whole run: reading, staging, loading, verifying.
  it.each([0.3, 0.45, 0.6, 0.75, 0.85])('stops a load after %f of its time', async (share) => {
    await restore();
    const old = await stateOf(db);
    const running = place.start(...load);
    await wait(whole * share);
    const { exit, ms, stderr } = await stop(running, signal);
    expect(ms).toBeLessThan(stopsWithinMs);
    expect(place.leftovers()).toEqual([]);
    expect(existsSync(`${db}.wal`)).toBe(false);
    const left = await stateOf(db);
    // A load that was through when the signal came says so.
    if (exit === 0) return expect(left.content).not.toBe(old.content);
    // On a busy machine the signal may come before the command listens, or when it has ended and is being taken down.
    if (exit === null) return expect([old.content, loaded]).toContain(left.content);
    expect(exit).toBe(2);
    expect(stderr).toContain('[INTERRUPTED]');
    expect(left).toEqual(old);
  });
});

it('stops in the middle of the statement that writes the target', async () => {
  await restore();
  const old = await stateOf(db);
  const running = place.start(...load);
  // Rows that a transaction adds go into the file before it commits, or into the log.
  const size = statSync(db).size;
  while (running.process.exitCode === null && statSync(db).size === size && !existsSync(`${db}.wal`)) await wait(1);
  const { exit, ms } = await stop(running, 'SIGINT');
  expect(ms).toBeLessThan(stopsWithinMs);
  expect([0, 2]).toContain(exit);
  if (exit === 2) expect(await stateOf(db)).toEqual(old);
});

it('leaves no database that it made for nothing', async () => {
  const running = place.start('load', 'in.csv', 'made.duckdb', '--table', 't', '--create');
  while (running.process.exitCode === null && !existsSync(place.path('made.duckdb'))) await wait(1);
  const { exit, ms } = await stop(running, 'SIGINT');
  expect([exit, existsSync(place.path('made.duckdb'))]).toEqual([2, false]);
  expect(ms).toBeLessThan(stopsWithinMs);
  expect(place.leftovers()).toEqual([]);
});

it('a second signal does not wait, and the next run clears up', async () => {
  await restore();
  const old = await stateOf(db);
  const running = place.start(...load);
  await wait(whole * 0.5);
  running.process.kill('SIGINT');
  const { exit, ms } = await stop(running, 'SIGINT');
  expect([2, 130]).toContain(exit);
  expect(ms).toBeLessThan(stopsWithinMs);
  expect((await stateOf(db)).content).toBe(old.content);
  expect((await place.run(...load)).exit).toBe(0);
  expect(place.leftovers()).toEqual([]);
});
