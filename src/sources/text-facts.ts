/** Gathers facts over the text of a file with searches that run in native code; loops over single bytes only where nothing else tells. */
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
const space = 0x20;
const tab = 0x09;
/** Bytes carried from one chunk to the next. A run of blanks longer than this at a chunk's edge counts as odd. */
const edge = 64;

export interface CsvMarks {
  readonly delimiter: string;
  /** Empty when quotes have no meaning. */
  readonly quote: string;
}

export interface TextFacts {
  readonly nul: boolean;
  readonly oddQuotes: boolean;
  readonly mixedNewlines: boolean;
  readonly undecodable: boolean;
  readonly empty: boolean;
}

/** Fed with the UTF-8 text of a file in chunks that split no character. */
export class FactGatherer {
  readonly #csv: CsvMarks | undefined;
  readonly #json: boolean;
  #nul = false;
  #odd = false;
  #undecodable = false;
  #empty = true;
  readonly #newlines = { lf: false, crlf: false, cr: false };
  #endsInCr = false;
  #tail = Buffer.alloc(0);
  #first = true;

  /** @param kind the marks of a CSV file, or that the text is JSON, or neither. */
  constructor(kind: CsvMarks | 'json' | undefined) {
    this.#csv = typeof kind === 'object' ? kind : undefined;
    this.#json = kind === 'json';
  }

