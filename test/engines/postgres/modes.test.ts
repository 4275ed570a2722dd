/** Every mode on a real server: what is in the target afterwards, what a repeat does, and what is written down. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { leftovers, makeScene, type Scene } from './database.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await makeScene();
}, 60_000);
afterAll(() => scene.end());

const numbers = ({ counts }: RunRecord, ...names: readonly (keyof RunRecord['counts'])[]) => names.map((name) => counts[name]);

describe('merge', () => {
  it('inserts what is new, updates what differs, keeps what the file does not have, and does nothing the second time', async () => {
    const { place, url, change, rows } = scene;
    await change(
      'CREATE TABLE m (id bigint PRIMARY KEY, name varchar(10), amount numeric(8,2), note text)',
      "INSERT INTO m VALUES (1, 'Ann', 1.50, 'kept'), (2, 'Bo', 2, NULL), (9, 'Zoe', 9, 'stays')",
    );
    place.write('m.csv', 'id,name,amount\n1,Ann,1.50\n2,Bob,2.25\n3,Cy,-0.01\n');
    const first = await place.record('load', 'm.csv', url, '--table', 'm', '--key', 'id');
    expect(numbers(first, 'read', 'loaded', 'inserted', 'updated', 'unchanged')).toEqual([3, 3, 1, 1, 1]);
    const after = [
      ['1', 'Ann', '1.50', 'kept'],
      ['2', 'Bob', '2.25', null],
      ['3', 'Cy', '-0.01', null],
      ['9', 'Zoe', '9.00', 'stays'],
    ];
    expect(await rows('SELECT * FROM m ORDER BY id')).toEqual(after);
    const again = await place.record('load', 'm.csv', url, '--table', 'm', '--key', 'id');
    expect(numbers(again, 'inserted', 'updated', 'unchanged')).toEqual([0, 0, 3]);
    expect(again.notes.join()).toContain('nothing changed');
    expect(await rows('SELECT * FROM m ORDER BY id')).toEqual(after);
    expect(again.target).toMatchObject({ engine: 'postgres', table: 'public.m', version_before: 'rows=4', version_after: 'rows=4' });
  });

  it('tells of two rows for one row of the target by itself, naming the key, not by an error of the server', async () => {
    const { place, url, change, rows } = scene;
    await change('CREATE TABLE d (id int, v text)', "INSERT INTO d VALUES (1, 'old')");
    place.write('d.csv', 'id,v\n1,a\n1,b\n2,c\n,x\n');
    const failed = await place.record('load', 'd.csv', url, '--table', 'd', '--key', 'id');
    expect(failed.exit).toBe(1);
    expect(failed.findings.map(({ name, count, rows: found }) => [name, count, found])).toEqual([
      ['duplicate_key', 1, 2],
      ['null_key', 1, null],
    ]);
    expect(failed.findings[0]?.examples[0]?.value).toBe('1');
    expect(await rows('SELECT * FROM d')).toEqual([['1', 'old']]);
    expect(await rows("SELECT status, exit FROM audit_schema_runs WHERE target = 'public.d'")).toEqual([['failed', '1']]);
  });

  it('lets the latest row of a key win, and sets rows aside that tie and differ', async () => {
    const { place, url, change, rows } = scene;
    await change('CREATE TABLE l (id int, at date, v text)');
    place.write(
      'l.csv',
      'id,at,v\n1,2026-01-01,a\n1,2026-01-02,b\n2,2026-01-01,same\n2,2026-01-01,same\n3,2026-01-01,x\n3,2026-01-01,y\n3,2025-01-01,z\n',
    );
    const flags = ['--key', 'id', '--on-duplicate-key', 'keep_latest', '--order-by', 'at'];
    const record = await place.record('load', 'l.csv', url, '--table', 'l', ...flags);
    expect(numbers(record, 'read', 'loaded', 'quarantined', 'superseded')).toEqual([7, 2, 2, 3]);
    expect(await rows('SELECT id, v FROM l ORDER BY id')).toEqual([
      ['1', 'b'],
      ['2', 'same'],
    ]);
    const quarantined = await rows(
      "SELECT source_file, source_row, issues -> 0 ->> 'code', raw FROM audit_schema_quarantine ORDER BY source_row",
    );
    expect(quarantined).toEqual([
      ['l.csv', '5', 'duplicate_key', '{"id":"3","at":"2026-01-01","v":"x"}'],
      ['l.csv', '6', 'duplicate_key', '{"id":"3","at":"2026-01-01","v":"y"}'],
    ]);
  });
});

describe('append', () => {
  it('takes each file once, whatever its name', async () => {
    const { place, url, change, value, rows } = scene;
    await change('CREATE TABLE e (id int, kind text)');
    place.write('in/a.ndjson', '{"id": 1, "kind": "click"}\n{"id": 2}\n');
    expect((await place.record('load', 'in', url, '--table', 'e')).counts.inserted).toBe(2);
    place.write('in/b.ndjson', '{"id": 1, "kind": "click"}\n{"id": 2}\n');
    place.write('in/c.ndjson', '{"id": 3, "kind": null}\n');
    const second = await place.record('load', 'in', url, '--table', 'e');
    expect(numbers(second, 'inserted', 'files_skipped')).toEqual([1, 2]);
    expect((await place.record('load', 'in', url, '--table', 'e')).status).toBe('skipped');
    expect(await rows('SELECT * FROM e ORDER BY id')).toEqual([
      ['1', 'click'],
      ['2', null],
      ['3', null],
    ]);
    expect(await value("SELECT count(*) FROM audit_schema_files WHERE target = 'public.e' AND load_token = sha256")).toBe('2');
    expect((await place.record('load', 'in/c.ndjson', url, '--table', 'e', '--force')).counts.inserted).toBe(1);
  });
});

describe('overwrite-partition', () => {
  const flags = ['--mode', 'overwrite-partition', '--partition-columns', 'dt', '--partition-values', '2026-09-01'];

  it.each([
    ['a plain column', 'CREATE TABLE %t (dt date NOT NULL, v int)', 'p1'],
    [
      'declared partitions',
      "CREATE TABLE %t (dt date NOT NULL, v int) PARTITION BY RANGE (dt); CREATE TABLE %t_1 PARTITION OF %t FOR VALUES FROM ('2026-01-01') TO ('2026-09-02'); CREATE TABLE %t_2 PARTITION OF %t DEFAULT",
      'p2',
    ],
  ])('%s', async (_, ddl, table) => {
    const { place, url, change, rows } = scene;
    await change(ddl.replaceAll('%t', table), `INSERT INTO ${table} VALUES ('2026-08-31', 1), ('2026-09-01', 2), ('2026-09-01', 3)`);
    place.write('p.csv', 'dt,v\n2026-09-01,5\n2026-09-01,6\n');
    const record = await place.record('load', 'p.csv', url, '--table', table, ...flags);
    expect(numbers(record, 'inserted', 'deleted')).toEqual([2, 2]);
    expect(record.partitions).toEqual([{ values: { dt: '2026-09-01' }, before: 2, after: 2 }]);
    expect(await rows(`SELECT * FROM ${table} ORDER BY v`)).toEqual([
      ['2026-08-31', '1'],
      ['2026-09-01', '5'],
      ['2026-09-01', '6'],
    ]);
    const again = await place.record('load', 'p.csv', url, '--table', table, ...flags);
    expect(numbers(again, 'inserted', 'deleted', 'unchanged')).toEqual([0, 0, 2]);
    place.write('q.csv', 'dt,v\n2026-09-01,5\n2026-09-03,6\n');
    const outside = await place.record('load', 'q.csv', url, '--table', table, ...flags);
    expect([outside.exit, outside.findings[0]?.name]).toEqual([1, 'outside_partition']);
  });

  it('says that no partition takes a row, and changes nothing', async () => {
    const { place, url, change, value } = scene;
    await change(
      "CREATE TABLE p3 (dt date, v int) PARTITION BY LIST (dt); CREATE TABLE p3_1 PARTITION OF p3 FOR VALUES IN ('2026-09-01')",
      "INSERT INTO p3 VALUES ('2026-09-01', 1)",
    );
    place.write('r.csv', 'dt,v\n2026-09-01,1\n2026-09-09,2\n');
    const ran = await place.run('load', 'r.csv', url, '--table', 'p3');
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringMatching(/TARGET_INCOMPATIBLE.*no partition of relation/s)]);
    expect(await value('SELECT count(*) FROM p3')).toBe('1');
  });
});

describe('replace', () => {
  it('replaces the whole table at once, and writes nothing when it is equal', async () => {
    const { place, url, change, rows, value } = scene;
    await change('CREATE TABLE r (id int, v text)', "INSERT INTO r VALUES (1, 'a'), (2, 'b')");
    place.write('r2.csv', 'id,v\n3,c\n4,d\n');
    expect(numbers(await place.record('load', 'r2.csv', url, '--table', 'r', '--mode', 'replace'), 'inserted', 'deleted')).toEqual([2, 2]);
    const xmin = await value('SELECT min(xmin::text) FROM r');
    expect(numbers(await place.record('load', 'r2.csv', url, '--table', 'r', '--mode', 'replace'), 'inserted', 'unchanged')).toEqual([
      0, 2,
    ]);
    expect(await value('SELECT min(xmin::text) FROM r')).toBe(xmin);
    place.write('r3.csv', 'id,v\n');
    expect((await place.record('load', 'r3.csv', url, '--table', 'r', '--mode', 'replace')).exit).toBe(3);
    expect(await rows('SELECT * FROM r ORDER BY id')).toEqual([
      ['3', 'c'],
      ['4', 'd'],
    ]);
  });
});

describe('changes of the table', () => {
  it('makes a table, adds a column and widens one, when that is allowed', async () => {
    const { place, url, rows, change } = scene;
    place.write('c.csv', 'id,price,day,note\n1,1.5,2026-01-02,x\n');
    await place.record('load', 'c.csv', url, '--table', 'shop.c', '--key', 'id', '--create').then(
      () => expect.unreachable('there is no schema shop'),
      () => undefined,
    );
    await change('CREATE SCHEMA shop');
    const record = await place.record('load', 'c.csv', url, '--table', 'shop.c', '--key', 'id', '--create');
    expect(record.schema_changes).toHaveLength(1);
    const columns =
      "SELECT attname, format_type(atttypid, atttypmod), attnotnull FROM pg_attribute WHERE attrelid = 'shop.c'::regclass AND attnum > 0 ORDER BY attnum";
    expect(await rows(columns)).toEqual([
      ['id', 'bigint', 't'],
      ['price', 'double precision', 'f'],
      ['day', 'date', 'f'],
      ['note', 'text', 'f'],
    ]);
    place.write('c2.csv', 'id,price,day,note,more\n2,2.5,2026-01-03,y,true\n');
    const added = await place.record(
      'load',
      'c2.csv',
      url,
      '--table',
      'shop.c',
      '--key',
      'id',
      '--on-extra',
      'add_column',
      '--schema-changes',
      'add_column',
    );
    expect(added.schema_changes.map(({ ddl }) => ddl)).toEqual(['ALTER TABLE "shop"."c" ADD COLUMN "more" boolean']);
    await change('CREATE TABLE narrow (id int, v int)', 'CREATE TABLE wide AS SELECT 1 AS id, 5000000000::bigint AS v');
    const widened = await place.record(
      'load',
      url,
      '--query',
      'SELECT * FROM wide',
      '--table',
      'narrow',
      '--key',
      'id',
      '--schema-changes',
      'widen',
    );
    expect(widened.schema_changes.map(({ ddl }) => ddl)).toEqual(['ALTER TABLE "public"."narrow" ALTER COLUMN "v" TYPE bigint']);
    expect(await rows('SELECT * FROM narrow')).toEqual([['1', '5000000000']]);
  });
});

describe('a table or query of the same database', () => {
  it('is read by the same law, once, without being able to write', async () => {
    const { place, url, change, rows } = scene;
    await change(
      'CREATE TABLE s (k int, t text, at timestamptz, n numeric)',
      "INSERT INTO s VALUES (1, '007', '2026-01-01 10:00+02', 1.10), (2, 'x', NULL, 12.345)",
      'CREATE TABLE q (k bigint, t int, at timestamp, n numeric(6,2))',
    );
    const flags = ['--key', 'k', '--on-invalid', 'quarantine', '--rule', 'at.to_timezone=UTC'];
    const record = await place.record('load', url, '--query', 'SELECT * FROM s -- all', '--table', 'q', ...flags);
    expect(numbers(record, 'read', 'loaded', 'quarantined')).toEqual([2, 1, 1]);
    expect(await rows('SELECT * FROM q')).toEqual([['1', '7', '2026-01-01 08:00:00', '1.10']]);
    expect(await rows("SELECT source_file, source_row FROM audit_schema_quarantine WHERE job = 'q'")).toEqual([[null, '2']]);
    await change("CREATE FUNCTION sly() RETURNS int LANGUAGE sql VOLATILE AS 'DELETE FROM s; SELECT 1'");
    const sly = await place.run('load', url, '--query', 'SELECT sly() AS k', '--table', 'q', '--key', 'k');
    expect([sly.exit, sly.stderr]).toEqual([2, expect.stringContaining('read-only')]);
    for (const query of ['DELETE FROM s', 'SELECT 1 AS k; DROP TABLE s', 'WITH d AS (DELETE FROM s RETURNING k) SELECT k FROM d']) {
      const ran = await place.run('load', url, '--query', query, '--table', 'q', '--key', 'k');
      expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('must be one SELECT')]);
    }
    expect(await rows('SELECT count(*) FROM s')).toEqual([['2']]);
  });

  it('is appended once, by the content of its rows', async () => {
    const { place, url, change, value } = scene;
    await change('CREATE TABLE log (k int)');
    const flags = ['--query', 'SELECT generate_series(1, 3) AS k', '--table', 'log'];
    expect((await place.record('load', url, ...flags)).counts.inserted).toBe(3);
    expect((await place.record('load', url, ...flags)).status).toBe('skipped');
    expect(await value('SELECT count(*) FROM log')).toBe('3');
  });
});

describe('plan, saved plan, verify, history', () => {
  it('counts without writing, loads what was saved, and refuses it when something has moved', async () => {
    const { place, url, change, value, rows } = scene;
    await change('CREATE TABLE sp (id int, v int)', 'INSERT INTO sp VALUES (1, 1)');
    place.write('sp.csv', 'id,v\n1,2\n2,3\n');
    process.env['MODES_TEST_URL'] = url;
    place.write(
      'schemalign.yaml',
      'version: 1\nconnections: { pg: { url: "${env:MODES_TEST_URL}" } }\njobs: { sp: { source: { path: sp.csv }, target: { connection: pg, table: sp }, key: [id] } }\n',
    );
    const planned = await place.record('plan', 'sp', '--out', 'sp.json');
    expect(numbers(planned, 'read', 'inserted', 'updated')).toEqual([2, 1, 1]);
    expect(await rows('SELECT * FROM sp')).toEqual([['1', '1']]);
    expect(await value("SELECT count(*) FROM audit_schema_runs WHERE target = 'public.sp'")).toBe('0');
    await change('INSERT INTO sp VALUES (7, 7)');
    const moved = await place.run('load', 'sp.json');
    expect([moved.exit, moved.stderr]).toEqual([3, expect.stringContaining('the rows of the target have changed')]);
    await change('DELETE FROM sp WHERE id = 7');
    expect((await place.record('load', 'sp.json')).committed).toBe(true);
    const args = ['sp.csv', url, '--table', 'sp', '--key', 'id'];
    expect((await place.record('verify', ...args)).exit).toBe(0);
    await change('UPDATE sp SET v = 9 WHERE id = 2');
    const verified = await place.record('verify', ...args);
    expect(verified.exit).toBe(1);
    expect(verified.verify.checks.filter((check) => !check.ok).map(({ name, path }) => `${name} ${path}`)).toContain('equal rows v');
    const history = await place.run('history', url);
    expect([history.exit, history.stdout]).toEqual([0, expect.stringContaining('sp')]);
  });

  it('leaves nothing behind', async () => {
    expect(await leftovers(scene)).toEqual([]);
    expect(scene.place.leftovers()).toEqual([]);
  });
});
