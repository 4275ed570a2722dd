/** Safe to run twice: a repeated load leaves the target as it is, writes no more than its own record, and says so. */
import { createHash } from 'node:crypto';
import { copyFileSync, renameSync, statSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, change, contentOf } from './database.ts';
import { csv, makePlace, type Place } from './place.ts';

/** Blocks, the unit in which a DuckDB file grows: those in use, and those of the file. */
async function sizeOf(file: string): Promise<{ used: number; file: number }> {
  const [row] = await ask(file, 'SELECT used_blocks::INTEGER AS used FROM pragma_database_size()');
  return { used: Number(row?.['used']), file: statSync(file).size / (256 * 1024) };
}
const days = ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04'];
const header = 'id,day,amount,note';
/** Long and hard to compress, so that writing the table again would show in the size of the file. */
const note = (i: number): string => createHash('sha512').update(String(i)).digest('hex');
const row = (i: number): string => `${i},${days[i % 2]},${i % 1000}.25,${i % 7 === 0 ? '' : note(i)}`;
const create = 'CREATE TABLE t (id BIGINT, day DATE, amount DECIMAL(12,2), note VARCHAR)';

let place: Place;
let db: string;

const fresh = async (): Promise<void> => {
  place = makePlace();
  db = place.path('w.duckdb');
  await change(db, create, `INSERT INTO t SELECT i, DATE '2026-09-01' + (i % 4)::INTEGER, i / 4.0, 'old' FROM range(20000) r(i)`);
};

const modes = {
  merge: ['--key', 'id'],
  append: [],
  'overwrite-partition by named values': [
    '--mode',
    'overwrite-partition',
    '--partition-columns',
    'day',
    '--partition-values',
    '2026-09-01',
    '--partition-values',
    '2026-09-02',
    '--max-shrink',
    '1',
  ],
  'overwrite-partition of those present': [
    '--mode',
    'overwrite-partition',
    '--partition-columns',
    'day',
    '--partition-values',
    'present',
    '--max-shrink',
    '1',
  ],
  replace: ['--mode', 'replace', '--max-shrink', '1'],
} as const;

describe.each(Object.entries(modes))('%s', (mode, flags) => {
  const load = ['load', 'in.csv', 'w.duckdb', '--table', 't', ...flags];
  let first: string;
  beforeAll(async () => {
    await fresh();
    place.write('in.csv', csv(header, 60_000, row));
    const record = await place.record(...load);
    expect([record.exit, record.committed, record.counts.read, record.counts.loaded]).toEqual([0, true, 60_000, 60_000]);
    expect(record.counts.inserted + record.counts.updated).toBeGreaterThan(0);
    first = await contentOf(db, 't');
  });
  afterAll(() => place.remove());

  it('loads what the source holds', async () => {
    const inScope = mode === 'append' ? "note IS DISTINCT FROM 'old'" : "id < 60000 AND day <= DATE '2026-09-02'";
    const [found] = await ask(
      db,
      `SELECT count(*)::INTEGER AS n, count(*) FILTER (note IS NULL)::INTEGER AS nulls, sum(amount)::VARCHAR AS total FROM t WHERE ${inScope}`,
    );
    // 60 times each of 0.25 … 999.25; every seventh note is empty.
    expect(found).toMatchObject({ n: 60_000, nulls: Math.ceil(60_000 / 7), total: '29985000.00' });
  });

  it('a second and a third run change nothing and say so', async () => {
    const sizes = [await sizeOf(db)];
    for (const _ of [2, 3]) {
      const record = await place.record(...load);
      expect([record.exit, record.counts.inserted, record.counts.updated, record.counts.deleted]).toEqual([0, 0, 0, 0]);
      expect(record.notes.join('; ')).toMatch(mode === 'append' ? /loaded before/ : /nothing (changed|was written)/);
      expect(record.status).toBe(mode === 'append' ? 'skipped' : 'finished');
      expect(await contentOf(db, 't')).toBe(first);
      sizes.push(await sizeOf(db));
    }
    const [before, ...later] = sizes;
    for (const { used, file } of later) {
      expect(used - (before?.used ?? 0)).toBeLessThanOrEqual(2);
      // A checkpoint writes the changed audit tables anew before it frees what they were in.
      expect(file - (before?.file ?? 0)).toBeLessThanOrEqual(4);
    }
  });

  it('the text says it as well', async () => {
    const { exit, stdout } = await place.run(...load);
    expect(exit).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(mode === 'append' ? /SKIPPED/ : /UNCHANGED/);
    expect(stdout).toMatch(mode === 'append' ? /loaded before/ : /nothing in it was changed|nothing (changed|was written)/);
    expect(await contentOf(db, 't')).toBe(first);
  });
});

