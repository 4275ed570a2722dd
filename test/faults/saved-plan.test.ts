/** A saved plan works once, on the very job, source and target that it was counted on, and nothing in it is ever executed. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, change, contentOf } from './database.ts';
import { makePlace, type Place } from './place.ts';

/** Made once; each test works on a copy, in another folder. */
let template: Place;
let place: Place;
let db: string;
const operands = ['in', 'w.duckdb', '--table', 't', '--key', 'id'] as const;

beforeAll(async () => {
  template = makePlace();
  template.write('in/a.csv', 'id,name,amount\n1,one,1.50\n2,two,2.25\n');
  template.write('in/b.csv', 'id,name,amount\n3,three,3\n');
  await change(
    template.path('w.duckdb'),
    'CREATE TABLE t (id BIGINT, name VARCHAR, amount DECIMAL(12,2) DEFAULT 0)',
    "INSERT INTO t VALUES (1, 'one', 0), (9, 'nine', 9)",
    "CREATE TABLE canary AS SELECT 'alive' AS state",
  );
  const ran = await template.run('plan', ...operands, '--out', 'plan.json');
  expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
});
afterAll(() => template.remove());

beforeEach(() => {
  place = makePlace();
  cpSync(template.folder, place.folder, { recursive: true });
  db = place.path('w.duckdb');
});
afterEach(() => place.remove());

async function save(...args: readonly string[]): Promise<void> {
  const ran = await place.run('plan', ...args, '--out', 'plan.json');
  expect(ran.exit, ran.stdout + ran.stderr).toBe(0);
}

async function isRefused(code: string, exit: number, ...told: readonly RegExp[]): Promise<void> {
  const before = await contentOf(db, 't').catch(() => 'gone');
  const ran = await place.run('load', 'plan.json');
  expect([ran.exit, ran.stderr]).toEqual([exit, expect.stringContaining(`[${code}]`)]);
  for (const pattern of told) expect(ran.stderr).toMatch(pattern);
  expect(await contentOf(db, 't').catch(() => 'gone')).toBe(before);
}

const outOfDate = (...told: readonly RegExp[]): Promise<void> => isRefused('PLAN_OUT_OF_DATE', 3, ...told);

