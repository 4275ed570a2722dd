import { describe, expect, it } from 'vitest';
import { alignedUtf8 } from './text-encoding.ts';
import { inChunks } from '../../test/fixtures/byte-streams.ts';
import { type CsvMarks, FactGatherer, type TextFacts } from './text-facts.ts';

const comma = { delimiter: ',', quote: '"' };
const ordinary: TextFacts = { nul: false, oddQuotes: false, mixedNewlines: false, undecodable: false, empty: false };

async function factsOf(text: string | Buffer, kind: CsvMarks | 'json' | undefined, size: number): Promise<TextFacts> {
  const facts = new FactGatherer(kind);
  for await (const chunk of alignedUtf8(inChunks(Buffer.from(text), size))) facts.feed(chunk);
  return facts.finish();
}

const blanks = ' '.repeat(200);
const cases: readonly (readonly [string, string | Buffer, CsvMarks | 'json', Partial<TextFacts>])[] = [
  ['plain', 'a,b\n1,2\n', comma, {}],
  ['quotes in order', '"a b","c"\n" d ",""\n', comma, {}],
  ['blank before a quote', 'a, "b"\n', comma, { oddQuotes: true }],
  ['blank before the first quote of a line', 'a,b\n "c",d\n', comma, { oddQuotes: true }],
  ['blank before the first quote of the file', ' "c",d\n', comma, { oddQuotes: true }],
  ['blank after a quote', '"a" ,b\n', comma, { oddQuotes: true }],
  ['tab after the last quote of a line', 'a,"b"\t\r\n', comma, { oddQuotes: true }],
  ['blank after the last quote of the file', 'a,"b" ', comma, { oddQuotes: true }],
  ['many blanks before', `a,${blanks}"b"\n`, comma, { oddQuotes: true }],
  ['many blanks after', `a,"b"${blanks}\n`, comma, { oddQuotes: true }],
  ['blanks beside a quote inside text', 'a,"x "" y"\nb,say "so" now\n', comma, {}],
  ['a tab that is the delimiter', 'a\t"b"\t"c"\n', { delimiter: '\t', quote: '"' }, {}],
  ['quotes without meaning', 'a, "b"\n', { delimiter: ',', quote: '' }, {}],
  ['another quote', "a, 'b'\n", { delimiter: ',', quote: "'" }, { oddQuotes: true }],
  ['CRLF', 'a\r\nb\r\n', comma, {}],
  ['CR', 'a\rb\r', comma, {}],
  ['LF and CRLF', 'a\nb\r\n', comma, { mixedNewlines: true }],
  ['CRLF and CR', 'a\r\nb\r', comma, { mixedNewlines: true }],
  ['CRLF and LF', 'a\r\n\nb\r\n', comma, { mixedNewlines: true }],
  ['CR and LF', 'a\rb\n', comma, { mixedNewlines: true }],
  ['a NUL', 'a,\0\n', comma, { nul: true }],
  ['NUL as text means nothing in CSV', 'a,\\u0000\n', comma, {}],
  ['NUL as text in JSON', '{"a":"x\\u0000y"}', 'json', { nul: true }],
  ['a NUL in JSON', '{"a":"\0"}', 'json', { nul: true }],
  ['another escape in JSON', '{"a":"\\u0001\\u00000"}'.replace('\\u00000', '\\u0010'), 'json', {}],
  ['not UTF-8', Buffer.from([0x61, 0xff, 0x0a]), comma, { undecodable: true }],
  ['UTF-8', 'é€😀', comma, {}],
  ['nothing', '', comma, { empty: true }],
  ['blank lines', '\n\r\n', comma, { empty: true, mixedNewlines: true }],
  ['a line of blanks is a record in CSV', ' \n', comma, {}],
  ['blanks are nothing in JSON', ' \t\r\n', 'json', { empty: true }],
];

describe('FactGatherer', () => {
  it.each(cases)('%s', async (_, text, kind, facts) => {
    for (const size of [1, 2, 3, 63, 64, 65, 10_000]) expect(await factsOf(text, kind, size)).toEqual({ ...ordinary, ...facts });
  });
});
