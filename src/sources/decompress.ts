/** Finds out how a file is compressed and undoes it, watching for damage up to the last byte. */
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Damage, FileCompression } from './source-file.ts';
import { systemCode } from './read-bytes.ts';
import { ZstdStream } from './zstd-stream.ts';

/** Pieces of the content; the return value tells of damage. Nothing after the damage is given. */
export type ContentStream = AsyncGenerator<Buffer, Damage | undefined>;

const gunzipChunk = 256 * 1024;

const magics: Readonly<Record<'gzip' | 'zstd', readonly (readonly number[])[]>> = {
  gzip: [[0x1f, 0x8b]],
  // A frame, or one of 16 kinds of skippable frame.
  zstd: [[0x28, 0xb5, 0x2f, 0xfd], ...Array.from({ length: 16 }, (_, kind) => [0x50 + kind, 0x2a, 0x4d, 0x18])],
};

/** Whether the first bytes of a file are those of a compression, or too few to tell. */
export function magicOf(head: Buffer, compression: 'gzip' | 'zstd'): 'present' | 'cut' | 'absent' {
  const matches = (magic: readonly number[], length: number): boolean =>
    magic.slice(0, length).every((byte, index) => head[index] === byte);
  if (magics[compression].some((magic) => head.length >= magic.length && matches(magic, magic.length))) return 'present';
  return magics[compression].some((magic) => head.length < magic.length && matches(magic, head.length)) ? 'cut' : 'absent';
}

const decompressors: Readonly<Record<FileCompression, (raw: AsyncIterable<Buffer>, shown: string) => ContentStream>> = {
  none: async function* plain(raw) {
    yield* raw;
    return undefined;
  },
  gzip: gunzipped,
  zstd: unzstd,
};

/**
 * The content of a compressed stream.
 *
 * @param raw the bytes on disk; for gzip each chunk must stay as it is until the end
 * @param shown the name of the file in messages
 */
export function decompressed(raw: AsyncIterable<Buffer>, compression: FileCompression, shown: string): ContentStream {
  return decompressors[compression](raw, shown);
}

async function* unzstd(raw: AsyncIterable<Buffer>, shown: string): ContentStream {
  const stream = new ZstdStream(shown);
  let bytes = 0;
  for await (const chunk of raw) {
    bytes += chunk.length;
    yield* stream.push(chunk);
    if (stream.damage !== undefined) return stream.damage;
  }
  if (bytes === 0) return { reason: 'truncated_compressed_stream', message: 'the zstd stream holds nothing at all', offset: 0 };
  stream.end();
  return stream.damage;
}

/** zlib checks header, CRC and length of each member; it passes over zeros behind the last one, so the bytes taken in are counted. */
async function* gunzipped(raw: AsyncIterable<Buffer>): ContentStream {
  const gunzip = createGunzip({ chunkSize: gunzipChunk });
  let given = 0;
  let readError: unknown;
  const counted = async function* counting(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of raw) {
        given += chunk.length;
        yield chunk;
      }
    } catch (error) {
      readError = error;
      throw error;
    }
  };
  const feeding = pipeline(counted(), gunzip).catch(() => undefined);
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    if (readError !== undefined) throw readError;
    return gzipDamage(error, gunzip.bytesWritten, given);
  }
  await feeding;
  if (given === 0) return { reason: 'truncated_compressed_stream', message: 'the gzip stream holds nothing at all', offset: 0 };
  if (gunzip.bytesWritten < given) return trailing(gunzip.bytesWritten);
  return undefined;
}

function trailing(offset: number): Damage {
  return { reason: 'corrupt_compressed_stream', message: `bytes follow the end of the gzip stream, from byte ${offset} on`, offset };
}

function gzipDamage(error: unknown, taken: number, given: number): Damage {
  const what = error instanceof Error ? error.message : String(error);
  if (systemCode(error) !== 'Z_BUF_ERROR') {
    return { reason: 'corrupt_compressed_stream', message: `the gzip stream is corrupt: ${what}`, offset: taken };
  }
  return { reason: 'truncated_compressed_stream', message: `the gzip stream ends early, after ${given} bytes`, offset: given };
}
