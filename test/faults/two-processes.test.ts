/** DuckDB allows one process at a time on a file: the second is told so, and nothing is harmed. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, change, contentOf } from './database.ts';
import { csv, makePlace, type Place, type Running } from './place.ts';

const rows = 100_000;
let place: Place;
let db: string;

beforeAll(() => {
  place = makePlace();
  db = place.path('w.duckdb');
  place.write(
    'in.csv',
    csv('id,amount', rows, (i) => `${i},${i % 977}.50`),
  );
});
afterAll(() => place.remove());

/** Runs `work` while the process has the database locked, and is halted so that it stays so. */
async function meanwhile<T>({ process }: Running, work: () => Promise<T>): Promise<T> {
  while (process.exitCode === null && !isLocked(process.pid)) await wait(1);
  process.kill('SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill('SIGCONT');
  }
}

/** Whether the process holds a lock on the database; where the system does not tell, time has to do. */
function isLocked(pid: number | undefined): boolean {
  if (!existsSync('/proc/locks')) return place.leftovers().length > 0;
  const inode = statSync(db).ino;
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => line.includes(` ${pid} `) && line.includes(`:${inode} `));
}

const load = ['load', 'in.csv', 'w.duckdb', '--table', 't', '--key', 'id'] as const;

describe('while a load runs', () => {
  it.each([
    ['a load', [...load]],
    ['a plan', ['plan', ...load.slice(1)]],
    ['a verify', ['verify', ...load.slice(1)]],
    ['a history', ['history', 'w.duckdb']],
    ['a schema', ['inspect', 'w.duckdb#main.t']],
  ])('%s beside it is refused with exit 2 and told what to do', async (_, args) => {
    await change(db, 'CREATE OR REPLACE TABLE t (id BIGINT, amount DECIMAL(12,2))', 'INSERT INTO t VALUES (1, 0), (999999, 7)');
    const first = place.start(...load);
    const second = await meanwhile(first, () => place.run(...args));
    expect(second.exit, second.stdout + second.stderr).toBe(2);
    expect(second.stderr).toContain('[ENGINE_LOCKED]');
    expect(second.stderr).toContain(String(first.process.pid));
    expect(second.stderr).toMatch(/fix: .*(wait|run again)/i);
    expect(second.stderr).not.toMatch(/\bat .*\.js:\d+/);
    const ended = await first.done;
    expect(ended.exit, ended.stderr).toBe(0);
    expect(await ask(db, 'SELECT count(*)::INTEGER AS n, sum(amount)::VARCHAR AS total FROM t')).toEqual([
      {
        n: rows + 1,
        total: (Array.from({ length: rows }, (__, i) => (i % 977) * 100 + 50).reduce((sum, cents) => sum + cents, 700) / 100).toFixed(2),
      },
    ]);
  });

  it('the message is the same object in JSON', async () => {
    const first = place.start(...load);
    const second = await meanwhile(first, () => place.run(...load, '--json'));
    expect(JSON.parse(second.stdout)).toMatchObject({ schema: 'fault-1', code: 'ENGINE_LOCKED', exit: 2, retry: true });
    expect((await first.done).exit).toBe(0);
  });
});

it('two loads that both create the database leave one whole database', async () => {
  const args = ['load', 'in.csv', 'fresh.duckdb', '--table', 't', '--key', 'id', '--create'] as const;
  const ran = await Promise.all([place.run(...args), place.run(...args)]);
  const exits = ran.map((one) => one.exit).sort();
  // Whoever comes later is refused, or finds all its rows there.
  expect(exits[0], ran.map((one) => one.stderr).join('\n')).toBe(0);
  expect([0, 2]).toContain(exits[1]);
  if (exits[1] === 2) expect(ran.map((one) => one.stderr).join('\n')).toContain('[ENGINE_LOCKED]');
  expect(await ask(place.path('fresh.duckdb'), 'SELECT count(*)::INTEGER AS n, count(DISTINCT id)::INTEGER AS keys FROM t')).toEqual([
    { n: rows, keys: rows },
  ]);
});

it('a load beside a plan is refused as well, and nothing is changed', async () => {
  await change(db, 'CREATE OR REPLACE TABLE t (id BIGINT, amount DECIMAL(12,2))');
  const before = await contentOf(db, 't');
  const reader = place.start('plan', ...load.slice(1));
  const second = await meanwhile(reader, () => place.run(...load));
  expect([second.exit, second.stderr]).toEqual([2, expect.stringContaining('[ENGINE_LOCKED]')]);
  expect((await reader.done).exit).toBe(0);
  expect(await contentOf(db, 't')).toBe(before);
});
