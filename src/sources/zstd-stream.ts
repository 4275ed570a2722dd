/**
 * Decompresses zstd and checks all that the format lets one check: frame structure, block sizes, declared content size, checksum.
 *
 * fzstd decodes blocks, but takes a stream cut inside a checksum as whole and never compares checksums, so the structure is walked
 * here (RFC 8878, section 3.1) and fzstd only sees whole blocks, never checksums. In a frame written without checksum (`zstd --no-check`) a
 * flipped bit can stay unseen, as it does in the reference decoder.
 */
import { Decompress } from 'fzstd';
import { Fault } from '../core/fault.ts';
import type { Damage } from './source-file.ts';
import { Xxh64 } from './xxh64.ts';

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const largestBlock = 128 * 1024;
/** fzstd cannot look back further than this. */
const largestWindow = 32 * 1024 * 1024;

type Step = 'magic' | 'descriptor' | 'header' | 'block-header' | 'block' | 'checksum' | 'skip-size';

interface Frame {
  /** Magic number and header as read. */
  head: Buffer;
  readonly checksum: boolean;
  contentSize: number | undefined;
  produced: number;
  readonly hash: Xxh64;
  readonly decoder: Decompress;
}

interface Block {
  readonly head: Buffer;
  readonly last: boolean;
}

/** A decompressor that is fed piece by piece. After damage it takes no more. */
export class ZstdStream {
  damage: Damage | undefined;
  readonly #shown: string;
  #step: Step = 'magic';
  #want = 4;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #skip = 0;
  /** Bytes of the file that were taken in by finished steps. */
  #offset = 0;
  #frame: Frame | undefined;
  #block: Block | undefined;
  #output: Buffer[] = [];

  /** @param shown the name of the file in messages. */
  constructor(shown: string) {
    this.#shown = shown;
  }

  /** Takes in bytes and gives those they decompress to. @throws SOURCE_FORMAT for a dictionary or a window beyond 32 MiB. */
  push(chunk: Buffer): readonly Buffer[] {
    this.#output = [];
    for (let rest = chunk; rest.length > 0 && this.damage === undefined; )
      rest = this.#skip > 0 ? this.#skipped(rest) : this.#collected(rest);
    return this.#output;
  }

  /** Says that the file ends here: whatever is unfinished is damage. */
  end(): void {
    if (this.damage !== undefined || (this.#step === 'magic' && this.#heldBytes === 0 && this.#skip === 0)) return;
    const offset = this.#offset + this.#heldBytes;
    this.damage = { reason: 'truncated_compressed_stream', message: `the zstd stream ends early, after ${offset} bytes`, offset };
  }

  #skipped(chunk: Buffer): Buffer {
    const size = Math.min(this.#skip, chunk.length);
    this.#skip -= size;
    this.#offset += size;
    return chunk.subarray(size);
  }

  #collected(chunk: Buffer): Buffer {
    const piece = chunk.subarray(0, this.#want - this.#heldBytes);
    if (this.#heldBytes + piece.length < this.#want) {
      this.#held.push(Buffer.from(piece));
      this.#heldBytes += piece.length;
      return chunk.subarray(piece.length);
    }
    const bytes = this.#heldBytes === 0 ? piece : Buffer.concat([...this.#held, piece]);
    this.#held = [];
    this.#heldBytes = 0;
    this.#take(bytes);
    // A step that wants nothing is taken at once: no byte may come to trigger it.
    while (this.#want === 0 && this.damage === undefined) this.#take(Buffer.alloc(0));
    return chunk.subarray(piece.length);
  }

  #take(bytes: Buffer): void {
    this.#steps[this.#step](bytes);
    this.#offset += bytes.length;
  }

  readonly #steps: Readonly<Record<Step, (bytes: Buffer) => void>> = {
    magic: (bytes) => this.#magic(bytes.readUInt32LE(0)),
    descriptor: (bytes) => this.#descriptor(bytes),
    header: (bytes) => this.#header(bytes),
    'block-header': (bytes) => this.#blockHeader(bytes),
    block: (bytes) => this.#decoded(bytes),
    checksum: (bytes) => this.#checksum(bytes.readUInt32LE(0)),
    'skip-size': (bytes) => {
      this.#skip = bytes.readUInt32LE(0);
      this.#next('magic', 4);
    },
  };

  #next(step: Step, want: number): void {
    this.#step = step;
    this.#want = want;
  }

