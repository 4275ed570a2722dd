/** Refusals for safety: exit 3, and the target as it was. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, change, contentOf } from './database.ts';
import { csv, makePlace, type Place } from './place.ts';

let place: Place;
let db: string;
const load = (...args: readonly string[]) => place.record('load', 'in.csv', 'w.duckdb', '--table', 't', ...args);
const replace = ['--mode', 'replace'] as const;
const named = ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', '2026-09-01'] as const;
const present = ['--mode', 'overwrite-partition', '--partition-columns', 'day', '--partition-values', 'present'] as const;
const lines = (count: number, day = '2026-09-01'): string => csv('id,day,amount', count, (i) => `${i},${day},${i}.50`);
const perDay = async () =>
  Object.fromEntries(
    (await ask(db, 'SELECT day::VARCHAR AS day, count(*)::INTEGER AS n FROM t GROUP BY ALL ORDER BY ALL')).map((row) => [
      row['day'],
      row['n'],
    ]),
  );

beforeEach(async () => {
  place = makePlace();
  db = place.path('w.duckdb');
  await change(
    db,
    'CREATE TABLE t (id BIGINT, day DATE, amount DECIMAL(12,2))',
    "INSERT INTO t SELECT i, DATE '2026-09-01' + (i % 2)::INTEGER, i FROM range(200) r(i)",
  );
});
afterEach(() => place.remove());

/** Refused with this code: nothing of the target changed, and the run is kept as failed. */
async function isRefused(code: string, ...args: readonly string[]): Promise<void> {
  const before = await contentOf(db, 't');
  const planned = await place.record('plan', 'in.csv', 'w.duckdb', '--table', 't', ...args);
  expect(planned).toMatchObject({ exit: 3, fault: { code } });
  const record = await load(...args);
  expect(record).toMatchObject({ exit: 3, status: 'failed', committed: false, fault: { code } });
  expect(await contentOf(db, 't')).toBe(before);
  expect(await ask(db, 'SELECT status, exit FROM audit_schema_runs')).toEqual([{ status: 'failed', exit: 3 }]);
}

it.each([
  ['GUARD_SHRINK', 'max_shrink', lines(10)],
  ['GUARD_EMPTY', 'allow_empty', ''],
])('the text of a refusal names %s and %s', async (code, cure, text) => {
  place.write('in.csv', text);
  const ran = await place.run('load', 'in.csv', 'w.duckdb', '--table', 't', ...replace);
  expect(ran.exit).toBe(3);
  expect(ran.stdout.split('\n')[0]).toContain('REFUSED');
  expect(ran.stdout).toContain(code);
  expect(ran.stdout).toContain(cure);
});

describe('shrinking', () => {
  it('a table by more than max_shrink is refused', async () => {
    place.write('in.csv', lines(99));
    await isRefused('GUARD_SHRINK', ...replace);
  });

  it('a table by just the allowed share is done', async () => {
    place.write('in.csv', lines(100));
    expect(await load(...replace)).toMatchObject({ exit: 0, committed: true, counts: { deleted: 200, inserted: 100 } });
  });

  it.each([
    ['named', named],
    ['present', present],
  ] as const)('a partition (%s) by more than max_shrink is refused', async (_, flags) => {
    place.write('in.csv', lines(49));
    await isRefused('GUARD_SHRINK', ...flags);
  });

  it('one of two partitions is refused, though the sum would do', async () => {
    place.write('in.csv', lines(10) + csv('', 500, (i) => `${i},2026-09-02,1`).trimStart());
    await isRefused('GUARD_SHRINK', ...present);
  });

  it('a partition that would lose all its rows because the source has none of them is refused', async () => {
    place.write('in.csv', lines(100));
    await isRefused('GUARD_SHRINK', ...named, '--partition-values', '2026-09-02');
  });

  it('by quarantine counts as well', async () => {
    place.write(
      'in.csv',
      csv('id,day,amount', 200, (i) => `${i},2026-09-01,${i < 150 ? 'bad' : '1'}`),
    );
    await isRefused('GUARD_SHRINK', ...replace, '--on-invalid', 'quarantine');
  });

  it('to nothing by quarantine is refused whatever the share below one', async () => {
    place.write(
      'in.csv',
      csv('id,day,amount', 200, (i) => `${i},2026-09-01,bad`),
    );
    await isRefused('GUARD_SHRINK', ...replace, '--on-invalid', 'quarantine', '--max-shrink', '0.99');
  });

  it('is no matter with max_shrink 1', async () => {
    place.write('in.csv', lines(1));
    expect(await load(...replace, '--max-shrink', '1')).toMatchObject({ exit: 0, counts: { deleted: 200, inserted: 1 } });
    expect(await perDay()).toEqual({ '2026-09-01': 1 });
  });

  it('is no matter of other partitions', async () => {
    place.write('in.csv', lines(60));
    expect(await load(...named)).toMatchObject({ exit: 0, partitions: [{ values: { day: '2026-09-01' }, before: 100, after: 60 }] });
    expect(await perDay()).toEqual({ '2026-09-01': 60, '2026-09-02': 100 });
    expect(
      await ask(db, 'SELECT "partition" AS p, rows_before::INTEGER AS b, rows_after::INTEGER AS a FROM audit_schema_partitions'),
    ).toEqual([{ p: 'day=2026-09-01', b: 100, a: 60 }]);
  });
});

