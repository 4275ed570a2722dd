// A Spark Connect server with Delta Lake on this machine, for tests, benchmarks and trying things out. Needs Java 17 or 21, and Maven for
// the first start, which fetches about 300 MB of jars into build/spark (or $SCHEMALIGN_SPARK_HOME), where they stay.
//
//   node scripts/spark-server.mjs             starts a server, says its address, and stops it at Ctrl-C
//   node scripts/spark-server.mjs --fetch     only fetches the jars
//
//   --spark 4.2.0     version of Spark; 4.2.0 and 4.0.1 are the ones tested
//   --port 0          0 takes a free port
//   --token TEXT      clients must name this token
//   --no-delta        without Delta Lake
//   --conf KEY=VALUE  one more setting of Spark; can be repeated
//   --owner PID       stops when that process has ended
//   --state FILE      writes {pid, port, …} there when the server answers, or {error} when it cannot
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const deltaVersion = '4.4.0';
const startLimitMs = 180_000;
const root = resolve(import.meta.dirname, '..');
const home = process.env.SCHEMALIGN_SPARK_HOME ?? join(root, 'build/spark');

const { values: options } = parseArgs({
  options: {
    spark: { type: 'string', default: '4.2.0' },
    port: { type: 'string', default: '0' },
    token: { type: 'string' },
    'no-delta': { type: 'boolean', default: false },
    conf: { type: 'string', multiple: true, default: [] },
    owner: { type: 'string' },
    state: { type: 'string' },
    fetch: { type: 'boolean', default: false },
  },
});

/** Something that must be installed first: the tests skip for it, and fail for everything else. */
class Missing extends Error {}

// ---- Java and jars -------------------------------------------------------------------------------------------------------------------

