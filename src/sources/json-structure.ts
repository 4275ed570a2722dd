/**
 * Follows the structure of a JSON document byte by byte: strings, brackets, and what stands at the top. Finds where each record starts
 * and whether brackets and strings close. It does not judge scalars or what stands inside a record; the engine's parser does.
 */

const ascii = (character: string): number => character.charCodeAt(0);
const LF = 0x0a;
const CR = 0x0d;
const quote = ascii('"');
const backslash = ascii('\\');
const comma = ascii(',');
const openBracket = ascii('[');
const closeBracket = ascii(']');
const openBrace = ascii('{');
const closeBrace = ascii('}');
/** Deeper nesting than this is taken for damage. */
const deepest = 100_000;

const marked = (...bytes: readonly number[]): Uint8Array => {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
};
const stopsInside = marked(quote, openBracket, closeBracket, openBrace, closeBrace, LF, CR);
const stopsString = marked(quote, backslash, LF, CR);
const endsScalar = marked(0x20, 0x09, LF, CR, comma, openBracket, closeBracket, openBrace, closeBrace, quote);
const blank = marked(0x20, 0x09);
const startsNothing = marked(comma, ascii(':'), closeBrace, closeBracket);

/** Where a document stops being one. */
export interface BrokenJson {
  /** The record in which it happens, or the last one before; 0 before the first. */
  readonly record: number;
  /** Physical line and column, in characters, from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Step = 'top' | 'inside' | 'string' | 'escaped' | 'scalar';
/** What may stand at the top of the document now. */
type Expected = 'array' | 'first' | 'record' | 'next' | 'nothing';

/** Fed with UTF-8 text in chunks that split no character. After `broken` is set it takes no more. */
export class JsonStructure {
  records = 0;
  broken: BrokenJson | undefined;
  readonly #onRecord: (record: number, line: number, at: number) => void;
  readonly #array: boolean;
  #expected: Expected;
  #step: Step = 'top';
  /** The brackets open within the record, and the line of the outermost. */
  readonly #open: number[] = [];
  #recordLine = 1;
  #chunk: Buffer = Buffer.alloc(0);
  /** Bytes in earlier chunks. */
  #bytesBefore = 0;
  #line = 1;
  /** The chunk before ended in CR. */
  #afterCr = false;
  /** Start of the line in the chunk, and characters of the line in earlier chunks. */
  #lineStart = 0;
  #columnsBefore = 0;

  /**
   * @param shape one array of records, or records one after the other.
   * @param onRecord told of the number, the line and the byte, from 0, with which each record starts.
   */
  constructor(shape: 'array' | 'objects', onRecord: (record: number, line: number, at: number) => void) {
    this.#array = shape === 'array';
    this.#expected = this.#array ? 'array' : 'record';
    this.#onRecord = onRecord;
  }

  feed(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunk = chunk;
    for (let at = 0; at < chunk.length && this.broken === undefined; ) at = this.#steps[this.#step](at);
    this.#bytesBefore += chunk.length;
    this.#columnsBefore += characters(chunk, this.#lineStart, chunk.length);
    this.#lineStart = 0;
    this.#afterCr = chunk[chunk.length - 1] === CR;
  }

