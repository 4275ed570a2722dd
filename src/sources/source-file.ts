/** What is known of one source file after its bytes were read once. Plain data. */
import type { SourceFormat } from '../core/model/policy.ts';

/** How text is written in bytes. Latin-1 is ISO-8859-1: the bytes 0x80 to 0x9F are control characters, not those of windows-1252. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1';
export type FileCompression = 'none' | 'gzip' | 'zstd';
export type Newline = '\n' | '\r\n' | '\r';
/** How JSON records stand in a file: one a line, the elements of one array, or objects one after the other. */
export type JsonShape = 'lines' | 'array' | 'objects';

/** Why a file cannot be read to its end. The whole file counts as damaged, whatever could be read of it. */
export interface Damage {
  readonly reason: 'truncated_compressed_stream' | 'corrupt_compressed_stream' | 'truncated_file';
  readonly message: string;
  /** Byte of the file on disk, from 0, at or shortly before which the damage was noticed. */
  readonly offset: number;
}

/** What the bytes hold, after decompression and, but for `bytes`, after decoding to UTF-8. All are exact or err on the side of true. */
export interface FileFacts {
  /** Length after decompression, before decoding. */
  readonly bytes: number;
  /** A NUL character occurs; in JSON also as the text `\u0000`. */
  readonly nul: boolean;
  /** CSV: blanks stand between a quote and the delimiter or line end beside it. Some engines swallow them. */
  readonly oddQuotes: boolean;
  /** CSV: line ends of more than one kind occur, inside quotes included. */
  readonly mixedNewlines: boolean;
  /** Bytes occur that are not text in the encoding of the file. */
  readonly undecodable: boolean;
  /** Nothing but a byte-order mark, blank lines or, in JSON, blanks. */
  readonly empty: boolean;
}

/** How a CSV file is written. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character, or empty when quotes have no meaning. */
  readonly quote: string;
  /** Cells of the header record exactly as written, without their quotes; `column1`, `column2`, … when there is none. */
  readonly header: readonly string[];
  readonly hasHeader: boolean;
  /** Blank physical lines before the first record. */
  readonly skipLines: number;
  /** Physical lines that the header record takes; 0 without header. */
  readonly headerLines: number;
  /** Line end of the first record; `\n` when it has none. */
  readonly newline: Newline;
}

export interface SourceFile {
  /** As shown to people: as the user wrote it, forward slashes. */
  readonly path: string;
  readonly absolute: string;
  /** Bytes on disk. */
  readonly size: number;
  /** Of the bytes on disk, hexadecimal. */
  readonly sha256: string;
  readonly format: SourceFormat;
  readonly compression: FileCompression;
  readonly encoding: TextEncoding;
  readonly facts: FileFacts;
  readonly damage?: Damage;
  /** Present when the format is CSV, unless damage hides the first record. */
  readonly csv?: CsvDialect;
  /** Present when the format is NDJSON or JSON. */
  readonly json?: JsonShape;
}
