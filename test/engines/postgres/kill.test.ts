/**
 * A load that is killed, on either side, at every step that the server can be seen to take: the target is as it was or as it is to be, a rerun
 * completes, and nothing is left behind.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, makePlace, type Place, type Running } from '../../faults/place.ts';
import { type OwnServer, ownPostgresServer, testDatabase } from '../../harness/postgres-server.ts';
import { leftovers, makeScene, type Scene } from './database.ts';

const count = 40_000;
const load = (url: string) => ['load', 'k.csv', url, '--table', 'k', '--key', 'id', '--on-invalid', 'quarantine'] as const;

function writeSource(place: Place): void {
  place.write(
    'k.csv',
    csv('id,amount,day,note', count, (i) => `${i},${i % 4000 === 7 ? 'x' : `${i % 977}.50`},2026-09-0${1 + (i % 9)},"note, ${i}"`),
  );
}

const makeTable = [
  'DROP TABLE IF EXISTS k, audit_schema_runs, audit_schema_issues, audit_schema_quarantine, audit_schema_partitions, audit_schema_files',
  'CREATE TABLE k (id bigint PRIMARY KEY, amount numeric(10,2), day date, note text)',
  "INSERT INTO k SELECT i, 1, NULL, 'old' FROM generate_series(0, 9999) i",
];

/** Content of the target, and what the audit tables tell of it. */
const stateSql = `SELECT count(*) || ' ' || sum(hashtextextended(k::text, 0)) FROM k`;
const oldState = `SELECT 10000 || ' ' || sum(hashtextextended(x::text, 0)) FROM (SELECT i::bigint AS id, 1::numeric(10,2) AS amount, NULL::date AS day, 'old' AS note FROM generate_series(0, 9999) i) x`;

async function auditCounts(scene: Pick<Scene, 'value'>): Promise<readonly string[]> {
  const found = [];
  for (const table of ['runs', 'quarantine', 'files']) {
    const there = await scene.value(`SELECT to_regclass('audit_schema_${table}')`);
    found.push(there === null ? '0' : String(await scene.value(`SELECT count(*) FROM audit_schema_${table}`)));
  }
  return found;
}

/** What the session of the command is doing, as the server sees it. */
const activity =
  "SELECT query FROM pg_stat_activity WHERE application_name = 'schemalign' AND state <> 'idle' AND datname = current_database()";

/** Waits until the command does what the pattern says; false when it ended before. */
async function reaches(scene: Pick<Scene, 'value'>, running: Running, step: RegExp): Promise<boolean> {
  while (running.process.exitCode === null && running.process.signalCode === null) {
    if (step.test((await scene.value(activity)) ?? '')) return true;
    await wait(1);
  }
  return false;
}

const sessionEnded = async (scene: Pick<Scene, 'value'>): Promise<void> => {
  const sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'schemalign' AND datname = current_database()";
  for (let waited = 0; waited < 10_000 && (await scene.value(sessions)) !== '0'; waited += 50) await wait(50);
  expect(await scene.value(sessions)).toBe('0');
};

