/** Files with nothing in them, and files that end too early or whose bytes were changed. */
import { gzipSync } from 'node:zlib';
import { flipped, good, goodRows, gzipped, many, parquet, zstd } from './fixtures.ts';
import { judgeAll } from './stand.ts';
import type { Attempt } from './attempt.ts';

const nothingToLoad = { exit: 0, findings: [{ name: 'empty_source', severity: 'remark' }] } as const;
const missing = { name: 'missing_column', severity: 'error', path: 'id' } as const;

const empty: readonly Attempt[] = [
  { name: 'no bytes at all', files: { 'a.csv': '' }, source: 'a.csv', expect: nothingToLoad },
  { name: 'a byte-order mark only', files: { 'a.csv': '\ufeff' }, source: 'a.csv', expect: nothingToLoad },
  { name: 'a UTF-16 byte-order mark only', files: { 'a.csv': Buffer.from([0xff, 0xfe]) }, source: 'a.csv', expect: nothingToLoad },
  { name: 'blank lines only', files: { 'a.csv': '\n\r\n   \n' }, source: 'a.csv', expect: nothingToLoad },
  { name: 'a header only', files: { 'a.csv': 'id,name,amount\n' }, source: 'a.csv', expect: nothingToLoad },
  { name: 'a header without line end', files: { 'a.csv': 'id,name,amount' }, source: 'a.csv', expect: nothingToLoad },
  { name: 'an empty JSON array', files: { 'a.json': '[]' }, source: 'a.json', expect: nothingToLoad },
  { name: 'a JSON file of blanks', files: { 'a.json': ' \n\t\n' }, source: 'a.json', expect: nothingToLoad },
  { name: 'an NDJSON file of nothing', files: { 'a.ndjson': '' }, source: 'a.ndjson', expect: nothingToLoad },
  { name: 'a gzip of nothing', files: { 'a.csv.gz': gzipSync('') }, source: 'a.csv.gz', expect: nothingToLoad },
  {
    name: 'a Parquet file without rows',
    files: { 'a.parquet': parquet(`${goodRows} LIMIT 0`) },
    source: 'a.parquet',
    expect: nothingToLoad,
  },
  {
    name: 'an empty object has no key to merge by',
    files: { 'a.json': '{}' },
    source: 'a.json',
    flags: ['--key', 'id'],
    expect: { exit: 1, findings: [missing] },
  },
  {
    name: 'nothing, into a table that needs a value',
    sql: ['CREATE TABLE strict (id BIGINT NOT NULL)'],
    files: { 'a.csv': 'name\n' },
    argv: ['load', 'a.csv', 'w.duckdb', '--table', 'strict'],
    expect: { exit: 1, findings: [missing] },
  },
  {
    name: 'nothing, to replace the table by',
    files: { 'a.csv': 'id,name,amount\n' },
    source: 'a.csv',
    flags: ['--mode', 'replace'],
    expect: { exit: 3, findings: [{ name: 'empty_source', severity: 'error' }], fix: /allow_empty/ },
  },
  {
    name: 'no bytes, to replace the table by',
    files: { 'a.csv': '' },
    source: 'a.csv',
    flags: ['--mode', 'replace'],
    expect: { exit: 3, findings: [{ name: 'empty_source', severity: 'error' }], fix: /allow_empty/ },
  },
  {
    name: 'nothing, to overwrite a partition by',
    files: { 'a.csv': 'id,name,amount\n' },
    source: 'a.csv',
    flags: ['--mode', 'overwrite-partition', '--partition-columns', 'name', '--partition-values', 'old'],
    expect: { exit: 3, findings: [{ name: 'empty_source', severity: 'error' }], fix: /allow_empty/ },
  },
];

const cutGzip = [1, 9, 12, 500, gzipped.length - 9, gzipped.length - 8, gzipped.length - 4, gzipped.length - 1].map(
  (length): Attempt => ({
    name: `gzip cut after ${length} of ${gzipped.length} bytes`,
    files: { 'a.csv.gz': gzipped.subarray(0, length) },
    source: 'a.csv.gz',
    expect: {
      exit: 1,
      findings: [{ name: 'malformed_file', severity: 'error', reason: 'truncated_compressed_stream', file: 'a.csv.gz' }],
      says: /ends early/,
    },
  }),
);
const cutZstd = [0, 3, 6, zstd.length - 5, zstd.length - 1].map(
  (length): Attempt => ({
    name: `zstd cut after ${length} of ${zstd.length} bytes`,
    files: { 'a.csv.zst': zstd.subarray(0, length) },
    source: 'a.csv.zst',
    expect: {
      exit: 1,
      findings: [{ name: 'malformed_file', severity: 'error', reason: 'truncated_compressed_stream', file: 'a.csv.zst' }],
    },
  }),
);
const corrupt = (name: string, path: string, bytes: Buffer): Attempt => ({
  name,
  files: { [path]: bytes },
  source: path,
  expect: {
    exit: 1,
    findings: [{ name: 'malformed_file', severity: 'error', reason: 'corrupt_compressed_stream', file: path }],
    says: /at byte \d+/,
  },
});
const cutParquet = [0, 3, 11, 100, -1, -8].map(
  (length): Attempt => ({
    name: `Parquet cut at ${length}`,
    files: { 'a.parquet': parquet(goodRows, (bytes) => bytes.subarray(0, length)) },
    source: 'a.parquet',
    expect: { exit: 1, findings: [{ name: 'malformed_file', severity: 'error', reason: 'truncated_file', file: 'a.parquet' }] },
  }),
);

