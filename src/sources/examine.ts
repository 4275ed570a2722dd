/** Reads a source file once and says all that can be known of it without an engine. */
import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { Fault } from '../core/fault.ts';
import type { FileSource, SourceFormat } from '../core/model/policy.ts';
import { detectDialect, type Head } from './csv-dialect.ts';
import { type ContentStream, decompressed, magicOf } from './decompress.ts';
import { checkNotJson, checkText, compressionOfName, formatOf } from './file-format.ts';
import { jsonShape } from './json-shape.ts';
import { parquetDamage } from './parquet-file.ts';
import { type FoundFile, readBytes, readSlice } from './read-bytes.ts';
import type { CsvDialect, Damage, FileCompression, JsonShape, SourceFile } from './source-file.ts';
import { encodingOf, toUtf8 } from './text-encoding.ts';
import { FactGatherer, type TextFacts } from './text-facts.ts';

export interface ExamineOptions {
  /** Names of the target's columns: they help to tell the delimiter and the header. */
  readonly targetNames?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Text that dialect and shape are told from. */
const headBytes = 256 * 1024;

/**
 * Reads all bytes of a file once: size, sha256, compression and its integrity, encoding, format, dialect, facts.
 * Damage is part of the result, not thrown.
 *
 * @throws SOURCE_FORMAT when the file is not what it was said to be or its header cannot be read, SOURCE_NOT_FOUND,
 *   SOURCE_UNREADABLE, CONFIG_INVALID for a delimiter or quote that is no single ASCII character, INTERRUPTED.
 */
export async function examineFile(found: FoundFile, source: FileSource, options: ExamineOptions = {}): Promise<SourceFile> {
  const head = await readSlice(found, 0, 512);
  const compression = compressionOf(head, found, source);
  const pass: Pass = { found, source, options, compression, raw: rawBytes(found, compression, options.signal) };
  const format = compression === 'none' ? formatOf(source, found.path, head) : undefined;
  const content = format === 'parquet' ? await parquetContent(pass) : await textContent(pass);
  await pass.raw.drain();
  const { size, sha256 } = pass.raw.result();
  return { path: found.path, absolute: found.absolute, size, sha256, compression, ...content };
}

interface Pass {
  readonly found: FoundFile;
  readonly source: FileSource;
  readonly options: ExamineOptions;
  readonly compression: FileCompression;
  readonly raw: RawBytes;
}

type Content = Omit<SourceFile, 'path' | 'absolute' | 'size' | 'sha256' | 'compression'>;

/** @throws SOURCE_FORMAT when a named compression is absent. */
function compressionOf(head: Buffer, found: FoundFile, source: FileSource): FileCompression {
  const named = source.compression ?? 'auto';
  if (named === 'none') return 'none';
  if (named !== 'auto') {
    if (magicOf(head, named) !== 'absent') return named;
    throw new Fault('SOURCE_FORMAT', `this file is not compressed with ${named}`, {
      place: { file: found.path },
      fix: 'Set `compression: auto`.',
    });
  }
  const seen = (['gzip', 'zstd'] as const).find((compression) => magicOf(head, compression) === 'present');
  if (seen !== undefined) return seen;
  const promised = compressionOfName(found.path);
  return promised !== undefined && magicOf(head, promised) === 'cut' ? promised : 'none';
}

interface RawBytes {
  readonly stream: AsyncGenerator<Buffer, void>;
  /** Reads what the consumer of the stream has left, so that size and hash are those of the whole file. */
  drain(): Promise<void>;
  result(): { readonly size: number; readonly sha256: string };
}

function rawBytes(found: FoundFile, compression: FileCompression, signal: AbortSignal | undefined): RawBytes {
  // Only zlib holds on to chunks after the next was asked for.
  const options = { signal, fresh: compression === 'gzip' };
  const state: { hash: Hash; size: number; whole: boolean } = { hash: createHash('sha256'), size: 0, whole: false };
  const hashed = async function* hashing(): AsyncGenerator<Buffer, void> {
    state.hash = createHash('sha256');
    state.size = 0;
    for await (const chunk of readBytes(found, options)) {
      state.hash.update(chunk);
      state.size += chunk.length;
      yield chunk;
    }
    state.whole = true;
  };
  const drain = async (): Promise<void> => {
    if (state.whole) return;
    const again = hashed();
    for (let step = await again.next(); !step.done; ) step = await again.next();
  };
  return { stream: hashed(), drain, result: () => ({ size: state.size, sha256: state.hash.digest('hex') }) };
}

async function parquetContent(pass: Pass): Promise<Content> {
  let bytes = 0;
  for await (const chunk of pass.raw.stream) bytes += chunk.length;
  const damage = await parquetDamage(pass.found, bytes);
  const facts = { bytes, nul: false, oddQuotes: false, mixedNewlines: false, undecodable: false, empty: bytes === 0 };
  return { format: 'parquet', encoding: 'utf-8', facts, ...(damage === undefined ? {} : { damage }) };
}

/** What the decompressed bytes say while they pass. */
interface Reading {
  bytes: number;
  damage: Damage | undefined;
}

async function textContent(pass: Pass): Promise<Content> {
  const reading: Reading = { bytes: 0, damage: undefined };
  const content = counted(decompressed(pass.raw.stream, pass.compression, pass.found.path), reading);
  try {
    const head = await firstBytes(content);
    const encoding = encodingOf(head, pass.source.encoding);
    const format = formatOf(pass.source, pass.found.path, head);
    const place = { file: pass.found.path };
    if (format === 'parquet') throw new Fault('SOURCE_FORMAT', 'a Parquet file must not be compressed as a whole', { place });
    if (reading.damage === undefined) checkText(head, encoding, pass.found.path);
    if (format === 'csv') checkNotJson(head, pass.source, pass.found.path);
    const { facts, ...shape } = await scanText(toUtf8(joined(head, content), encoding), { format, pass, reading });
    const damage = reading.damage;
    return { format, encoding, facts: { bytes: reading.bytes, ...facts }, ...shape, ...(damage === undefined ? {} : { damage }) };
  } finally {
    await content.return();
  }
}

/** Passes the content on, counting it and keeping what is said of damage at its end. */
async function* counted(content: ContentStream, reading: Reading): AsyncGenerator<Buffer, void> {
  try {
    for (let step = await content.next(); ; step = await content.next()) {
      if (step.done) {
        reading.damage = step.value;
        return;
      }
      reading.bytes += step.value.length;
      yield step.value;
    }
  } finally {
    await content.return(undefined);
  }
}

/** Takes chunks off a stream until they are enough to tell format and dialect, and copies them. */
async function firstBytes(stream: AsyncIterator<Buffer, void>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let length = 0; length < headBytes; ) {
    const step = await stream.next();
    if (step.done) break;
    pieces.push(Buffer.from(step.value));
    length += step.value.length;
  }
  return Buffer.concat(pieces);
}

