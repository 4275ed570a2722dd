/**
 * What stands in a masked column is told nowhere but in the quarantine table: every output of every kind of run is searched for the values,
 * also of runs that fail, and with the stack traces of SCHEMALIGN_DEBUG. The values are made so that nothing else can hold them.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const masks = ['shape', 'hash', 'drop'] as const;

/** A configuration with one job, `t`, that loads a file into the table `t`. */
function configure(file: string, keys: string): void {
  place.input(
    'schemalign.yaml',
    `version: 1\nconnections: { wh: { url: w.duckdb } }\njobs:\n  t:\n    source: { path: ${file} }\n    target: { connection: wh, table: t }\n${keys
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n')}\n`,
  );
}

async function expectNothingTold(secrets: readonly string[], least: number): Promise<void> {
  const outputs = await place.outputs();
  expect(outputs.length).toBeGreaterThanOrEqual(least);
  for (const { from, text } of outputs) {
    for (const secret of secrets) expect(text.toLowerCase(), `${from} tells ${secret}`).not.toContain(secret.toLowerCase());
  }
}

/** Everything that can be asked of the job before and after a load. */
async function askEverything(): Promise<void> {
  await place.report('plan', 't');
  await place.run('plan', 't', '--sql');
  await place.run('plan', 't', '--out', 'plan.json');
  await place.report('check');
  await place.report('load', 't');
  await place.run('load', 't', '--json');
  await place.report('verify', 't');
  await place.run('history');
  await place.run('history', '--json');
  await place.run('report');
}

describe.each(masks)('under mask: %s', (mask) => {
  test('refused values are not told, whether they fail the load, are set aside, nulled or replaced', async () => {
    const rows = ['1,Kestrel4411x,a', '2,Kestrel4412x,b', '3,17,c'];
    place.input('in.csv', `id,pin,note\n${rows.join('\n')}\n`);
    await place.sql('CREATE TABLE t (id BIGINT, pin INTEGER, note VARCHAR)');
    for (const policy of ['error', 'quarantine', '"null"', 'default']) {
      configure('in.csv', `columns: { pin: { mask: ${mask}, on_invalid: ${policy}, default: 0 } }`);
      await askEverything();
    }
    await expectNothingTold(['Kestrel44'], 60);
    const shown = { shape: 'Aaaaaaa9999a', hash: 'sha256:', drop: '(masked)' }[mask];
    expect((await place.outputs()).some(({ text }) => text.includes(shown))).toBe(true);
  });

  test('keys that are there twice or are null, and texts of malformed records, are not told', async () => {
    place.input('in.csv', 'mail,age\nOsprey5521x,1\nOsprey5521x,2\n,3\nOsprey5522x,4,5,6\n');
    await place.sql('CREATE TABLE t (mail VARCHAR, age INTEGER)');
    const keys = `key: [mail]\ncolumns: { mail: { mask: ${mask} } }`;
    configure('in.csv', keys);
    await askEverything();
    configure(
      'in.csv',
      `${keys}\non_malformed: quarantine\nmerge: { on_null_key: quarantine, on_duplicate_key: keep_latest, order_by: age }`,
    );
    await askEverything();
    await expectNothingTold(['Osprey552'], 30);
  });
});

describe('the words of the engine', () => {
  test.each([
    ['a primary key', 'CREATE TABLE t (mail VARCHAR PRIMARY KEY, n INTEGER)', "INSERT INTO t VALUES ('Heron6631x', 0)"],
    [
      'a unique index',
      'CREATE TABLE t (mail VARCHAR, n INTEGER)',
      'CREATE UNIQUE INDEX u ON t (mail)',
      "INSERT INTO t VALUES ('Heron6631x', 0)",
    ],
    [
      'a foreign key',
      'CREATE TABLE people (mail VARCHAR PRIMARY KEY)',
      'CREATE TABLE t (mail VARCHAR REFERENCES people (mail), n INTEGER)',
    ],
    ['a check', "CREATE TABLE t (mail VARCHAR CHECK (mail NOT LIKE 'Heron%'), n INTEGER)"],
  ])('of %s are left out, and the kind of constraint is still told', async (_, ...statements) => {
    place.input('in.csv', 'mail,n\nHeron6631x,1\n');
    await place.sql(...statements);
    configure('in.csv', 'mode: append\ncolumns: { mail: { mask: drop } }');
    expect(await place.report('load', 't')).toBe(2);
    await place.run('load', 't', '--json');
    await place.run('history', '--json');
    await expectNothingTold(['Heron663'], 12);
    const said = (await place.outputs()).map(({ text }) => text).join('\n');
    expect(said).toMatch(
      /TARGET_INCOMPATIBLE.*a constraint of the target \((?:primary key|unique|foreign key|check)\) does not allow a row/,
    );
  });

  test('of a query that cannot cast a value are left out', async () => {
    await place.sql("CREATE TABLE staging AS SELECT 1 AS id, 'Plover7741x' AS pin", 'CREATE TABLE t (id INTEGER, pin INTEGER)');
    place.input(
      'schemalign.yaml',
      'version: 1\nconnections: { wh: { url: w.duckdb } }\njobs:\n  t:\n    source: { query: "SELECT id, CAST(pin AS INTEGER) AS pin FROM staging" }\n    target: { connection: wh, table: t }\n    columns: { pin: { mask: drop } }\n',
    );
    expect(await place.report('load', 't')).toBe(2);
    await place.report('check');
    await expectNothingTold(['Plover774'], 12);
  });

  test('are told as they are where nothing is masked', async () => {
    place.input('in.csv', 'mail,n\nHeron6631x,1\n');
    await place.sql('CREATE TABLE t (mail VARCHAR PRIMARY KEY, n INTEGER)', "INSERT INTO t VALUES ('Heron6631x', 0)");
    configure('in.csv', 'mode: append');
    await place.run('load', 't');
    expect((await place.outputs()).some(({ text }) => text.includes('Heron6631x'))).toBe(true);
  });
});

