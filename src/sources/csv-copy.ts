/**
 * Writes good CSV records in one canonical form: comma, double quotes, `\n`, every field quoted but the unquoted empty ones, no header.
 * A record is taken back when it turns out to be malformed, however long it is: what is on disk already is overwritten.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { readFault } from './read-bytes.ts';

const quote = 0x22;
const comma = 0x2c;
const LF = 0x0a;
const bufferSize = 1024 * 1024;
/** Bytes copied at once, so that twice as many fit into the buffer. */
const slice = 128 * 1024;

export class CsvCopy {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #buffer = Buffer.allocUnsafeSlow(bufferSize);
  #length = 0;
  /** Place in the file of the start of the buffer, and of the record that is being written. */
  #bufferAt = 0;
  #recordAt = 0;
  #firstField = true;
  #quoted = false;

  /** @throws SOURCE_UNREADABLE when the file cannot be created. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#tried(() => openSync(path, 'w'));
  }

  /** Begins a field; one that stays empty is written with quotes only if it had them. */
  open(quoted: boolean): void {
    this.#room(2);
    if (!this.#firstField) this.#buffer[this.#length++] = comma;
    this.#firstField = false;
    this.#quoted = quoted;
    if (quoted) this.#buffer[this.#length++] = quote;
  }

  /** Adds to the value of the field. */
  bytes(chunk: Buffer, from: number, to: number): void {
    if (from === to) return;
    if (!this.#quoted) {
      this.#room(1);
      this.#buffer[this.#length++] = quote;
      this.#quoted = true;
    }
    for (let at = from; at < to; at += slice) this.#copied(chunk, at, Math.min(at + slice, to));
  }

  #copied(chunk: Buffer, from: number, to: number): void {
    this.#room(2 * (to - from));
    const buffer = this.#buffer;
    let length = this.#length;
    for (let at = from; at < to; at += 1) {
      const byte = chunk[at]!;
      buffer[length++] = byte;
      if (byte === quote) buffer[length++] = quote;
    }
    this.#length = length;
  }

  close(): void {
    if (!this.#quoted) return;
    this.#room(1);
    this.#buffer[this.#length++] = quote;
  }

  /** Keeps the record. */
  commit(): void {
    this.#room(1);
    this.#buffer[this.#length++] = LF;
    this.#recordAt = this.#bufferAt + this.#length;
    this.#firstField = true;
  }

  /** Takes the record back. */
  discard(): void {
    this.#length = Math.max(0, this.#recordAt - this.#bufferAt);
    this.#bufferAt = Math.min(this.#bufferAt, this.#recordAt);
    this.#firstField = true;
  }

  /** Writes what is left and closes the file. */
  finish(): void {
    this.#flush();
    this.#tried(() => ftruncateSync(this.#descriptor, this.#bufferAt));
    closeSync(this.#descriptor);
  }

  /** Closes the file as it is, after a failure. */
  abandon(): void {
    closeSync(this.#descriptor);
  }

  #room(bytes: number): void {
    if (this.#length + bytes > bufferSize) this.#flush();
  }

  #flush(): void {
    for (let done = 0; done < this.#length; ) {
      done += this.#tried(() => writeSync(this.#descriptor, this.#buffer, done, this.#length - done, this.#bufferAt + done));
    }
    this.#bufferAt += this.#length;
    this.#length = 0;
  }

  #tried<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw readFault(error, this.#path);
    }
  }
}
