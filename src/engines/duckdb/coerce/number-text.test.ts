/** Numbers against arithmetic on whole numbers of any size: what a text means is worked out digit by digit. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Evaluated, type Setting, evaluate } from '../../../../test/harness/evaluate-scalar.ts';
import { type LogicalType, decimal, float, int } from '../../../core/model/type.ts';

interface Style {
  readonly decimal: string;
  readonly group?: string;
  readonly exponent: boolean;
}

/** `digits` × 10^`power`. */
interface Written {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly power: bigint;
  readonly exponent: boolean;
}

const pattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function read(text: string, style: Style): Written | undefined {
  const mark = pattern(style.decimal);
  const whole = style.group === undefined ? '[0-9]+' : `(?:[0-9]+|[0-9]{1,3}(?:${pattern(style.group)}[0-9]{3})+)`;
  const grammar = new RegExp(`^[ \\t-\\r]*([+-]?)(?:(${whole})(?:${mark}([0-9]*))?|${mark}([0-9]+))(?:[eE]([+-]?[0-9]+))?[ \\t-\\r]*$`);
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, sign, before = '', after, only, exponent] = match;
  const places = after ?? only ?? '';
  const joined = before.replaceAll(style.group ?? '\u0000', '');
  return {
    negative: sign === '-',
    digits: BigInt(`0${joined}${places}`),
    power: BigInt(exponent ?? 0) - BigInt(places.length),
    exponent: exponent !== undefined,
  };
}

const outOfRange = { reason: 'invalid_value:out_of_range' };
const sky = 400n;

type Expected = { readonly value?: bigint; readonly reason?: string; readonly round?: bigint | undefined; readonly truncate?: bigint };

interface Range {
  readonly scale: bigint;
  readonly min: bigint;
  readonly max: bigint;
  readonly lossy: string;
}

/** What an exact type, in units of its last place, makes of a text. */
function exactly(text: string, style: Style, range: Range): Expected {
  const written = read(text, style);
  if (written === undefined) return { reason: 'invalid_value' };
  if (written.exponent && !style.exponent) return { reason: 'invalid_value:exponent' };
  if (written.digits === 0n) return { value: 0n };
  const { truncate, round, whole } = atScale(written, range.scale);
  const fits = (value: bigint): boolean => value >= range.min && value <= range.max;
  if (!fits(truncate)) return outOfRange;
  return whole ? { value: round } : { reason: range.lossy, round: fits(round) ? round : undefined, truncate };
}

/** A number in units of a last place: cut, rounded half away from zero, and whether that changed nothing. */
function atScale({ negative, digits: all, power }: Written, scale: bigint): { truncate: bigint; round: bigint; whole: boolean } {
  const sign = negative ? -1n : 1n;
  const shift = power + scale;
  // Nothing of these texts is left, or has room, beyond the sky.
  const unit = 10n ** (shift < -sky ? sky : shift < 0n ? -shift : 0n);
  const grown = all * 10n ** (shift > sky ? sky : shift > 0n ? shift : 0n);
  const cut = grown / unit;
  const rest = grown % unit;
  return { truncate: sign * cut, round: sign * (2n * rest >= unit && rest > 0n ? cut + 1n : cut), whole: rest === 0n };
}

function units(text: string | null): bigint | undefined {
  return text === null ? undefined : BigInt(text.replace('.', '').replace(/^-/, '') || '0') * (text.startsWith('-') ? -1n : 1n);
}

function got(result: Evaluated): Expected {
  const value = units(result.value);
  if (value !== undefined) return { value };
  if (!result.reason.startsWith('lossy')) return { reason: result.reason };
  return { reason: result.reason, round: units(result.round), truncate: units(result.truncate) as bigint };
}

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: max });
const edges = fc.constantFrom(
  '127',
  '128',
  '32767',
  '32768',
  '2147483647',
  '2147483648',
  '9223372036854775807',
  '9223372036854775808',
  '9999999999',
  '9'.repeat(36),
);
const zeros = fc.nat(50).map((count) => '0'.repeat(count));
const wholes = fc.oneof(
  digits(4),
  digits(20),
  digits(45),
  edges,
  fc.tuple(zeros, digits(3)).map((parts) => parts.join('')),
);
const places = fc.oneof(
  fc.constant(''),
  digits(3),
  digits(45),
  zeros,
  fc.constantFrom('5', '4999999999999999999999', '50000000000000000000', '995', '994999', '99999999999999999995'),
);
const exponents = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  fc
    .tuple(
      fc.constantFrom('e', 'E'),
      fc.constantFrom('', '+', '-'),
      fc.oneof(digits(2), fc.constantFrom('0', '18', '40', '330', '00000000000000000000000005', '999999999999')),
    )
    .map((parts) => parts.join('')),
);
const blanks = fc.constantFrom('', '', '', ' ', '\t ', '\n', '\v\f\r');
const slips = fc.constantFrom('_', ' ', '-', '+', 'e', 'x', '0x', '\u00a0', '\u0000', '.', ',', '\u0663', 'n');

