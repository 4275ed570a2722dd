/** Files that nobody made for us, from npm package vega-datasets, through whole runs. Expected values are counted here, by reading the files another way. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobFromOperands } from '../../src/config/resolve-job.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { flagsFromOptions } from '../../src/config/flags.ts';
import { openSession, type Row } from '../../src/engines/duckdb/driver.ts';
import { align } from '../../src/run/align.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';

const data = resolve('node_modules/vega-datasets/data');
let folder: string;
let database: string;

async function sql(...statements: string[]): Promise<readonly Row[]> {
  const session = await openSession(database);
  try {
    let rows: readonly Row[] = [];
    for (const statement of statements) rows = await session.rows(statement);
    return rows;
  } finally {
    session.close();
  }
}

async function load(
  file: string,
  flags: Parameters<typeof flagsFromOptions>[0],
  verb: 'load' | 'plan' | 'verify' = 'load',
): Promise<RunRecord> {
  const job = jobFromOperands(join(data, file), database, flagsFromOptions(flags));
  return (await align(job, { verb })).record;
}

const find = (record: RunRecord, name: string, path?: string) =>
  record.findings.filter((finding) => finding.name === name && (path === undefined || finding.path === path));

interface Movie {
  readonly Title: string | number | null;
  readonly 'Release Date': string;
  readonly 'IMDB Votes': number | null;
}
const movies = JSON.parse(readFileSync(join(data, 'movies.json'), 'utf8')) as readonly Movie[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'real-files-'));
  database = join(folder, 'w.duckdb');
  await sql(
    'CREATE TABLE movies (title VARCHAR NOT NULL, release_date DATE, imdb_votes INTEGER)',
    'CREATE TABLE zipcodes (zip_code VARCHAR NOT NULL CHECK (length(zip_code) <= 5), city VARCHAR, zip_number INTEGER)',
    'CREATE TABLE employment (month DATE NOT NULL, wholesale_trade INTEGER, nonfarm INTEGER)',
    'CREATE TABLE flights (departed TIMESTAMP NOT NULL, origin VARCHAR, destination VARCHAR, distance SMALLINT, delay SMALLINT)',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('movies.json: an array over several lines', () => {
  const flags = {
    table: 'movies',
    key: ['title'],
    rule: ['title.from=[Title]', 'release_date.from=[Release Date]', 'release_date.formats=[MMM dd yyyy]', 'imdb_votes.from=[IMDB Votes]'],
  };

  test('without a word about duplicate and null keys the load is refused, and both are named', async () => {
    const record = await load('movies.json', flags);
    const titles = movies.flatMap((movie) => (movie.Title === null ? [] : [String(movie.Title)]));
    const twice = titles.filter((title, i) => titles.indexOf(title) !== i);
    expect(twice.length).toBe(24);
    expect(record).toMatchObject({ exit: 1, committed: false, status: 'failed' });
    expect(find(record, 'duplicate_key', 'title')[0]).toMatchObject({ count: 24, rows: 48, severity: 'error' });
    expect(find(record, 'null_key', 'title')[0]).toMatchObject({ count: 1, severity: 'error' });
    expect(await sql('SELECT count(*) AS n FROM movies')).toEqual([{ n: '0' }]);
  });

  test('with the rules of the demo the newest film of a title wins, and every row is accounted for', async () => {
    const config = await loadConfig({ cwd: resolve('demo') });
    expect(config).toBeDefined();
    await sql("INSERT INTO movies VALUES ('kept', DATE '1999-01-01', 7)");
    const yaml = { ...flags, rule: [...flags.rule] };
    const job = jobFromOperands(join(data, 'movies.json'), database, flagsFromOptions(yaml));
    const { record } = await align(
      { ...job, merge: { onDuplicateKey: 'keep_latest', orderBy: 'release_date', onNullKey: 'quarantine' } },
      { verb: 'load' },
    );
    expect(record).toMatchObject({ exit: 0, committed: true });
    expect(record.counts).toMatchObject({ read: 3201, loaded: 3176, quarantined: 1, superseded: 24, inserted: 3176 });
    expect(record.verify.ok).toBe(true);
    const numeric = movies.filter((movie) => typeof movie.Title === 'number').map((movie) => String(movie.Title));
    expect(numeric.length).toBe(9);
    expect(find(record, 'type_mismatch', 'title')[0]).toMatchObject({ count: 9, actual: 'number' });
    const [found] = await sql(`SELECT count(*) AS n FROM movies WHERE title IN (${numeric.map((title) => `'${title}'`).join(', ')})`);
    expect(found).toEqual({ n: String(new Set(numeric).size) });
    expect(await sql("SELECT release_date::VARCHAR AS d FROM movies WHERE title = 'The Land Girls'")).toEqual([{ d: '1998-06-12' }]);
    expect(await sql("SELECT count(*) AS n FROM movies WHERE title = 'kept'")).toEqual([{ n: '1' }]);
    const [quarantined] = await sql('SELECT source_row::VARCHAR AS r, source_line::VARCHAR AS l, raw FROM audit_schema_quarantine');
    const nullTitle = movies.findIndex((movie) => movie.Title === null);
    expect(quarantined?.['r']).toBe(String(nullTitle + 1));
    expect(JSON.parse(String(quarantined?.['raw']))).toEqual(movies[nullTitle]);
    const line = readFileSync(join(data, 'movies.json'), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('"Title": null'));
    expect(quarantined?.['l']).toBe(String(line + 1));
  });

  test('every release date is the one that was written', async () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const titles = movies.map((movie) => String(movie.Title));
    const once = movies.filter((movie) => movie.Title !== null && titles.filter((title) => title === String(movie.Title)).length === 1);
    const expected = new Map(
      once.map((movie) => {
        const [month, day, year] = movie['Release Date'].split(' ') as [string, string, string];
        return [String(movie.Title), `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day}`];
      }),
    );
    const rows = await sql("SELECT title, release_date::VARCHAR AS d FROM movies WHERE title <> 'kept'");
    const wrong = rows.filter((row) => expected.has(String(row['title'])) && expected.get(String(row['title'])) !== row['d']);
    expect(wrong).toEqual([]);
  });
});

test('zipcodes.csv: codes keep their zeros as text, and a numeric target is told about them', async () => {
  const lines = readFileSync(join(data, 'zipcodes.csv'), 'utf8').trimEnd().split(/\r?\n/).slice(1);
  const zeros = lines.filter((line) => line.startsWith('0')).length;
  expect([lines.length, zeros]).toEqual([42_049, 3_256]);
  const record = await load('zipcodes.csv', { table: 'zipcodes', mode: 'replace', rule: ['zip_number.from=[zip_code]'] }, 'plan');
  expect(find(record, 'name_collision')).toEqual([]);
  const loaded = await load('zipcodes.csv', { table: 'zipcodes', mode: 'replace' });
  expect(loaded.counts).toMatchObject({ read: 42_049, loaded: 42_049, quarantined: 0 });
  expect(await sql("SELECT count(*) FILTER (zip_code[1] = '0') AS z, count(DISTINCT zip_code) AS d FROM zipcodes")).toEqual([
    { z: '3256', d: '42049' },
  ]);
  await sql('CREATE TABLE numbers (zip_code INTEGER, city VARCHAR)');
  const numbers = await load('zipcodes.csv', { table: 'numbers', mode: 'replace' });
  expect(find(numbers, 'type_mismatch', 'zip_code')[0]).toMatchObject({ count: 3_256, actual: 'string', expected: 'int' });
});

test('us-employment.csv: fractions where whole numbers are expected are refused, each with its line', async () => {
  const [header, ...lines] = readFileSync(join(data, 'us-employment.csv'), 'utf8').trimEnd().split(/\r?\n/) as [string, ...string[]];
  const position = header.split(',').indexOf('wholesale_trade');
  const values = lines.map((line) => line.split(',')[position] as string);
  const fractions = values.filter((value) => /\.\d*[1-9]/.test(value));
  const record = await load('us-employment.csv', { table: 'employment', key: ['month'], rule: ['wholesale_trade.on_invalid=quarantine'] });
  const [finding] = find(record, 'lossy_value', 'wholesale_trade');
  expect(finding).toMatchObject({ count: fractions.length, outcome: 'quarantined' });
  expect(finding?.examples[0]).toMatchObject({ value: fractions[0], line: values.indexOf(fractions[0] as string) + 2 });
  expect(record.counts).toMatchObject({ read: lines.length, loaded: lines.length - fractions.length, quarantined: fractions.length });
  const rounded = await load('us-employment.csv', { table: 'employment', key: ['month'], rule: ['wholesale_trade.on_lossy=round'] });
  expect(rounded.counts).toMatchObject({ loaded: lines.length, values_altered: fractions.length });
  const rows = await sql('SELECT wholesale_trade AS w FROM employment ORDER BY month');
  // Half away from zero; no value of the file is negative.
  expect(rows.map((row) => row['w'])).toEqual(values.map((value) => Math.floor(Number(value) + 0.5)));
});

test('flights-2k.json: declared formats; a second load of the same file is skipped', async () => {
  const flights = JSON.parse(readFileSync(join(data, 'flights-2k.json'), 'utf8')) as readonly { date: string }[];
  const flags = { table: 'flights', mode: 'append', rule: ['departed.from=[date]', 'departed.formats=[yyyy/MM/dd HH:mm]'] };
  const record = await load('flights-2k.json', flags);
  expect(record.counts).toMatchObject({ read: 2_000, loaded: 2_000, quarantined: 0 });
  const rows = await sql("SELECT strftime(departed, '%Y/%m/%d %H:%M') AS d FROM flights");
  expect(rows.map((row) => row['d']).sort()).toEqual(flights.map((flight) => flight.date).sort());
  const again = await load('flights-2k.json', flags);
  expect(again).toMatchObject({ status: 'skipped', exit: 0, counts: { read: 0, files_skipped: 1 } });
});

test('flights-3m.parquet: three million typed rows, created, loaded and verified', async () => {
  const record = await load('flights-3m.parquet', { table: 'flights_3m', mode: 'append', create: true });
  expect(record).toMatchObject({ exit: 0, committed: true, counts: { read: 3_000_000, loaded: 3_000_000 } });
  expect(record.verify.ok).toBe(true);
  const [same] = await sql(
    `SELECT count(*) AS n FROM (FROM flights_3m EXCEPT ALL FROM read_parquet('${join(data, 'flights-3m.parquet')}'))`,
  );
  expect(same).toEqual({ n: '0' });
});
