// The job that the benchmark gives to the command: the rules of README.md as a schemalign.yaml, and an empty target.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const target = `CREATE TABLE orders (
  order_id BIGINT NOT NULL, user_id BIGINT, created_at TIMESTAMP NOT NULL, event_date DATE, amount DECIMAL(12,2), active BOOLEAN,
  country VARCHAR, postal_code VARCHAR, quantity INTEGER, status VARCHAR, currency VARCHAR, note VARCHAR, channel VARCHAR, dt DATE NOT NULL)`;

// The CSV reader already gives NULL for an empty field; elsewhere an empty text is a text until a rule says otherwise.
const yaml = ({ file, format, memory }) => `version: 1
connections:
  wh: { url: target.duckdb${memory === undefined ? '' : `, memory_limit: ${JSON.stringify(memory)}`} }
jobs:
  orders:
    source: { path: ${JSON.stringify(file)}, format: ${format} }
    target: { connection: wh, table: main.orders }
    mode: merge
    key: [order_id]
    merge: { on_duplicate_key: keep_latest, order_by: created_at, on_null_key: quarantine }
${format === 'csv' ? '' : `    null_values: [""]\n`}    columns:
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

/** @param {{ folder: string, file: string, format: string, memory?: string }} request */
export function writeJob(request) {
  writeFileSync(join(request.folder, 'schemalign.yaml'), yaml(request));
}

/** An empty target in `folder`, whatever was there before. */
export async function makeTarget(folder) {
  const path = join(folder, 'target.duckdb');
  for (const name of [path, `${path}.wal`]) rmSync(name, { force: true });
  await withDatabase(path, (connection) => connection.run(target));
}

/** @template T @param {string} path @param {(connection: import('@duckdb/node-api').DuckDBConnection) => Promise<T>} work */
export async function withDatabase(path, work) {
  const instance = await DuckDBInstance.create(path, {
    threads: '2',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
