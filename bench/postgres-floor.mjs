// node bench/postgres-floor.mjs URL FILE [--steps]: the floor on PostgreSQL through the client that the command uses.
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const [url, file] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
const settings = ["TimeZone = 'UTC'", "DateStyle = 'ISO, YMD'", 'jit = off', "work_mem = '128MB'", "temp_buffers = '128MB'"];
for (const setting of settings) await client.query(`SET ${setting}`);

const steps = {};
const timed = async (name, work) => {
  const start = performance.now();
  await work();
  steps[name] = Math.round(performance.now() - start);
};

for (const part of readFileSync(join(import.meta.dirname, 'postgres-floor.sql'), 'utf8')
  .split(/^-- @/m)
  .slice(1)) {
  const [head] = part.split('\n', 1);
  const [kind, name] = head.trim().split(' ');
  if (kind === 'copy') {
    const copy = `COPY ${name} FROM STDIN (FORMAT csv, HEADER true)`;
    await timed('copy', () => pipeline(createReadStream(file, { highWaterMark: 262_144 }), client.query(copyFrom(copy))));
  } else {
    await timed(name, () => client.query(part.slice(head.length)));
  }
}
const report = (await client.query('SELECT * FROM column_report')).rows[0];
const superseded = (await client.query('SELECT count(*) AS n FROM losers')).rows[0].n;
await client.end();
console.log(JSON.stringify({ steps, report, superseded }));
