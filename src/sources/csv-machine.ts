/** Splits CSV text into records by the law, byte by byte, keeping only the current record's bounds in memory. */
import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { CsvCopy } from './csv-copy.ts';
import type { CsvDialect } from './source-file.ts';

const LF = 0x0a;
const CR = 0x0d;
/** Bytes of a malformed record that are kept. */
const keptLimit = 64 * 1024;
const nothing = Buffer.alloc(0);

export type MalformedReason = 'fields' | 'quote' | 'encoding';

export interface MalformedRecord {
  /** Record number from 1; the header is not counted. */
  readonly record: number;
  /** Physical lines, from 1, on which the record starts and ends. */
  readonly line: number;
  readonly endLine: number;
  readonly reason: MalformedReason;
  /** Text of the record without its line end; at most 64 KiB, bytes that are no UTF-8 as U+FFFD. */
  readonly raw: string;
  /** The record is longer than `raw`. */
  readonly cut?: true;
  /** Fields of the record, when their number is what is wrong. */
  readonly found?: number;
}

export interface MachineOptions {
  readonly dialect: CsvDialect;
  /** Fields a record must have. */
  readonly fields: number;
  readonly onMalformed: (record: MalformedRecord) => void;
  /** Called with the number and first physical line of each record, malformed ones included. */
  readonly onRecord: (record: number, line: number) => void;
  readonly copy?: CsvCopy | undefined;
  /** Only `onRecord` is wanted: fields are not counted, and records without quotes are not looked into. */
  readonly linesOnly?: boolean | undefined;
}

type Step = 'skipLine' | 'recordStart' | 'fieldStart' | 'bare' | 'quoted' | 'afterQuote' | 'lost';

