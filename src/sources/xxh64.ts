/**
 * XXH64 with seed 0, streaming: the checksum of zstd frames.
 *
 * Source: the published description of the xxHash algorithms. In the loop over the data, numbers of 64 bits are pairs of 32-bit
 * halves, because BigInt is many times slower there; the few steps at the end use BigInt.
 */

const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const [p1Low, p1High] = [Number(P1 & 0xffffffffn), Number(P1 >> 32n)];
const [p2Low, p2High] = [Number(P2 & 0xffffffffn), Number(P2 >> 32n)];
const stripe = 32;

/** High half of the last product. */
let high = 0;

/** Product of two 64-bit numbers modulo 2^64: the low half is returned, the high half left in `high`. */
function multiply(aLow: number, aHigh: number, bLow: number, bHigh: number): number {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const first = Math.imul(a0, b0);
  const second = a1 * b0 + (first >>> 16);
  const third = a0 * b1 + (second & 0xffff);
  const carried = a1 * b1 + Math.floor(second / 65536) + Math.floor(third / 65536);
  high = (carried + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0;
  return ((third & 0xffff) << 16) | (first & 0xffff);
}

/** Mixes eight bytes of input into lane `at` (an even index) of the lanes. */
function mix(lanes: Int32Array, at: number, inLow: number, inHigh: number): void {
  const productLow = multiply(inLow, inHigh, p2Low, p2High);
  const sum = (lanes[at]! >>> 0) + (productLow >>> 0);
  const low = sum | 0;
  const top = (lanes[at + 1]! + high + (sum > 0xffffffff ? 1 : 0)) | 0;
  const turnedLow = (low << 31) | (top >>> 1);
  const turnedHigh = (top << 31) | (low >>> 1);
  lanes[at] = multiply(turnedLow, turnedHigh, p1Low, p1High);
  lanes[at + 1] = high;
}

const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);
const turn = (value: bigint, bits: bigint): bigint => wrap((value << bits) | (value >> (64n - bits)));
const round = (accumulator: bigint, input: bigint): bigint => wrap(turn(wrap(accumulator + input * P2), 31n) * P1);

/** A hash that is fed piece by piece. */
export class Xxh64 {
  readonly #lanes = Int32Array.from(
    [wrap(P1 + P2), P2, 0n, wrap(-P1)].flatMap((lane) => [Number(BigInt.asIntN(32, lane)), Number(BigInt.asIntN(32, lane >> 32n))]),
  );
  readonly #rest = Buffer.alloc(stripe);
  #held = 0;
  #total = 0n;

  update(data: Uint8Array): void {
    this.#total += BigInt(data.length);
    let from = 0;
    if (this.#held > 0) {
      from = Math.min(stripe - this.#held, data.length);
      this.#rest.set(data.subarray(0, from), this.#held);
      this.#held += from;
      if (this.#held < stripe) return;
      this.#stripes(this.#rest, 0, stripe);
    }
    const end = data.length - ((data.length - from) % stripe);
    this.#stripes(data, from, end);
    this.#rest.set(data.subarray(end));
    this.#held = data.length - end;
  }

  #stripes(data: Uint8Array, from: number, end: number): void {
    const lanes = this.#lanes;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    for (let at = from; at < end; at += stripe) {
      mix(lanes, 0, view.getInt32(at, true), view.getInt32(at + 4, true));
      mix(lanes, 2, view.getInt32(at + 8, true), view.getInt32(at + 12, true));
      mix(lanes, 4, view.getInt32(at + 16, true), view.getInt32(at + 20, true));
      mix(lanes, 6, view.getInt32(at + 24, true), view.getInt32(at + 28, true));
    }
  }

  /** The hash of all bytes so far. */
  digest(): bigint {
    let hash = wrap((this.#total < BigInt(stripe) ? P5 : this.#merged()) + this.#total);
    const rest = this.#rest.subarray(0, this.#held);
    let at = 0;
    for (; at + 8 <= rest.length; at += 8) hash = wrap(turn(hash ^ round(0n, rest.readBigUInt64LE(at)), 27n) * P1 + P4);
    for (; at + 4 <= rest.length; at += 4) hash = wrap(turn(hash ^ wrap(BigInt(rest.readUInt32LE(at)) * P1), 23n) * P2 + P3);
    for (; at < rest.length; at += 1) hash = wrap(turn(hash ^ wrap(BigInt(rest.readUInt8(at)) * P5), 11n) * P1);
    hash = wrap((hash ^ (hash >> 33n)) * P2);
    hash = wrap((hash ^ (hash >> 29n)) * P3);
    return hash ^ (hash >> 32n);
  }

  #merged(): bigint {
    const lanes = [0, 2, 4, 6].map(
      (at) => BigInt.asUintN(32, BigInt(this.#lanes[at]!)) | (BigInt.asUintN(32, BigInt(this.#lanes[at + 1]!)) << 32n),
    );
    const turns = [1n, 7n, 12n, 18n];
    const sum = lanes.reduce((total, lane, index) => total + turn(lane, turns[index]!), 0n);
    return lanes.reduce((hash, lane) => wrap((hash ^ round(0n, lane)) * P1 + P4), wrap(sum));
  }
}
