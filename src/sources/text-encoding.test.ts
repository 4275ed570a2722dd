import { describe, expect, it } from 'vitest';
import type { TextEncoding } from './source-file.ts';
import { collected, inChunks } from '../../test/fixtures/byte-streams.ts';
import { alignedUtf8, bomLength, encodingOf, toUtf8 } from './text-encoding.ts';

const le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const bytes = (...values: number[]): Buffer => Buffer.from(values);

const texts: readonly (readonly [string, Buffer, TextEncoding, Buffer])[] = [
  ['utf-8 with mark', Buffer.from('\ufeffa€😀'), 'utf-8', Buffer.from('a€😀')],
  ['utf-8 without', Buffer.from('a€😀'), 'utf-8', Buffer.from('a€😀')],
  ['a mark in the middle stays', Buffer.from('a\ufeffb'), 'utf-8', Buffer.from('a\ufeffb')],
  ['only a mark', Buffer.from('\ufeff'), 'utf-8', Buffer.alloc(0)],
  ['one byte', Buffer.from('a'), 'utf-8', Buffer.from('a')],
  ['utf-16le with mark', le('\ufeffa€😀\n'), 'utf-16le', Buffer.from('a€😀\n')],
  ['utf-16be with mark', be('\ufeffa€😀\n'), 'utf-16be', Buffer.from('a€😀\n')],
  ['utf-16le without', le('é'), 'utf-16le', Buffer.from('é')],
  ['latin-1', bytes(0x61, 0xe9, 0x80, 0xff), 'latin-1', Buffer.from('a\u00e9\u0080\u00ff')],
  ['bytes that are no utf-8', bytes(0x61, 0xff, 0xc3, 0x0a, 0xe2, 0x82), 'utf-8', bytes(0x61, 0xff, 0xc3, 0x0a, 0xe2, 0x82)],
  ['half a pair becomes three bytes that are no utf-8', le('a\ud83db'), 'utf-16le', bytes(0x61, 0xed, 0xa0, 0xbd, 0x62)],
  ['half a pair at the end', le('a\ud83d'), 'utf-16le', bytes(0x61, 0xed, 0xa0, 0xbd)],
  ['the second half alone', be('\ude00b'), 'utf-16be', bytes(0xed, 0xb8, 0x80, 0x62)],
  ['half a code unit at the end', Buffer.concat([le('a'), bytes(0x62)]), 'utf-16le', bytes(0x61, 0xff)],
];

describe('toUtf8', () => {
  it.each(texts)('%s', async (_, source, encoding, wanted) => {
    for (const size of [1, 2, 3, 5, 1000]) expect(await collected(toUtf8(inChunks(source, size), encoding))).toEqual(wanted);
  });
});

describe('alignedUtf8', () => {
  it('never splits a character', async () => {
    const source = Buffer.from('aé€😀'.repeat(5));
    for (const size of [1, 2, 3, 5, 7]) {
      const pieces: string[] = [];
      for await (const piece of alignedUtf8(inChunks(source, size))) pieces.push(piece.toString('utf8'));
      expect(pieces.join('')).toBe(source.toString('utf8'));
    }
  });
});

describe('encodingOf', () => {
  it.each([
    [Buffer.from('a'), undefined, 'utf-8', 0],
    [Buffer.from('\ufeffa'), undefined, 'utf-8', 3],
    [le('\ufeffa'), undefined, 'utf-16le', 2],
    [be('\ufeffa'), undefined, 'utf-16be', 2],
    [le('id'), 'utf-16', 'utf-16le', 0],
    [be('id'), 'utf-16', 'utf-16be', 0],
    [Buffer.from('\ufeffa'), 'latin-1', 'latin-1', 0],
    [Buffer.alloc(0), undefined, 'utf-8', 0],
  ] as const)('%j named %s: %s with a mark of %i bytes', (head, named, encoding, mark) => {
    expect(encodingOf(head, named)).toBe(encoding);
    expect(bomLength(head, encoding)).toBe(mark);
  });
});
