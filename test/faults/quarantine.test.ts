/** Refused records are kept whole, once, with their origin and all reasons; audit tables are as documented; every run accounts for its rows. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { ask, change, contentOf, type Row } from './database.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
let db: string;
const create = 'CREATE TABLE t (id BIGINT, day DATE, amount DECIMAL(6,2), code VARCHAR NOT NULL)';

beforeEach(async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  await change(db, create);
});
afterEach(() => place.remove());

/** Runs, and holds the accounting of the record, of its row and of its tables against each other. */
async function run(...args: readonly string[]): Promise<RunRecord> {
  const record = await place.record(...args);
  const { counts } = record;
  if (record.committed) expect(counts.read).toBe(counts.loaded + counts.quarantined + counts.superseded);
  const [row] = await ask(db, `SELECT * FROM audit_schema_runs WHERE run_id = '${record.run_id}'`);
  expect(row).toMatchObject({
    job: record.job,
    status: record.status,
    exit: record.exit,
    mode: record.mode,
    plan_hash: record.plan_hash,
    target: 'main.t',
    rows_read: String(counts.read),
    rows_loaded: String(counts.loaded),
    rows_inserted: String(counts.inserted),
    rows_updated: String(counts.updated),
    rows_unchanged: String(counts.unchanged),
    rows_quarantined: String(counts.quarantined),
    rows_superseded: String(counts.superseded),
    values_altered: String(counts.values_altered),
    values_nulled: String(counts.values_nulled),
    tool_version: record.tool_version,
  });
  expect(JSON.parse(String(row?.['record']))).toEqual(record);
  const found = await ask(db, `SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE table_name = 'audit_schema_quarantine'`);
  const kept = found[0]?.['n'] === 0 ? 0 : (await quarantined(record)).length;
  expect(kept).toBe(record.committed ? counts.quarantined : 0);
  const issues = await ask(db, `SELECT code, severity FROM audit_schema_issues WHERE run_id = '${record.run_id}'`);
  expect(issues).toHaveLength(record.findings.length);
  return record;
}

interface Issue {
  readonly path: string | null;
  readonly code: string;
}

async function quarantined({ run_id }: RunRecord): Promise<readonly (Row & { issues: readonly Issue[] })[]> {
  const rows = await ask(db, `SELECT * FROM audit_schema_quarantine WHERE run_id = '${run_id}' ORDER BY source_file, source_row`);
  return rows.map((row) => ({ ...row, issues: JSON.parse(String(row['issues'])) as Issue[] }));
}

const reasons = (row: { readonly issues: readonly Issue[] } | undefined): readonly string[] =>
  (row?.issues ?? []).map(({ path, code }) => `${path} ${code}`).sort();

describe('the audit tables', () => {
  it('have the documented columns, in their order', async () => {
    place.write('in.csv', 'id,day,amount,code\n1,2026-09-01,x,a\n');
    await run('load', 'in.csv', 'w.duckdb', '--table', 't', '--on-invalid', 'quarantine');
    const rows = await ask(
      db,
      "SELECT table_name AS t, string_agg(column_name, ', ' ORDER BY column_index) AS c FROM duckdb_columns() WHERE table_name LIKE 'audit_schema_%' GROUP BY ALL",
    );
    expect(Object.fromEntries(rows.map((row) => [row['t'], row['c']]))).toEqual({
      audit_schema_runs:
        'run_id, job, source, source_fingerprint, target, mode, load_token, plan_hash, status, rows_read, rows_loaded, rows_inserted, rows_updated, rows_unchanged, rows_quarantined, rows_superseded, values_altered, values_nulled, exit, record, started_at, finished_at, tool_version',
      audit_schema_issues:
        'run_id, issue, detail, code, column_path, severity, expected_type, actual_type, row_count, examples, fingerprint, recorded_at',
      audit_schema_quarantine: 'run_id, job, source_file, source_row, source_line, issues, raw, replayed_by',
      audit_schema_partitions: 'run_id, partition, rows_before, rows_after',
      audit_schema_files: 'run_id, target, file, size, sha256, rows_read, load_token',
    });
    await expect(change(db, 'INSERT INTO audit_schema_files SELECT * FROM audit_schema_files')).rejects.toThrow(/unique|duplicate/i);
  });

  it('go into the schema and under the prefix that are asked for', async () => {
    place.write('in.csv', 'id,day,amount,code\n1,2026-09-01,1,a\n');
    await place.record('load', 'in.csv', 'w.duckdb', '--table', 't', '--audit-schema', 'ops', '--audit-prefix', 'x_');
    expect(await ask(db, "SELECT schema_name || '.' || table_name AS t FROM duckdb_tables() ORDER BY t")).toEqual(
      ['main.t', 'ops.x_files', 'ops.x_issues', 'ops.x_partitions', 'ops.x_quarantine', 'ops.x_runs'].map((t) => ({ t })),
    );
  });
});

