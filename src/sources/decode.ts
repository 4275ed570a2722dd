/** The text of a source file as UTF-8 bytes: decompressed, decoded, without byte-order mark. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../core/fault.ts';
import { type ContentStream, decompressed } from './decompress.ts';
import { type ReadOptions, readBytes } from './read-bytes.ts';
import type { SourceFile } from './source-file.ts';
import { toUtf8 } from './text-encoding.ts';

type Decodable = Pick<SourceFile, 'path' | 'absolute' | 'compression' | 'encoding'>;

/**
 * The text of a file as UTF-8. Chunks never split a character. What cannot be decoded (a byte that is no UTF-8, half a UTF-16 pair)
 * stays visible as bytes that are no UTF-8. Latin-1 is ISO-8859-1, byte for byte.
 *
 * @throws SOURCE_UNREADABLE when the file is gone, unreadable or damaged (`examineFile` tells of damage beforehand); INTERRUPTED.
 */
export function decodedStream(file: Decodable, signal?: AbortSignal): AsyncIterable<Buffer> {
  return opened(file, { signal });
}

/** The same for readers that are done with each chunk before they ask for the next: chunks may be overwritten then. */
export function textOf(file: Decodable, signal?: AbortSignal): AsyncIterable<Buffer> {
  // zlib holds on to the chunks it was given.
  return opened(file, { signal, fresh: file.compression === 'gzip' });
}

function opened(file: Decodable, options: ReadOptions): AsyncIterable<Buffer> {
  const content = decompressed(readBytes(file, options), file.compression, file.path);
  return toUtf8(unlessDamaged(content, file.path), file.encoding);
}

async function* unlessDamaged(content: ContentStream, shown: string): AsyncGenerator<Buffer> {
  const damage = yield* content;
  if (damage !== undefined) throw new Fault('SOURCE_UNREADABLE', damage.message, { place: { file: shown } });
}

/** Writes the text of a file as plain UTF-8 to the path `to`, replacing what is there. @throws as `decodedStream`. */
export async function transcode(file: Decodable, to: string, signal?: AbortSignal): Promise<void> {
  await pipeline(decodedStream(file, signal), createWriteStream(to));
}
