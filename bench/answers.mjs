// Holds a load against expected.json: the record it printed, and what is in the database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDatabase } from './job.mjs';

const verifySql = readFileSync(join(import.meta.dirname, 'verify.sql'), 'utf8');

/** verify.sql counts the rows of two tables of floor.sql; here the audit tables know. */
const standIns = [
  'CREATE TEMP VIEW quarantine AS SELECT * FROM audit_schema_quarantine',
  'CREATE TEMP VIEW losers AS SELECT unnest(range(rows_superseded::BIGINT)) FROM audit_schema_runs',
];

/**
 * @param {{ record: object, folder: string, expected: object }} request
 * @returns {Promise<string[]>} one line per figure that is wrong
 */
export async function wrongAnswers({ record, folder, expected }) {
  const { per_dt: perDay, ...facts } = expected;
  const wanted = {
    ...inRecord(facts),
    ...inDatabase(facts),
    per_dt: Object.fromEntries(Object.entries(perDay).filter(([, rows]) => rows > 0)),
  };
  const got = { ...fromRecord(record), ...(await fromDatabase(join(folder, 'target.duckdb'))) };
  const text = (value) => JSON.stringify(value);
  return Object.keys(wanted)
    .filter((name) => text(got[name]) !== text(wanted[name]))
    .map((name) => `${name}: ${text(got[name])}, right is ${text(wanted[name])}`);
}

function inRecord({ rows, loaded, quarantined, duplicates, invalid, missing }) {
  return {
    record_status: 'finished',
    record_verified: true,
    record_read: rows,
    record_loaded: loaded,
    record_inserted: loaded,
    record_quarantined: quarantined,
    record_superseded: duplicates,
    invalid: sorted(invalid),
    null_key: missing.order_id ?? 0,
    null_created_at: missing.created_at ?? 0,
  };
}

function inDatabase(facts) {
  const { rows: _rows, seed: _seed, invalid: _invalid, missing: _missing, ...verified } = facts;
  return verified;
}

const sorted = (counts) => Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Counts of the findings: a refused value is invalid or lossy, by the reason it was refused for. */
function fromRecord({ status, verify, counts, findings }) {
  const sum = (names, path) =>
    findings.filter((one) => names.includes(one.name) && one.path === path).reduce((total, one) => total + one.count, 0);
  const refused = ['invalid_value', 'lossy_value'];
  const paths = [...new Set(findings.filter((one) => refused.includes(one.name)).map((one) => one.path))];
  return {
    record_status: status,
    record_verified: verify?.ok ?? false,
    record_read: counts.read,
    record_loaded: counts.loaded,
    record_inserted: counts.inserted,
    record_quarantined: counts.quarantined,
    record_superseded: counts.superseded,
    invalid: sorted(Object.fromEntries(paths.map((path) => [path, sum(refused, path)]))),
    null_key: sum(['null_key'], 'order_id'),
    null_created_at: sum(['nullability'], 'created_at'),
  };
}

async function fromDatabase(path) {
  return withDatabase(path, async (connection) => {
    const rows = async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    for (const sql of standIns) await connection.run(sql);
    const [found] = await rows(verifySql);
    const figures = Object.entries(found).map(([name, value]) => [name, name.startsWith('sum_') ? String(value) : Number(value)]);
    const perDay = await rows('SELECT dt::VARCHAR AS dt, count(*) AS n FROM orders GROUP BY dt ORDER BY dt');
    return { ...Object.fromEntries(figures), per_dt: Object.fromEntries(perDay.map(({ dt, n }) => [dt, Number(n)])) };
  });
}
