import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { sparkErrorOf } from '../../../src/engines/spark/connect/spark-error.ts';
import { schemaName, sparkServer } from '../../harness/spark-server.ts';

const server = await sparkServer({ spark: '4.0.1' });

describe.skipIf(server === undefined)('the oldest version that is served, Spark 4.0', () => {
  const schema = schemaName('smoke');
  let spark: SparkClient;
  beforeAll(async () => {
    spark = await openSpark(server!.url);
    await spark.run(`CREATE SCHEMA ${schema}`);
  });
  afterAll(async () => {
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
    await spark.close();
  });

  test('the version, values, and Delta', async () => {
    expect(spark.version).toBe('4.0.1');
    expect(await spark.hasDelta()).toBe(true);
    const sql =
      "SELECT 9223372036854775807L AS a, CAST('-0.01' AS DECIMAL(38,18)) AS b, TIMESTAMP_NTZ'9999-12-31 23:59:59.999999' AS c, array(1, NULL) AS d";
    expect(await spark.rows(sql)).toEqual([
      { a: '9223372036854775807', b: '-0.010000000000000000', c: '9999-12-31 23:59:59.999999', d: [1, null] },
    ]);
  });

  test('a table: made, written, merged, described', async () => {
    await spark.run(`CREATE TABLE ${schema}.t (id BIGINT NOT NULL COMMENT 'key', code VARCHAR(5)) USING delta`);
    await spark.run(`INSERT INTO ${schema}.t VALUES (1, 'a')`);
    const merged = await spark.one(
      `MERGE INTO ${schema}.t USING (SELECT 2L AS id, 'b' AS code) s ON s.id = t.id WHEN NOT MATCHED THEN INSERT *`,
    );
    expect(merged['num_inserted_rows']).toBe('1');
    expect((await spark.schema(`SELECT * FROM ${schema}.t`)).fields).toEqual([
      { name: 'id', type: { kind: 'long' }, nullable: false, metadata: { comment: 'key' } },
      { name: 'code', type: { kind: 'string' }, nullable: true, metadata: { __CHAR_VARCHAR_TYPE_STRING: 'varchar(5)' } },
    ]);
  });

  test('rows are stored and counted in one pass; the counts go by name', async () => {
    await spark.run(`CREATE TABLE ${schema}.stage (id BIGINT) USING delta`);
    const to = { table: `${schema}.stage` };
    const count = { z: 'count(*)', a: 'count_if(id % 3 = 0)', m: 'max(id)', none: 'max(CASE WHEN id > 99 THEN id END)' };
    const counts = await spark.save({ query: 'SELECT id FROM range(10)', to, format: 'delta', mode: 'append', count });
    expect(counts).toEqual({ z: '10', a: '4', m: '9', none: null });
  });

  test('a view of rows that were sent from here', async () => {
    await spark.view('sent', ['a'], [['1'], [null]]);
    expect((await spark.table('SELECT * FROM sent')).rows).toEqual([['1'], [null]]);
  });

  test('an error with its class', async () => {
    const error = await spark.run("SELECT CAST('x' AS INT)").catch(sparkErrorOf);
    expect(error).toMatchObject({ errorClass: 'CAST_INVALID_INPUT', sqlState: '22018' });
  });

  test('a query is stopped by the signal; of its state this version says nothing', async () => {
    const aborting = new AbortController();
    const other = await openSpark(server!.url, { signal: aborting.signal });
    const operationId = randomUUID();
    const query = other.rows('SELECT sum(hash(id)) FROM range(1000000000000)', { operationId });
    await vi.waitFor(() => expect(other.progress()?.tasks).toBeGreaterThan(0), { timeout: 30_000, interval: 50 });
    expect(await other.status(operationId)).toBe('unknown');
    aborting.abort();
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await other.close();
  });
});