  feed(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#undecodable ||= !isUtf8(chunk);
    this.#empty &&= isBlank(chunk, this.#json);
    const seam = this.#first ? undefined : Buffer.concat([this.#tail, chunk.subarray(0, edge)]);
    this.#nul ||= this.#holdsNul(chunk) || (this.#json && seam !== undefined && this.#holdsNul(seam));
    if (this.#csv !== undefined) this.#csvFacts(chunk, seam, this.#csv);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(Math.max(0, chunk.length - edge))]).subarray(-edge);
    this.#first = false;
  }

  #holdsNul(piece: Buffer): boolean {
    return piece.indexOf(0) >= 0 || (this.#json && piece.indexOf('\\u0000', 0, 'latin1') >= 0);
  }

  #csvFacts(chunk: Buffer, seam: Buffer | undefined, csv: CsvMarks): void {
    if (!this.#mixed()) this.#countNewlines(chunk);
    if (this.#odd || csv.quote === '') return;
    this.#odd = oddQuotes(chunk, csv, { start: this.#first ? 'line' : 'inside', end: 'inside' });
    if (seam !== undefined && !this.#odd) {
      this.#odd = oddQuotes(seam, csv, { start: this.#tail.length < edge ? 'line' : 'inside', end: 'inside' });
    }
  }

  #countNewlines(chunk: Buffer): void {
    const seen = this.#newlines;
    const crossing = this.#endsInCr && chunk[0] === LF;
    if (crossing) seen.crlf = true;
    else if (this.#endsInCr) seen.cr = true;
    this.#endsInCr = chunk[chunk.length - 1] === CR;
    const from = crossing ? 1 : 0;
    if (chunk.indexOf(CR, from) < 0) seen.lf ||= chunk.indexOf(LF, from) >= 0;
    else countEach(chunk.subarray(from), seen);
  }

  #mixed(): boolean {
    const { lf, crlf, cr } = this.#newlines;
    return Number(lf) + Number(crlf) + Number(cr) > 1;
  }

  /** The facts, once all text was fed. */
  finish(): TextFacts {
    if (this.#endsInCr) this.#newlines.cr = true;
    if (this.#csv !== undefined && this.#csv.quote !== '' && !this.#odd) {
      this.#odd = oddQuotes(this.#tail, this.#csv, { start: this.#tail.length < edge ? 'line' : 'inside', end: 'line' });
    }
    return { nul: this.#nul, oddQuotes: this.#odd, mixedNewlines: this.#mixed(), undecodable: this.#undecodable, empty: this.#empty };
  }
}

function isBlank(chunk: Buffer, json: boolean): boolean {
  return chunk.every((byte) => byte === LF || byte === CR || (json && (byte === space || byte === tab)));
}

/** Notes which line ends occur in a chunk that holds a CR. One at its very end is left to the next chunk. */
function countEach(chunk: Buffer, seen: { lf: boolean; crlf: boolean; cr: boolean }): void {
  let before = 0;
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at]!;
    if (byte === LF) {
      if (before === CR) seen.crlf = true;
      else seen.lf = true;
    } else if (before === CR) seen.cr = true;
    before = byte;
  }
}

/** What lies beyond the edges of a piece: a line end, or more text, of which neighbouring pieces show `edge` bytes. */
interface Edges {
  readonly start: 'line' | 'inside';
  readonly end: 'line' | 'inside';
}

interface MarkBytes {
  readonly delimiter: number;
  readonly quote: number;
}

/** Whether blanks stand between a quote and a delimiter or line end, on either side of the quote. */
function oddQuotes(piece: Buffer, csv: CsvMarks, edges: Edges): boolean {
  const marks = { delimiter: csv.delimiter.charCodeAt(0), quote: csv.quote.charCodeAt(0) };
  const first = piece.indexOf(marks.quote);
  if (first < 0) return false;
  return isQuoteHeavy(piece, marks) ? oddInLoop(piece, first, marks, edges) : oddBySearch(piece, marks, edges);
}

/** Whether so many quotes occur that looking at each byte is cheaper than jumping from one to the next. */
function isQuoteHeavy(piece: Buffer, { quote }: MarkBytes): boolean {
  const sample = Math.min(piece.length, 16_384);
  const many = sample / 50;
  let seen = 0;
  for (let at = piece.indexOf(quote); at >= 0 && at < sample; at = piece.indexOf(quote, at + 1)) {
    seen += 1;
    if (seen > many) return true;
  }
  return false;
}

function oddInLoop(piece: Buffer, first: number, marks: MarkBytes, edges: Edges): boolean {
  const { quote } = marks;
  let before = first === 0 ? 0 : piece[first - 1]!;
  for (let at = first; at < piece.length; at += 1) {
    const byte = piece[at]!;
    if (byte === quote && isBlankByte(before, marks) && oddBefore(piece, at, marks, edges)) return true;
    if (before === quote && isBlankByte(byte, marks) && oddAfter(piece, at - 1, marks, edges)) return true;
    before = byte;
  }
  return false;
}

/** The same by native searches for a blank beside a quote. */
function oddBySearch(piece: Buffer, marks: MarkBytes, edges: Edges): boolean {
  for (const blank of [space, tab]) {
    if (blank === marks.delimiter) continue;
    const before = Buffer.from([blank, marks.quote]);
    for (let at = piece.indexOf(before); at >= 0; at = piece.indexOf(before, at + 1)) {
      if (oddBefore(piece, at + 1, marks, edges)) return true;
    }
    const after = Buffer.from([marks.quote, blank]);
    for (let at = piece.indexOf(after); at >= 0; at = piece.indexOf(after, at + 1)) {
      if (oddAfter(piece, at, marks, edges)) return true;
    }
  }
  return false;
}

const isBlankByte = (byte: number | undefined, marks: MarkBytes): boolean => (byte === space || byte === tab) && byte !== marks.delimiter;
const endsField = (byte: number | undefined, marks: MarkBytes): boolean => byte === marks.delimiter || byte === LF || byte === CR;

function oddAfter(piece: Buffer, quote: number, marks: MarkBytes, edges: Edges): boolean {
  let next = quote + 1;
  while (isBlankByte(piece[next], marks)) next += 1;
  return next < piece.length ? endsField(piece[next], marks) : edges.end === 'line' || next - quote > edge;
}

function oddBefore(piece: Buffer, quote: number, marks: MarkBytes, edges: Edges): boolean {
  let before = quote - 1;
  while (isBlankByte(piece[before], marks)) before -= 1;
  return before >= 0 ? endsField(piece[before], marks) : edges.start === 'line' || quote >= edge;
}