describe('a saved plan', () => {
  it('loads once, and is out of date after that', async () => {
    const ran = await place.record('load', 'plan.json');
    expect(ran).toMatchObject({ exit: 0, committed: true, counts: { read: 3, inserted: 2, updated: 1 } });
    expect(await ask(db, 'SELECT * FROM t ORDER BY id')).toEqual([
      { id: '1', name: 'one', amount: '1.50' },
      { id: '2', name: 'two', amount: '2.25' },
      { id: '3', name: 'three', amount: '3.00' },
      { id: '9', name: 'nine', amount: '9.00' },
    ]);
    await outOfDate(/rows of the target have changed/);
  });

  it('says what the load will do, and the load does that', async () => {
    const planned = await place.record('plan', ...operands);
    const loaded = await place.record('load', 'plan.json');
    expect(loaded.counts).toEqual(planned.counts);
    expect(loaded.plan_hash).toBe(planned.plan_hash);
  });

  it('is the same, byte for byte, when made again', async () => {
    const first = readFileSync(place.path('plan.json'), 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await save(...operands);
    expect(readFileSync(place.path('plan.json'), 'utf8')).toBe(first);
    expect(JSON.stringify(JSON.parse(first).plan)).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
  });

  it('appends once, and is out of date after that', async () => {
    await save('in', 'w.duckdb', '--table', 't', '--mode', 'append');
    expect(await place.record('load', 'plan.json')).toMatchObject({ exit: 0, counts: { inserted: 3 } });
    await outOfDate(/rows of the target have changed/);
  });

  it('creates the table that was not there', async () => {
    await save('in', 'w.duckdb', '--table', 'fresh', '--key', 'id', '--create');
    expect(await place.record('load', 'plan.json')).toMatchObject({ exit: 0, counts: { inserted: 3 } });
    await outOfDate(/schema of the target has changed/);
  });
});

describe('a saved plan is refused, with exit 3 and the name of what moved, when', () => {
  it.each<[string, () => Promise<void> | void, RegExp]>([
    ['a file has other bytes', () => void place.write('in/a.csv', 'id,name,amount\n1,one,1.51\n2,two,2.25\n'), /in\/a\.csv has changed/],
    ['a file has another line end', () => void place.write('in/b.csv', 'id,name,amount\r\n3,three,3\r\n'), /in\/b\.csv has changed/],
    ['a file is new', () => void place.write('in/c.csv', 'id,name,amount\n4,four,4\n'), /in\/c\.csv is new/],
    ['a file is gone', () => rmSync(place.path('in/b.csv')), /in\/b\.csv is gone/],
    ['all files are gone', () => rmSync(place.path('in'), { recursive: true }), /in\/a\.csv is gone.*in\/b\.csv is gone/s],
    ['a file has another name', () => renameSync(place.path('in/b.csv'), place.path('in/z.csv')), /in\/b\.csv is gone.*in\/z\.csv is new/s],
    ['a file is broken now', () => void place.write('in/a.csv', 'id,name,amount\n1,"one\n'), /in\/a\.csv has changed/],
    ['a file is of another format now', () => void place.write('in/b.csv', '{"id": 3}\n'), /in\/b\.csv has changed/],
    ['a column was added', () => change(db, 'ALTER TABLE t ADD COLUMN extra INTEGER'), /schema of the target has changed/],
    [
      'a column has another type',
      () => change(db, 'ALTER TABLE t ALTER amount SET DATA TYPE DECIMAL(14,2)'),
      /schema of the target has changed/,
    ],
    ['a column has another default', () => change(db, 'ALTER TABLE t ALTER amount SET DEFAULT 1'), /schema of the target has changed/],
    ['a column may not be NULL now', () => change(db, 'ALTER TABLE t ALTER name SET NOT NULL'), /schema of the target has changed/],
    ['the key column was renamed', () => change(db, 'ALTER TABLE t RENAME id TO ident'), /schema of the target has changed/],
    ['the table is gone', () => change(db, 'DROP TABLE t'), /target table is gone/],
    ['the database is gone', () => rmSync(db), /target table is gone/],
    ['a row was added', () => change(db, "INSERT INTO t VALUES (10, 'ten', 10)"), /rows of the target have changed/],
    ['a row is gone', () => change(db, 'DELETE FROM t WHERE id = 9'), /rows of the target have changed/],
    ['a value is another one', () => change(db, 'UPDATE t SET amount = 9.01 WHERE id = 9'), /rows of the target have changed/],
    [
      'two things moved',
      async () => {
        place.write('in/c.csv', 'id,name,amount\n4,four,4\n');
        await change(db, 'DELETE FROM t WHERE id = 9');
      },
      /in\/c\.csv is new.*rows of the target have changed/s,
    ],
  ])('%s', async (_, move, told) => {
    await move();
    await outOfDate(told);
  });

  it('the rows that a query yields are others', async () => {
    await change(db, "CREATE TABLE staging AS SELECT 5::BIGINT AS id, 'five' AS name, 5::DECIMAL(12,2) AS amount");
    await save('w.duckdb', '--query', 'SELECT * FROM staging', '--table', 't', '--key', 'id');
    await change(db, "UPDATE staging SET name = 'V'");
    await outOfDate(/rows of the source have changed/);
    await change(db, "UPDATE staging SET name = 'five'");
    expect(await place.record('load', 'plan.json')).toMatchObject({ exit: 0, counts: { inserted: 1 } });
  });

  it('the configuration of its job is another one', async () => {
    const config = (more: string): string =>
      `version: 1\nconnections:\n  wh: { url: w.duckdb }\njobs:\n  j:\n    source: { path: in }\n    target: { connection: wh, table: t }\n    mode: replace\n    replace: { max_shrink: 0${more} }\n`;
    place.write('schemalign.yaml', config(''));
    await save('j');
    place.write('schemalign.yaml', config('.9'));
    await outOfDate(/configuration of the job has changed/);
  });
});

describe('a plan file that was tampered with', () => {
  interface Saved {
    plan: {
      mode: string;
      table: string;
      columns: {
        target: { name: string; default?: string };
        sources: ({ coercion: { defaultSql?: string } } | null)[];
        defaultSql?: string;
      }[];
      [key: string]: unknown;
    };
    plan_hash: string;
    invocation: { operands: string[]; options: Record<string, unknown> };
    locks: Record<string, unknown>;
    [key: string]: unknown;
  }
  const edit = (work: (saved: Saved) => void): void => {
    const saved = JSON.parse(readFileSync(place.path('plan.json'), 'utf8')) as Saved;
    work(saved);
    writeFileSync(place.path('plan.json'), JSON.stringify(saved));
  };
  /** The hash that a forger would put: of the JSON with sorted keys. */
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, sorted(inner)]),
    );
  };
  const rehash = (saved: Saved): void => {
    saved.plan_hash = createHash('sha256')
      .update(JSON.stringify(sorted(saved.plan)))
      .digest('hex');
  };
  const evil = '0); DROP TABLE canary; --';
  const isAlive = async (): Promise<void> => expect(await ask(db, 'SELECT state FROM canary')).toEqual([{ state: 'alive' }]);

  it.each<[string, (saved: Saved) => void]>([
    [
      'another mode',
      (saved) => {
        saved.plan.mode = 'replace';
      },
    ],
    [
      'another table',
      (saved) => {
        saved.plan.table = 'canary';
      },
    ],
    [
      'a column less',
      (saved) => {
        saved.plan.columns.pop();
      },
    ],
    [
      'SQL as a default',
      (saved) => {
        for (const column of saved.plan.columns) column.target.default = evil;
      },
    ],
    [
      'no plan',
      (saved) => {
        delete (saved as Partial<Saved>).plan;
      },
    ],
    [
      'no hash',
      (saved) => {
        delete (saved as Partial<Saved>).plan_hash;
      },
    ],
    [
      'no locks',
      (saved) => {
        delete (saved as Partial<Saved>).locks;
      },
    ],
    [
      'no operands',
      (saved) => {
        delete (saved as Partial<Saved>).invocation;
      },
    ],
    [
      'operands that are no texts',
      (saved) => {
        saved.invocation.operands = [1, 2] as unknown as string[];
      },
    ],
    [
      'another version',
      (saved) => {
        saved['schema'] = 'plan-2';
      },
    ],
    [
      'no version',
      (saved) => {
        saved['schema'] = 'plan-';
      },
    ],
  ])('%s is refused as invalid', async (_, work) => {
    edit(work);
    await isRefused('PLAN_INVALID', 2);
    await isAlive();
  });

  it.each<[string, (saved: Saved) => void]>([
    [
      'another mode',
      (saved) => {
        saved.plan.mode = 'replace';
      },
    ],
    [
      'SQL as the default of the table',
      (saved) => {
        for (const column of saved.plan.columns) column.target.default = evil;
      },
    ],
    [
      'SQL as the default of a rule',
      (saved) => {
        for (const column of saved.plan.columns) column.defaultSql = evil;
      },
    ],
    [
      'SQL as the default of a coercion',
      (saved) => {
        for (const column of saved.plan.columns) for (const source of column.sources) if (source) source.coercion.defaultSql = evil;
      },
    ],
    [
      'SQL as a name',
      (saved) => {
        for (const column of saved.plan.columns) column.target.name = `x"); DROP TABLE canary; --`;
      },
    ],
  ])('%s with a hash that fits is out of date', async (_, work) => {
    edit((saved) => {
      work(saved);
      rehash(saved);
    });
    await isRefused('PLAN_OUT_OF_DATE', 3);
    await isAlive();
  });

  it.each<[string, Record<string, unknown>]>([
    ['another mode', { mode: 'replace' }],
    ['another key', { key: ['name'] }],
    ['another table', { table: 'canary' }],
    ['a looser policy', { onInvalid: 'null' }],
    ['a looser guard', { maxShrink: '1' }],
    ['an empty source allowed', { allowEmpty: true }],
    ['force', { force: true }],
    ['a finding ignored', { ignore: ['{code: SA102, reason: x}'] }],
    ['errors that do not matter', { failOn: 'never' }],
    ['other audit tables', { auditPrefix: 'other_' }],
    ['a rule of a column', { rule: [`amount.default=1`] }],
  ])('flags that say %s do not load', async (_, options) => {
    edit((saved) => Object.assign(saved.invocation.options, options));
    const before = await contentOf(db, 't');
    const ran = await place.run('load', 'plan.json');
    expect([2, 3], ran.stdout + ran.stderr).toContain(ran.exit);
    expect(await contentOf(db, 't')).toBe(before);
    await isAlive();
  });

  it('statements put into it are not executed', async () => {
    edit((saved) => {
      for (const key of ['sql', 'statements', 'script', 'ddl']) saved[key] = ['DROP TABLE canary'];
    });
    await place.run('load', 'plan.json');
    await isAlive();
  });

  it.each([
    ['no JSON at all', '{"schema": "plan-1"'],
    ['an empty file', ''],
    ['another document', '[]'],
    ['nothing but the version', '{"schema": "plan-1"}'],
    ['a prototype', '{"schema": "plan-1", "__proto__": {"plan": {}}, "constructor": 1}'],
  ])('%s is refused', async (_, text) => {
    place.write('plan.json', text);
    const ran = await place.run('load', 'plan.json');
    expect(ran.exit).toBe(2);
    expect(ran.stderr).toMatch(/\[(PLAN_INVALID|USAGE|CONFIG_NOT_FOUND)\]/);
    await isAlive();
  });
});

describe('flags', () => {
  it('take no flags that would change a saved plan', async () => {
    const ran = await place.run('load', 'plan.json', '--mode', 'replace');
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('[USAGE]')]);
  });
});
