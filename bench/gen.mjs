// node bench/gen.mjs ROWS FOLDER [--seed 42] [--formats csv,ndjson,json,parquet]
// Writes the messy orders and expected.json, the exact right answers. The same seed gives the same bytes.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { columns, makeOrders } from './orders.mjs';
import { makeTally } from './expected.mjs';

/** Rows whose text is written at once. */
const batch = 4096;

const csvField = (text) => (text.includes(',') || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text);
const csvLine = ({ fields }) => `${columns.map((name) => csvField(fields[name].text)).join(',')}\n`;

/** The record as JSON: ids partly as bare numbers above 2^53, some booleans bare, an absent key for an empty country. */
function jsonRecord({ fields, k }) {
  const { order_id: id, active, country, postal_code: zip } = fields;
  const token = (text) => JSON.stringify(text);
  const bare = { '': 'null', true: 'true', false: 'false' };
  const pairs = columns.flatMap((name) => {
    if (name === 'country' && country.text === '') return [];
    const { text } = fields[name];
    if (name === 'order_id' && id.fault === undefined && k % 10 === 0) return [`"order_id":${text.trim()}`];
    if (name === 'active') return [`"active":${bare[active.text] ?? token(text)}`];
    return [`"${name}":${token(text)}`];
  });
  const address = k % 50 === 0 ? 'null' : `{"street":"Main ${k % 97}","city":"C${k % 31}","zip":"${zip.text}"}`;
  const tags = k & 1 ? '["a","b"]' : k & 2 ? '["vip"]' : k & 4 ? '[]' : 'null';
  return `{${pairs.join(',')},"address":${address},"tags":${tags}}`;
}

/** The first five breaks of a record on lines of their own, so that records of the array span lines. */
function spread(record) {
  let rest = record;
  let out = '';
  for (let i = 0; i < 5; i += 1) {
    const at = rest.indexOf('","');
    if (at < 0) break;
    out += `${rest.slice(0, at)}",\n   "`;
    rest = rest.slice(at + 3);
  }
  return out + rest;
}

/** The same record serves NDJSON and JSON. */
const recordOf = (order) => (order.json ??= jsonRecord(order));

const writers = {
  csv: { name: 'orders.csv', start: `${columns.join(',')}\n`, record: csvLine, end: '' },
  ndjson: { name: 'orders.ndjson', start: '', record: (order) => `${recordOf(order)}\n`, end: '' },
  json: { name: 'orders.json', start: '[\n', record: (order, i) => `${i === 0 ? '  ' : ',\n  '}${spread(recordOf(order))}`, end: '\n]\n' },
};

/**
 * @param {{ rows: number, folder: string, seed?: number, formats?: readonly string[] }} request
 *   formats: csv, ndjson, json, parquet; Parquet is made from the CSV, every column as text.
 * @returns {Promise<object>} what expected.json holds
 */
export async function generate({ rows, folder, seed = 42, formats = ['csv'] }) {
  mkdirSync(folder, { recursive: true });
  const wanted = new Set(formats);
  if (wanted.has('parquet')) wanted.add('csv');
  const outputs = Object.keys(writers)
    .filter((format) => wanted.has(format))
    .map((format) => openOutput(folder, writers[format]));
  const order = makeOrders(seed);
  const tally = makeTally(seed);
  for (let i = 0; i < rows; i += 1) {
    const made = order(i);
    tally.add(made);
    for (const output of outputs) output.add(made, i);
  }
  for (const output of outputs) output.close();
  const expected = tally.finish();
  if (wanted.has('parquet')) await writeParquet(folder);
  if (!formats.includes('csv')) rmSync(join(folder, writers.csv.name), { force: true });
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
  return expected;
}

function openOutput(folder, { name, start, record, end }) {
  const file = openSync(join(folder, name), 'w');
  let parts = [start];
  const flush = () => {
    writeSync(file, parts.join(''));
    parts = [];
  };
  return {
    add(order, i) {
      parts.push(record(order, i));
      if (parts.length >= batch) flush();
    },
    close() {
      parts.push(end);
      flush();
      closeSync(file);
    },
  };
}

async function writeParquet(folder) {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const path = (name) => `'${join(folder, name).replaceAll("'", "''")}'`;
  const types = columns.map((name) => `'${name}': 'VARCHAR'`).join(', ');
  await connection.run(
    `COPY (SELECT * FROM read_csv(${path('orders.csv')}, auto_detect=false, header=true, delim=',', quote='"', escape='"', nullstr='', columns={${types}})) ` +
      `TO ${path('orders.parquet')} (FORMAT parquet, ROW_GROUP_SIZE 122880)`,
  );
  connection.closeSync();
  instance.closeSync();
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string', default: '42' }, formats: { type: 'string', default: 'csv,ndjson,json,parquet' } },
  });
  const [rows, folder] = positionals;
  await generate({ rows: Number(rows), folder, seed: Number(values.seed), formats: values.formats.split(',') });
}