describe('overwrite and replace with columns that the source lacks', () => {
  beforeEach(async () => {
    place = makePlace();
    db = place.path('w.duckdb');
    await change(
      db,
      "CREATE TABLE t (id BIGINT, day DATE, extra VARCHAR DEFAULT 'new')",
      "INSERT INTO t VALUES (1, '2026-09-01', 'kept by hand')",
    );
    place.write('in.csv', 'id,day\n1,2026-09-01\n');
  });

  it.each([
    ['replace', ['--mode', 'replace']],
    ['overwrite-partition', ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', '2026-09-01']],
  ] as const)('%s gives them their default, and only once', async (_, flags) => {
    const load = ['load', 'in.csv', 'w.duckdb', '--table', 't', ...flags] as const;
    const record = await place.record(...load);
    expect([record.exit, record.counts.inserted, record.counts.deleted]).toEqual([0, 1, 1]);
    expect(await ask(db, 'SELECT extra FROM t')).toEqual([{ extra: 'new' }]);
    const again = await place.record(...load);
    expect([again.exit, again.counts.inserted, again.counts.deleted]).toEqual([0, 0, 0]);
    place.remove();
  });
});

describe('append knows files by their bytes', () => {
  const load = (...more: readonly string[]) => place.record('load', 'in', 'w.duckdb', '--table', 't', ...more);
  const countRows = async () => Number((await ask(db, 'SELECT count(*)::INTEGER AS n FROM t'))[0]?.['n']);
  const tokens = async () => await ask(db, 'SELECT file, load_token, sha256 FROM audit_schema_files ORDER BY ALL');
  beforeEach(async () => {
    place = makePlace();
    db = place.path('w.duckdb');
    await change(db, create);
    place.write('in/a.csv', csv(header, 10, row));
    return () => place.remove();
  });

  it('skips a renamed copy, and loads a new file beside it alone', async () => {
    expect((await load()).counts).toMatchObject({ read: 10, inserted: 10, files_skipped: 0 });
    renameSync(place.path('in/a.csv'), place.path('in/renamed.csv'));
    const skipped = await load();
    expect(skipped).toMatchObject({ exit: 0, status: 'skipped', counts: { read: 0, inserted: 0, files_skipped: 1 } });
    place.write(
      'in/new.csv',
      csv(header, 5, (i) => row(i + 100)),
    );
    const mixed = await load();
    expect(mixed).toMatchObject({ exit: 0, status: 'finished', counts: { read: 5, inserted: 5, files_skipped: 1 } });
    expect(mixed.source.files.map(({ path, read, skipped_by_run }) => [path, read, skipped_by_run !== null])).toEqual([
      ['in/new.csv', 5, false],
      ['in/renamed.csv', 0, true],
    ]);
    expect(await countRows()).toBe(15);
  });

  it('skips a copy that turns up beside the file it was made from', async () => {
    await load();
    copyFileSync(place.path('in/a.csv'), place.path('in/copy.csv'));
    expect(await load()).toMatchObject({ exit: 0, status: 'skipped', counts: { inserted: 0, files_skipped: 2 } });
    expect(await countRows()).toBe(10);
  });

  it('loads two equal files of one run both, once', async () => {
    copyFileSync(place.path('in/a.csv'), place.path('in/b.csv'));
    expect((await load()).counts).toMatchObject({ read: 20, inserted: 20 });
    expect(new Set((await tokens()).map((entry) => entry['load_token'])).size).toBe(2);
    expect(await load()).toMatchObject({ status: 'skipped', counts: { inserted: 0, files_skipped: 2 } });
    expect(await countRows()).toBe(20);
  });

  it('--force loads again, as often as it is asked', async () => {
    await load();
    for (const total of [20, 30]) {
      const forced = await load('--force');
      expect(forced).toMatchObject({ exit: 0, status: 'finished', counts: { inserted: 10, files_skipped: 0 } });
      expect(await countRows()).toBe(total);
    }
    expect(await load()).toMatchObject({ status: 'skipped' });
    const found = await tokens();
    expect(found).toHaveLength(3);
    expect(new Set(found.map((entry) => entry['load_token'])).size).toBe(3);
    expect(new Set(found.map((entry) => entry['sha256'])).size).toBe(1);
  });

  it('takes a file again whose load failed', async () => {
    place.write('in/a.csv', `${header}\n1,2026-09-01,bad,x\n`);
    expect(await load()).toMatchObject({ exit: 1, committed: false });
    expect(await load('--on-invalid', 'quarantine')).toMatchObject({ exit: 0, committed: true, counts: { quarantined: 1 } });
    expect(await load('--on-invalid', 'quarantine')).toMatchObject({ status: 'skipped' });
  });

  it('keeps the ledgers of two tables apart', async () => {
    await change(db, create.replace('TABLE t', 'TABLE u'));
    await load();
    expect(await place.record('load', 'in', 'w.duckdb', '--table', 'u')).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    expect(await place.record('load', 'in', 'w.duckdb', '--table', 'main.t')).toMatchObject({ status: 'skipped' });
  });

  it('appends an empty file as often as it is asked', async () => {
    place.write('in/a.csv', '');
    for (const _ of [1, 2, 3]) expect(await load()).toMatchObject({ exit: 0, counts: { inserted: 0 } });
    place.write('in/a.csv', `${header}\n`);
    for (const _ of [1, 2, 3]) expect(await load()).toMatchObject({ exit: 0, counts: { inserted: 0 } });
  });
});

describe('append of a query or table', () => {
  const load = (...more: readonly string[]) => place.record('load', 'w.duckdb', '--table', 't', ...more);
  const query = ['--query', 'SELECT id, day, amount, note FROM staging ORDER BY id'] as const;
  beforeEach(async () => {
    place = makePlace();
    db = place.path('w.duckdb');
    await change(
      db,
      create,
      `CREATE TABLE staging AS SELECT i AS id, DATE '2026-09-01' AS day, 1.5::DECIMAL(12,2) AS amount, 'x' AS note FROM range(10) r(i)`,
    );
    return () => place.remove();
  });

  it('goes by the content of the rows read', async () => {
    expect(await load(...query)).toMatchObject({ exit: 0, status: 'finished', counts: { inserted: 10 } });
    const again = await load(...query);
    expect(again).toMatchObject({ exit: 0, status: 'skipped', counts: { inserted: 0 } });
    expect(again.notes.join()).toContain('--force');
    expect(await load('--source-table', 'staging')).toMatchObject({ status: 'skipped' });
    await change(db, 'UPDATE staging SET amount = 2.5 WHERE id = 3');
    expect(await load(...query)).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    expect(await load(...query, '--force')).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    expect(await ask(db, 'SELECT count(*)::INTEGER AS n FROM t')).toEqual([{ n: 30 }]);
  });

  it('goes by the batch that the user names, whatever the rows are', async () => {
    expect(await load(...query, '--batch', 'b-1')).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    await change(db, 'UPDATE staging SET amount = 9.5');
    expect(await load(...query, '--batch', 'b-1')).toMatchObject({ exit: 0, status: 'skipped', counts: { inserted: 0 } });
    expect(await load(...query, '--batch', 'b-2')).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    expect(await load(...query, '--batch', 'b-1', '--force')).toMatchObject({ status: 'finished', counts: { inserted: 10 } });
    const tokens = (await ask(db, 'SELECT load_token FROM audit_schema_files ORDER BY ALL')).map((entry) => String(entry['load_token']));
    expect(tokens.map((token) => token.replace(/@.*/, '@RUN'))).toEqual(['b-1', 'b-1@RUN', 'b-2']);
  });
});