function java() {
  const path = process.env.JAVA_HOME === undefined ? 'java' : join(process.env.JAVA_HOME, 'bin/java');
  const { status, stderr } = spawnSync(path, ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
  if (status !== 0 || version < 17) {
    const found = version > 0 ? `Java ${version} is too old` : 'no Java was found';
    throw new Missing(`${found}: install Java 17 (for example \`apt-get install openjdk-17-jre-headless\`), or set JAVA_HOME`);
  }
  return path;
}

const dependency = (group, artifact, version, alone) => `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>
  <version>${version}</version>${alone ? '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>' : ''}</dependency>`;

/** Delta's own dependencies are left out: they come to 0.7 GB of clients for clouds, none of which is needed. */
const pom = (spark) => `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>schemalign</groupId><artifactId>spark</artifactId><version>1</version><packaging>pom</packaging><dependencies>
${dependency('org.apache.spark', 'spark-sql_2.13', spark, false)}
${dependency('org.apache.spark', 'spark-connect_2.13', spark, false)}
${dependency('io.delta', `delta-spark_${spark.split('.').slice(0, 2).join('.')}_2.13`, deltaVersion, true)}
${dependency('io.delta', 'delta-storage', deltaVersion, true)}
</dependencies></project>`;

/** The folder of the jars, fetched once; other processes that need it meanwhile wait. */
async function jars() {
  const folder = join(home, `jars-${options.spark}-${deltaVersion}`);
  const lock = `${folder}.lock`;
  mkdirSync(home, { recursive: true });
  while (!existsSync(folder)) {
    if (!tryLock(lock)) {
      await sleep(500);
      continue;
    }
    try {
      if (!existsSync(folder)) fetchJars(folder);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return folder;
}

function tryLock(lock) {
  try {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), String(process.pid));
    return true;
  } catch {
    const owner = readOr(join(lock, 'pid'), '');
    if (owner !== '' && !isAlive(Number(owner))) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function fetchJars(folder) {
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, 'pom.xml'), pom(options.spark));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${join(making, 'jars')}`];
  const { error, status, stdout, stderr } = spawnSync('mvn', ['-q', '-B', '-f', join(making, 'pom.xml'), ...goal], { encoding: 'utf8' });
  try {
    if (error?.code === 'ENOENT') throw new Missing('Maven was not found: install it (for example `apt-get install maven`)');
    if (status !== 0) throw new Error(`Maven could not fetch the jars of Spark ${options.spark}:\n${stdout}${stderr}`);
    renameSync(join(making, 'jars'), folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

// ---- The server ----------------------------------------------------------------------------------------------------------------------

// What spark-submit adds for Java 17.
const opened = `java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent
  java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar`;

const logging = `rootLogger.level=warn
rootLogger.appenderRef.e.ref=E
appender.E.type=Console
appender.E.name=E
appender.E.target=SYSTEM_ERR
appender.E.layout.type=PatternLayout
appender.E.layout.pattern=%d{HH:mm:ss} %p %c{1}: %m%n
logger.s.name=org.apache.spark.sql.connect.service.SparkConnectServer
logger.s.level=info
`;

const delta = {
  'spark.sql.extensions': 'io.delta.sql.DeltaSparkSessionExtension',
  'spark.sql.catalog.spark_catalog': 'org.apache.spark.sql.delta.catalog.DeltaCatalog',
  // The default of 50 makes the first read of each new version of a table take half a minute on a small machine.
  'spark.databricks.delta.snapshotPartitions': '1',
};

const settings = (work) => ({
  'spark.master': 'local[2]',
  'spark.app.name': 'schemalign',
  'spark.driver.host': '127.0.0.1',
  'spark.driver.bindAddress': '127.0.0.1',
  'spark.connect.grpc.binding.address': '127.0.0.1',
  'spark.connect.grpc.binding.port': options.port,
  ...(options.token === undefined ? {} : { 'spark.connect.authenticate.token': options.token }),
  ...(options['no-delta'] ? {} : delta),
  'spark.sql.warehouse.dir': join(work, 'warehouse'),
  'spark.local.dir': join(work, 'local'),
  'spark.ui.enabled': 'false',
  'spark.sql.shuffle.partitions': '2',
  'spark.sql.session.timeZone': 'UTC',
  ...Object.fromEntries(options.conf.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])),
});

function launch(path, folder, work) {
  mkdirSync(join(work, 'local'), { recursive: true });
  const config = join(work, 'log4j2.properties');
  writeFileSync(config, logging);
  // Properties on the command line would show the token to everybody on this machine.
  const properties = join(work, 'jvm.args');
  const lines = [
    `-Xmx${process.env.SCHEMALIGN_SPARK_MEMORY ?? '2g'}`,
    '-XX:+UseSerialGC',
    // Short jobs are done before the second compiler pays off.
    ...(process.env.SCHEMALIGN_SPARK_C2 === '1' ? [] : ['-XX:TieredStopAtLevel=1']),
    ...opened.split(/\s+/).map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    '-Djdk.reflect.useDirectMethodHandle=false',
    `-Dlog4j2.configurationFile=file:${config}`,
    `-Dderby.system.home=${work}`,
    `-Djava.io.tmpdir=${join(work, 'local')}`,
    ...Object.entries(settings(work)).map(([key, value]) => `-D${key}=${value}`),
  ];
  writeFileSync(properties, lines.map((line) => JSON.stringify(line)).join('\n'), { mode: 0o600 });
  const jarsToUse = options['no-delta'] ? withoutDelta(folder) : join(folder, '*');
  const log = openSync(join(work, 'server.log'), 'a');
  return spawn(path, [`@${properties}`, '-cp', jarsToUse, 'org.apache.spark.sql.connect.service.SparkConnectServer'], {
    cwd: work,
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, SPARK_LOCAL_IP: '127.0.0.1' },
  });
}

const withoutDelta = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jar') && !name.startsWith('delta-'))
    .map((name) => join(folder, name))
    .join(delimiter);

async function started(child, work) {
  const log = join(work, 'server.log');
  const until = Date.now() + startLimitMs;
  while (Date.now() < until) {
    const text = readOr(log, '');
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended while it started:\n${text.slice(-3000)}`);
    const port = /Spark Connect server started at: \S*:(\d+)\s/.exec(text)?.[1];
    // An open port is not enough: it opens a second before the server answers.
    if (port !== undefined && (await answers(Number(port)))) return Number(port);
    await sleep(150);
  }
  throw new Error(`the server did not answer within ${startLimitMs / 1000} s:\n${readOr(log, '').slice(-3000)}`);
}