describe('values that follow from the data', () => {
  test('least and greatest values of verify are not told', async () => {
    place.input('in.csv', 'id,salary,born\n1,7731904,1987-12-31\n2,7731905,1988-01-02\n');
    await place.sql('CREATE TABLE t (id BIGINT, salary BIGINT, born DATE)');
    configure('in.csv', 'key: [id]\ncolumns: { salary: { mask: shape }, born: { mask: drop } }');
    expect(await place.report('load', 't')).toBe(0);
    await place.sql("UPDATE t SET salary = 7731999, born = DATE '1986-05-05'");
    expect(await place.report('verify', 't')).toBe(1);
    await place.run('verify', 't', '--json');
    configure('in.csv', 'mode: replace\ncolumns: { salary: { mask: hash }, born: { mask: shape } }');
    expect(await place.report('verify', 't')).toBe(1);
    await expectNothingTold(['77319', '1987-12-31', '1988-01-02', '1986-05-05'], 12);
  });

  test('dates that decide the order of day and month are not told', async () => {
    place.input('in.csv', 'id,born\n1,31/12/1987\n2,01/02/1988\n');
    await place.sql('CREATE TABLE t (id BIGINT, born DATE)');
    for (const mask of masks) {
      configure('in.csv', `columns: { born: { mask: ${mask} } }`);
      expect(await place.report('plan', 't')).toBe(1);
      expect(await place.report('load', 't')).toBe(1);
    }
    await expectNothingTold(['31/12/1987', '01/02/1988'], 30);
  });

  test('names of partitions are not told, nor what lies outside of them, nor what a guard says of them', async () => {
    place.input('in.csv', 'client,n\nAvocet8851x,1\nAvocet8852x,2\n');
    await place.sql(
      'CREATE TABLE t (client VARCHAR, n INTEGER)',
      "INSERT INTO t SELECT 'Avocet8851x', range FROM range(9)",
      "INSERT INTO t VALUES ('Avocet8852x', 1)",
    );
    configure(
      'in.csv',
      'mode: overwrite-partition\npartition: { columns: [client], values: present }\ncolumns: { client: { mask: drop } }',
    );
    expect(await place.report('load', 't')).toBe(3);
    configure(
      'in.csv',
      'mode: overwrite-partition\npartition: { columns: [client], values: present, max_shrink: 1 }\ncolumns: { client: { mask: shape } }',
    );
    expect(await place.report('load', 't')).toBe(0);
    await place.sql("INSERT INTO t VALUES ('Avocet8851x', 5)");
    expect(await place.report('verify', 't')).toBe(1);
    await expectNothingTold(['Avocet885'], 20);
  });

  test('what lies outside of the partitions is not told', async () => {
    place.input('in.csv', 'client,n\nAvocet8851x,1\nknown,2\n');
    await place.sql('CREATE TABLE t (client VARCHAR, n INTEGER)');
    for (const policy of ['error', 'quarantine']) {
      configure(
        'in.csv',
        `mode: overwrite-partition\non_invalid: ${policy}\npartition: { columns: [client], values: [known] }\ncolumns: { client: { mask: hash, on_invalid: ${policy} } }`,
      );
      await place.report('plan', 't');
      await place.report('load', 't');
    }
    await expectNothingTold(['Avocet885'], 20);
  });
});

describe('nested data', () => {
  const table = 'CREATE TABLE t (id BIGINT, customer STRUCT(name VARCHAR, pin INTEGER))';

  test('a masked field is not told by the values that hold it, nor by the record', async () => {
    const lines = [
      '{"id": 1, "customer": {"name": "n", "pin": "Dunlin9961x"}}',
      '{"id": 2, "customer": ["Dunlin9962x"]}',
      '{"id": 3, "customer": "Dunlin9963x"}',
      '{"id": "Dunlin-no", "customer": {"name": "n", "pin": 5}}',
      '{"id": 5, "customer": {"pin": "Dunlin9964x"',
    ];
    place.input('in.ndjson', `${lines.join('\n')}\n`);
    await place.sql(table);
    for (const keys of [
      '"customer.pin": { mask: drop }',
      'customer: { mask: shape }',
      '"customer.pin": { mask: hash, on_invalid: "null" }',
    ]) {
      configure('in.ndjson', `on_invalid: quarantine\non_malformed: quarantine\ncolumns: { ${keys} }`);
      await askEverything();
    }
    await expectNothingTold(['Dunlin99'], 30);
  });

  test('a column that is filled from the same place of the source is masked too', async () => {
    place.input('in.ndjson', '{"id": 1, "address": {"zip": "Godwit1171x"}}\n');
    await place.sql('CREATE TABLE t (id BIGINT, zip INTEGER, address INTEGER)');
    configure('in.ndjson', 'columns: { zip: { from: ["$.address.zip"], mask: drop } }');
    await askEverything();
    await expectNothingTold(['Godwit117'], 12);
  });
});
