/** What is changed between a load and a verify is found, with exit 1 and the check that says what. */
import { cpSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { change } from './database.ts';
import { csv, makePlace, type Place } from './place.ts';

/** Loaded once for each mode; each test works on a copy. */
let template: Place;
let place: Place;
let db: string;
const rows = 50;
const modes = {
  merge: ['--key', 'id'],
  append: ['--mode', 'append'],
  'overwrite-partition': ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', '2026-09-01'],
  replace: ['--mode', 'replace'],
} as const;

describe.each(Object.entries(modes))('%s', (mode, flags) => {
  const operands = ['in.csv', 'w.duckdb', '--table', 't', ...flags] as const;
  beforeAll(async () => {
    template = makePlace();
    template.write(
      'in.csv',
      csv('id,day,amount,note', rows, (i) => `${i},2026-09-01,${i}.50,${i % 5 === 0 ? '' : `n${i}`}`),
    );
    const others = mode === 'replace' ? [] : ["INSERT INTO t VALUES (9999, '2020-01-01', 1, 'other')"];
    await change(template.path('w.duckdb'), 'CREATE TABLE t (id BIGINT, day DATE, amount DECIMAL(12,2), note VARCHAR)', ...others);
    expect(await template.record('load', ...operands)).toMatchObject({
      exit: 0,
      committed: true,
      counts: { loaded: rows },
      verify: { ok: true },
    });
  });
  afterAll(() => template.remove());
  beforeEach(() => {
    place = makePlace();
    cpSync(template.folder, place.folder, { recursive: true });
    db = place.path('w.duckdb');
  });
  afterEach(() => place.remove());

  const failedChecks = async (): Promise<readonly string[]> => {
    const record = await place.record('verify', ...operands);
    expect(record).toMatchObject({ exit: 1, committed: false, verify: { ok: false } });
    expect(record.findings.filter((finding) => finding.severity === 'error').length).toBeGreaterThan(0);
    return record.verify.checks.filter((check) => !check.ok).map((check) => `${check.name}${check.path === null ? '' : ` ${check.path}`}`);
  };

  it('finds nothing when nothing was changed, and looks at every column', async () => {
    const record = await place.record('verify', ...operands);
    expect(record).toMatchObject({ exit: 0, status: 'finished', verify: { ok: true }, counts: { read: rows, loaded: rows } });
    const schema = record.verify.checks.filter((check) => check.name === 'schema').map((check) => check.path);
    expect(schema).toEqual(['id', 'day', 'amount', 'note']);
    const text = await place.run('verify', ...operands);
    expect([text.exit, text.stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('VERIFIED')]);
  });

  it('finds a value that was changed', async () => {
    await change(db, 'UPDATE t SET amount = amount + 0.01 WHERE id = 17');
    const failed = await failedChecks();
    expect(failed.join(', ')).toMatch(mode === 'append' ? /rows not in the target/ : /(equal rows|content) amount/);
    if (mode !== 'append') expect(failed.join(', ')).not.toContain('note');
  });

  it('finds a value that became NULL, and a NULL that became a value', async () => {
    await change(db, 'UPDATE t SET note = NULL WHERE id = 17', "UPDATE t SET note = '' WHERE id = 20");
    expect((await failedChecks()).join(', ')).toMatch(mode === 'append' ? /rows not in the target/ : /note/);
  });

  it('finds a row that was deleted', async () => {
    await change(db, 'DELETE FROM t WHERE id = 17');
    expect((await failedChecks()).join(', ')).toMatch(mode === 'append' ? /rows not in the target/ : /rows/);
  });

  it('finds a column with another type, though all values fit', async () => {
    await change(db, 'ALTER TABLE t ALTER id SET DATA TYPE VARCHAR');
    expect(await failedChecks()).toContain('schema id');
  });

  it('finds a column whose type lost what it held', async () => {
    await change(db, 'ALTER TABLE t ALTER amount SET DATA TYPE DECIMAL(12,0)');
    expect(await failedChecks()).toContain('schema amount');
  });

  it('finds a column that is gone', async () => {
    await change(db, 'ALTER TABLE t DROP note');
    expect(await failedChecks()).toContain('schema note');
  });

  // An append cannot tell a copy of its row from a row that another run has appended.
  it.each(mode === 'append' ? [] : [1, 2])('finds rows that are there %i times too often, whatever the guards of a load', async (times) => {
    const twice = times === 1 ? 'INSERT INTO t SELECT * FROM t WHERE id = 17' : 'INSERT INTO t SELECT t.* FROM t, range(2)';
    await change(db, twice);
    expect((await failedChecks()).join(', ')).toContain('rows');
  });

  it('does not mind rows that are none of the batch', async () => {
    if (mode === 'replace') return;
    await change(db, "INSERT INTO t VALUES (8888, '2021-01-01', 1, 'later')", 'UPDATE t SET amount = 5 WHERE id = 9999');
    expect(await place.record('verify', ...operands)).toMatchObject({ exit: 0, verify: { ok: true } });
  });
});

it('verify of a source that was never loaded says so', async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  place.write('in.csv', 'id\n1\n');
  await change(db, 'CREATE TABLE t (id BIGINT)');
  for (const flags of Object.values({ ...modes, 'overwrite-partition': ['--mode', 'replace'] })) {
    expect(await place.record('verify', 'in.csv', 'w.duckdb', '--table', 't', ...flags)).toMatchObject({ exit: 1, verify: { ok: false } });
  }
  place.remove();
});