describe('a quarantined record', () => {
  const load = (...more: readonly string[]) =>
    run('load', 'in', 'w.duckdb', '--table', 't', '--on-invalid', 'quarantine', '--on-malformed', 'quarantine', ...more);

  it('is kept once with all its reasons, its file and record number, and its text', async () => {
    place.write(
      'in/a.csv',
      [
        'id,day,amount,code',
        '1,2026-09-01,1.50,a',
        'x,2026-13-01,1.505,', // record 2: four faults
        '"2","2026-09-01","2","two', // record 3: a value of two lines
        'lines"',
        '', // a blank line is no record
        '3,2026-09-01', // record 4: too short
        '4,2026-09-01,99999.00,b', // record 5: out of range
        '5,2026-09-01,5,c',
      ].join('\n'),
    );
    place.write('in/b.csv', 'id,day,amount,code\n6,2026-09-01,6,d\n7,yesterday,7,e\n');
    const record = await load();
    expect(record).toMatchObject({ exit: 0, counts: { read: 8, loaded: 4, quarantined: 4, superseded: 0 } });
    const rows = await quarantined(record);
    expect(rows.map((row) => [row['source_file'], row['source_row'], row['source_line'], row['replayed_by'], row['job']])).toEqual([
      ['in/a.csv', '2', '3', null, 't'],
      ['in/a.csv', '4', '7', null, 't'],
      ['in/a.csv', '5', '8', null, 't'],
      ['in/b.csv', '2', '3', null, 't'],
    ]);
    expect(reasons(rows[0])).toEqual(['amount lossy_value:scale', 'code nullability', 'day invalid_value', 'id invalid_value']);
    expect(reasons(rows[1])).toEqual([expect.stringMatching(/^null malformed_record/)]);
    expect(reasons(rows[2])).toEqual(['amount invalid_value:out_of_range']);
    expect(rows[1]?.['raw']).toBe('3,2026-09-01');
    // The text of a good record can be told field by field.
    for (const [i, fields] of [
      [0, ['x', '2026-13-01', '1.505']],
      [2, ['4', '2026-09-01', '99999.00', 'b']],
      [3, ['7', 'yesterday', '7', 'e']],
    ] as const) {
      for (const field of fields) expect(String(rows[i]?.['raw'])).toContain(field);
    }
    expect(await ask(db, 'SELECT id FROM t ORDER BY id')).toEqual(['1', '2', '5', '6'].map((id) => ({ id })));
  });

  it('keeps the very text of a JSON record', async () => {
    const bad = '{"id":"9", "amount": 1.10000000000000000001,"code":"a\\u0041","day":"2026-09-01","more":{"x":[1, 2]}}';
    place.write('in/a.ndjson', `{"id":1,"code":"a"}\n${bad}\n{"id":2\n[1]\n{"id":3,"code":null}\n`);
    const record = await load();
    expect(record).toMatchObject({ exit: 0, counts: { read: 5, loaded: 1, quarantined: 4 } });
    const rows = await quarantined(record);
    expect(rows.map((row) => [row['source_row'], row['raw']])).toEqual([
      ['2', bad],
      ['3', '{"id":2'],
      ['4', '[1]'],
      ['5', '{"id":3,"code":null}'],
    ]);
    expect(reasons(rows[0])).toEqual(['amount lossy_value:scale']);
  });

  it('of a merge is counted beside superseded rows, and null keys', async () => {
    await change(db, "INSERT INTO t VALUES (1, '2026-01-01', 1, 'old')");
    place.write(
      'in/a.csv',
      [
        'id,day,amount,code',
        '1,2026-09-01,1,a',
        '1,2026-09-02,2,b', // the later wins
        '2,2026-09-01,1,a',
        '2,2026-09-01,1,a', // equal copies
        '3,2026-09-01,1,a',
        '3,2026-09-01,2,a', // a tie that differs: both set aside
        ',2026-09-01,1,a', // no key
        '4,never,1,a',
        '5,2026-09-01,5,e',
      ].join('\n'),
    );
    const record = await load('--key', 'id', '--on-duplicate-key', 'keep_latest', '--order-by', 'day', '--on-null-key', 'quarantine');
    expect(record.exit).toBe(0);
    expect(record.counts).toMatchObject({ read: 9, inserted: 2, updated: 1, unchanged: 0 });
    expect(record.counts.loaded + record.counts.quarantined + record.counts.superseded).toBe(9);
    const rows = await quarantined(record);
    expect(rows.map((row) => Number(row['source_row']))).toEqual([5, 6, 7, 8]);
    expect(reasons(rows[2])).toEqual(['id null_key']);
    expect(rows.slice(0, 2).map(reasons)).toEqual([['id duplicate_key'], ['id duplicate_key']]);
    expect(await ask(db, 'SELECT id, code FROM t ORDER BY id')).toEqual([
      { id: '1', code: 'b' },
      { id: '2', code: 'a' },
      { id: '5', code: 'e' },
    ]);
  });

  it('outside the partition is kept with its text', async () => {
    place.write('in/a.csv', 'id,day,amount,code\n1,2026-09-01,1,a\n2,2026-09-02,2,b\n3,,3,c\n');
    const record = await load('--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', '2026-09-01');
    expect(record).toMatchObject({ exit: 0, counts: { read: 3, loaded: 1, quarantined: 2 } });
    const rows = await quarantined(record);
    expect(rows.map((row) => [row['source_row'], reasons(row)])).toEqual([
      ['2', ['day outside_partition']],
      ['3', ['day outside_partition']],
    ]);
    expect(String(rows[0]?.['raw'])).toContain('2026-09-02');
  });

  it('of a query is kept as well', async () => {
    await change(db, "CREATE TABLE staging AS SELECT * FROM (VALUES ('1', '1.5', 'a'), ('x', '2', 'b')) v(id, amount, code)");
    const record = await run('load', 'w.duckdb', '--source-table', 'staging', '--table', 't', '--on-invalid', 'quarantine');
    expect(record).toMatchObject({ exit: 0, counts: { read: 2, loaded: 1, quarantined: 1 } });
    const rows = await quarantined(record);
    expect(reasons(rows[0])).toEqual(['id invalid_value']);
    expect(String(rows[0]?.['raw'])).toContain('x');
  });

  it('is quarantined by each run that meets it, and by no run that skips its file', async () => {
    place.write('in/a.csv', 'id,day,amount,code\n1,2026-09-01,1,a\nx,2026-09-01,1,a\n');
    await load('--key', 'id');
    await load('--key', 'id');
    expect(await ask(db, 'SELECT count(*)::INTEGER AS n, count(DISTINCT run_id)::INTEGER AS runs FROM audit_schema_quarantine')).toEqual([
      { n: 2, runs: 2 },
    ]);
    await load();
    await load();
    expect(await ask(db, 'SELECT count(*)::INTEGER AS n, count(DISTINCT run_id)::INTEGER AS runs FROM audit_schema_quarantine')).toEqual([
      { n: 3, runs: 3 },
    ]);
  });
});

