import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { builtInRule, type Job } from '../core/model/policy.ts';
import { checkConfig } from './check-config.ts';
import { flagsFromOptions } from './flags.ts';
import { noFlags } from './layer.ts';
import { loadConfig } from './load-config.ts';
import { connectionUrl, jobFromOperands, resolveJob } from './resolve-job.ts';

const example = fileURLToPath(new URL('../../test/cli/config-example.yaml', import.meta.url));
const folder = dirname(example);
const env = { PGPASSWORD: 'hunter2', SPARK_TOKEN: 'abc', BATCH_ID: 'b-7' };

async function exampleJob(name: string): Promise<Job> {
  const config = await loadConfig({ file: example, cwd: '/', env });
  if (config === undefined) throw new Error('the example is gone');
  return resolveJob(config, name, noFlags);
}

/** What the comments of the example call built in. */
const common = {
  onMalformed: 'error',
  onExtra: 'ignore',
  schemaChanges: [],
  ignore: [],
  key: [],
  failOn: 'error',
  force: false,
  defaultRule: builtInRule,
  columns: new Map(),
  merge: { onDuplicateKey: 'error', onNullKey: 'error' },
  replace: { maxShrink: 0.5, allowEmpty: false },
  audit: { schema: 'main', prefix: 'audit_schema_', maxExamples: 5 },
} as const;
const file = 'test/cli/config-example.yaml';
const originOf = (pointer: string) => ({ file, pointer, places: expect.any(Map), ignore: [] });
const warehouse = { memoryLimit: '1GB', sessionTimezone: 'UTC' };
const url = 'test/cli/warehouse.duckdb';

describe('the jobs of the example', () => {
  test('orders', async () => {
    expect(await exampleJob('orders')).toEqual({
      ...common,
      name: 'orders',
      source: {
        kind: 'files',
        path: 'in/orders-*.csv.gz',
        base: folder,
        format: 'csv',
        delimiter: ';',
        quote: '"',
        header: true,
        encoding: 'utf-8',
        compression: 'auto',
      },
      target: { url, table: 'main.orders', create: false },
      connection: warehouse,
      mode: 'merge',
      key: ['order_id'],
      merge: { onDuplicateKey: 'keep_latest', orderBy: 'updated_at', onNullKey: 'quarantine' },
      onMalformed: 'quarantine',
      schemaChanges: ['add_column', 'widen'],
      columns: new Map(
        Object.entries({
          order_id: { ...builtInRule, from: ['Order No', 'OrderID'] },
          updated_at: {
            ...builtInRule,
            formats: ['iso', 'dd/MM/yyyy HH:mm', 'epoch_ms'],
            timezone: 'Europe/Lisbon',
            onInvalid: 'quarantine',
          },
          local_at: { ...builtInRule, toTimezone: 'Europe/Lisbon' },
          birth: { ...builtInRule, formats: ['dd/MM/yy'], twoDigitYearRange: [1925, 2024], onInvalid: 'null', nullBudget: 0.01 },
          amount: { ...builtInRule, decimal: ',', group: '.', onLossy: 'round', onInvalid: 'quarantine' },
          qty: { ...builtInRule, exponent: true, nullValues: ['n/a', '-'] },
          active: { ...builtInRule, trueValues: ['true', 'yes', '1'], falseValues: ['false', 'no', '0'] },
          country: { ...builtInRule, default: 'ZZ', onNull: 'default' },
          status: { ...builtInRule, default: 'new', onInvalid: 'default' },
          email: { ...builtInRule, mask: 'shape' },
          photo: { ...builtInRule, binary: 'base64' },
          'a.b': { ...builtInRule, nullValues: ['?'] },
          legacy: { ...builtInRule, onMissing: 'error' },
        }),
      ),
      ignore: [{ code: 'SA102', column: 'coupon', reason: 'marketing only', until: '2027-03-31' }],
      origin: { ...originOf('/jobs/orders'), ignore: ['/jobs/orders/ignore/0'] },
    });
  });

  test('every key is known with its line, and every entry under ignore by its pointer', async () => {
    const job = await exampleJob('orders');
    expect(job.origin?.places?.get('/jobs/orders/columns/amount')).toEqual({ line: 30, column: 7 });
    const text = `version: 1\nconnections: { wh: { url: w.duckdb } }\ndefaults: { ignore: [{ code: SA103, reason: all }] }\njobs:\n  a:\n    source: { path: a.csv }\n    target: { connection: wh, table: a }\n    ignore: [{ code: SA102, reason: own }]\n`;
    const config = checkConfig(text, { file: 'schemalign.yaml', folder: '/w' }, {});
    const flags = flagsFromOptions({ ignore: ['{code: SA104, reason: flag}'] });
    const { ignore, origin } = resolveJob(config, 'a', flags);
    expect(ignore.map(({ reason }) => reason)).toEqual(['all', 'own', 'flag']);
    expect(origin?.ignore).toEqual(['/defaults/ignore/0', '/jobs/a/ignore/0', null]);
  });

  test('events: a key of the job holds for every column', async () => {
    const rule = { ...builtInRule, timezone: 'UTC' };
    expect(await exampleJob('events')).toEqual({
      ...common,
      name: 'events',
      source: { kind: 'files', path: 'events/', base: folder, format: 'ndjson' },
      target: { url: 'sc://spark.example:15002/;use_ssl=true;token=abc', table: 'lake.events', create: false },
      connection: {},
      mode: 'append',
      onExtra: 'rescue',
      defaultRule: rule,
      columns: new Map(
        Object.entries({
          zip: { ...rule, from: ['$.address.zip'] },
          'address.city': { ...rule, onInvalid: 'null' },
          'items[].price': { ...rule, onLossy: 'truncate' },
        }),
      ),
      origin: originOf('/jobs/events'),
    });
  });

  test('daily', async () => {
    expect(await exampleJob('daily')).toEqual({
      ...common,
      name: 'daily',
      source: { kind: 'query', query: 'SELECT * FROM staging_sales' },
      target: { url, table: 'main.sales', create: false },
      connection: warehouse,
      mode: 'overwrite-partition',
      partition: { columns: ['dt'], values: [['2026-09-01']], maxShrink: 0.5, allowEmpty: false },
      origin: originOf('/jobs/daily'),
    });
  });

  test('ref', async () => {
    expect(await exampleJob('ref')).toEqual({
      ...common,
      name: 'ref',
      source: { kind: 'files', path: 'zipcodes.json', base: folder, format: 'json' },
      target: { url, table: 'main.zipcodes', create: false },
      connection: warehouse,
      mode: 'replace',
      origin: originOf('/jobs/ref'),
    });
  });
});

