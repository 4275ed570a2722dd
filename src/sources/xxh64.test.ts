import { describe, expect, it } from 'vitest';
import { Xxh64 } from './xxh64.ts';

/** Published values of XXH64 with seed 0. */
const known: readonly (readonly [string, bigint])[] = [
  ['', 0xef46db3751d8e999n],
  ['a', 0xd24ec4f1a98c6e5bn],
  ['abc', 0x44bc2cf5ad770999n],
  ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
];

describe('Xxh64', () => {
  it.each(known)('gives the published value for %j, whole and byte by byte', (text, hash) => {
    const whole = new Xxh64();
    whole.update(Buffer.from(text));
    const bytes = new Xxh64();
    for (const byte of Buffer.from(text)) bytes.update(Uint8Array.of(byte));
    expect([whole.digest(), bytes.digest()]).toEqual([hash, hash]);
  });

  it('does not depend on how the data is cut', () => {
    const data = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 31) % 256));
    const whole = new Xxh64();
    whole.update(data);
    for (const size of [1, 7, 31, 32, 33, 64, 100]) {
      const cut = new Xxh64();
      for (let at = 0; at < data.length; at += size) cut.update(data.subarray(at, at + size));
      expect(cut.digest()).toBe(whole.digest());
    }
  });
});
