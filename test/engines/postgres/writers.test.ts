/** Several writers at once, and what else can come in the way of a load. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeScene, type Scene } from './database.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await makeScene();
}, 60_000);
afterAll(() => scene.end());

const writers = Array.from({ length: 8 }, (_, i) => i);

/** Batch i has the ids from 500 i to 500 i + 1999, so that every id but the outermost is in several; each id has one right row. */
function writeBatches(): void {
  for (const i of writers) {
    const lines = Array.from({ length: 2000 }, (_, j) => 500 * i + j).map((id) => `${id},${id * 3},"v ${id % 7}"`);
    scene.place.write(`batch-${i}.csv`, `id,n,v\n${lines.join('\n')}\n`);
  }
}

const rightRows = `SELECT count(*) = 5500 AND count(DISTINCT id) = 5500 AND min(id) = 0 AND max(id) = 5499 AND bool_and(n = id * 3 AND v = 'v ' || id % 7) FROM %t`;

describe('eight writers that load overlapping batches at once', () => {
  it.each([
    ['with a unique key', 'CREATE TABLE w1 (id bigint PRIMARY KEY, n int, v text)', 'w1'],
    ['without one', 'CREATE TABLE w2 (id bigint, n int, v text)', 'w2'],
  ])('%s end with exactly the right rows', async (_, ddl, table) => {
    await scene.change(ddl, `INSERT INTO ${table} SELECT i, -1, 'old' FROM generate_series(1000, 1999) i`);
    writeBatches();
    const ran = await Promise.all(
      writers.map((i) => scene.place.run('load', `batch-${i}.csv`, scene.url, '--table', table, '--key', 'id')),
    );
    expect(ran.map(({ exit, stderr }) => (exit === 0 ? 0 : stderr))).toEqual(writers.map(() => 0));
    expect(await scene.value(rightRows.replace('%t', table))).toBe('t');
    const runs = await scene.rows(
      `SELECT count(*), sum(rows_inserted), sum(rows_read) FROM audit_schema_runs WHERE target = 'public.${table}' AND status = 'finished'`,
    );
    expect(runs).toEqual([['8', '4500', '16000']]);
  });

  it('that make the table end with exactly the right rows', async () => {
    writeBatches();
    const args = (i: number) => ['load', `batch-${i}.csv`, scene.url, '--table', 'w3', '--key', 'id', '--create'];
    const ran = await Promise.all(writers.map((i) => scene.place.run(...args(i))));
    expect(ran.map(({ exit, stderr }) => (exit === 0 ? 0 : stderr))).toEqual(writers.map(() => 0));
    expect(await scene.value(rightRows.replace('%t', 'w3'))).toBe('t');
  });

  it('that append the same file load it once', async () => {
    await scene.change('CREATE TABLE w4 (id bigint, n int, v text)');
    writeBatches();
    const ran = await Promise.all(writers.map(() => scene.place.record('load', 'batch-0.csv', scene.url, '--table', 'w4')));
    expect(ran.map(({ status }) => status).sort()).toEqual(['finished', ...writers.slice(1).map(() => 'skipped')]);
    expect(await scene.value('SELECT count(*) FROM w4')).toBe('2000');
  });
});

describe('another transaction', () => {
  it('that deadlocks with the load makes it begin anew', async () => {
    await scene.change(
      'CREATE TABLE dl (id bigint PRIMARY KEY, n int, v text)',
      'CREATE TABLE other (id int)',
      'INSERT INTO other VALUES (1)',
      `CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN UPDATE other SET id = id; RETURN NULL; END'`,
      'CREATE TRIGGER touching AFTER INSERT ON dl FOR EACH STATEMENT EXECUTE FUNCTION touch()',
    );
    writeBatches();
    const rival = await scene.database.connect({ deadlock_timeout: '10s' });
    await rival.query('BEGIN; UPDATE other SET id = 2');
    const running = scene.place.start('load', 'batch-0.csv', scene.url, '--table', 'dl', '--key', 'id', '--json');
    const waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'schemalign' AND wait_event_type = 'Lock'";
    while ((await scene.value(waits)) === '0' && running.process.exitCode === null) await wait(10);
    // Now each waits for the other; the load's session looks first, and is the one that is broken off.
    await rival.query('INSERT INTO dl VALUES (-1, 0, NULL); COMMIT');
    const { exit, stdout, stderr } = await running.done;
    expect(exit, stderr).toBe(0);
    expect(JSON.parse(stdout).counts).toMatchObject({ inserted: 2000 });
    expect(await scene.value('SELECT count(*) FROM dl')).toBe('2001');
    expect(await scene.rows("SELECT status FROM audit_schema_runs WHERE target = 'public.dl'")).toEqual([['finished']]);
  });

  it('that holds a lock for longer than the server allows is told of', async () => {
    await scene.change('CREATE TABLE held (id bigint, n int, v text)', `ALTER DATABASE ${scene.database.name} SET lock_timeout = '200ms'`);
    writeBatches();
    const rival = await scene.database.connect();
    await rival.query('BEGIN; LOCK TABLE held IN EXCLUSIVE MODE');
    const ran = await scene.place.run('load', 'batch-0.csv', scene.url, '--table', 'held', '--key', 'id');
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('[ENGINE_LOCKED]')]);
    await rival.query('ROLLBACK');
    await scene.change(`ALTER DATABASE ${scene.database.name} RESET lock_timeout`);
    expect(await scene.value('SELECT count(*) FROM held')).toBe('0');
  });

  it('may read the table while it is loaded', async () => {
    await scene.change(
      'CREATE TABLE slow (id bigint, n int, v text)',
      `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1); RETURN NULL; END'`,
      'CREATE TRIGGER pausing AFTER INSERT ON slow FOR EACH STATEMENT EXECUTE FUNCTION pause()',
    );
    writeBatches();
    const running = scene.place.start('load', 'batch-0.csv', scene.url, '--table', 'slow', '--key', 'id', '--json');
    const sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    while ((await scene.value(sleeps)) === '0' && running.process.exitCode === null) await wait(10);
    expect(await scene.value('SELECT count(*) FROM slow')).toBe('0');
    const { exit, stdout } = await running.done;
    expect(exit).toBe(0);
    const locked = JSON.parse(stdout).phases.find(({ name }: { name: string }) => name === 'locked');
    expect(locked.ms).toBeGreaterThan(900);
  });
});

it('a role that may only insert appends all the same', async () => {
  const role = `inserter_${scene.database.name}`;
  await scene.change('CREATE TABLE thin (id bigint, n int, v text)', `CREATE ROLE ${role} LOGIN PASSWORD 'pw'`);
  await scene.change(`GRANT SELECT, INSERT ON thin TO ${role}`, `GRANT CREATE, USAGE ON SCHEMA public TO ${role}`);
  await scene.change(`GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const address = new URL(scene.url);
  address.username = role;
  address.password = 'pw';
  writeBatches();
  const record = await scene.place.record('load', 'batch-0.csv', address.href, '--table', 'thin');
  expect(record.counts.inserted).toBe(2000);
  await scene.change(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
});