describe('layers', () => {
  const yaml = (lines: string): string =>
    `version: 1\nconnections: { wh: { url: w.duckdb } }\n${lines}jobs:\n  a:\n    source: { path: x.csv }\n    target: { connection: wh, table: t }\n`;
  const config = (text: string, environment = {}) => checkConfig(text, { file: 'schemalign.yaml', folder: '/project' }, environment);

  test('defaults, then the job, then flags, then the column', () => {
    const text = `${yaml('defaults: { on_invalid: quarantine, trim: always, on_null: default, source: { format: csv, header: true } }\n')}    trim: never\n    columns: { c: { on_invalid: default, mask: hash } }\n`;
    const job = resolveJob(config(text), 'a', flagsFromOptions({ onNull: 'keep', header: false, rule: ['c.mask=drop', 'd.trim=auto'] }));
    expect(job.defaultRule).toEqual({ ...builtInRule, onInvalid: 'quarantine', trim: 'never', onNull: 'keep' });
    expect(job.columns.get('c')).toEqual({ ...builtInRule, onInvalid: 'default', trim: 'never', onNull: 'keep', mask: 'drop' });
    expect(job.columns.get('d')).toEqual({ ...builtInRule, onInvalid: 'quarantine', trim: 'auto', onNull: 'keep' });
    expect(job.source).toEqual({ kind: 'files', path: 'x.csv', base: '/project', format: 'csv', header: false });
  });

  test('a job without key appends, with key merges, unless a mode is said', () => {
    expect(resolveJob(config(yaml('')), 'a', noFlags).mode).toBe('append');
    expect(resolveJob(config(yaml('defaults: { key: [id] }\n')), 'a', noFlags).mode).toBe('merge');
    expect(resolveJob(config(yaml('defaults: { key: [id], mode: append }\n')), 'a', noFlags).mode).toBe('append');
  });

  test('a source of a job takes the place of one in defaults', () => {
    expect(resolveJob(config(yaml('defaults: { source: { query: SELECT 1 } }\n')), 'a', noFlags).source).toMatchObject({
      kind: 'files',
      path: 'x.csv',
    });
  });

  test('several partition columns, and those present', () => {
    const partition = (values: string): string =>
      `${yaml('')}    mode: overwrite-partition\n    partition: { columns: [y, m], values: ${values} }\n`;
    expect(resolveJob(config(partition('[[2026, "09"]]')), 'a', noFlags).partition?.values).toEqual([['2026', '09']]);
    expect(resolveJob(config(partition('present')), 'a', noFlags).partition?.values).toBe('present');
  });

  test('the job of a file knows no job of another name', () => {
    expect(() => resolveJob(config(yaml('')), 'ab', noFlags)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND', message: expect.stringContaining('did you mean a?') }),
    );
    expect(() => resolveJob(config(yaml('')), 'constructor', noFlags)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('a variable that is not set is a fault for the job that needs it only', () => {
    const text = yaml('').replace('{ wh:', '{ pg: { url: "postgres://u:${env:PW}@h/d" }, wh:');
    expect(resolveJob(config(text), 'a', noFlags).target.url).toBe('/project/w.duckdb');
    const fault = expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('PW is not set'),
      place: { file: 'schemalign.yaml', line: 2, column: 27 },
    });
    expect(() => connectionUrl(config(text), 'pg')).toThrow(fault);
    expect(connectionUrl(config(text, { PW: 'hunter2' }), 'pg')).toBe('postgres://u:hunter2@h/d');
  });

  test('flags that do not fit the job', () => {
    expect(() => resolveJob(config(yaml('')), 'a', flagsFromOptions({ mode: 'merge' }))).toThrow(
      expect.objectContaining({ code: 'USAGE', fix: 'Add --key COLUMN.' }),
    );
  });
});

describe('operands', () => {
  const job = (source: string, target: string, options = {}) => jobFromOperands(source, target, flagsFromOptions(options), '/data');

  test('the command of the first page', () => {
    expect(job('orders.json', '/data/warehouse.duckdb', { table: 'orders', key: ['id'], create: true })).toEqual({
      ...common,
      audit: { prefix: 'audit_schema_', maxExamples: 5 },
      name: 'orders',
      source: { kind: 'files', path: 'orders.json', base: '/data' },
      target: { url: '/data/warehouse.duckdb', table: 'orders', create: true },
      connection: {},
      mode: 'merge',
      key: ['id'],
    });
  });

  test('a relative target starts from the working folder and stays as written where that is ours', () => {
    expect(job('a.csv', 'w.duckdb#main.t').target).toEqual({ url: '/data/w.duckdb', table: 'main.t', create: false });
    expect(jobFromOperands('a.csv', 'w.duckdb#main.t', noFlags).target.url).toBe('w.duckdb');
    expect(jobFromOperands('a.csv', join('sub', 'w.duckdb#t'), noFlags).target.url).toBe('sub/w.duckdb');
  });

  test('an address elsewhere stays as it is', () => {
    expect(job('a.csv', 'postgres://u:p@h/d#t').target.url).toBe('postgres://u:p@h/d');
    expect(job('a.csv', ':memory:#t').target.url).toBe(':memory:');
  });

  test('a table of the same engine, and a query', () => {
    expect(job('w.duckdb#staging.orders', 'w.duckdb#main.orders').source).toEqual({ kind: 'query', table: 'staging.orders' });
    expect(job('', 'w.duckdb#main.orders', { query: 'SELECT 1', batch: 'b' }).source).toEqual({
      kind: 'query',
      query: 'SELECT 1',
      batch: 'b',
    });
  });

  test.each([
    ['no table', ['a.csv', 'w.duckdb'], {}, 'USAGE', /--table/],
    ['two tables', ['a.csv', 'w.duckdb#a'], { table: 'b' }, 'USAGE', /Keep one/],
    ['a table of another database', ['v.duckdb#t', 'w.duckdb#t'], {}, 'USAGE', /Export it/],
    ['a database as source', ['w.duckdb', 'w.duckdb#t'], {}, 'USAGE', /#schema\.table/],
    ['operands the wrong way round', ['w.duckdb#t', 'a.csv'], {}, 'TARGET_URL', /FILE\.duckdb/],
    ['nothing to read', ['', 'w.duckdb#t'], {}, 'USAGE', /path/],
    ['merge without key', ['a.csv', 'w.duckdb#t'], { mode: 'merge' }, 'USAGE', /--key/],
    ['a delimiter of JSON', ['a.json', 'w.duckdb#t'], { format: 'json', delimiter: ';' }, 'USAGE', /./],
  ] as const)('%s', (_, [source, target], options, code, fix) => {
    expect(() => job(source, target, options)).toThrow(expect.objectContaining({ code, fix: expect.stringMatching(fix) }));
  });
});
