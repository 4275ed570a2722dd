/** Splits text into lines that hold a record: all that are not blank. Lines end at `\n`; a `\r` before it is a blank of JSON. */
import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
/** Bytes of a malformed line that are kept. */
const keptLimit = 64 * 1024;

export interface MalformedLine {
  /** Record number from 1. */
  readonly record: number;
  /** Physical line from 1. */
  readonly line: number;
  /** The line without its end; at most 64 KiB, bytes that are no UTF-8 as U+FFFD. */
  readonly raw: string;
}

export interface LineOptions {
  readonly onRecord: (record: number, line: number) => void;
  /** A line holds bytes that are no UTF-8. */
  readonly onMalformed: (line: MalformedLine) => void;
}

/** Fed with UTF-8 text in chunks that split no character. */
export class NdjsonLines {
  records = 0;
  readonly #options: LineOptions;
  #line = 1;
  #filled = false;
  #undecodable = false;
  #kept: Buffer[] = [];
  #keptBytes = 0;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  feed(chunk: Buffer): void {
    const suspect = !isUtf8(chunk);
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#piece(chunk, start, end, suspect);
      this.#endLine();
      start = end + 1;
    }
    this.#piece(chunk, start, chunk.length, suspect);
    // The next chunk may show that this line is malformed.
    if (!suspect && !this.#undecodable) this.#keep(chunk.subarray(start));
  }

  /** Says that the text ends here. */
  end(): void {
    this.#endLine();
  }

  #piece(chunk: Buffer, start: number, end: number, suspect: boolean): void {
    this.#filled ||= isFilled(chunk, start, end);
    if (!suspect && !this.#undecodable) return;
    const piece = chunk.subarray(start, end);
    this.#undecodable ||= !isUtf8(piece);
    this.#keep(piece);
  }

  #keep(piece: Buffer): void {
    const taken = piece.subarray(0, keptLimit - this.#keptBytes);
    if (taken.length === 0) return;
    this.#kept.push(Buffer.from(taken));
    this.#keptBytes += taken.length;
  }

  #endLine(): void {
    if (this.#filled) {
      this.records += 1;
      this.#options.onRecord(this.records, this.#line);
      if (this.#undecodable)
        this.#options.onMalformed({
          record: this.records,
          line: this.#line,
          raw: Buffer.concat(this.#kept).toString('utf8').replace(/\r$/u, ''),
        });
    }
    this.#line += 1;
    this.#filled = false;
    this.#undecodable = false;
    if (this.#keptBytes > 0) this.#kept = [];
    this.#keptBytes = 0;
  }
}

/** Whether anything but JSON blanks stands there. */
function isFilled(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = chunk[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return true;
  }
  return false;
}
