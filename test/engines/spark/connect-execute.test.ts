import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSpark, type SparkClient, type SparkClientOptions } from '../../../src/engines/spark/connect/client.ts';
import { ownSparkServer, schemaName } from '../../harness/spark-server.ts';
import { type TcpProxy, tcpProxy } from './tcp-proxy.ts';

// Its own, because queries without end take all of a server's cores.
const server = await ownSparkServer();
afterAll(() => server?.stop());

/** Takes hours. */
const endless = 'SELECT sum(hash(id)) FROM range(1000000000000)';
/** Sleeps at the server, once a row. */
const slow = (ms: number): string => `SELECT java_method('java.lang.Thread', 'sleep', ${ms}L) AS slept`;

const become = (what: () => void | Promise<void>) => vi.waitFor(what, { timeout: 30_000, interval: 50 });

const open = async (url: string, options?: SparkClientOptions): Promise<SparkClient> => {
  const spark = await openSpark(url, options);
  onTestFinished(() => spark.close());
  return spark;
};

describe.skipIf(server === undefined)('statements that are stopped', () => {
  let watch: SparkClient;
  const sessionId = randomUUID();
  const url = `${server?.url}/;session_id=${sessionId}`;
  beforeAll(async () => {
    // Another connection to the same session, which sees its operations.
    watch = await openSpark(url);
  });
  afterAll(() => watch.close());

  const running = (operationId: string) => become(async () => expect(await watch.status(operationId)).toBe('running'));
  const over = (operationId: string) => become(async () => expect(await watch.status(operationId)).not.toBe('running'));
  /** Tasks are running, and not only the planning: what is stopped before its first task may go on in secret, see execute.ts. */
  const working = (spark: SparkClient) => become(() => expect(spark.progress()?.tasks).toBeGreaterThan(0));

  test('by the signal: the query ends at the server, and soon', async () => {
    const aborting = new AbortController();
    const spark = await openSpark(url, { signal: aborting.signal });
    const operationId = randomUUID();
    const query = spark.rows(endless, { operationId });
    await working(spark);
    const asked = Date.now();
    aborting.abort();
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED', cause: { errorClass: 'OPERATION_CANCELED', sqlState: 'HY008' } });
    expect(Date.now() - asked).toBeLessThan(5000);
    expect(await watch.status(operationId)).toBe('cancelled');
    await expect(spark.rows('SELECT 1')).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await expect(spark.schema('SELECT 1')).rejects.toMatchObject({ code: 'INTERRUPTED' });
    // What must be done all the same, such as giving a lock back.
    expect(await spark.rows('SELECT 1 AS a', { hold: true })).toEqual([{ a: 1 }]);
  });

  test('by the signal, given as the statement sets out', async () => {
    const aborting = new AbortController();
    const spark = await openSpark(url, { signal: aborting.signal });
    const operationId = randomUUID();
    const query = spark.rows('SELECT sum(hash(id)) FROM range(1000000000)', { operationId });
    aborting.abort();
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await over(operationId);
  });

  test('a statement that holds is not cut off', async () => {
    const aborting = new AbortController();
    const spark = await openSpark(url, { signal: aborting.signal });
    const operationId = randomUUID();
    const query = spark.rows(slow(1500), { operationId, hold: true });
    await running(operationId);
    aborting.abort();
    expect(await query).toEqual([{ slept: 'null' }]);
  });

  test('a loop that is left early', async () => {
    const operationId = randomUUID();
    for await (const { rows } of watch.batches('SELECT id FROM range(0, 400000000, 1, 40000)', { operationId })) {
      expect(rows.length).toBeGreaterThan(0);
      break;
    }
    await over(operationId);
    expect(await watch.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
  });

  test('by tag, and only those', async () => {
    const spark = await openSpark(url, { tags: ['run-7'] });
    const [tagged, other] = [randomUUID(), randomUUID()];
    const query = spark.rows(endless, { operationId: tagged, tags: ['stage'] });
    const untouched = watch.rows(slow(8000), { operationId: other });
    await Promise.all([working(spark), running(other)]);
    expect(await watch.interrupt('no-such-tag')).toBe(0);
    expect(await watch.interrupt('stage')).toBe(1);
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED' });
    const again = spark.rows(endless);
    await working(spark);
    expect(await watch.interrupt('run-7')).toBe(1);
    await expect(again).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(await untouched).toEqual([{ slept: 'null' }]);
  });

  test('progress is told while a statement runs', async () => {
    const query = watch.rows('SELECT sum(hash(id)) AS s FROM range(0, 40000000000, 1, 64)', { tags: ['long'] });
    await working(watch);
    expect(watch.progress()?.done).toBeLessThan(64);
    await watch.interrupt('long');
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED' });
  });
});

describe.skipIf(server === undefined)('answers that break off', () => {
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await tcpProxy(server!.port);
  });
  afterAll(() => proxy.close());
  const url = () => `sc://127.0.0.1:${proxy.port}`;

  test('a large answer over a connection that breaks every few megabytes: each row once, in order', async () => {
    const spark = await open(url());
    const before = proxy.connections();
    proxy.cutAfter(3_000_000);
    let next = 0n;
    try {
      for await (const { rows } of spark.batches("SELECT id, repeat('x', 100) FROM range(0, 200000, 1, 4)")) {
        for (const [id] of rows) {
          if (id !== String(next)) expect(id).toBe(String(next));
          next += 1n;
        }
      }
    } finally {
      proxy.cutAfter(undefined);
    }
    expect(next).toBe(200_000n);
    // 20 MB and more, at most 3 at a time.
    expect(proxy.connections() - before).toBeGreaterThanOrEqual(6);
  });

  test('a write whose connection breaks while it runs is carried out once', async () => {
    const spark = await open(url());
    const schema = schemaName('broken');
    await spark.run(`CREATE SCHEMA ${schema}`);
    await spark.run(`CREATE TABLE ${schema}.t (id STRING) USING delta`);
    const operationId = randomUUID();
    const writing = spark.run(`INSERT INTO ${schema}.t ${slow(2500)}`, { operationId });
    await become(async () => expect(await spark.status(operationId)).toBe('running'));
    proxy.cut();
    await writing;
    expect(await spark.rows(`SELECT count(*) AS n FROM ${schema}.t`)).toEqual([{ n: '1' }]);
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('a write that never arrived is sent again, once', async () => {
    const spark = await open(url());
    const schema = schemaName('swallowed');
    await spark.run(`CREATE SCHEMA ${schema}`);
    await spark.run(`CREATE TABLE ${schema}.t (id STRING) USING delta`);
    const before = proxy.connections();
    proxy.swallow(2000);
    await spark.run(`INSERT INTO ${schema}.t VALUES ('${'y'.repeat(4000)}')`);
    expect(proxy.connections()).toBeGreaterThan(before);
    expect(await spark.rows(`SELECT count(*) AS n FROM ${schema}.t`)).toEqual([{ n: '1' }]);
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
  });

  test('a connection that died without a word is given up after a while', async () => {
    const spark = await open(url(), { silenceMs: 4000 });
    const query = spark.rows(slow(1500));
    await sleep(500);
    proxy.freeze();
    expect(await query).toEqual([{ slept: 'null' }]);
  });

  test('questions are asked again over a new connection', async () => {
    const spark = await open(url());
    proxy.cut();
    expect((await spark.schema('SELECT 1 AS a')).fields).toHaveLength(1);
    proxy.cut();
    expect((await spark.config(['spark.sql.ansi.enabled'])).size).toBe(1);
  });

  test('an interrupt while the connection is broken still stops the query', async () => {
    const aborting = new AbortController();
    const spark = await open(url(), { signal: aborting.signal });
    const operationId = randomUUID();
    const query = spark.rows(endless, { operationId });
    await become(() => expect(spark.progress()?.tasks).toBeGreaterThan(0));
    proxy.cut();
    aborting.abort();
    await expect(query).rejects.toMatchObject({ code: 'INTERRUPTED' });
    expect(await spark.status(operationId)).toBe('cancelled');
  });

  test('a server that stays away is told after a while, with what is not known', async () => {
    const gone = await tcpProxy(server!.port);
    const spark = await openSpark(`sc://127.0.0.1:${gone.port}`);
    const operationId = randomUUID();
    const query = spark.rows(slow(60_000), { operationId });
    await become(async () => expect(await spark.status(operationId)).toBe('running'));
    await gone.close();
    await expect(query).rejects.toMatchObject({
      code: 'ENGINE_CONNECT',
      message: expect.stringContaining('whether the statement was carried out is not known'),
    });
    const closing = Date.now();
    await spark.close();
    expect(Date.now() - closing).toBeLessThan(10_000);
  });
});
