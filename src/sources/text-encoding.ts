/** Turns the text encodings of files into UTF-8 bytes, keeping what cannot be decoded visible as bytes that are no UTF-8. */
import type { Encoding } from '../core/model/policy.ts';
import type { TextEncoding } from './source-file.ts';

type Bytes = AsyncIterable<Buffer>;

const boms: readonly { readonly encoding: TextEncoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

const startsWith = (head: Buffer, bytes: readonly number[]): boolean => bytes.every((byte, index) => head[index] === byte);

/** The encoding of a text by its byte-order mark, or by what the user named; UTF-8 when neither speaks. Named UTF-16 may lack the mark. */
export function encodingOf(head: Buffer, named: Encoding | undefined): TextEncoding {
  const marked = boms.find((bom) => startsWith(head, bom.bytes))?.encoding;
  if (named === 'utf-16') return marked === 'utf-16be' || (marked === undefined && looksBigEndian(head)) ? 'utf-16be' : 'utf-16le';
  return named ?? marked ?? 'utf-8';
}

/** Bytes of the mark that stands before the text; latin-1 has none. */
export function bomLength(head: Buffer, encoding: TextEncoding): number {
  const bom = boms.find((candidate) => candidate.encoding === encoding);
  return bom !== undefined && startsWith(head, bom.bytes) ? bom.bytes.length : 0;
}

/** In big-endian text the zero half of ordinary characters comes first. */
function looksBigEndian(head: Buffer): boolean {
  const zeros = [0, 0];
  for (const [index, byte] of head.subarray(0, 4096).entries()) if (byte === 0) zeros[index % 2]! += 1;
  return zeros[0]! > zeros[1]!;
}

/** A text without byte-order mark, as UTF-8. Chunks never split a character. */
export function toUtf8(bytes: Bytes, encoding: TextEncoding): AsyncIterable<Buffer> {
  return decoders[encoding](withoutBom(bytes, encoding));
}

const decoders: Readonly<Record<TextEncoding, (bytes: Bytes) => AsyncIterable<Buffer>>> = {
  'utf-8': alignedUtf8,
  'latin-1': fromLatin1,
  'utf-16le': (bytes) => fromUtf16(bytes, false),
  'utf-16be': (bytes) => fromUtf16(bytes, true),
};

async function* withoutBom(bytes: Bytes, encoding: TextEncoding): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < 3) {
      head = Buffer.from(head);
      continue;
    }
    yield head.subarray(bomLength(head, encoding));
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head.subarray(bomLength(head, encoding));
}

/** UTF-8 cut only between characters. Bytes that are no UTF-8 pass as they are. */
export async function* alignedUtf8(bytes: Bytes): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const next of bytes) {
    let chunk = next;
    if (held.length > 0) {
      const missing = sequenceLength(held[0]!) - held.length;
      held = Buffer.concat([held, chunk.subarray(0, missing)]);
      chunk = chunk.subarray(missing);
      if (held.length < sequenceLength(held[0]!)) continue;
      yield held;
    }
    const whole = chunk.length - cutTail(chunk);
    held = Buffer.from(chunk.subarray(whole));
    if (whole > 0) yield chunk.subarray(0, whole);
  }
  if (held.length > 0) yield held;
}

/** Bytes of the sequence that a lead byte opens; 1 for ASCII and for bytes that open none. */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Bytes at the end that open a UTF-8 sequence without finishing it, 0 to 3. */
function cutTail(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back]!;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

async function* fromLatin1(bytes: Bytes): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) yield Buffer.from(chunk.toString('latin1'), 'utf8');
}

async function* fromUtf16(bytes: Bytes, bigEndian: boolean): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const joined = Buffer.concat([held, chunk]);
    const whole = wholeUtf16(joined, bigEndian);
    held = Buffer.from(joined.subarray(whole));
    if (whole > 0) yield utf8OfUtf16(joined.subarray(0, whole), bigEndian);
  }
  if (held.length >= 2) yield utf8OfUtf16(held.subarray(0, 2), bigEndian);
  // Half a code unit at the end of the file.
  if (held.length % 2 === 1) yield Buffer.from([0xff]);
}

/** Bytes up to the last whole code unit that is not the first half of a pair. */
function wholeUtf16(bytes: Buffer, bigEndian: boolean): number {
  const even = bytes.length - (bytes.length % 2);
  if (even === 0) return 0;
  const top = bytes[even - (bigEndian ? 2 : 1)]!;
  return top >= 0xd8 && top <= 0xdb ? even - 2 : even;
}

function utf8OfUtf16(bytes: Buffer, bigEndian: boolean): Buffer {
  const text = (bigEndian ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
  const pieces = text.split(/(\p{Surrogate})/u);
  if (pieces.length === 1) return Buffer.from(text, 'utf8');
  return Buffer.concat(pieces.map((piece, index) => (index % 2 === 1 ? loneSurrogate(piece.charCodeAt(0)) : Buffer.from(piece, 'utf8'))));
}

/** A surrogate without its partner written as three bytes, which no UTF-8 reader accepts. */
function loneSurrogate(unit: number): Buffer {
  return Buffer.from([0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}
