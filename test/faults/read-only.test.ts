/** What only looks changes no byte, and makes no database. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { change } from './database.ts';
import { csv, makePlace, type Place } from './place.ts';

let place: Place;
let db: string;
const operands = ['in.csv', 'w.duckdb', '--table', 't', '--key', 'id'] as const;

beforeEach(async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  place.write('in.csv', 'id,amount\n1,1.50\n2,2.25\n');
  await change(db, 'CREATE TABLE t (id BIGINT, amount DECIMAL(12,2))', 'INSERT INTO t VALUES (1, 0)');
});
afterEach(() => place.remove());

/** Name, bytes and time of change of all files beside the source. */
function snapshot(): unknown {
  return readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stat = statSync(place.path(name));
      return [
        name,
        stat.isDirectory()
          ? ''
          : [
              stat.mtimeMs,
              createHash('sha256')
                .update(readFileSync(place.path(name)))
                .digest('hex'),
            ],
      ];
    });
}

const looking: readonly (readonly [string, readonly string[]])[] = [
  ['plan', ['plan', ...operands]],
  ['plan --sql', ['plan', ...operands, '--sql']],
  ['plan of a table to be created', ['plan', 'in.csv', 'w.duckdb', '--table', 'fresh', '--create']],
  ['plan of an append', ['plan', 'in.csv', 'w.duckdb', '--table', 't']],
  ['plan of a replace', ['plan', 'in.csv', 'w.duckdb', '--table', 't', '--mode', 'replace']],
  [
    'plan that finds errors',
    ['plan', 'in.csv', 'w.duckdb', '--table', 't', '--key', 'id', '--on-extra', 'error', '--rule', 'amount.null_values=1.50'],
  ],
  ['verify', ['verify', ...operands]],
  ['verify of an append', ['verify', 'in.csv', 'w.duckdb', '--table', 't']],
  ['verify against a schema', ['verify', 'w.duckdb#main.t', '--against', 'w.duckdb#main.t']],
  ['inspect', ['inspect', 'w.duckdb#main.t']],
  ['diff', ['diff', 'in.csv', 'w.duckdb#main.t']],
  ['history', ['history', 'w.duckdb']],
];

describe('changes no byte and no time of the database', () => {
  it.each(looking)('%s', async (_, args) => {
    utimesSync(db, new Date('2020-01-01T00:00:00Z'), new Date('2020-01-01T00:00:00Z'));
    const before = snapshot();
    const ran = await place.run(...args);
    expect([0, 1, 2], ran.stderr).toContain(ran.exit);
    expect(snapshot()).toEqual(before);
  });

  it('nor what a killed load has left in its log', async () => {
    place.write(
      'in.csv',
      csv('id,amount', 20_000, (i) => `${i},${i}.50`),
    );
    const running = place.start('load', ...operands);
    while (running.process.exitCode === null && !existsSync(`${db}.wal`)) await wait(1);
    running.process.kill('SIGKILL');
    await running.done;
    for (const args of [
      ['plan', ...operands],
      ['verify', ...operands],
    ]) {
      const before = statSync(db).size;
      const log = existsSync(`${db}.wal`) ? readFileSync(`${db}.wal`) : undefined;
      const bytes = readFileSync(db);
      const ran = await place.run(...args);
      expect([0, 1], ran.stderr).toContain(ran.exit);
      expect([statSync(db).size, readFileSync(db).equals(bytes)]).toEqual([before, true]);
      if (log) expect(readFileSync(`${db}.wal`).equals(log)).toBe(true);
    }
  });
});

describe('makes no database', () => {
  const names = (): readonly string[] => readdirSync(place.folder).sort();

  it.each<[string, readonly string[], number]>([
    ['plan', ['plan', 'in.csv', 'none.duckdb', '--table', 't'], 2],
    ['plan with --create', ['plan', 'in.csv', 'none.duckdb', '--table', 't', '--create'], 0],
    ['verify', ['verify', 'in.csv', 'none.duckdb', '--table', 't', '--key', 'id'], 2],
    ['load without --create', ['load', 'in.csv', 'none.duckdb', '--table', 't'], 2],
    ['load with --create of a source that is not there', ['load', 'nowhere.csv', 'none.duckdb', '--table', 't', '--create'], 2],
    ['load with --create and a key that is not there', ['load', 'in.csv', 'none.duckdb', '--table', 't', '--key', 'nokey', '--create'], 2],
    ['history', ['history', 'none.duckdb'], 2],
    ['inspect', ['inspect', 'none.duckdb#main.t'], 2],
  ])('%s', async (_, args, exit) => {
    const before = names();
    const ran = await place.run(...args);
    expect([ran.exit, names()], ran.stderr).toEqual([exit, before]);
    expect(place.leftovers()).toEqual([]);
  });

  it.each([
    ['plan', '--create'],
    ['load', '--create'],
  ])('%s names a database folder that does not exist', async (verb, flag) => {
    const ran = await place.run(verb, 'in.csv', 'no/such/folder/w.duckdb', '--table', 't', flag);
    if (verb === 'plan' && ran.exit === 0) return;
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('no such file or directory')]);
    expect(existsSync(place.path('no'))).toBe(false);
  });
});

describe('a database file that is half made', () => {
  it('never comes from a load that is killed while it makes one', async () => {
    for (let point = 0; point < 12; point += 1) {
      const running = place.start('load', 'in.csv', 'made.duckdb', '--table', 't', '--key', 'id', '--create');
      const isMaking = (): boolean => readdirSync(place.folder).some((name) => name.includes('made.duckdb'));
      while (running.process.exitCode === null && !isMaking()) await wait(0);
      await wait(point);
      running.process.kill('SIGKILL');
      await running.done;
      if (!existsSync(place.path('made.duckdb'))) continue;
      const ran = await place.run('history', 'made.duckdb');
      expect([0, 2], ran.stderr).toContain(ran.exit);
      expect(ran.stderr).not.toMatch(/not a (valid )?DuckDB|Could not read/);
    }
    const healed = await place.record('load', 'in.csv', 'made.duckdb', '--table', 't', '--key', 'id', '--create');
    expect(healed).toMatchObject({ exit: 0, counts: { read: 2 } });
    expect(
      readdirSync(place.folder)
        .filter((name) => name.includes('made'))
        .sort(),
    ).toEqual(['made.duckdb']);
  });
});
