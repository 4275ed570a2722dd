import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { collected } from '../../test/fixtures/byte-streams.ts';
import type { FileSource } from '../core/model/policy.ts';
import { decodedStream, transcode } from './decode.ts';
import { examineFile } from './examine.ts';
import { scanCsv } from './scan-csv.ts';
import { scanJsonRecords, scanNdjson } from './scan-json.ts';
import type { SourceFile } from './source-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'schemalign-examine-'));
afterAll(() => rmSync(folder, { recursive: true }));

const csv = 'id,name\n1,Ann\n2,Bob\n3,Ann\n4,Bob\n5,Ann\n6,Bob\n7,Ann\n8,Bob\n';
/** `csv`, written by the reference zstd 1.5. */
const zstd = Buffer.from('KLUv/SQ4VQEA+GlkLG5hbWUKMSxBbm4KMixCb2IKMzQ1Njc4LEJvYgoFBAJAwAEGxBcmnzyqtA==', 'base64');

const examine = async (name: string, bytes: string | Buffer, source: Partial<FileSource> = {}): Promise<SourceFile> => {
  const absolute = join(folder, name);
  writeFileSync(absolute, bytes);
  return await examineFile({ path: `in/${name}`, absolute }, { kind: 'files', path: `in/${name}`, ...source });
};
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('examineFile', () => {
  it('tells all of a plain CSV file', async () => {
    expect(await examine('a.csv', csv)).toEqual({
      path: 'in/a.csv',
      absolute: join(folder, 'a.csv'),
      size: 56,
      sha256: sha256(csv),
      format: 'csv',
      compression: 'none',
      encoding: 'utf-8',
      facts: { bytes: 56, nul: false, oddQuotes: false, mixedNewlines: false, undecodable: false, empty: false },
      csv: { delimiter: ',', quote: '"', header: ['id', 'name'], hasHeader: true, skipLines: 0, headerLines: 1, newline: '\n' },
    });
  });

  it.each([
    ['b.csv.gz', gzipSync(csv), 'gzip'],
    ['b.csv.zst', zstd, 'zstd'],
    ['compressed-under-a-plain-name.csv', gzipSync(csv), 'gzip'],
    ['plain-under-a-compressed-name.csv.gz', Buffer.from(csv), 'none'],
  ] as const)('hashes the bytes on disk of %s and counts those inside', async (name, bytes, compression) => {
    const file = await examine(name, bytes);
    expect(file).toMatchObject({
      size: bytes.length,
      sha256: sha256(bytes),
      compression,
      format: 'csv',
      facts: { bytes: 56 },
      csv: { header: ['id', 'name'] },
    });
    expect(file.damage).toBeUndefined();
    expect((await collected(decodedStream(file))).toString()).toBe(csv);
    expect(await scanCsv(file, { fields: 2, want: [8] })).toEqual({ records: 8, malformed: [], lines: new Map([[8, 9]]) });
  });

  it.each([
    ['gzip', 'c.csv.gz', gzipSync(csv)],
    ['zstd', 'c.csv.zst', zstd],
  ] as const)('tells of a %s file cut at any byte, with the hash of what is there', async (_, name, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length);
      const file = await examine(name, cut);
      expect(file.damage?.reason).toBe('truncated_compressed_stream');
      expect([file.size, file.sha256]).toEqual([length, sha256(cut)]);
    }
  });

  it('tells of bytes after a compressed stream, and still hashes the whole file', async () => {
    const bytes = Buffer.concat([gzipSync(csv), Buffer.alloc(2_000_000)]);
    const file = await examine('d.csv.gz', bytes);
    expect(file).toMatchObject({
      damage: { reason: 'corrupt_compressed_stream' },
      size: bytes.length,
      sha256: sha256(bytes),
      csv: { delimiter: ',' },
    });
  });

  it('refuses to read a damaged file as text', async () => {
    const file = await examine('e.csv.gz', gzipSync(csv).subarray(0, -1));
    await expect(collected(decodedStream(file))).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE', place: { file: 'in/e.csv.gz' } });
  });

  it.each([
    ['utf-8 mark', Buffer.from(`\ufeff${csv}`), {}, 'utf-8'],
    ['utf-16 mark', utf16(`\ufeff${csv}`), {}, 'utf-16le'],
    ['big-endian mark', utf16(`\ufeff${csv}`).swap16(), {}, 'utf-16be'],
    ['named utf-16', utf16(csv), { encoding: 'utf-16' }, 'utf-16le'],
    ['gzip of utf-16', gzipSync(utf16(`\ufeff${csv}`)), {}, 'utf-16le'],
  ] as const)('reads text with %s', async (_, bytes, source, encoding) => {
    const file = await examine('f.csv', bytes, source);
    expect(file).toMatchObject({ encoding, csv: { header: ['id', 'name'] }, facts: { nul: false, undecodable: false } });
    expect((await scanCsv(file, { fields: 2 })).records).toBe(8);
    await transcode(file, join(folder, 'transcoded.csv'));
    expect(readFileSync(join(folder, 'transcoded.csv'), 'utf8')).toBe(csv);
  });

  it('reads latin-1 when it is named, and tells of it when it is not', async () => {
    const bytes = Buffer.from('id,name\n1,Zoë\n', 'latin1');
    expect((await examine('g.csv', bytes)).facts.undecodable).toBe(true);
    const file = await examine('g.csv', bytes, { encoding: 'latin-1' });
    expect((await collected(decodedStream(file))).toString()).toBe('id,name\n1,Zoë\n');
  });

  it.each([
    ['x.json', '[{"a":1}]', 'json', 'array'],
    ['x.json', '{"a":1}\n{"a":2}\n', 'json', 'lines'],
    ['x.json', '{\n"a":1}', 'json', 'objects'],
    ['x.ndjson', '{"a":1}', 'ndjson', 'lines'],
    ['x.jsonl', '', 'ndjson', 'lines'],
    ['x', ' \n[1]', 'json', 'array'],
    ['x', '\ufeff{"a":1}', 'json', 'objects'],
  ] as const)('%s %j is %s, %s', async (name, text, format, json) => {
    expect(await examine(name, text)).toMatchObject({ format, json });
  });

  it('finds the lines of JSON records', async () => {
    const lines = await examine('y.ndjson', '{}\n\n{}\n');
    expect((await scanNdjson(lines, { want: [2] })).lines).toEqual(new Map([[2, 3]]));
    const array = await examine('y.json', Buffer.from('\ufeff[\r\n{},\r\n{}]', 'utf8'));
    expect(await scanJsonRecords(array, { want: [1, 2] })).toEqual({
      records: 2,
      lines: new Map([
        [1, 2],
        [2, 3],
      ]),
    });
  });

  it.each([
    ['', { empty: true, bytes: 0 }],
    ['\ufeff', { empty: true, bytes: 3 }],
    ['\n\n', { empty: true, bytes: 2 }],
    ['id\n', { empty: false }],
  ] as const)('%j has the facts %j', async (text, facts) => {
    expect(await examine('z.csv', text)).toMatchObject({ facts, csv: {} });
  });

  it('finds facts and records far behind the head', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index},name ${index}\n`).join('');
    const file = await examine('big.csv', `id,name\n${rows}x,"y" \r\nz,\0\n`);
    expect(file.facts).toMatchObject({ nul: true, oddQuotes: true, mixedNewlines: true });
    expect((await scanCsv(file, { fields: 2, want: [60_000] })).lines).toEqual(new Map([[60_000, 60_001]]));
  });

  it.each([
    ['not gzip though named so', 'h.csv', csv, { compression: 'gzip' }, /not compressed with gzip/u],
    ['not zstd though named so', 'h.csv', gzipSync(csv), { compression: 'zstd' }, /not compressed with zstd/u],
    ['gzip though denied', 'h.csv', gzipSync(csv), { compression: 'none' }, /gzip/u],
    ['a ZIP archive', 'h.csv', Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0', 'latin1'), {}, /Excel workbook or another ZIP/u],
    ['a PDF', 'h.csv', '%PDF-1.7\n', {}, /PDF/u],
    ['Parquet under another name', 'h.csv', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 1)]), {}, /Parquet/u],
    ['control characters', 'h.json', Buffer.alloc(500, 3), {}, /binary/u],
    ['UTF-16 without a mark', 'h.csv', utf16(csv), {}, /UTF-16/u],
    ['no Parquet', 'h.parquet', csv, {}, /no Parquet file/u],
    ['gzip of Parquet', 'h.gz', gzipSync('PAR1 and so on'), {}, /must not be compressed/u],
    ['an unclosed header', 'h.csv', 'id,"name\n1,2\n', {}, /never closed/u],
  ] as const)('refuses %s', async (_, name, bytes, source, message) => {
    await expect(examine(name, bytes, source)).rejects.toMatchObject({
      code: 'SOURCE_FORMAT',
      message: expect.stringMatching(message),
      place: { file: `in/${name}` },
    });
  });

  it('lets a NUL in text pass as a fact', async () => {
    expect(await examine('i.csv', 'id,v\n1,x\0y\n')).toMatchObject({ facts: { nul: true } });
    expect(await examine('i.ndjson', '{"v":"x\\u0000y"}\n')).toMatchObject({ facts: { nul: true } });
  });

  it('checks both ends of Parquet', async () => {
    // Magic, four bytes of content, a footer of two bytes, its length, magic.
    const whole = Buffer.from('PAR1....ft\x02\0\0\0PAR1', 'latin1');
    expect((await examine('j.parquet', whole)).damage).toBeUndefined();
    for (let length = 0; length < whole.length; length += 1) {
      expect((await examine('j.parquet', whole.subarray(0, length))).damage?.reason).toBe('truncated_file');
    }
    const footer = Buffer.from('PAR1....ft\xff\0\0\0PAR1', 'latin1');
    expect((await examine('j.parquet', footer)).damage?.reason).toBe('truncated_file');
  });

  it('stops when told so, and says what is missing', async () => {
    const absolute = join(folder, 'a.csv');
    const found = { path: 'a.csv', absolute };
    await expect(examineFile(found, { kind: 'files', path: 'a.csv' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'INTERRUPTED',
    });
    await expect(examineFile({ path: 'gone', absolute: join(folder, 'gone') }, { kind: 'files', path: 'gone' })).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
    });
    await expect(examineFile({ path: 'dir', absolute: folder }, { kind: 'files', path: 'dir' })).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
    });
  });
});
