import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../../src/core/fault.ts';
import { openSpark, type SparkClient } from '../../../src/engines/spark/connect/client.ts';
import { sparkErrorOf } from '../../../src/engines/spark/connect/spark-error.ts';
import { ownSparkServer, schemaName, sparkServer } from '../../harness/spark-server.ts';
import { tcpProxy } from './tcp-proxy.ts';

const server = await sparkServer();

const faultOf = async (work: Promise<unknown>): Promise<Fault> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Fault) return error;
  throw new Error(`expected a Fault, got ${String(error)}`);
};

const freePort = async (): Promise<number> => {
  const proxy = await tcpProxy(1);
  await proxy.close();
  return proxy.port;
};

describe('a server that is not there', () => {
  test('the connection is refused', async () => {
    const port = await freePort();
    const fault = await faultOf(openSpark(`sc://127.0.0.1:${port}`));
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toBe(`[ENGINE_CONNECT] Spark at 127.0.0.1:${port}: the connection was refused`);
  });

  test('the name is not known', async () => {
    const fault = await faultOf(openSpark('sc://no-such-host.invalid'));
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toContain('the name no-such-host.invalid was not found');
  });

  test('something else answers', async () => {
    const web = createServer((_, response) => response.end('hello'));
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    onTestFinished(() => void web.close());
    const { port } = web.address() as { port: number };
    const fault = await faultOf(openSpark(`sc://127.0.0.1:${port}`));
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toContain('is not Spark Connect');
  });

  test('a signal that was given before', async () => {
    expect((await faultOf(openSpark('sc://127.0.0.1:1', { signal: AbortSignal.abort() }))).code).toBe('INTERRUPTED');
  });
});

