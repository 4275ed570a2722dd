/** Several writers at once, and a run that is interrupted. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { limitMs, makeScene } from './scene.ts';

const scene = await makeScene();
afterAll(() => scene?.end());

describe.skipIf(scene === undefined)('writers', { timeout: 4 * limitMs }, () => {
  const { job, write, start, record, change, rows, version } = scene as NonNullable<typeof scene>;

  it('that merge the same new keys at once leave each key once', async () => {
    await change('CREATE TABLE m (id INT, v STRING) USING delta', "INSERT INTO m VALUES (0, 'old')");
    write('m.csv', 'id,v\n0,new\n1,x\n2,y\n');
    job('m.csv', 'm', { mode: 'merge', key: ['id'] });
    const ran = await Promise.all([start('load', 'j').done, start('load', 'j').done]);
    expect(
      ran.map(({ exit }) => exit),
      ran.map(({ stderr }) => stderr).join(),
    ).toEqual([0, 0]);
    expect(await rows('SELECT * FROM m ORDER BY id')).toEqual([
      [0, 'new'],
      [1, 'x'],
      [2, 'y'],
    ]);
  });

  it('interrupted at the write leave the target as it was, and no trace of a run that is under way', async () => {
    await change('CREATE TABLE i (id INT, v STRING) USING delta', "INSERT INTO i VALUES (0, 'old')");
    write('i.csv', 'id,v\n0,new\n1,x\n');
    job('i.csv', 'i', { mode: 'merge', key: ['id'] });
    const before = version('audit_schema_runs');
    const running = start('load', 'j');
    let ended = false;
    void running.done.then(() => {
      ended = true;
    });
    while (version('audit_schema_runs') === before && !ended) await wait(2);
    running.process.kill('SIGINT');
    const ran = await running.done;
    expect(ran.exit).not.toBe(0);
    await wait(2000);
    expect(await rows('SELECT * FROM i ORDER BY id')).toEqual([[0, 'old']]);
    expect(await rows("SELECT count(*) FROM audit_schema_runs WHERE status = 'started'")).toEqual([['0']]);
    expect((await record('load', 'j')).counts).toMatchObject({ inserted: 1, updated: 1 });
  });
});
