// node bench/postgres.mjs [--rows 100000] [--runs 3] [--seed 42] [--command FILE]: the whole run into PostgreSQL against the floor
// (postgres-floor.sql), on a server that is started for it. Every answer is held against expected.json. Ends with one line of JSON.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { generate } from './gen.mjs';
import { measure, median } from './measure.mjs';

const root = resolve(import.meta.dirname, '..');
const say = (text) => process.stderr.write(`${text}\n`);

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    seed: { type: 'string', default: '42' },
    command: { type: 'string', default: join(root, 'dist/cli/bin.js') },
  },
});
const [rows, runs, seed] = [options.rows, options.runs, options.seed].map(Number);

/** A server with the settings of a small machine that is there for this. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'schemalign-bench-pg-'));
  const { chmodSync } = await import('node:fs');
  chmodSync(folder, 0o755);
  spawn(process.execPath, [join(root, 'test/harness/postgres-keeper.mjs'), folder, String(process.pid)], {
    detached: true,
    stdio: 'ignore',
  }).unref();
  const ready = join(folder, 'ready.json');
  for (let waited = 0; !existsSync(ready); waited += 50) {
    if (waited > 60_000) throw new Error('PostgreSQL did not start');
    await sleep(50);
  }
  return JSON.parse(readFileSync(ready, 'utf8'));
}

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An empty database with the target, whatever was there before. */
async function freshDatabase(server) {
  await withClient(`${server.url}/postgres`, async (client) => {
    await client.query('DROP DATABASE IF EXISTS bench WITH (FORCE)');
    await client.query('CREATE DATABASE bench');
    await client.query('CHECKPOINT');
  });
  const target = /^CREATE TABLE.*$/m.exec(readFileSync(join(import.meta.dirname, 'postgres-floor.sql'), 'utf8'))[0];
  await withClient(`${server.url}/bench`, (client) => client.query(target));
}

const yaml = (file) => `version: 1
connections: { wh: { url: "\${env:BENCH_PG}" } }
jobs:
  orders:
    source: { path: ${JSON.stringify(file)}, format: csv }
    target: { connection: wh, table: public.orders }
    mode: merge
    key: [order_id]
    merge: { on_duplicate_key: keep_latest, order_by: created_at, on_null_key: quarantine }
    columns:
      order_id: { on_invalid: quarantine }
      user_id: { on_invalid: "null" }
      created_at: { formats: [iso, "dd/MM/yyyy HH:mm:ss"], to_timezone: UTC, on_invalid: quarantine }
      event_date: { formats: [iso, dd/MM/yyyy], on_invalid: "null" }
      amount: { group: ",", on_invalid: "null" }
      active:
        true_values: ["true", "1", "yes", "y"]
        false_values: ["false", "0", "no", "n"]
        default: "false"
        on_invalid: default
        on_null: default
      country: { default: ZZ, on_null: default }
      quantity: { on_invalid: "null" }
      channel: { default: web }
      dt: { on_invalid: quarantine }
`;

/** One line per figure of the target that is wrong. */
async function wrongFigures(url, expected, quarantined) {
  const got = await withClient(url, async (client) => {
    const [found] = (await client.query(readFileSync(join(import.meta.dirname, 'postgres-verify.sql'), 'utf8'))).rows;
    const perDay = (await client.query('SELECT dt::text AS dt, count(*) AS n FROM orders GROUP BY dt ORDER BY dt')).rows;
    const [{ n }] = (await client.query(quarantined)).rows;
    const figures = Object.entries(found).map(([name, value]) => [name, name.startsWith('sum_') ? String(value) : Number(value)]);
    return {
      ...Object.fromEntries(figures),
      quarantined: Number(n),
      per_dt: Object.fromEntries(perDay.map((row) => [row.dt, Number(row.n)])),
    };
  });
  return Object.keys(got)
    .filter((name) => JSON.stringify(got[name]) !== JSON.stringify(expected[name]))
    .map((name) => `${name}: ${JSON.stringify(got[name])}, right is ${JSON.stringify(expected[name])}`);
}

