import { describe, expect, it } from 'vitest';
import type { FileSource } from '../core/model/policy.ts';
import { detectDialect } from './csv-dialect.ts';
import type { CsvDialect } from './source-file.ts';

const detect = (text: string, source: Partial<FileSource> = {}, targetNames: readonly string[] = [], whole = true): CsvDialect =>
  detectDialect({ text, whole, undecodable: false, shown: 'in.csv', targetNames }, { kind: 'files', path: 'in.csv', ...source });

interface Case {
  readonly name: string;
  readonly text: string;
  readonly source?: Partial<FileSource>;
  readonly target?: readonly string[];
  readonly wanted: Partial<CsvDialect>;
}

const cases: readonly Case[] = [
  {
    name: 'comma',
    text: 'id,name\n1,Ann\n',
    wanted: { delimiter: ',', quote: '"', header: ['id', 'name'], hasHeader: true, headerLines: 1, newline: '\n' },
  },
  {
    name: 'semicolon beside decimal commas (case 003)',
    text: 'invoice;amount;rate\nA-1;1.234,50;0,2\nA-2;12,5;1,05\nA-3;1,234.50;0,10\n',
    wanted: { delimiter: ';', header: ['invoice', 'amount', 'rate'] },
  },
  { name: 'tab', text: 'a\tb\n1,5\t2\n', wanted: { delimiter: '\t', header: ['a', 'b'] } },
  { name: 'pipe', text: 'a|b\nx, y|2\n', wanted: { delimiter: '|' } },
  { name: 'one column', text: 'a\n1\n', wanted: { delimiter: ',', header: ['a'], hasHeader: true } },
  { name: 'target names decide the delimiter', text: 'id;last, first;x,y\n1;2\n', target: ['ID', 'x,y'], wanted: { delimiter: ';' } },
  { name: 'a delimiter inside quotes does not count', text: '"a;b";c\n"1;2";3\n', wanted: { delimiter: ';', header: ['a;b', 'c'] } },
  { name: 'a named delimiter', text: 'a,b;c\n', source: { delimiter: ';' }, wanted: { header: ['a,b', 'c'] } },
  { name: 'a tab by name', text: 'a\tb\n', source: { delimiter: '\\t' }, wanted: { delimiter: '\t', header: ['a', 'b'] } },
  { name: 'a named quote', text: "'a,b',c\n", source: { quote: "'" }, wanted: { header: ['a,b', 'c'], quote: "'" } },
  { name: 'no quote', text: '"a,b"\n', source: { quote: '' }, wanted: { header: ['"a', 'b"'], quote: '' } },
  {
    name: 'cells stay as written (case 008)',
    text: 'id, Name ,note,\r\n1,Ann,x,\r\n',
    wanted: { header: ['id', ' Name ', 'note', ''], newline: '\r\n' },
  },
  { name: 'duplicates stay (case 008)', text: 'id,amount,AMOUNT,amount\n', wanted: { header: ['id', 'amount', 'AMOUNT', 'amount'] } },
  {
    name: 'hostile names (case 009)',
    text: 'a.b,"x"" VARCHAR); DROP TABLE canary; --","total ""net""",has space\n',
    wanted: { header: ['a.b', 'x" VARCHAR); DROP TABLE canary; --', 'total "net"', 'has space'] },
  },
  { name: 'only a header', text: 'id,qty,price', wanted: { hasHeader: true, headerLines: 1, newline: '\n' } },
  { name: 'a header of two lines', text: '"a\r\nb",c\r1,2\r', wanted: { header: ['a\r\nb', 'c'], headerLines: 2, newline: '\r' } },
  { name: 'blank lines first', text: '\n  \r\nid,b\n', wanted: { header: ['id', 'b'], skipLines: 2, headerLines: 1, newline: '\n' } },
  {
    name: 'numbers, dates and blanks are no header',
    text: '1,2024-01-02,,-3.5\n',
    wanted: { hasHeader: false, headerLines: 0, header: ['column1', 'column2', 'column3', 'column4'] },
  },
  { name: 'they are when told so', text: '1,2\n', source: { header: true }, wanted: { hasHeader: true, header: ['1', '2'] } },
  { name: 'they are when they are target names', text: 'x,2019\n', target: ['2019'], wanted: { hasHeader: true } },
  {
    name: 'data, when no cell is a target name',
    text: '1,Ann\n2,Bob\n',
    target: ['id', 'name'],
    wanted: { hasHeader: false, header: ['column1', 'column2'] },
  },
  { name: 'words are a header though none is a target name', text: 'Nr,Wer\n', target: ['id', 'name'], wanted: { hasHeader: true } },
  {
    name: 'a header that is denied',
    text: 'id,name\n',
    source: { header: false },
    wanted: { hasHeader: false, header: ['column1', 'column2'], headerLines: 0 },
  },
  { name: 'names are compared trimmed and folded', text: '1, ID \n', target: ['id'], wanted: { hasHeader: true } },
  { name: 'nothing', text: '', wanted: { header: [], hasHeader: false, delimiter: ',' } },
];

describe('detectDialect', () => {
  it.each(cases)('$name', ({ text, source, target, wanted }) => {
    expect(detect(text, source, target)).toMatchObject(wanted);
  });

  it('does not let the cut last record of a head decide', () => {
    expect(detect('a;b\n1;2\n3,4,5', {}, [], false).delimiter).toBe(';');
  });

  it.each([
    ['a quote that never closes', '\nid,"na\n1,2\n', 2, {}],
    ['text after a closing quote', '"id"x,b\n1,2\n', 1, {}],
  ] as const)('refuses a header with %s', (_, text, line, source) => {
    expect(() => detect(text, source)).toThrow(expect.objectContaining({ code: 'SOURCE_FORMAT', place: { file: 'in.csv', line } }));
  });

  it('refuses a header that does not decode', () => {
    const head = { text: 'id,n\uFFFDme\n', whole: true, shown: 'in.csv', targetNames: [] };
    const source: FileSource = { kind: 'files', path: 'in.csv' };
    expect(() => detectDialect({ ...head, undecodable: true }, source)).toThrow(expect.objectContaining({ code: 'SOURCE_FORMAT' }));
    expect(detectDialect({ ...head, undecodable: false }, source).header).toEqual(['id', 'n\uFFFDme']);
  });

  it.each([{ delimiter: '||' }, { delimiter: '' }, { delimiter: '\n' }, { delimiter: '€' }, { quote: '""' }, { delimiter: '"' }])(
    'refuses %j',
    (source) => {
      expect(() => detect('a\n', source)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    },
  );
});
