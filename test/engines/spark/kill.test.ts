/**
 * The command killed where its own writes show that it has come to a certain point: the target is as it was or as it is to be, and a rerun ends
 * what was begun, with no row lost or doubled.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { limitMs, makeScene } from './scene.ts';

const scene = await makeScene();
afterAll(() => scene?.end());

/** Tables in the order in which a run writes them; the run is killed once the first version of one is seen. */
const points = [
  { table: 'audit_schema_runs', version: 1, loaded: false },
  { table: 'audit_schema_quarantine', version: 1, loaded: false },
  { table: 'k', version: 2, loaded: true },
  { table: 'audit_schema_files', version: 1, loaded: true },
  { table: 'audit_schema_runs', version: 2, loaded: true },
] as const;

describe.skipIf(scene === undefined)('kill -9 of the command', { timeout: 3 * limitMs }, () => {
  const { job, write, start, record, change, rows, version } = scene as NonNullable<typeof scene>;

  for (const { table, version: wanted, loaded } of points) {
    for (const mode of ['append', 'merge'] as const) {
      it(`${mode}: at version ${wanted} of ${table}`, async () => {
        for (const name of ['k', 'runs', 'issues', 'quarantine', 'partitions', 'files'].map((one) =>
          one === 'k' ? one : `audit_schema_${one}`,
        ))
          await change(`DROP TABLE IF EXISTS ${name}`);
        await change('CREATE TABLE k (id INT, v DECIMAL(5,2)) USING delta', 'INSERT INTO k VALUES (1, 1)');
        write('k.csv', 'id,v\n2,2\n3,bad\n4,4\n');
        job('k.csv', 'k', { mode, ...(mode === 'merge' ? { key: ['id'] } : {}), columns: { v: { on_invalid: 'quarantine' } } });
        const running = start('load', 'j');
        let ended = false;
        void running.done.then(() => {
          ended = true;
        });
        while (version(table) < wanted && !ended) await wait(2);
        running.process.kill('SIGKILL');
        await running.done;
        // What the server was told before it may still come to its end.
        await wait(3000);
        const before = await rows('SELECT id FROM k ORDER BY id');
        const isIn = before.length === 3;
        expect(before).toEqual(isIn ? [[1], [2], [4]] : [[1]]);
        if (loaded) expect(isIn).toBe(true);
        const again = await record('load', 'j');
        expect(again.exit, JSON.stringify(again.fault)).toBe(0);
        expect(await rows('SELECT id, v FROM k ORDER BY id')).toEqual([
          [1, '1.00'],
          [2, '2.00'],
          [4, '4.00'],
        ]);
        expect(await rows("SELECT count(*) FROM audit_schema_runs WHERE status = 'started'")).toEqual([['0']]);
        expect(await rows('SELECT run_id FROM audit_schema_runs GROUP BY run_id HAVING count(*) > 1')).toEqual([]);
        // In append the file counts as loaded by the run that loaded it, with its own quarantined row.
        const kept = await rows(
          "SELECT count(*) FROM audit_schema_quarantine q JOIN audit_schema_runs r ON r.run_id = q.run_id WHERE r.status = 'finished'",
        );
        expect(kept).toEqual([[mode === 'append' || !isIn ? '1' : '2']]);
        expect(
          await rows(
            "SELECT count(*) FROM audit_schema_quarantine q LEFT ANTI JOIN audit_schema_runs r ON r.run_id = q.run_id AND r.status = 'finished'",
          ),
        ).toEqual([['0']]);
      });
    }
  }
});
