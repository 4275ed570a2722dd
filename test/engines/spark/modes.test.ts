/** Every mode against a real Spark with Delta: what is in the target afterwards, what a repeat does, and what is written down. */
import { afterAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { limitMs, makeScene } from './scene.ts';

const scene = await makeScene();
afterAll(() => scene?.end());

const numbers = ({ counts }: RunRecord, ...names: readonly (keyof RunRecord['counts'])[]) => names.map((name) => counts[name]);

describe.skipIf(scene === undefined)('a load into Delta', { timeout: 2 * limitMs }, () => {
  const { job, write, record, change, rows, schema, version, leftovers } = scene as NonNullable<typeof scene>;

  it('merges: inserts what is new, updates what differs, keeps what the file does not have, and changes nothing the second time', async () => {
    await change(
      "CREATE TABLE m (id BIGINT NOT NULL, `na``me \"x\"` VARCHAR(10), amount DECIMAL(8,2), note STRING, twice DECIMAL(10,2) GENERATED ALWAYS AS (CAST(amount * 2 AS DECIMAL(10,2)))) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
      "INSERT INTO m (id, `na``me \"x\"`, amount, note) VALUES (1, 'Ann', 1.50, 'kept'), (2, 'Bo', 2, NULL), (9, 'Zoe', 9, 'stays')",
    );
    write(
      'm.ndjson',
      '{"id":1,"na`me \\"x\\"":"Ann","amount":1.5}\n{"id":2,"na`me \\"x\\"":"Bob","amount":"2.25"}\n{"id":3,"na`me \\"x\\"":"$\\u007b1}","amount":-0.01}\n{"id":4,"amount":0.005}\n',
    );
    job('m.ndjson', 'm', { mode: 'merge', key: ['id'], columns: { amount: { on_invalid: 'quarantine' } } });
    const first = await record('load', 'j');
    expect(numbers(first, 'read', 'loaded', 'inserted', 'updated', 'unchanged', 'quarantined')).toEqual([4, 3, 1, 1, 1, 1]);
    const after = [
      ['1', 'Ann', '1.50', 'kept', '3.00'],
      ['2', 'Bob', '2.25', null, '4.50'],
      ['3', '${1}', '-0.01', null, '-0.02'],
      ['9', 'Zoe', '9.00', 'stays', '18.00'],
    ];
    expect(await rows('SELECT * FROM m ORDER BY id')).toEqual(after);
    expect(await rows('SELECT source_file, source_row, source_line, raw FROM audit_schema_quarantine')).toEqual([
      ['m.ndjson', '4', '4', '{"id":4,"amount":0.005}'],
    ]);
    expect(await rows('SELECT run_id, status, rows_inserted, exit FROM audit_schema_runs')).toEqual([[first.run_id, 'finished', '1', 0]]);
    expect(
      await rows("SELECT userMetadata LIKE '%schemalign_run%' FROM (DESCRIBE HISTORY m LIMIT 1)").catch(() => 'no subquery'),
    ).toBeDefined();
    const again = await record('load', 'j');
    expect(numbers(again, 'inserted', 'updated', 'unchanged')).toEqual([0, 0, 3]);
    expect(await rows('SELECT * FROM m ORDER BY id')).toEqual(after);
    expect(leftovers()).toEqual([]);
  });

  it('appends each file once, whatever its name', async () => {
    await change('CREATE TABLE e (id INT, kind STRING) USING delta');
    write('in/a.csv', 'id,kind\n1,x\n2,\n');
    job('in', 'e', { mode: 'append' });
    expect(numbers(await record('load', 'j'), 'inserted', 'files_skipped')).toEqual([2, 0]);
    write('in/b.csv', 'id,kind\n3,""\n');
    write('in/copy-of-a.csv', 'id,kind\n1,x\n2,\n');
    const second = await record('load', 'j');
    expect(numbers(second, 'inserted', 'files_skipped')).toEqual([1, 2]);
    expect(await rows('SELECT * FROM e ORDER BY id')).toEqual([
      [1, 'x'],
      [2, null],
      [3, ''],
    ]);
    expect((await record('load', 'j')).status).toBe('skipped');
  });

  it('overwrites the partitions of the rows, and no other, once', async () => {
    await change(
      'CREATE TABLE p (dt DATE, region STRING, n INT) USING delta PARTITIONED BY (dt)',
      "INSERT INTO p VALUES (DATE '2026-09-01', 'EU', 1), (DATE '2026-09-01', 'US', 2), (DATE '2026-09-02', 'EU', 3)",
    );
    write('p.csv', 'dt,region,n\n2026-09-01,EU,10\n2026-09-01,US,20\n');
    job('p.csv', 'p', { mode: 'overwrite-partition', partition: { columns: ['dt'], values: 'present' } });
    const first = await record('load', 'j');
    expect(numbers(first, 'inserted', 'deleted')).toEqual([2, 2]);
    expect(first.partitions).toEqual([{ values: { dt: '2026-09-01' }, before: 2, after: 2 }]);
    const now = version('p');
    expect((await record('load', 'j')).notes.join()).toContain('nothing was written');
    expect(version('p')).toBe(now);
    expect(await rows('SELECT n FROM p ORDER BY n')).toEqual([[3], [10], [20]]);
  });

  it('replaces the whole table, creates one that is missing, and takes a table of the server as the source', async () => {
    await change(
      'CREATE TABLE s (id BIGINT, at TIMESTAMP_NTZ, v STRUCT<a: INT, b: ARRAY<STRING>>) USING delta',
      "INSERT INTO s VALUES (1, TIMESTAMP_NTZ '2026-01-01 10:00:00.000001', named_struct('a', 1, 'b', array('x', NULL))), (2, NULL, NULL)",
    );
    job({ table: `${schema}.s` }, 'made', { mode: 'replace', target: { create: true } });
    const made = await record('load', 'j');
    expect(numbers(made, 'read', 'inserted')).toEqual([2, 2]);
    const copy = [
      ['1', '2026-01-01 10:00:00.000001', { a: 1, b: ['x', null] }],
      ['2', null, null],
    ];
    expect(await rows('SELECT * FROM made ORDER BY id')).toEqual(copy);
    await change('INSERT INTO s VALUES (3, NULL, NULL)');
    job({ table: `${schema}.s` }, 'made', { mode: 'replace' });
    expect(numbers(await record('load', 'j'), 'inserted', 'deleted')).toEqual([3, 2]);
    expect(await rows('SELECT count(*) FROM made')).toEqual([['3']]);
    expect((await rows('SHOW TABLES')).map((row) => row[1]).filter((name) => String(name).startsWith('schemalign_'))).toEqual([]);
  });

  it('refuses a saved plan when the table has another version, though its rows are the same', async () => {
    await change('CREATE TABLE k (id INT, v STRING) USING delta', "INSERT INTO k VALUES (1, 'a')");
    write('k.csv', 'id,v\n2,b\n');
    job('k.csv', 'k', { mode: 'merge', key: ['id'] });
    const planned = await (scene as NonNullable<typeof scene>).start('plan', 'j', '--out', 'plan.json').done;
    expect(planned.exit, planned.stderr).toBe(0);
    await change("UPDATE k SET v = 'a' WHERE id = 1");
    const refused = await (scene as NonNullable<typeof scene>).start('load', 'plan.json').done;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain('PLAN_OUT_OF_DATE');
    expect(await rows('SELECT * FROM k')).toEqual([[1, 'a']]);
  });
});