describe('an empty source', () => {
  const empties = [
    ['no byte', ''],
    ['a byte-order mark', '\ufeff'],
    ['blank lines', '\n\n'],
    ['a header', 'id,day,amount\n'],
  ] as const;

  describe.each(empties)('of %s', (_, text) => {
    it.each([
      ['replace', replace],
      ['overwrite-partition of named values', named],
      ['overwrite-partition of those present', present],
    ] as const)('is refused by %s', async (__, flags) => {
      place.write('in.csv', text);
      await isRefused('GUARD_EMPTY', ...flags);
    });

    it('empties the scope with allow_empty', async () => {
      place.write('in.csv', text);
      expect(await load(...named, '--allow-empty')).toMatchObject({
        exit: 0,
        committed: true,
        counts: { read: 0, deleted: 100, inserted: 0 },
      });
      expect(await perDay()).toEqual({ '2026-09-02': 100 });
      expect(await load(...named, '--allow-empty')).toMatchObject({ exit: 0, counts: { deleted: 0, inserted: 0 } });
      expect(await load(...present, '--allow-empty')).toMatchObject({ exit: 0, counts: { deleted: 0, inserted: 0 } });
      expect(await perDay()).toEqual({ '2026-09-02': 100 });
      expect(await load(...replace, '--allow-empty')).toMatchObject({ exit: 0, counts: { deleted: 100, inserted: 0 } });
      expect(await perDay()).toEqual({});
    });

    it.each([
      ['append', []],
      ['merge', ['--key', 'id']],
    ] as const)('is a remark in %s', async (__, flags) => {
      place.write('in.csv', text);
      const before = await contentOf(db, 't');
      expect(await place.record('plan', 'in.csv', 'w.duckdb', '--table', 't', ...flags)).toMatchObject({ exit: 0 });
      const record = await load(...flags);
      expect(record).toMatchObject({ exit: 0, status: 'finished', counts: { read: 0, loaded: 0 } });
      expect(record.findings).toContainEqual(expect.objectContaining({ name: 'empty_source', severity: 'remark' }));
      expect(record.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
      expect(await contentOf(db, 't')).toBe(before);
    });
  });

  it.each([
    ['[]', 'in.json'],
    ['', 'in.ndjson'],
    ['\n', 'in.json'],
  ])('%j as %s is refused by replace, and a remark in append', async (text, name) => {
    place.write(name, text);
    const run = (...args: readonly string[]) => place.record('load', name, 'w.duckdb', '--table', 't', ...args);
    expect(await run(...replace)).toMatchObject({ exit: 3, fault: { code: 'GUARD_EMPTY' } });
    expect(await run()).toMatchObject({ exit: 0, counts: { read: 0 } });
    expect(await perDay()).toEqual({ '2026-09-01': 100, '2026-09-02': 100 });
  });

  it('of a query is refused by replace', async () => {
    const run = (...args: readonly string[]) =>
      place.record('load', 'w.duckdb', '--query', 'SELECT * FROM t WHERE id < 0', '--table', 't', ...args);
    expect(await run(...replace)).toMatchObject({ exit: 3, fault: { code: 'GUARD_EMPTY' } });
    expect(await run()).toMatchObject({ exit: 0, counts: { read: 0 } });
    expect(await perDay()).toEqual({ '2026-09-01': 100, '2026-09-02': 100 });
  });
});

describe('a null budget', () => {
  const flags = ['--key', 'id', '--rule', 'amount.on_invalid=null'] as const;
  beforeEach(
    () =>
      void place.write(
        'in.csv',
        csv('id,day,amount', 100, (i) => `${i},2026-09-01,${i < 11 ? 'bad' : '1'}`),
      ),
  );

  it('that is exceeded refuses the load', () => isRefused('NULL_BUDGET', ...flags, '--rule', 'amount.null_budget=0.1'));

  it('that is just met does not', async () => {
    expect(await load(...flags, '--rule', 'amount.null_budget=0.11')).toMatchObject({
      exit: 0,
      counts: { read: 100, loaded: 100, values_nulled: 11 },
    });
  });

  it('of nothing allows nothing', () => isRefused('NULL_BUDGET', ...flags, '--rule', 'amount.null_budget=0'));
});

describe('a source of which nothing can be stored', () => {
  it.each([
    ['append', []],
    ['replace', replace],
    ['overwrite-partition of named values', named],
    ['overwrite-partition of those present', present],
    ['merge', ['--key', 'id']],
  ] as const)('changes nothing in %s', async (_, flags) => {
    place.write(
      'in.csv',
      csv('foo,bar', 300, (i) => `${i},x`),
    );
    const before = await contentOf(db, 't');
    const ran = await place.run('load', 'in.csv', 'w.duckdb', '--table', 't', ...flags);
    expect([1, 2, 3], ran.stdout + ran.stderr).toContain(ran.exit);
    expect(await contentOf(db, 't')).toBe(before);
  });

  it('for want of the partition column changes nothing', async () => {
    place.write(
      'in.csv',
      csv('id,amount', 300, (i) => `${i},1`),
    );
    const before = await contentOf(db, 't');
    for (const flags of [named, present]) {
      const ran = await place.run('load', 'in.csv', 'w.duckdb', '--table', 't', ...flags);
      expect([1, 2, 3], ran.stdout + ran.stderr).toContain(ran.exit);
      expect(await contentOf(db, 't')).toBe(before);
    }
  });
});