  #corrupt(what: string): void {
    this.damage ??= { reason: 'corrupt_compressed_stream', message: `the zstd stream is corrupt: ${what}`, offset: this.#offset };
  }

  #magic(magic: number): void {
    if (magic === frameMagic) this.#next('descriptor', 1);
    else if ((magic & 0xfffffff0) >>> 0 === skippableMagic) this.#next('skip-size', 4);
    else this.#corrupt(this.#offset === 0 ? 'it does not start with a frame' : 'something that is no frame follows a frame');
  }

  #descriptor(bytes: Buffer): void {
    const flags = bytes.readUInt8(0);
    if (flags & 0x08) {
      this.#corrupt('a reserved bit is set');
      return;
    }
    this.#frame = {
      head: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, flags]),
      checksum: (flags & 0x04) !== 0,
      contentSize: undefined,
      produced: 0,
      hash: new Xxh64(),
      decoder: new Decompress((piece) => this.#produced(piece)),
    };
    this.#next('header', headerSizes(flags).total);
  }

  #header(bytes: Buffer): void {
    const frame = this.#frame!;
    const flags = frame.head.readUInt8(4);
    const sizes = headerSizes(flags);
    if (sizes.dictionary > 0 && bytes.readUIntLE(sizes.window, sizes.dictionary) !== 0) throw this.#unsupported('it needs a dictionary');
    frame.contentSize = contentSize(bytes.subarray(sizes.window + sizes.dictionary));
    const window = sizes.window === 0 ? (frame.contentSize ?? 0) : windowSize(bytes.readUInt8(0));
    if (window > largestWindow) throw this.#unsupported(`its window of ${Math.ceil(window / 1048576)} MiB is larger than 32 MiB`);
    const withoutChecksum = frame.head;
    withoutChecksum[4] = flags & ~0x04;
    frame.head = Buffer.concat([withoutChecksum, bytes]);
    this.#next('block-header', 3);
  }

  #unsupported(why: string): Fault {
    const fix = 'Compress the file anew, without a dictionary and with a level up to 19.';
    return new Fault('SOURCE_FORMAT', `the zstd stream cannot be read: ${why}`, { place: { file: this.#shown }, fix });
  }

  #blockHeader(bytes: Buffer): void {
    const value = bytes.readUIntLE(0, 3);
    const kind = (value >> 1) & 3;
    const size = value >> 3;
    if (kind === 3) {
      this.#corrupt('a block is of a reserved kind');
      return;
    }
    if (size > largestBlock) {
      this.#corrupt('a block is larger than a block may be');
      return;
    }
    this.#block = { head: Buffer.from(bytes), last: (value & 1) === 1 };
    this.#next('block', kind === 1 ? 1 : size);
  }

  #decoded(bytes: Buffer): void {
    const frame = this.#frame!;
    const block = this.#block!;
    try {
      frame.decoder.push(Buffer.concat([frame.head, block.head, bytes]));
      if (block.last) frame.decoder.push(Buffer.alloc(0), true);
    } catch (error) {
      this.#corrupt(error instanceof Error ? error.message : 'a block cannot be decoded');
      return;
    }
    frame.head = Buffer.alloc(0);
    if (!block.last) {
      this.#next('block-header', 3);
      return;
    }
    if (frame.contentSize !== undefined && frame.contentSize !== frame.produced) {
      this.#corrupt('the content is not of the declared size');
      return;
    }
    this.#next(frame.checksum ? 'checksum' : 'magic', 4);
  }

  #produced(piece: Uint8Array): void {
    const frame = this.#frame!;
    frame.produced += piece.length;
    if (frame.checksum) frame.hash.update(piece);
    if (piece.length > 0) this.#output.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }

  #checksum(expected: number): void {
    if (Number(this.#frame!.hash.digest() & 0xffffffffn) !== expected) {
      this.#corrupt('the checksum does not fit the content');
      return;
    }
    this.#next('magic', 4);
  }
}

function headerSizes(flags: number): { window: number; dictionary: number; total: number } {
  const single = (flags & 0x20) !== 0;
  const window = single ? 0 : 1;
  const dictionary = [0, 1, 2, 4][flags & 3]!;
  const content = [single ? 1 : 0, 2, 4, 8][flags >> 6]!;
  return { window, dictionary, total: window + dictionary + content };
}

function contentSize(bytes: Buffer): number | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE(0));
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0);
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}