  /** Says that the text ends here. */
  end(): void {
    if (this.broken !== undefined) return;
    this.#chunk = Buffer.alloc(0);
    if (this.#step === 'scalar') this.#endRecord();
    const message = this.#unfinished();
    if (message !== undefined) this.#break(0, message);
  }

  #unfinished(): string | undefined {
    const where = `record ${this.records}, which starts at line ${this.#recordLine},`;
    if (this.#step === 'string' || this.#step === 'escaped') return `a string in ${where} is never closed`;
    if (this.#open.length > 0) return `${where} is never closed`;
    if (this.#array && this.#expected !== 'nothing') return 'the array is never closed';
    return undefined;
  }

  readonly #steps: Readonly<Record<Step, (at: number) => number>> = {
    top: (at) => {
      const byte = this.#chunk[at]!;
      if (byte === LF || byte === CR) this.#newLine(at);
      else if (blank[byte] === 0) return this.#token(at, byte);
      return at + 1;
    },
    inside: (at) => {
      const end = this.#stop(at, stopsInside);
      if (end === this.#chunk.length) return end;
      this.#bracket(end, this.#chunk[end]!);
      return end + 1;
    },
    string: (at) => {
      const end = this.#stop(at, stopsString);
      if (end === this.#chunk.length) return end;
      if (this.#chunk[end] === backslash) this.#step = 'escaped';
      else if (this.#chunk[end] !== quote) this.#newLine(end);
      else if (this.#open.length > 0) this.#step = 'inside';
      else this.#endRecord();
      return end + 1;
    },
    escaped: (at) => {
      this.#step = 'string';
      // A line end after a backslash is an error, but a line end all the same.
      return this.#chunk[at] === LF || this.#chunk[at] === CR ? at : at + 1;
    },
    scalar: (at) => {
      const end = this.#stop(at, endsScalar);
      if (end < this.#chunk.length) this.#endRecord();
      return end;
    },
  };

  #stop(at: number, stops: Uint8Array): number {
    const chunk = this.#chunk;
    let end = at;
    while (end < chunk.length && stops[chunk[end]!] === 0) end += 1;
    return end;
  }

  #newLine(at: number): void {
    const byte = this.#chunk[at]!;
    const before = at > 0 ? this.#chunk[at - 1] === CR : this.#afterCr;
    if (byte === CR || !before) this.#line += 1;
    this.#lineStart = at + 1;
    this.#columnsBefore = 0;
  }

  /** A character at the top of the document that is no blank. */
  #token(at: number, byte: number): number {
    return this.#tokens[this.#expected](at, byte);
  }

  readonly #tokens: Readonly<Record<Expected, (at: number, byte: number) => number>> = {
    array: (at, byte) => (byte === openBracket ? this.#expect('first', at) : this.#break(at, 'the array of records does not start here')),
    first: (at, byte) => (byte === closeBracket ? this.#expect('nothing', at) : this.#startRecord(at, byte)),
    record: (at, byte) => this.#startRecord(at, byte),
    next: (at, byte) => {
      if (byte === comma) return this.#expect('record', at);
      return byte === closeBracket ? this.#expect('nothing', at) : this.#break(at, 'a comma is missing between two records');
    },
    nothing: (at) => this.#break(at, 'something follows the end of the array'),
  };

  #expect(expected: Expected, at: number): number {
    this.#expected = expected;
    return at + 1;
  }

  #startRecord(at: number, byte: number): number {
    if (startsNothing[byte] === 1)
      return this.#break(at, `${JSON.stringify(String.fromCharCode(byte))} stands where a record should start`);
    this.records += 1;
    this.#recordLine = this.#line;
    this.#onRecord(this.records, this.#line, this.#bytesBefore + at);
    if (byte === quote) this.#step = 'string';
    else if (byte === openBrace || byte === openBracket) this.#bracketOpened(at, byte);
    else this.#step = 'scalar';
    return at + 1;
  }

  #endRecord(): void {
    this.#step = 'top';
    this.#expected = this.#array ? 'next' : 'record';
  }

  #bracketOpened(at: number, byte: number): void {
    this.#step = 'inside';
    this.#open.push(byte);
    if (this.#open.length > deepest) this.#break(at, `brackets are nested more than ${deepest} deep`);
  }

  #bracket(at: number, byte: number): void {
    if (byte === quote) this.#step = 'string';
    else if (byte === LF || byte === CR) this.#newLine(at);
    else if (byte === openBrace || byte === openBracket) this.#bracketOpened(at, byte);
    else this.#bracketClosed(at, byte);
  }

  #bracketClosed(at: number, byte: number): void {
    const opened = this.#open.pop();
    if (opened !== (byte === closeBrace ? openBrace : openBracket))
      this.#break(at, `"${String.fromCharCode(byte)}" closes a "${String.fromCharCode(opened ?? 0)}"`);
    else if (this.#open.length === 0) this.#endRecord();
  }

  #break(at: number, message: string): number {
    const column = this.#columnsBefore + characters(this.#chunk, this.#lineStart, at) + 1;
    this.broken = { record: this.records, line: this.#line, column, message };
    return at + 1;
  }
}

/** Characters between two places of UTF-8 text: all bytes but those that continue a sequence. */
function characters(chunk: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if ((chunk[at]! & 0xc0) !== 0x80) count += 1;
  return count;
}