function texts(style: Style): fc.Arbitrary<string> {
  const grouped = (whole: string) => (style.group === undefined ? whole : whole.replace(/\B(?=(\d{3})+$)/g, style.group));
  const well = fc
    .tuple(fc.constantFrom('', '', '-', '+'), wholes, fc.boolean(), fc.constantFrom('', style.decimal), places, exponents)
    .map(
      ([sign, whole, group, mark, fraction, exponent]) =>
        `${sign}${group ? grouped(whole) : whole}${mark}${mark === '' ? '' : fraction}${exponent}`,
    );
  const slipped = fc.tuple(well, slips, fc.nat()).map(([text, slip, seed]) => {
    const at = seed % (text.length + 1);
    return text.slice(0, at) + slip + text.slice(at);
  });
  return fc.tuple(blanks, fc.oneof({ weight: 4, arbitrary: well }, slipped), blanks).map((parts) => parts.join(''));
}

const styles: fc.Arbitrary<Style> = fc
  .record({
    marks: fc.constantFrom(
      { decimal: '.' },
      { decimal: '.' },
      { decimal: ',' },
      { decimal: ',', group: '.' },
      { decimal: '.', group: ',' },
      { decimal: ',', group: '\u202f' },
      { decimal: ',', group: ' ' },
    ),
    exponent: fc.boolean(),
  })
  .map(({ marks, exponent }) => ({ ...marks, exponent }));

const sampleSize = 250;
const batches = styles.chain((style) =>
  fc.record({ style: fc.constant(style), sample: fc.array(texts(style), { minLength: sampleSize, maxLength: sampleSize }) }),
);

async function agrees(to: LogicalType, { style, sample }: { style: Style; sample: string[] }, range: Range): Promise<void> {
  const results = await evaluate(to, sample, { rule: style });
  const actual = results.map((result, i) => [sample[i], got(result)]);
  expect(actual).toEqual(sample.map((text) => [text, exactly(text, style, range)]));
}

test('whole numbers of every size', async () => {
  await fc.assert(
    fc.asyncProperty(batches, fc.constantFrom(8 as const, 16 as const, 32 as const, 64 as const), async (batch, bits) => {
      const max = 2n ** BigInt(bits - 1) - 1n;
      await agrees(int(bits), batch, { scale: 0n, min: -max - 1n, max, lossy: 'lossy_value' });
    }),
    { numRuns: 8 },
  );
});

test('decimals of every width', async () => {
  const shapes = fc.constantFrom(
    [12, 2],
    [3, 2],
    [9, 1],
    [18, 6],
    [18, 0],
    [4, 4],
    [19, 0],
    [38, 2],
    [38, 18],
    [38, 0],
    [20, 15],
    [38, 37],
  ) as fc.Arbitrary<readonly [number, number]>;
  await fc.assert(
    fc.asyncProperty(batches, shapes, async (batch, [precision, scale]) => {
      const max = 10n ** BigInt(precision) - 1n;
      await agrees(decimal(precision, scale), batch, { scale: BigInt(scale), min: -max, max, lossy: 'lossy_value:scale' });
    }),
    { numRuns: 12 },
  );
});

test('doubles: the nearest value, and whole numbers that come back', async () => {
  const setting: Setting & { rule: Style } = { rule: { decimal: '.', exponent: false } };
  const beyond = fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 70n }).map(String);
  const powers = fc
    .tuple(fc.bigInt({ min: 1n, max: 2n ** 53n }), fc.bigInt({ min: 0n, max: 60n }))
    .map(([mantissa, shift]) => String(mantissa << shift));
  const shortest = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
  const numbers = fc.oneof(
    texts(setting.rule),
    beyond,
    powers,
    shortest,
    fc.tuple(beyond, fc.nat(30)).map(([text, places]) => `${text}${'0'.repeat(places)}e-${places}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(numbers, { minLength: sampleSize, maxLength: sampleSize }), async (sample) => {
      const results = await evaluate(float(64), sample, setting);
      const actual = results.map(({ value, reason, round }, i) => [
        sample[i],
        value === null ? reason : Number(value),
        reason === 'lossy_value' && value === null ? Number(round) : undefined,
      ]);
      expect(actual).toEqual(sample.map((text) => [text, ...double(text, setting.rule)]));
    }),
    { numRuns: 8 },
  );
});

/** The value or the code, and the rounded value of a lossy text. Number() is correctly rounded by ECMA-262, and String() shortest. */
function double(text: string, style: Style): readonly [number | string, number | undefined] {
  const written = read(text, style);
  if (written === undefined) return ['invalid_value', undefined];
  const value = Number(`${written.negative ? '-' : ''}${written.digits}e${written.power}`);
  if (!Number.isFinite(value)) return ['invalid_value:out_of_range', undefined];
  if (Math.abs(value) < 2 ** 53) return [value, undefined];
  const whole = written.power >= 0n ? written.digits * 10n ** written.power : wholeQuotient(written);
  if (whole === undefined || comesBack(whole, Math.abs(value))) return [value, undefined];
  return ['lossy_value', value];
}

function wholeQuotient({ digits: all, power }: Written): bigint | undefined {
  const unit = 10n ** -power;
  return all % unit === 0n ? all / unit : undefined;
}

function comesBack(whole: bigint, value: number): boolean {
  const significant = (text: string) =>
    text
      .replace(/e.*$/, '')
      .replace('.', '')
      .replace(/^0+|0+$/g, '');
  const exact = value < 2 ** 128 && BigInt(value) === whole;
  return exact || significant(String(value)) === significant(String(whole));
}