async function* joined(head: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (head.length > 0) yield head;
  yield* rest;
}

interface TextScan {
  readonly facts: TextFacts;
  readonly csv?: CsvDialect;
  readonly json?: JsonShape;
}

interface TextKind {
  readonly format: Exclude<SourceFormat, 'parquet'>;
  readonly pass: Pass;
  readonly reading: Reading;
}

async function scanText(text: AsyncIterable<Buffer>, kind: TextKind): Promise<TextScan> {
  const chunks = text[Symbol.asyncIterator]();
  const head = await firstBytes(chunks);
  const after = await chunks.next();
  const { format, pass, reading } = kind;
  const start: Head = {
    text: head.toString('utf8'),
    whole: after.done === true,
    undecodable: !isUtf8(head),
    shown: pass.found.path,
    targetNames: pass.options.targetNames ?? [],
  };
  const csv = format === 'csv' ? dialectOf(start, pass.source, reading) : undefined;
  const facts = new FactGatherer(format === 'csv' ? csv : 'json');
  facts.feed(head);
  for (let step = after; !step.done; step = await chunks.next()) facts.feed(step.value);
  if (format === 'csv') return csv === undefined ? { facts: facts.finish() } : { facts: facts.finish(), csv };
  return { facts: facts.finish(), json: format === 'ndjson' ? 'lines' : jsonShape(start.text, start.whole) };
}

/** The dialect; undefined when damage cut the file within its first record. */
function dialectOf(head: Head, source: FileSource, reading: Reading): CsvDialect | undefined {
  try {
    return detectDialect(head, source);
  } catch (error) {
    if (reading.damage !== undefined && error instanceof Fault && error.code === 'SOURCE_FORMAT') return undefined;
    throw error;
  }
}
