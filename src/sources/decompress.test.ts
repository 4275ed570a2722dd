import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompressed, magicOf } from './decompress.ts';
import type { Damage, FileCompression } from './source-file.ts';
import { inFreshChunks } from '../../test/fixtures/byte-streams.ts';

const text = 'id,name\n1,Ann\n2,Bob\n3,Ann\n4,Bob\n5,Ann\n6,Bob\n7,Ann\n8,Bob\n';
/** `text`, written by the reference zstd 1.5: with checksum and content size, without checksum, and from a pipe (no content size). */
const zstd = {
  checked: Buffer.from('KLUv/SQ4VQEA+GlkLG5hbWUKMSxBbm4KMixCb2IKMzQ1Njc4LEJvYgoFBAJAwAEGxBcmnzyqtA==', 'base64'),
  unchecked: Buffer.from('KLUv/SA4VQEA+GlkLG5hbWUKMSxBbm4KMixCb2IKMzQ1Njc4LEJvYgoFBAJAwAEGxBcm', 'base64'),
  piped: Buffer.from('KLUv/QRYVQEA+GlkLG5hbWUKMSxBbm4KMixCb2IKMzQ1Njc4LEJvYgoFBAJAwAEGxBcmnzyqtA==', 'base64'),
};
/** RFC 8878, 3.1.2: magic number, size, that many bytes. */
const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
const gzip = gzipSync(text);

async function read(bytes: Buffer, compression: FileCompression, size = 1000): Promise<{ text: string; damage: Damage | undefined }> {
  const stream = decompressed(inFreshChunks(bytes, size), compression, 'f');
  const pieces: Buffer[] = [];
  for (;;) {
    const step = await stream.next();
    if (step.done) return { text: Buffer.concat(pieces).toString(), damage: step.value };
    pieces.push(Buffer.from(step.value));
  }
}

const reasonOf = async (bytes: Buffer, compression: FileCompression): Promise<string | undefined> =>
  (await read(bytes, compression)).damage?.reason;

const whole: readonly (readonly [string, Buffer, FileCompression, string])[] = [
  ['gzip', gzip, 'gzip', text],
  ['two gzip members', Buffer.concat([gzip, gzipSync('more\n')]), 'gzip', `${text}more\n`],
  ['a gzip member of nothing', gzipSync(''), 'gzip', ''],
  ['zstd with checksum', zstd.checked, 'zstd', text],
  ['zstd without checksum', zstd.unchecked, 'zstd', text],
  ['zstd from a pipe', zstd.piped, 'zstd', text],
  ['two zstd frames', Buffer.concat([zstd.checked, zstd.unchecked]), 'zstd', text + text],
  ['skippable zstd frames', Buffer.concat([skippable, zstd.piped, skippable]), 'zstd', text],
];

describe('decompressed', () => {
  it.each(whole)('reads %s, however it is cut into chunks', async (_, bytes, compression, content) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(await read(bytes, compression, size)).toEqual({ text: content, damage: undefined });
  });

  it.each([
    ['gzip', gzip, 'gzip'],
    ['zstd with checksum', zstd.checked, 'zstd'],
    ['zstd without checksum', zstd.unchecked, 'zstd'],
    ['zstd from a pipe', zstd.piped, 'zstd'],
  ] as const)('tells of the truncation of %s at every byte', async (_, bytes, compression) => {
    const reasons = [];
    for (let length = 0; length < bytes.length; length += 1) reasons.push(await reasonOf(bytes.subarray(0, length), compression));
    expect(new Set(reasons)).toEqual(new Set(['truncated_compressed_stream']));
  });

  it.each([
    ['gzip', gzip, 'gzip'],
    ['zstd', zstd.checked, 'zstd'],
  ] as const)('tells of the truncation of a second part of %s, but for a cut right between the two', async (_, bytes, compression) => {
    const both = Buffer.concat([bytes, bytes]);
    expect(await read(both.subarray(0, bytes.length), compression)).toEqual({ text, damage: undefined });
    for (let length = bytes.length + 1; length < both.length; length += 1) {
      expect(await read(both.subarray(0, length), compression)).toMatchObject({
        damage: { reason: 'truncated_compressed_stream', offset: length },
      });
    }
  });

  it.each([
    ['gzip and zeros', Buffer.concat([gzip, Buffer.alloc(5)]), 'gzip', gzip.length],
    ['gzip and text', Buffer.concat([gzip, Buffer.from('rubbish')]), 'gzip', undefined],
    ['zstd and zeros', Buffer.concat([zstd.checked, Buffer.alloc(5)]), 'zstd', zstd.checked.length],
    ['zstd and text', Buffer.concat([zstd.checked, Buffer.from('rubbish')]), 'zstd', zstd.checked.length],
  ] as const)('takes %s for damage, however it is cut', async (_, bytes, compression, offset) => {
    for (const size of [1, 3, compression === 'gzip' ? gzip.length : zstd.checked.length, 1000]) {
      const { damage } = await read(bytes, compression, size);
      expect(damage?.reason).toBe('corrupt_compressed_stream');
      if (offset !== undefined) expect(damage?.offset).toBe(offset);
    }
  });

  it.each([
    // Bytes 4 to 9 of a gzip header (time, flags of the compressor, system) say nothing about the content.
    ['gzip', gzip, 'gzip', [4, 5, 6, 7, 8, 9]],
    ['zstd', zstd.checked, 'zstd', []],
  ] as const)('finds every flipped bit of %s', async (_, bytes, compression, harmless) => {
    const missed = [];
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      if ((harmless as readonly number[]).includes(bit >> 3)) continue;
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const outcome = await read(flipped, compression).catch((error: { code: string }) => error.code);
      if (typeof outcome !== 'string' && outcome.damage === undefined && outcome.text !== text) missed.push(bit);
    }
    expect(missed).toEqual([]);
  });

  it('refuses zstd that needs a dictionary or a window of more than 32 MiB', async () => {
    // Descriptor with a one-byte dictionary id; window descriptor 27 - 10 << 3 for 128 MiB.
    const dictionary = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x58, 0x07, 1, 0, 0]);
    const window = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 1, 0, 0]);
    await expect(read(dictionary, 'zstd')).rejects.toMatchObject({ code: 'SOURCE_FORMAT', place: { file: 'f' } });
    await expect(read(window, 'zstd')).rejects.toMatchObject({ code: 'SOURCE_FORMAT' });
  });

  it('lets an error of the reader pass as it is', async () => {
    const failing = async function* failing(): AsyncGenerator<Buffer> {
      yield gzip.subarray(0, 10);
      throw new RangeError('disk');
    };
    await expect(decompressed(failing(), 'gzip', 'f').next()).rejects.toThrow('disk');
  });
});

describe('magicOf', () => {
  it.each([
    [[0x1f, 0x8b, 8], 'gzip', 'present'],
    [[0x1f], 'gzip', 'cut'],
    [[], 'gzip', 'cut'],
    [[0x1f, 0x8c], 'gzip', 'absent'],
    [[0x69], 'gzip', 'absent'],
    [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', 'present'],
    [[0x5f, 0x2a, 0x4d, 0x18], 'zstd', 'present'],
    [[0x28, 0xb5, 0x2f], 'zstd', 'cut'],
    [[0x28, 0xb5, 0x2f, 0xfe], 'zstd', 'absent'],
  ] as const)('%j as %s: %s', (bytes, compression, state) => {
    expect(magicOf(Buffer.from(bytes), compression)).toBe(state);
  });
});
