/** Tables of Parquet files without Delta: what can be done to them, and what is refused in words. */
import { afterAll, describe, expect, it } from 'vitest';
import { limitMs, makeScene } from './scene.ts';

const scene = await makeScene();
afterAll(() => scene?.end());

describe.skipIf(scene === undefined)('a table of Parquet files', { timeout: 2 * limitMs }, () => {
  const { job, write, record, start, change, rows } = scene as NonNullable<typeof scene>;

  it('takes appended rows once, and whole partitions', async () => {
    await change(
      'CREATE TABLE a (id INT, v STRING, dt STRING) USING parquet PARTITIONED BY (dt)',
      "INSERT INTO a VALUES (1, 'old', 'x'), (2, 'old', 'y')",
    );
    write('a.csv', 'id,v,dt\n3,new,x\n');
    job('a.csv', 'a', { mode: 'append' });
    expect((await record('load', 'j')).counts).toMatchObject({ inserted: 1 });
    expect((await record('load', 'j')).status).toBe('skipped');
    job('a.csv', 'a', { mode: 'overwrite-partition', partition: { columns: ['dt'], values: 'present', max_shrink: 1 } });
    const record2 = await record('load', 'j');
    expect(record2.counts, JSON.stringify(record2.fault)).toMatchObject({ inserted: 1, deleted: 2 });
    expect(await rows('SELECT id, v, dt FROM a ORDER BY id')).toEqual([
      [2, 'old', 'y'],
      [3, 'new', 'x'],
    ]);
  });

  it('cannot be merged into, which is said before anything is read', async () => {
    await change('CREATE TABLE b (id INT, v STRING) USING parquet');
    write('b.csv', 'id,v\n1,x\n');
    job('b.csv', 'b', { mode: 'merge', key: ['id'] });
    const refused = await start('load', 'j').done;
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toMatch(/GAP.*format parquet, not a Delta table: .*nothing can be merged into it/s);
  });
});
