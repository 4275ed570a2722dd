import { describe, expect, test } from 'vitest';
import { decimal, float, int } from '../../src/core/model/type.ts';
import { disagreements, many, shares, value } from './bulk.ts';
import { type FixedPoint, readDouble, readFixed } from './number-reading.ts';
import { Random } from './random.ts';

const signs = ['', '', '', '-', '-', '+'];

/** A number text about the size of a type, mostly right. */
function numberText(random: Random, { whole, scale, edges }: { whole: number; scale: number; edges: readonly bigint[] }): string {
  const near = random.chance(0.25);
  const before = near ? String(random.pick(edges) + BigInt(random.int(-2, 2))) : random.digits(0, random.chance(0.9) ? whole : whole + 12);
  const zeros = random.chance(0.1) ? '0'.repeat(random.int(1, 30)) : '';
  const places = random.chance(0.8) ? scale : scale + 6;
  const after = random.chance(0.5) ? '' : `.${random.digits(0, places)}${random.chance(0.3) ? '0'.repeat(random.int(1, 20)) : ''}`;
  const exponent = random.chance(0.03) ? `${random.pick(['e', 'E'])}${random.pick(['', '+', '-'])}${random.digits(0, 2)}` : '';
  const sign = before.startsWith('-') ? '' : random.pick(signs);
  return random.edited(random.blanks(`${sign}${before.startsWith('-') ? before : zeros + before}${after}${exponent}`), 0.1);
}

const texts = (seed: number, make: (random: Random) => string): readonly string[] => {
  const random = new Random(seed);
  return Array.from({ length: many }, () => make(random));
};

describe('whole numbers and decimals against arithmetic in BigInt', () => {
  const ten = (power: number): bigint => 10n ** BigInt(power);
  const whole = (bits: bigint): FixedPoint => ({ scale: 0, min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n, lossy: 'lossy_value' });
  const fixed = (precision: number, scale: number): FixedPoint => ({
    scale,
    min: 1n - ten(precision),
    max: ten(precision) - 1n,
    lossy: 'lossy_value:scale',
  });
  const types = [
    ['int64', int(64), whole(64n), { whole: 19, scale: 3, edges: [2n ** 53n, 2n ** 63n, -(2n ** 63n), 0n] }],
    ['int32', int(32), whole(32n), { whole: 10, scale: 3, edges: [2n ** 31n, -(2n ** 31n), 2n ** 32n, 0n] }],
    ['decimal(18,4)', decimal(18, 4), fixed(18, 4), { whole: 14, scale: 4, edges: [ten(14), -ten(14), 0n] }],
    ['decimal(38,10)', decimal(38, 10), fixed(38, 10), { whole: 28, scale: 10, edges: [ten(28), -ten(28), 2n ** 63n, 0n] }],
  ] as const;

  test.each(types)('%s', async (name, to, type, style) => {
    const given = texts(name.length, (random) => numberText(random, style));
    const read = (text: string) => readFixed(text, type);
    expect(shares(given, read).values).toBeGreaterThan(0.4);
    expect(shares(given, read).refusals).toBeGreaterThan(0.15);
    expect(await disagreements({ to, texts: given, read })).toEqual([]);
  });

  test.each(types)('%s, rounded half away from zero', async (name, to, type, style) => {
    const given = texts(name.length + 100, (random) => numberText(random, style)).slice(0, many / 4);
    const read = (text: string) => readFixed(text, { ...type, round: true });
    expect(await disagreements({ to, texts: given, rule: { onLossy: 'round' }, read })).toEqual([]);
  });
});

describe('doubles', () => {
  const buffer = new DataView(new ArrayBuffer(8));
  /** Any finite double: its bits are random, or few. */
  function double(random: Random): number {
    buffer.setUint32(0, random.chance(0.5) ? random.bits() : random.int(0x3f000000, 0x44ffffff));
    buffer.setUint32(4, random.chance(0.7) ? random.bits() : 0);
    const number = buffer.getFloat64(0);
    return Number.isFinite(number) ? number : random.int(-1_000_000, 1_000_000) / 64;
  }

  test('come back from the text that JavaScript prints', async () => {
    const random = new Random(64);
    const numbers = new Map(Array.from({ length: many }, () => double(random)).map((number) => [String(number), number]));
    const read = (text: string) => value(numbers.get(text) as number);
    expect(await disagreements({ to: float(64), texts: [...numbers.keys()], read })).toEqual([]);
  });

  test('are the nearest of any text, or refused', async () => {
    const given = texts(65, (random) => {
      const number = double(random);
      const long = random.chance(0.5)
        ? number.toPrecision(random.int(1, 21))
        : `${random.digits(1, 22)}${random.chance(0.5) ? `.${random.digits(0, 9)}` : ''}`;
      const exponent = long.includes('e') || random.chance(0.8) ? '' : `e${random.int(-330, 320)}`;
      return random.edited(
        random.blanks(random.chance(0.02) ? random.pick(['NaN', '-inf', '+Infinity', 'INF', 'nan']) : long + exponent),
        0.1,
      );
    });
    expect(shares(given, readDouble).values).toBeGreaterThan(0.5);
    expect(shares(given, readDouble).refusals).toBeGreaterThan(0.15);
    expect(await disagreements({ to: float(64), texts: given, read: readDouble })).toEqual([]);
  });
});
