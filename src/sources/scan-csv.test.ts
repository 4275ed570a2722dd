import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { inChunks } from '../../test/fixtures/byte-streams.ts';
import { headRecords } from './csv-head.ts';
import { type CsvScan, scanCsvText } from './scan-csv.ts';
import type { CsvDialect } from './source-file.ts';
import { alignedUtf8 } from './text-encoding.ts';

const folder = mkdtempSync(join(tmpdir(), 'schemalign-scan-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bare: CsvDialect = { delimiter: ',', quote: '"', header: [], hasHeader: false, skipLines: 0, headerLines: 0, newline: '\n' };
const all = Array.from({ length: 20 }, (_, index) => index + 1);

interface Outcome {
  readonly lines: readonly number[];
  readonly malformed: CsvScan['malformed'];
  readonly copy: string;
}

async function scan(text: string | Buffer, fields: number, dialect: Partial<CsvDialect> = {}, size = 1000): Promise<Outcome> {
  const copyTo = join(folder, 'copy.csv');
  const stream = alignedUtf8(inChunks(Buffer.from(text), size));
  const { records, malformed, lines } = await scanCsvText(stream, { ...bare, ...dialect }, { fields, want: all, copyTo });
  expect([...lines.keys()]).toEqual(all.slice(0, records));
  return { lines: [...lines.values()], malformed, copy: readFileSync(copyTo, 'utf8') };
}

interface Case {
  readonly name: string;
  readonly text: string | Buffer;
  readonly fields: number;
  readonly dialect?: Partial<CsvDialect>;
  /** First line of each record. */
  readonly lines: readonly number[];
  readonly copy: string;
  readonly malformed?: CsvScan['malformed'];
}

const header: Partial<CsvDialect> = { hasHeader: true, headerLines: 1 };
const cases: readonly Case[] = [
  { name: 'nothing', text: '', fields: 2, lines: [], copy: '' },
  { name: 'one record without a line end', text: 'a,b', fields: 2, lines: [1], copy: '"a","b"\n' },
  { name: 'a delimiter at the end of the file', text: 'a,', fields: 2, lines: [1], copy: '"a",\n' },
  {
    name: 'all line ends, mixed',
    text: 'a,1\nb,2\r\nc,3\rd,4',
    fields: 2,
    lines: [1, 2, 3, 4],
    copy: '"a","1"\n"b","2"\n"c","3"\n"d","4"\n',
  },
  { name: 'blank lines are no records', text: '\n\na,1\n\r\n\r\rb,2\n\n', fields: 2, lines: [3, 7], copy: '"a","1"\n"b","2"\n' },
  { name: 'the header is no record', text: 'x,y\na,1\n', fields: 2, dialect: header, lines: [2], copy: '"a","1"\n' },
  {
    name: 'a header of two lines after two blank ones',
    text: '\n  \r\n"x\r\ny",z\na,1\n',
    fields: 2,
    dialect: { hasHeader: true, skipLines: 2, headerLines: 2 },
    lines: [5],
    copy: '"a","1"\n',
  },
  {
    name: 'a skipped line with CR, then blanks',
    text: '\r  \na,1\n',
    fields: 2,
    dialect: { skipLines: 2 },
    lines: [3],
    copy: '"a","1"\n',
  },
  { name: 'empty, quoted and not', text: ',""\n"",\n', fields: 2, lines: [1, 2], copy: ',""\n"",\n' },
  { name: 'quotes inside quotes', text: '"a""b","""",\n', fields: 3, lines: [1], copy: '"a""b","""",\n' },
  { name: 'a quote inside a bare field is literal', text: 'a"b,c"\n', fields: 2, lines: [1], copy: '"a""b","c"""\n' },
  { name: 'blanks are kept', text: ' a , "b"\n', fields: 2, lines: [1], copy: '" a "," ""b"""\n' },
  {
    name: 'line ends inside quotes are kept and counted',
    text: '"a\r\nb\nc\rd",1\nx,2\n',
    fields: 2,
    lines: [1, 5],
    copy: '"a\r\nb\nc\rd","1"\n"x","2"\n',
  },
  {
    name: 'a CR before the closing quote',
    text: '"a\r",1\n"b\r\n",2\nc,3',
    fields: 2,
    lines: [1, 3, 5],
    copy: '"a\r","1"\n"b\r\n","2"\n"c","3"\n',
  },
  { name: 'delimiters inside quotes', text: '"a,b",1\n', fields: 2, lines: [1], copy: '"a,b","1"\n' },
  {
    name: 'another delimiter and quote',
    text: "'a''b;';c\"d\n",
    fields: 2,
    dialect: { delimiter: ';', quote: "'" },
    lines: [1],
    copy: '"a\'b;","c""d"\n',
  },
  { name: 'quotes without meaning', text: '"a,b"\n', fields: 2, dialect: { quote: '' }, lines: [1], copy: '"""a","b"""\n' },
  { name: 'one column', text: 'a\n\n  \n""\nb', fields: 1, lines: [1, 3, 4, 5], copy: '"a"\n"  "\n""\n"b"\n' },
  {
    name: 'a line of blanks among several columns',
    text: 'a,1\n  \nb,2\n',
    fields: 2,
    lines: [1, 2, 3],
    copy: '"a","1"\n"b","2"\n',
    malformed: [{ record: 2, line: 2, endLine: 2, reason: 'fields', raw: '  ', found: 1 }],
  },
  {
    name: 'too few and too many fields',
    text: 'a\nb,2\nc,3,"x\ny"\r\nd,4\n',
    fields: 2,
    lines: [1, 2, 3, 5],
    copy: '"b","2"\n"d","4"\n',
    malformed: [
      { record: 1, line: 1, endLine: 1, reason: 'fields', raw: 'a', found: 1 },
      { record: 3, line: 3, endLine: 4, reason: 'fields', raw: 'c,3,"x\ny"', found: 3 },
    ],
  },
  {
    name: 'text after a closing quote',
    text: 'a,1\n"b"x,"2\nc,3\n"d\n"y\n',
    fields: 2,
    lines: [1, 2, 3, 4],
    copy: '"a","1"\n"c","3"\n',
    malformed: [
      { record: 2, line: 2, endLine: 2, reason: 'quote', raw: '"b"x,"2' },
      { record: 4, line: 4, endLine: 5, reason: 'quote', raw: '"d\n"y' },
    ],
  },
  {
    name: 'a quote that never closes',
    text: 'a,1\nb,"2\nc,3\n',
    fields: 2,
    lines: [1, 2],
    copy: '"a","1"\n',
    malformed: [{ record: 2, line: 2, endLine: 3, reason: 'quote', raw: 'b,"2\nc,3\n' }],
  },
  {
    name: 'a quote that never closes, in the middle of a line',
    text: '"a',
    fields: 1,
    lines: [1],
    copy: '',
    malformed: [{ record: 1, line: 1, endLine: 1, reason: 'quote', raw: '"a' }],
  },
  {
    name: 'bytes that are no UTF-8',
    text: Buffer.from('é,1\n\xff,2\nb\xc3\n"\xe9",3\n', 'latin1'),
    fields: 2,
    lines: [1, 2, 3, 4],
    copy: '',
    malformed: [
      { record: 1, line: 1, endLine: 1, reason: 'encoding', raw: '\uFFFD,1' },
      { record: 2, line: 2, endLine: 2, reason: 'encoding', raw: '\uFFFD,2' },
      { record: 3, line: 3, endLine: 3, reason: 'encoding', raw: 'b\uFFFD' },
      { record: 4, line: 4, endLine: 4, reason: 'encoding', raw: '"\uFFFD",3' },
    ],
  },
  {
    name: 'one such record among good ones',
    text: Buffer.concat([Buffer.from('é,1\n'), Buffer.from([0xff]), Buffer.from(',2\n€,3\n')]),
    fields: 2,
    lines: [1, 2, 3],
    copy: '"é","1"\n"€","3"\n',
    malformed: [{ record: 2, line: 2, endLine: 2, reason: 'encoding', raw: '\uFFFD,2' }],
  },
  {
    name: 'a byte-order mark gone, CRLF, no last line end (case 008)',
    text: 'id, Name ,note,\r\n1,Ann,"line1\r\nline2",\r\n2, Bo ,plain,\r\n3,"Cy ""C"" D",,',
    fields: 4,
    dialect: header,
    lines: [2, 4, 5],
    copy: '"1","Ann","line1\r\nline2",\n"2"," Bo ","plain",\n"3","Cy ""C"" D",,\n',
  },
  {
    name: 'null tokens and quotes (case 004)',
    text: 'id,nickname,score,comment\n1,"",10,ok\n2,,20,N/A\n5,\\N,-,\n',
    fields: 4,
    dialect: header,
    lines: [2, 3, 4],
    copy: '"1","","10","ok"\n"2",,"20","N/A"\n"5","\\N","-",\n',
  },
  {
    name: 'a blank line, a malformed record and one of two lines before a bad value',
    text: 'id,v\n\n1\n2,"a\nb"\n3,bad\n',
    fields: 2,
    dialect: header,
    lines: [3, 4, 6],
    copy: '"2","a\nb"\n"3","bad"\n',
    malformed: [{ record: 1, line: 3, endLine: 3, reason: 'fields', raw: '1', found: 1 }],
  },
];

describe('scanCsvText', () => {
  it.each(cases)('$name', async ({ text, fields, dialect, lines, copy, malformed }) => {
    for (const size of [1, 2, 3, 1000]) {
      expect(await scan(text, fields, dialect, size)).toEqual({ lines, copy, malformed: malformed ?? [] });
    }
  });

  it('keeps 64 KiB of a long malformed record, cut between characters, and takes back what it had copied', async () => {
    const long = '€'.repeat(1_000_000);
    const { malformed, copy, lines } = await scan(`a,1\n"${long}\nb,2\n`, 2, {}, 100_000);
    expect(lines).toEqual([1, 2]);
    expect(copy).toBe('"a","1"\n');
    // One quote, then 21,845 characters of three bytes fill 65,536 bytes.
    expect(malformed).toEqual([{ record: 2, line: 2, endLine: 3, reason: 'quote', raw: `"${'€'.repeat(21_845)}`, cut: true }]);
  });

  it('goes on copying after a long record was taken back', async () => {
    const long = 'x'.repeat(3_000_000);
    const { copy } = await scan(`a,1\n${long},2,3\n"${long}",2\nb,2\n`, 2, {}, 100_000);
    expect(copy).toBe(`"a","1"\n"${long}","2"\n"b","2"\n`);
  });

  it('hands malformed records out one by one when asked to', async () => {
    const seen: number[] = [];
    const options = { fields: 2, onMalformed: ({ record }: { record: number }) => seen.push(record) };
    const result = await scanCsvText(inChunks(Buffer.from('a\nb,2\nc\n'), 100), bare, options);
    expect([seen, result.malformed, result.records]).toEqual([[1, 3], [], 3]);
  });

  it('does not depend on chunks, and agrees with the reader of heads', async () => {
    const texts = fc.array(fc.constantFrom('a', ',', '"', '\n', '\r', ' ', 'é'), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        const text = pieces.join('');
        const whole = await scan(text.slice(0, 19), 2);
        for (const size of [1, 2, 3]) expect(await scan(text.slice(0, 19), 2, {}, size)).toEqual(whole);
        const records = [...headRecords(text.slice(0, 19), bare)];
        expect(whole.lines).toEqual(records.map(({ line }) => line));
        const good = records.filter(({ fault, cells }) => fault === undefined && cells.length === 2);
        expect(whole.lines.length - whole.malformed.length).toBe(good.length);
      }),
      { numRuns: 80 },
    );
  });

  it('gives a copy that reads back as the same values', async () => {
    const value = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' ', 'é', ';'), maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 8 }), async (rows) => {
        const written = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        const { copy, malformed } = await scan(written, 2, {}, 3);
        expect(malformed).toEqual([]);
        expect([...headRecords(copy, bare)].map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: 40 },
    );
  });
});