// ---- Two messages of the protocol, by hand, so that this script needs nothing installed ------------------------------------------------

const field = (number, bytes) => Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
const nested = (numbers, bytes) => numbers.reduceRight((inner, number) => field(number, inner), bytes);
const session = () => field(1, Buffer.from(randomUUID()));

/** The server says its version and runs a query; the first takes some seconds, and no test should pay for it. */
async function answers(port) {
  const version = Buffer.concat([session(), field(10, Buffer.alloc(0))]);
  const select = Buffer.concat([session(), nested([3, 1, 10, 1], Buffer.from('SELECT 1'))]);
  return (await call(port, 'AnalyzePlan', version)) && (await call(port, 'ExecutePlan', select));
}

function call(port, method, message) {
  return new Promise((done) => {
    const connection = connect(`http://127.0.0.1:${port}`);
    const end = (well) => {
      connection.destroy();
      done(well);
    };
    connection.on('error', () => end(false));
    const stream = connection.request({
      ':method': 'POST',
      ':path': `/spark.connect.SparkConnectService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    });
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    let status;
    stream.on('response', (headers) => (status ??= headers['grpc-status']));
    stream.on('trailers', (trailers) => (status = trailers['grpc-status']));
    stream.on('error', () => end(false));
    stream.on('close', () => end(status === '0'));
    stream.setTimeout(60_000, () => end(false));
    stream.resume();
    stream.end(Buffer.concat([head, message]));
  });
}

// ---- Processes and files ---------------------------------------------------------------------------------------------------------------

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

/** A server of ours whose keeper was killed would run for ever: ends it, and removes what it left. */
function sweep(runs) {
  for (const name of existsSync(runs) ? readdirSync(runs) : []) {
    const work = join(runs, name);
    const [keeper, server] = readOr(join(work, 'pids'), '').split(' ').map(Number);
    if (!keeper || isAlive(keeper)) continue;
    // The number may have gone to another process since.
    const line = readOr(`/proc/${server}/cmdline`, '');
    if (line.includes(work)) process.kill(server, 'SIGKILL');
    rmSync(work, { recursive: true, force: true });
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const killing = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(killing);
}

function tell(state) {
  if (options.state === undefined) {
    if (state.error !== undefined) console.error(state.error);
    else console.log(state.url);
    return;
  }
  const making = `${options.state}.new`;
  writeFileSync(making, JSON.stringify(state), { mode: 0o600 });
  renameSync(making, options.state);
}

/** Resolves when somebody asks to stop, when the owner has ended, or when the server itself has. */
function endOf(child) {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done('asked'));
    child.once('exit', () => done('died'));
    const owner = options.owner === undefined ? undefined : Number(options.owner);
    if (owner !== undefined) setInterval(() => isAlive(owner) || done('asked'), 300);
  });
}

async function main() {
  const path = java();
  const folder = await jars();
  if (options.fetch) return;
  const runs = join(home, 'run');
  sweep(runs);
  const work = join(runs, `${options.spark}-${process.pid}`);
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const child = launch(path, folder, work);
  writeFileSync(join(work, 'pids'), `${process.pid} ${child.pid}`);
  const ending = endOf(child);
  try {
    const starting = started(child, work);
    const first = await Promise.race([starting, ending]);
    if (first === 'asked') return;
    const port = await starting;
    const secret = options.token === undefined ? '' : `/;use_ssl=false;token=${encodeURIComponent(options.token)}`;
    const url = `sc://127.0.0.1:${port}${secret}`;
    tell({ keeper: process.pid, pid: child.pid, port, url, spark: options.spark, work });
    await ending;
  } finally {
    if (options.state !== undefined) {
      rmSync(options.state, { force: true });
      rmSync(`${options.state}.lock`, { recursive: true, force: true });
    }
    await stop(child);
    if (process.env.SCHEMALIGN_SPARK_KEEP !== '1') rmSync(work, { recursive: true, force: true });
  }
}

await main().catch((error) => {
  tell({ error: error.message, missing: error instanceof Missing });
  process.exitCode = 1;
});
process.exit();