/** Fed with UTF-8 text, without byte-order mark, in chunks that split no character. */
export class CsvMachine {
  /** Records so far, good and malformed, without the header. */
  records = 0;
  readonly #options: MachineOptions;
  readonly #copy: CsvCopy | undefined;
  readonly #delimiter: number;
  readonly #quote: number;
  /** Marks the bytes that end a bare field, and those that matter inside quotes. */
  readonly #endsBare = new Uint8Array(256);
  readonly #stopsQuoted = new Uint8Array(256);
  #step: Step;
  #skipLines: number;
  #header: boolean;
  #line = 1;
  /** The byte before was a CR, so that an LF now belongs to it. */
  #afterCr = false;
  #lastByte = 0;
  #chunk: Buffer = nothing;
  /** Whether the chunk holds bytes that are no UTF-8. */
  #suspect = false;
  /** The next quote and CR of the chunk; its length when there is none. Kept for `linesOnly` alone. */
  #nextQuote = 0;
  #nextCr = 0;
  /** Where the record, or what is left of it, starts in the chunk. */
  #start = 0;
  #recordLine = 1;
  #fields = 0;
  #lost = false;
  #undecodable = false;
  /** The start of the record, from earlier chunks. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #cut = false;

  constructor(options: MachineOptions) {
    const { dialect } = options;
    this.#options = options;
    this.#copy = options.copy;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote === '' ? -1 : dialect.quote.charCodeAt(0);
    for (const byte of [this.#delimiter, LF, CR]) this.#endsBare[byte] = 1;
    for (const byte of [this.#quote, LF, CR]) if (byte >= 0) this.#stopsQuoted[byte] = 1;
    this.#skipLines = dialect.skipLines;
    this.#header = dialect.hasHeader;
    this.#step = dialect.skipLines > 0 ? 'skipLine' : 'recordStart';
  }

  feed(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunk = chunk;
    this.#start = 0;
    this.#nextQuote = -1;
    this.#nextCr = -1;
    this.#suspect = this.#options.linesOnly !== true && !isUtf8(chunk);
    for (let at = 0; at < chunk.length; ) at = this.#steps[this.#step](at);
    this.#lastByte = chunk[chunk.length - 1]!;
    if (this.#inRecord()) this.#keep(chunk.length);
  }

  /** Says that the text ends here. */
  end(): void {
    this.#chunk = nothing;
    this.#start = 0;
    this.#suspect = false;
    if (!this.#inRecord()) return;
    if (this.#step === 'fieldStart') this.#copy?.open(false);
    if (this.#step === 'quoted') this.#lost = true;
    else this.#endField();
    // A line end inside an unclosed quote opens a line that holds nothing.
    this.#finish(0, this.#step === 'quoted' && (this.#lastByte === LF || this.#lastByte === CR) ? this.#line - 1 : this.#line);
  }

  readonly #steps: Readonly<Record<Step, (at: number) => number>> = {
    skipLine: (at) => {
      if (this.#joinsCr(at)) return at + 1;
      const end = this.#lineEnd(at);
      if (end === this.#chunk.length) return end;
      this.#newLine(this.#chunk[end]!);
      this.#skipLines -= 1;
      if (this.#skipLines === 0) this.#step = 'recordStart';
      return end + 1;
    },
    recordStart: (at) => {
      const byte = this.#chunk[at]!;
      if (this.#joinsCr(at)) return at + 1;
      if (byte === LF || byte === CR) {
        this.#newLine(byte);
        return at + 1;
      }
      this.#start = at;
      this.#recordLine = this.#line;
      const end = this.#options.linesOnly === true ? this.#plainEnd(at) : -1;
      if (end >= 0) return this.#endRecord(end);
      this.#step = 'fieldStart';
      return at;
    },
    fieldStart: (at) => {
      const isQuoted = this.#chunk[at] === this.#quote;
      this.#copy?.open(isQuoted);
      this.#step = isQuoted ? 'quoted' : 'bare';
      return isQuoted ? at + 1 : at;
    },
    bare: (at) => {
      const chunk = this.#chunk;
      const ends = this.#endsBare;
      let end = at;
      while (end < chunk.length && ends[chunk[end]!] === 0) end += 1;
      this.#copy?.bytes(chunk, at, end);
      return end === chunk.length ? end : this.#afterField(end);
    },
    quoted: (at) => {
      const end = this.#quotedEnd(at);
      this.#copy?.bytes(this.#chunk, at, end);
      if (end === this.#chunk.length) return end;
      this.#step = 'afterQuote';
      return end + 1;
    },
    afterQuote: (at) => {
      const byte = this.#chunk[at]!;
      if (byte === this.#quote) {
        this.#copy?.bytes(this.#chunk, at, at + 1);
        this.#step = 'quoted';
        return at + 1;
      }
      if (this.#endsBare[byte] === 1) return this.#afterField(at);
      this.#lost = true;
      this.#step = 'lost';
      return at;
    },
    lost: (at) => {
      const end = this.#lineEnd(at);
      return end === this.#chunk.length ? end : this.#endRecord(end);
    },
  };

  #inRecord(): boolean {
    return this.#step !== 'recordStart' && this.#step !== 'skipLine';
  }

  /** Where the record from `at` ends, if it lies in the chunk and holds neither quotes nor CR; else -1. */
  #plainEnd(at: number): number {
    const chunk = this.#chunk;
    const next = (byte: number, known: number): number => {
      if (known >= at || byte < 0) return byte < 0 ? chunk.length : known;
      const found = chunk.indexOf(byte, at);
      return found < 0 ? chunk.length : found;
    };
    this.#nextQuote = next(this.#quote, this.#nextQuote);
    this.#nextCr = next(CR, this.#nextCr);
    const end = chunk.indexOf(LF, at);
    return end < this.#nextQuote && end < this.#nextCr ? end : -1;
  }

  #lineEnd(at: number): number {
    const chunk = this.#chunk;
    let end = at;
    while (end < chunk.length && chunk[end] !== LF && chunk[end] !== CR) end += 1;
    return end;
  }

  /** Whether this byte is the LF of a CRLF whose CR has been counted. Forgets the CR. */
  #joinsCr(at: number): boolean {
    const joins = this.#afterCr && this.#chunk[at] === LF;
    this.#afterCr = false;
    return joins;
  }

  #newLine(byte: number): void {
    this.#line += 1;
    this.#afterCr = byte === CR;
  }

  /** Where the closing quote stands, or the chunk ends; counts the lines on the way. */
  #quotedEnd(at: number): number {
    const chunk = this.#chunk;
    const stops = this.#stopsQuoted;
    for (let end = this.#joinsCr(at) ? at + 1 : at; ; end += 1) {
      while (end < chunk.length && stops[chunk[end]!] === 0) end += 1;
      if (end === chunk.length || chunk[end] === this.#quote) return end;
      this.#newLine(chunk[end]!);
      if (end + 1 < chunk.length && this.#joinsCr(end + 1)) end += 1;
    }
  }

  #afterField(at: number): number {
    this.#endField();
    if (this.#chunk[at] !== this.#delimiter) return this.#endRecord(at);
    this.#step = 'fieldStart';
    return at + 1;
  }

  #endField(): void {
    this.#fields += 1;
    this.#copy?.close();
  }

  #endRecord(at: number): number {
    this.#finish(at, this.#line);
    this.#newLine(this.#chunk[at]!);
    this.#step = 'recordStart';
    return at + 1;
  }

  #finish(end: number, endLine: number): void {
    if (this.#suspect) this.#keepUndecodable(end);
    const reason = this.#options.linesOnly === true ? undefined : this.#fault();
    if (this.#header) {
      this.#header = false;
      this.#copy?.discard();
    } else {
      this.records += 1;
      this.#options.onRecord(this.records, this.#recordLine);
      if (reason === undefined) this.#copy?.commit();
      else this.#malformed(reason, end, endLine);
    }
    this.#fields = 0;
    this.#lost = false;
    this.#undecodable = false;
    if (this.#keptBytes > 0) this.#kept = [];
    this.#keptBytes = 0;
    this.#cut = false;
  }

  #fault(): MalformedReason | undefined {
    if (this.#lost) return 'quote';
    if (this.#undecodable) return 'encoding';
    return this.#fields === this.#options.fields ? undefined : 'fields';
  }

  #malformed(reason: MalformedReason, end: number, endLine: number): void {
    this.#copy?.discard();
    this.#keep(end);
    this.#options.onMalformed({
      record: this.records,
      line: this.#recordLine,
      endLine,
      reason,
      raw: decoded(Buffer.concat(this.#kept), this.#cut),
      ...(this.#cut ? { cut: true } : {}),
      ...(reason === 'fields' ? { found: this.#fields } : {}),
    });
  }

  #keepUndecodable(end: number): void {
    this.#undecodable ||= !isUtf8(this.#chunk.subarray(this.#start, end));
  }

  /** Keeps the record's bytes up to `end`, as far as they will be shown. */
  #keep(end: number): void {
    if (this.#suspect) this.#keepUndecodable(end);
    const size = end - this.#start;
    const taken = Math.min(size, keptLimit - this.#keptBytes);
    if (taken < size) this.#cut = true;
    if (taken > 0) this.#kept.push(Buffer.from(this.#chunk.subarray(this.#start, this.#start + taken)));
    this.#keptBytes += taken;
    this.#start = end;
  }
}

/** Text of bytes; a character cut at the end is left out. */
function decoded(bytes: Buffer, cut: boolean): string {
  const decoder = new StringDecoder('utf8');
  return decoder.write(bytes) + (cut ? '' : decoder.end());
}