const broken: readonly Attempt[] = [
  ...cutGzip,
  ...cutZstd,
  ...cutParquet,
  corrupt('gzip with a bit flipped in its body', 'a.csv.gz', flipped(gzipped, 2000)),
  corrupt('gzip with a bit flipped in its checksum', 'a.csv.gz', flipped(gzipped, gzipped.length - 7)),
  corrupt('gzip with a bit flipped in its length', 'a.csv.gz', flipped(gzipped, gzipped.length - 2)),
  corrupt('gzip with text behind it', 'a.csv.gz', Buffer.concat([gzipped, Buffer.from('3,x,1\n')])),
  corrupt('gzip with zeros behind it', 'a.csv.gz', Buffer.concat([gzipped, Buffer.alloc(512)])),
  corrupt('zstd with a bit flipped in its content', 'a.csv.zst', flipped(zstd, zstd.length - 10, 1)),
  corrupt('zstd with a bit flipped in its checksum', 'a.csv.zst', flipped(zstd, zstd.length - 2)),
  {
    name: 'Parquet with noise for a footer',
    files: {
      'a.parquet': parquet(goodRows, (bytes) => Buffer.concat([bytes.subarray(0, -100), Buffer.alloc(92, 0xa5), bytes.subarray(-8)])),
    },
    source: 'a.parquet',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'a.parquet' },
  },
  {
    name: 'Parquet whose pages are overwritten',
    files: { 'a.parquet': parquet(goodRows, (bytes) => Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(40, 0xff), bytes.subarray(44)])) },
    source: 'a.parquet',
    expect: { exit: 2, fault: 'SOURCE_UNREADABLE', file: 'a.parquet' },
  },
  {
    name: 'a good file and a cut one in one folder',
    files: { 'in/a.csv': good, 'in/b.csv.gz': gzipped.subarray(0, 900) },
    source: 'in',
    expect: { exit: 1, findings: [{ name: 'malformed_file', severity: 'error', file: 'in/b.csv.gz' }] },
  },
  {
    name: 'a cut file is not saved by quarantine',
    files: { 'a.csv.gz': gzipped.subarray(0, 900) },
    source: 'a.csv.gz',
    flags: ['--on-malformed', 'quarantine', '--on-invalid', 'quarantine'],
    expect: { exit: 1, findings: [{ name: 'malformed_file', severity: 'error', file: 'a.csv.gz' }] },
  },
  {
    name: 'a file cut within a record',
    files: { 'a.csv': many.slice(0, many.lastIndexOf(',')) },
    source: 'a.csv',
    expect: {
      exit: 1,
      findings: [{ name: 'malformed_record', reason: 'fields', file: 'a.csv', line: 2001 }],
      fix: /on_malformed: quarantine/,
    },
  },
  {
    name: 'NDJSON cut within its last line',
    files: { 'a.ndjson': '{"id":3,"name":"c"}\n\n{"id":4,"na' },
    source: 'a.ndjson',
    expect: { exit: 1, findings: [{ name: 'malformed_record', file: 'a.ndjson', line: 3 }], fix: /on_malformed: quarantine/ },
  },
  {
    name: 'a JSON array cut within a record',
    files: { 'a.json': '[\n{"id":3},\n{"id":4,"name":"x' },
    source: 'a.json',
    expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', file: 'a.json', line: 3 }], says: /breaks off/ },
  },
  {
    name: 'a JSON array that is never closed',
    files: { 'a.json': '[\n{"id":3},\n{"id":4}\n' },
    source: 'a.json',
    expect: { exit: 1, findings: [{ name: 'malformed_record', severity: 'error', file: 'a.json' }], says: /breaks off/ },
  },
];

judgeAll([...empty, ...broken]);