describe('kill -9 of the command', () => {
  let scene: Scene;
  let finished: string | null;
  let ms = 0;
  const seen = { old: 0, new: 0, killed: 0 };

  beforeAll(async () => {
    scene = await makeScene();
    writeSource(scene.place);
    await scene.change(...makeTable);
    const ran = await scene.place.run(...load(scene.url));
    expect(ran.exit, ran.stderr).toBe(0);
    ms = ran.ms;
    finished = await scene.value(stateSql);
  }, 120_000);
  afterAll(() => scene.end());

  async function judge(running: Running): Promise<void> {
    if ((await running.done).exit === null) seen.killed += 1;
    await sessionEnded(scene);
    const left = await scene.value(stateSql);
    const isNew = left === finished;
    seen[isNew ? 'new' : 'old'] += 1;
    expect(left).toBe(isNew ? finished : await scene.value(oldState));
    expect(await auditCounts(scene)).toEqual(isNew ? ['1', '10', '1'] : ['0', '0', '0']);
    const again = await scene.place.run(...load(scene.url));
    expect(again.exit, again.stderr).toBe(0);
    expect(await scene.value(stateSql)).toBe(finished);
    expect(await auditCounts(scene)).toEqual(isNew ? ['2', '20', '2'] : ['1', '10', '1']);
    await sessionEnded(scene);
    expect(await leftovers(scene)).toEqual([]);
    expect(scene.place.leftovers()).toEqual([]);
  }

  const steps: readonly (readonly [string, RegExp])[] = [
    ['the records are copied', /^COPY/],
    ['they are cast', /schemalign_stage AS/],
    ['equal keys are looked for', /schemalign_keys AS/],
    ['findings are counted', /jsonb_array_elements/],
    ['the table is locked', /^LOCK TABLE/],
    ['rows are written', /\bMERGE INTO/],
    ['rows are set aside', /INSERT INTO .*audit_schema_quarantine/],
    ['rows are verified', /count\(\*\) FILTER \(WHERE NOT/],
    ['the run is recorded', /INSERT INTO .*audit_schema_runs/],
    ['all is committed', /^COMMIT/],
  ];

  it.each(steps)('while %s', async (_, step) => {
    await scene.change(...makeTable);
    const running = scene.place.start(...load(scene.url));
    await reaches(scene, running, step);
    running.process.kill('SIGKILL');
    await judge(running);
  });

  it.each([0.3, 0.5, 0.7, 0.8, 0.9, 0.95])('after %f of its time', async (share) => {
    await scene.change(...makeTable);
    const running = scene.place.start(...load(scene.url));
    await wait(ms * share);
    running.process.kill('SIGKILL');
    await judge(running);
  });

  it('was met by most of these, and before the commit', () => {
    expect(seen.killed).toBeGreaterThan(10);
    expect(seen.old).toBeGreaterThan(8);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('%s stops a load within two seconds and leaves the old state', async (signal) => {
    for (const step of [/^COPY/, /schemalign_stage AS/, /\bMERGE INTO/]) {
      await scene.change(...makeTable);
      const running = scene.place.start(...load(scene.url));
      const met = await reaches(scene, running, step);
      const sent = performance.now();
      running.process.kill(signal);
      const { exit, stderr } = await running.done;
      if (!met || exit === 0) continue;
      expect(performance.now() - sent).toBeLessThan(2000);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('[INTERRUPTED]')]);
      await sessionEnded(scene);
      expect(await scene.value(stateSql)).toBe(await scene.value(oldState));
      expect(scene.place.leftovers()).toEqual([]);
    }
  });
});

describe('a server that crashes', () => {
  let own: OwnServer;
  let place: Place;
  beforeAll(async () => {
    own = await ownPostgresServer();
    place = makePlace();
    writeSource(place);
  }, 60_000);
  afterAll(async () => {
    place.remove();
    await own.stop();
  });

  /** A connection that works again once the server has recovered. */
  async function recovered(url: string): Promise<void> {
    for (let waited = 0; waited < 30_000; waited += 100) {
      if ((await place.run('history', url)).exit === 0) return;
      await wait(100);
    }
    expect.unreachable('the server did not come back');
  }

  it.each([
    ['the records are copied', /^COPY/],
    ['they are cast', /schemalign_stage AS/],
    ['rows are written', /\bMERGE INTO/],
  ])('while %s: the load says that the connection was lost, and a rerun completes', async (_, step) => {
    const database = await testDatabase(own);
    const watcher = await database.connect();
    const value = async (sql: string): Promise<string | null> =>
      Object.values((await watcher.query(sql)).rows[0] ?? {}).map(String)[0] ?? null;
    for (const statement of makeTable) await watcher.query(statement);
    const before = await value(stateSql);
    const running = place.start(...load(database.url));
    expect(await reaches({ value }, running, step)).toBe(true);
    const pid = await value("SELECT pid FROM pg_stat_activity WHERE application_name = 'schemalign'");
    // A server process that dies by force takes all others with it: the server starts anew and recovers from its log.
    process.kill(Number(pid), 'SIGKILL');
    const { exit, stderr } = await running.done;
    expect([exit, stderr]).toEqual([2, expect.stringContaining('[ENGINE_CONNECT]')]);
    await recovered(database.url);
    const after = await database.connect();
    const read = async (sql: string): Promise<string> => String(Object.values((await after.query(sql)).rows[0] ?? {})[0]);
    expect(await read(stateSql)).toBe(before);
    const again = await place.run(...load(database.url));
    expect(again.exit, again.stderr).toBe(0);
    // Ten records are refused; three of them have a key that the table held before.
    expect(await read('SELECT count(*) FROM k')).toBe(String(count - 10 + 3));
    expect(await read("SELECT count(*) FROM pg_class WHERE relname LIKE 'schemalign%' AND relpersistence <> 't'")).toBe('0');
    expect(place.leftovers()).toEqual([]);
  });
});