function wrongRecord({ counts, findings, verify }, expected) {
  const invalid = {};
  for (const { name, path, count } of findings)
    if (name === 'invalid_value' || name === 'lossy_value') invalid[path] = (invalid[path] ?? 0) + count;
  const sorted = (found) => JSON.stringify(Object.entries(found).sort());
  const pairs = [
    ['read', counts.read, expected.rows],
    ['loaded', counts.loaded, expected.loaded],
    ['superseded', counts.superseded, expected.duplicates],
    ['verified', verify.ok, true],
    ['invalid', sorted(invalid), sorted(expected.invalid)],
  ];
  return pairs.filter(([, a, b]) => a !== b).map(([name, a, b]) => `record ${name}: ${a}, right is ${b}`);
}

function wrongReport({ report, superseded }, expected) {
  const { n, ...counts } = report;
  const invalid = Object.fromEntries(
    Object.entries(counts)
      .filter(([, count]) => Number(count) > 0)
      .map(([name, count]) => [name, Number(count)]),
  );
  const sorted = (found) => JSON.stringify(Object.entries(found).sort());
  const right = Number(n) === expected.rows && sorted(invalid) === sorted(expected.invalid) && Number(superseded) === expected.duplicates;
  return right ? [] : [`floor: ${JSON.stringify({ report, superseded })}`];
}

const folder = join(root, 'build/bench', `pg-csv-${rows}-${seed}`);
if (!existsSync(join(folder, 'expected.json'))) {
  mkdirSync(folder, { recursive: true });
  await generate({ rows, folder, seed, formats: ['csv'] });
}
const file = join(folder, 'orders.csv');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
const server = await startServer();
const work = mkdtempSync(join(tmpdir(), 'schemalign-bench-'));
const wrong = new Set();
const taken = { schemalign: [], floor: [] };
const details = { schemalign: [], floor: [] };
try {
  process.env.BENCH_PG = `${server.url}/bench`;
  writeFileSync(join(work, 'schemalign.yaml'), yaml(file));
  for (let round = 0; round <= runs; round += 1) {
    for (const name of ['schemalign', 'floor']) {
      await freshDatabase(server);
      const args =
        name === 'floor'
          ? [join(import.meta.dirname, 'postgres-floor.mjs'), process.env.BENCH_PG, file]
          : [options.command, 'load', 'orders', '--json'];
      const { wall, cpu, peak, stdout } = await measure(args, { cwd: work });
      say(
        `${round === 0 ? 'warm-up' : `run ${round}`}  ${name.padEnd(10)}  wall ${wall.toFixed(2)} s  client cpu ${cpu.toFixed(2)} s  client peak ${peak.toFixed(0)} MiB`,
      );
      const told = JSON.parse(stdout);
      const table = name === 'floor' ? 'quarantine' : 'audit_schema_quarantine';
      for (const line of await wrongFigures(process.env.BENCH_PG, expected, `SELECT count(*) AS n FROM ${table}`))
        wrong.add(`${name} ${line}`);
      for (const line of name === 'floor' ? wrongReport(told, expected) : wrongRecord(told, expected)) wrong.add(line);
      if (round === 0) continue;
      taken[name].push({ wall, cpu, peak });
      details[name].push(name === 'floor' ? told.steps : Object.fromEntries(told.phases.map((phase) => [phase.name, phase.ms])));
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
  process.kill(server.keeper, 'SIGTERM');
}
for (const line of wrong) say(`WRONG ${line}`);
const round3 = (number) => Math.round(number * 1000) / 1000;
const figure = (name, key) => round3(median(taken[name].map((one) => one[key])));
const last = (name) => details[name].at(-1);
console.log(
  JSON.stringify({
    answers_right: wrong.size === 0,
    wall_vs_floor: round3(median(taken.schemalign.map((one, i) => one.wall / taken.floor[i].wall))),
    wall_s: figure('schemalign', 'wall'),
    floor_wall_s: figure('floor', 'wall'),
    client_peak_mib: figure('schemalign', 'peak'),
    rows,
    runs,
    phases_ms: last('schemalign'),
    floor_steps_ms: last('floor'),
  }),
);
process.exitCode = wrong.size === 0 ? 0 : 1;