describe('a load that fails', () => {
  const tables = async () =>
    Object.fromEntries(
      await Promise.all(
        ['runs', 'issues', 'quarantine', 'partitions', 'files'].map(async (name) => [
          name,
          Number((await ask(db, `SELECT count(*)::INTEGER AS n FROM audit_schema_${name}`))[0]?.['n']),
        ]),
      ),
    );

  it.each<[string, readonly string[], string]>([
    ['values that do not fit', [], '1,2026-09-01,1,a\nx,2026-09-01,1,b\n'],
    ['a record that is malformed', ['--on-invalid', 'quarantine'], 'y,2026-09-01,1,a\n1,2\n'],
    ['two rows of a key', ['--key', 'id', '--on-invalid', 'quarantine'], '1,2026-09-01,1,a\n1,2026-09-01,2,a\ny,2026-09-01,1,a\n'],
    ['warnings that count as errors', ['--on-invalid', 'quarantine', '--fail-on', 'warning'], '1,2026-09-01,1,a\nx,2026-09-01,1,b\n'],
    [
      'rows outside the partition',
      ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', '2026-09-01', '--max-shrink', '1'],
      '1,2026-09-02,1,a\n',
    ],
  ])('for %s leaves its row and its issues, and nothing else', async (_, flags, lines) => {
    await change(db, "INSERT INTO t VALUES (7, '2026-09-01', 7, 'seven')");
    const before = await contentOf(db, 't');
    place.write('in.csv', `id,day,amount,code\n${lines}`);
    const record = await run('load', 'in.csv', 'w.duckdb', '--table', 't', ...flags);
    expect(record).toMatchObject({ exit: 1, status: 'failed', committed: false });
    expect(await contentOf(db, 't')).toBe(before);
    expect(await tables()).toMatchObject({ runs: 1, issues: record.findings.length, quarantine: 0, files: 0 });
  });

  it('because the table does not allow a row leaves its row with the fault', async () => {
    await change(
      db,
      'DROP TABLE t',
      'CREATE TABLE t (id BIGINT, day DATE, amount DECIMAL(6,2) CHECK (amount > 0), code VARCHAR NOT NULL)',
      "INSERT INTO t VALUES (7, '2026-09-01', 7, 'seven')",
    );
    const before = await contentOf(db, 't');
    place.write('in.csv', 'id,day,amount,code\n1,2026-09-01,1,a\n2,2026-09-01,-1,a\nx,2026-09-01,1,a\n');
    const ran = await place.run('load', 'in.csv', 'w.duckdb', '--table', 't', '--on-invalid', 'quarantine');
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('[TARGET_INCOMPATIBLE]')]);
    expect(await contentOf(db, 't')).toBe(before);
    expect(await tables()).toMatchObject({ runs: 1, quarantine: 0, files: 0, partitions: 0 });
    const [row] = await ask(db, 'SELECT status, exit, record FROM audit_schema_runs');
    expect(row).toMatchObject({ status: 'failed', exit: 2 });
    expect(JSON.parse(String(row?.['record']))).toMatchObject({ fault: { code: 'TARGET_INCOMPATIBLE' } });
  });

  it('with --create leaves no table', async () => {
    place.write('in.csv', 'id,code\n1,a\n1,b\n');
    expect(await place.record('load', 'in.csv', 'w.duckdb', '--table', 'fresh', '--key', 'id', '--create')).toMatchObject({
      exit: 1,
      committed: false,
    });
    expect(await ask(db, "SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE table_name = 'fresh'")).toEqual([{ n: 0 }]);
  });
});