describe.skipIf(server === undefined)('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'schemalign-tls-'));
  let pfx: Buffer;
  let ca: string;
  beforeAll(() => {
    // Where the server runs there is a Java, and so a keytool.
    const keytool = process.env['JAVA_HOME'] === undefined ? 'keytool' : join(process.env['JAVA_HOME'], 'bin/keytool');
    const store = ['-alias', 'a', '-keystore', join(folder, 'a.p12'), '-storetype', 'PKCS12', '-storepass', 'changeit'];
    const names = ['-dname', 'CN=localhost', '-ext', 'san=dns:localhost', '-ext', 'bc=ca:true'];
    const make = spawnSync(keytool, ['-genkeypair', '-keyalg', 'EC', '-validity', '30', ...names, ...store], { encoding: 'utf8' });
    expect(make.status, make.stdout + make.stderr).toBe(0);
    ca = spawnSync(keytool, ['-exportcert', '-rfc', ...store], { encoding: 'utf8' }).stdout;
    pfx = readFileSync(join(folder, 'a.p12'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tlsProxy = async () => {
    const proxy = await tcpProxy(server!.port, { pfx, passphrase: 'changeit' });
    onTestFinished(() => proxy.close());
    return proxy;
  };

  test('a session over TLS, with the certificate of an authority that is named', async () => {
    const { port } = await tlsProxy();
    const spark = await openSpark(`sc://localhost:${port}/;use_ssl=true`, { ca });
    expect(await spark.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
    await spark.close();
  });

  test('a token turns TLS on', async () => {
    const { port } = await tlsProxy();
    const spark = await openSpark(`sc://localhost:${port}/;token=abc`, { ca });
    expect(await spark.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
    await spark.close();
  });

  test('a certificate that nobody vouches for', async () => {
    const { port } = await tlsProxy();
    const fault = await faultOf(openSpark(`sc://localhost:${port}/;token=s3cretS3cret`));
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toContain('the certificate of the server is not trusted');
    expect(fault.fix).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('a certificate of another host', async () => {
    const { port } = await tlsProxy();
    const fault = await faultOf(openSpark(`sc://127.0.0.1:${port}/;use_ssl=true`, { ca }));
    expect(fault.message).toContain('the certificate of the server is not for 127.0.0.1');
  });

  test('TLS to a port without it, and the other way round', async () => {
    const { port } = await tlsProxy();
    const plain = await faultOf(openSpark(`sc://localhost:${port}`));
    expect(plain.code).toBe('ENGINE_CONNECT');
    expect(plain.fix).toContain('use_ssl=true');
    const tls = await faultOf(openSpark(`sc://127.0.0.1:${server!.port}/;use_ssl=true`));
    expect(tls.code).toBe('ENGINE_CONNECT');
    expect(tls.message).toContain('does not speak TLS');
  });
});

describe.skipIf(server === undefined)('what Spark refuses', () => {
  let spark: SparkClient;
  beforeAll(async () => {
    spark = await openSpark(server!.url);
  });
  afterAll(() => spark.close());

  test.each([
    ['SELECT * FROM no_such_table', 'TABLE_OR_VIEW_NOT_FOUND', '42P01'],
    ["SELECT CAST('x' AS INT)", 'CAST_INVALID_INPUT', '22018'],
    ['SELECT 1/0', 'DIVIDE_BY_ZERO', '22012'],
    ['SELEC 1', 'PARSE_SYNTAX_ERROR', '42601'],
    ['SELECT 1; SELECT 2', 'PARSE_SYNTAX_ERROR', '42601'],
    ['SELECT * FROM json.`/no/such/path`', 'PATH_NOT_FOUND', '42K03'],
  ])('%s', async (sql, errorClass, sqlState) => {
    const fault = await faultOf(spark.run(sql));
    expect(fault.code).toBe('ENGINE_REJECTED');
    expect(fault.statement).toBe(sql);
    expect(fault.message).toMatch(new RegExp(`^\\[ENGINE_REJECTED\\] spark: \\[${errorClass}\\] .*SQLSTATE: ${sqlState}$`));
    expect(sparkErrorOf(fault)).toMatchObject({ errorClass, sqlState });
  });

  test('parts of the message, and the part of the statement that is meant', async () => {
    const error = sparkErrorOf(await faultOf(spark.run('SELECT 1, * FROM `no such`.`table`')));
    expect(error?.parameters['relationName']).toBe('`no such`.`table`');
    expect(error?.fragment).toBe('`no such`.`table`');
  });

  test('the root cause of an error within a task', async () => {
    const sql = "SELECT * FROM (SELECT explode(sequence(1, 3)) AS i) WHERE raise_error('because of ' || i) IS NULL";
    const error = sparkErrorOf(await faultOf(spark.run(sql)));
    expect(error?.message).toContain('because of ');
    expect(error?.is('USER_RAISED_EXCEPTION')).toBe(true);
  });

  test('a message that does not fit into a header comes whole', async () => {
    const long = 'x'.repeat(20_000);
    const fault = await faultOf(spark.run(`SELECT raise_error('${long} the end')`));
    expect(fault.message).toContain(`${long} the end`);
  });

  test('a value larger than a message may be, and the session goes on', async () => {
    const small = await openSpark(`${server!.url}/;grpc_max_message_size=1000000`);
    const fault = await faultOf(small.rows("SELECT repeat('x', 3000000) AS a"));
    expect(fault.code).toBe('ENGINE_RESOURCES');
    expect(fault.message).toContain('1000000');
    expect(await small.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
    const sent = await faultOf(small.rows(`SELECT '${'y'.repeat(2_000_000)}' AS a`));
    expect(sent.code).toBe('ENGINE_RESOURCES');
    await small.close();
    const [row] = await spark.rows("SELECT repeat('x', 30000000) AS a");
    expect(String(row?.['a']).length).toBe(30_000_000);
  });

  test('a session that has been closed', async () => {
    const closed = await openSpark(`${server!.url}/;user_id=somebody`);
    const again = await openSpark(`${server!.url}/;user_id=somebody;session_id=${closed.sessionId}`);
    await closed.close();
    const fault = await faultOf(again.rows('SELECT 1'));
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toContain('the Spark server has ended the session');
    await again.close();
  });

  test('two writers of one table', async () => {
    const schema = schemaName('conflict');
    await spark.run(`CREATE SCHEMA ${schema}`);
    await spark.run(`CREATE TABLE ${schema}.t (id INT, at STRING) USING delta`);
    await spark.run(`INSERT INTO ${schema}.t VALUES (1, '')`);
    // Reads its snapshot first, sleeps, and finds on writing that the rows it read are gone.
    const source = "(SELECT 1 AS id, java_method('java.lang.Thread', 'sleep', 8000L) AS at)";
    const slow = faultOf(spark.run(`MERGE INTO ${schema}.t USING ${source} s ON s.id = t.id WHEN MATCHED THEN UPDATE SET at = s.at`));
    await new Promise((done) => setTimeout(done, 3000));
    await spark.run(`UPDATE ${schema}.t SET at = 'first' WHERE id = 1`);
    const fault = await slow;
    expect(fault.code).toBe('ENGINE_CONFLICT');
    expect(sparkErrorOf(fault)?.errorClass).toMatch(/^DELTA_CONCURRENT_/);
    await spark.run(`DROP SCHEMA ${schema} CASCADE`);
  });
});

describe.skipIf(server === undefined)('a server with a token, without Delta, that comes and goes', () => {
  const token = 's3cret+/= %token';
  const encoded = encodeURIComponent(token);

  test('tokens, Delta, a restart, and the end while a statement runs', async () => {
    const port = await freePort();
    const first = (await ownSparkServer({ token, delta: false, port }))!;
    onTestFinished(() => first.stop());
    const missing = await faultOf(openSpark(`sc://127.0.0.1:${port}`));
    expect(missing).toMatchObject({
      code: 'ENGINE_CONNECT',
      message: expect.stringContaining('the server asks for a token, and the address has none'),
    });
    const wrong = await faultOf(openSpark(`sc://127.0.0.1:${port}/;use_ssl=false;token=${encoded}0`));
    expect(wrong).toMatchObject({ code: 'ENGINE_CONNECT', message: expect.stringContaining('the server does not accept the token') });
    for (const fault of [missing, wrong])
      expect(JSON.stringify([fault, fault.message, fault.fix, String(fault.cause)])).not.toContain('s3cret');

    const spark = await openSpark(first.url);
    expect(await spark.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);
    expect(await spark.hasDelta()).toBe(false);
    // The token is the server's own, and a message that repeats it is told without.
    const told = await faultOf(spark.run(`SELECT raise_error('${token}')`));
    expect(told.message).not.toContain(token);

    await first.kill();
    const second = (await ownSparkServer({ token, delta: false, port }))!;
    onTestFinished(() => second.stop());
    for (const work of [() => spark.rows('SELECT 1'), () => spark.schema('SELECT 1'), () => spark.config(['spark.sql.ansi.enabled'])]) {
      const fault = await faultOf(work());
      expect(fault.code).toBe('ENGINE_CONNECT');
      expect(fault.message).toContain('the Spark server was restarted');
    }
    await spark.close();
    const fresh = await openSpark(second.url);
    expect(await fresh.rows('SELECT 1 AS a')).toEqual([{ a: 1 }]);

    const cutOff = faultOf(fresh.rows("SELECT java_method('java.lang.Thread', 'sleep', 60000L)"));
    await new Promise((done) => setTimeout(done, 1500));
    await second.kill();
    const fault = await cutOff;
    expect(fault.code).toBe('ENGINE_CONNECT');
    expect(fault.message).toContain('whether the statement was carried out is not known');
    await fresh.close();
  }, 180_000);
});
