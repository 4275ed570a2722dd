import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CaseSpec } from './case-file.ts';
import type { PlainValue } from './case-value.ts';
import { compareRows } from './compare-rows.ts';
import { duckdbTarget } from './duckdb-target.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'schemalign-target-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function sql(statement: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'target.duckdb'));
  const connection = await instance.connect();
  try {
    await connection.run(statement);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** One value of every type, as a case writes it. */
const values: readonly (readonly [type: string, value: PlainValue])[] = [
  ['boolean', true],
  ['smallint', -3],
  ['bigint', '9223372036854775807'],
  ['decimal(38,2)', '123456789012345678901234567890123456.78'],
  ['double', 'NaN'],
  ['float32', 0.1],
  ['string', "it's \\ 'x'"],
  ['varchar(3)', 'abc'],
  ['date', '0001-01-01'],
  ['time', '23:59:59.999999'],
  ['timestamp', '2024-12-31 23:59:59.999999'],
  ['timestamptz', '1969-12-31T23:59:59.500000Z'],
  ['uuid', '6BA7B810-9dad-11d1-80b4-00c04fd430c8'],
  ['binary', '00ff'],
  ['json', '{"a": 1.10}'],
  ['struct<name:string,tier:int>', { name: 'Ann', tier: null }],
  ['list<string>', ['a', null]],
  ['list<string>', []],
  ['map<string,int>', { a: 1 }],
];
const columns = values.map(([type], i) => ({ name: `c "${i}"`, type }));
const spec: CaseSpec = {
  id: 'x',
  source: { file: 'a.csv' },
  target: { table: 'select', columns, rows: [values.map(([, value]) => value), values.map(() => null)] },
  mode: 'append',
  extra_tables: { canary: { columns: [{ name: 'n', type: 'int' }], rows: [[1]] } },
};

describe('a DuckDB target', () => {
  it('gives back every value it was made with', async () => {
    const target = await duckdbTarget(folder, spec);
    const state = await target.readTables();
    expect(compareRows('rows', columns, spec.target.rows ?? [], state.target)).toEqual([]);
    expect(state.extra).toEqual({ canary: [[1]] });
  });

  it('holds what the columns say: not null, default, length', async () => {
    const strict = [
      { name: 'id', type: 'varchar(2)', nullable: false, default: "a'b" },
      { name: 'n', type: 'int', nullable: true },
    ];
    await duckdbTarget(folder, { ...spec, target: { table: 't', columns: strict }, extra_tables: null });
    await expect(sql("INSERT INTO t VALUES ('abc', 1)")).rejects.toThrow(/CHECK/);
    await expect(sql('INSERT INTO t VALUES (NULL, 1)')).rejects.toThrow(/NOT NULL/);
    await expect(sql('INSERT INTO t (n) VALUES (1)')).rejects.toThrow(/CHECK/);
  });

  it('goes back to a saved state, and sees what is gone', async () => {
    const target = await duckdbTarget(folder, spec);
    await target.save('initial');
    await sql('DROP TABLE canary; DELETE FROM "select"');
    expect(await target.readTables()).toEqual({ target: [], extra: {} });
    await target.restore('initial');
    expect((await target.readTables()).target).toHaveLength(2);
  });

  it('counts the quarantine of one run, and none before there is a table', async () => {
    const target = await duckdbTarget(folder, spec);
    expect(await target.countQuarantined('r1')).toBe(0);
    await sql("CREATE TABLE audit_schema_quarantine (run_id VARCHAR); INSERT INTO audit_schema_quarantine VALUES ('r1'), ('r1'), ('r2')");
    expect(await target.countQuarantined('r1')).toBe(2);
    expect(await target.countQuarantined(undefined)).toBe(3);
  });

  it('answers probes with text', async () => {
    const target = await duckdbTarget(folder, spec);
    expect(await target.ask(['SELECT count(*) FROM "select"', 'SELECT NULL', 'SELECT true;'])).toEqual(['2', null, 'true']);
  });
});
