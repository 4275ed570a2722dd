/** Files that are something else than their name or the command line says. */
import { gzipSync } from 'node:zlib';
import type { Attempt } from './attempt.ts';
import { good, goodRows, images, noise, parquet } from './fixtures.ts';
import { judgeAll } from './stand.ts';

const loaded = { exit: 0, rows: { sql: 'SELECT id AS v FROM orders WHERE id > 2 ORDER BY 1', are: ['3', '4'] } } as const;

const binary = [
  ['a PNG image called .csv', 'a.csv', images.png, /PNG image/],
  ['an Excel workbook called .csv', 'a.csv', images.zip, /Excel workbook/],
  ['a PDF document called .csv', 'a.csv', images.pdf, /PDF document/],
  ['noise called .csv', 'a.csv', images.noise, /no text/],
  ['a PNG image called .json', 'a.json', images.png, /PNG image/],
  ['noise called .ndjson', 'a.ndjson', images.noise, /no text/],
  ['an Excel workbook called .parquet', 'a.parquet', images.zip, /no Parquet file.*Excel workbook/],
  ['a text called .parquet', 'a.parquet', Buffer.from(good), /no Parquet file/],
  ['noise called .csv.gz', 'a.csv.gz', noise(300), /no text/],
  ['an Excel workbook without an extension', 'workbook', images.zip, /Excel workbook/],
  ['an image inside gzip', 'a.csv.gz', gzipSync(images.png ?? ''), /PNG image/],
  ['gzip inside gzip', 'a.csv.gz', gzipSync(gzipSync(good)), /gzip/],
] as const;

judgeAll([
  ...binary.map(
    ([name, path, bytes, says]): Attempt => ({
      name,
      files: { [path]: bytes ?? '' },
      source: path,
      expect: { exit: 2, fault: 'SOURCE_FORMAT', file: path, says, fix: /format|file|compression/i },
    }),
  ),
  {
    name: 'JSON called .csv',
    files: { 'a.csv': '[\n  {"id": 3, "name": "x"}\n]\n' },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', says: /JSON/, fix: /--format json/ },
  },
  {
    name: 'NDJSON called .csv',
    files: { 'a.csv': '{"id":3,"name":"x"}\n{"id":4,"name":"y"}\n' },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', says: /JSON/, fix: /--format ndjson/ },
  },
  {
    name: 'CSV called .json',
    files: { 'a.json': good },
    source: 'a.json',
    expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', file: 'a.json', line: 1 }] },
  },
  {
    name: 'CSV called .ndjson',
    files: { 'a.ndjson': good },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', count: 3, file: 'a.ndjson', line: 1 }] },
  },
  {
    name: 'Parquet called .csv',
    files: { 'a.csv': parquet(goodRows) },
    source: 'a.csv',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', says: /a Parquet file/, fix: /--format parquet/ },
  },
  {
    name: 'Parquet compressed as a whole',
    files: { 'a.gz': async (path) => parquet(goodRows, (bytes) => gzipSync(bytes))(path) },
    source: 'a.gz',
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.gz', says: /must not be compressed/ },
  },
  {
    name: 'a compression that was promised and is not there',
    files: { 'a.csv': good },
    source: 'a.csv',
    flags: ['--compression', 'gzip'],
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv', says: /not compressed with gzip/, fix: /auto/ },
  },
  {
    name: 'a compression that is there and was denied',
    files: { 'a.csv.gz': gzipSync(good) },
    source: 'a.csv.gz',
    flags: ['--compression', 'none'],
    expect: { exit: 2, fault: 'SOURCE_FORMAT', file: 'a.csv.gz', says: /gzip/ },
  },
  { name: 'gzip without an extension is read', files: { a: gzipSync(good) }, source: 'a', expect: loaded },
  { name: 'gzip called .csv is read', files: { 'a.csv': gzipSync(good) }, source: 'a.csv', expect: loaded },
  { name: 'plain text called .csv.gz is read', files: { 'a.csv.gz': good }, source: 'a.csv.gz', expect: loaded },
  {
    name: 'Parquet without an extension is read',
    files: { a: parquet(`${goodRows} UNION ALL SELECT 4, 'newer', 4.50`) },
    source: 'a',
    expect: loaded,
  },
  {
    name: 'a database as a source',
    files: { 'other.duckdb': good },
    source: 'other.duckdb',
    expect: { exit: 2, fault: 'USAGE', says: /source table/ },
  },
]);
