/** Scalar types and the JSON Schema keywords that stand for them. */
import type { IntBits, LogicalType } from '../model/type.ts';
import { binary, date, decimal, float, int, string, time, timestamp, timestamptz, uuid } from '../model/type.ts';

type Keywords = Readonly<Record<string, unknown>>;

const formats: ReadonlyMap<unknown, LogicalType> = new Map([
  ['date', date],
  ['time', time],
  ['date-time', timestamptz],
  ['uuid', uuid],
  // https://spec.openapis.org/registry/format/
  ['date-time-local', timestamp],
  ['time-local', time],
  ['byte', binary],
  ['binary', binary],
]);

/** The type of `type: string` with its keywords. */
export function textType(node: Keywords): LogicalType {
  if (typeof node.contentEncoding === 'string') return binary;
  const formatted = formats.get(node.format);
  if (formatted !== undefined) return formatted;
  const length = node.maxLength;
  return typeof length === 'number' && Number.isInteger(length) && length >= 0 ? string(length) : string();
}

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** The lower or upper bound; draft 4 wrote `exclusiveMaximum: true` beside `maximum`. */
function bound(node: Keywords, side: 'Minimum' | 'Maximum'): Bound | undefined {
  const [inclusive, exclusive] = [node[side.toLowerCase()], node[`exclusive${side}`]];
  if (typeof exclusive === 'number') return { value: exclusive, exclusive: true };
  return typeof inclusive === 'number' ? { value: inclusive, exclusive: exclusive === true } : undefined;
}

const intFormats: ReadonlyMap<unknown, IntBits> = new Map([
  ['int8', 8],
  ['int16', 16],
  ['int32', 32],
  ['int64', 64],
]);
const intSizes: readonly IntBits[] = [8, 16, 32, 64];

/** The smallest integer type within the bounds; bigint when a side is open, a decimal when 64 bits do not hold them. */
export function integerType(node: Keywords): LogicalType {
  const [lower, upper] = [bound(node, 'Minimum'), bound(node, 'Maximum')];
  if (lower === undefined || upper === undefined) return int(intFormats.get(node.format) ?? 64);
  const least = lower.value + (lower.exclusive ? 1 : 0);
  const greatest = upper.value - (upper.exclusive ? 1 : 0);
  // 2^63 - 1 has no double of its own: JSON.parse makes it 2^63.
  const bits = intSizes.find((size) => least >= -(2 ** (size - 1)) && greatest <= 2 ** (size - 1) - (size === 64 ? 0 : 1));
  return bits === undefined ? decimal(greater(wholeDigits(lower), wholeDigits(upper)), 0) : int(bits);
}

function greater(a: number, b: number): number {
  if (a > b) return a;
  return b;
}

/** Decimal digits before the point that every value within a bound has at most. */
function wholeDigits({ value, exclusive }: Bound): number {
  const size = value < 0 ? -value : value;
  for (let digits = 0; digits < 76; digits++) {
    const power = Number(`1e${digits}`);
    if (size < power || (exclusive && size === power)) return digits;
  }
  return 76;
}

/**
 * The type of `type: number`: a decimal when `multipleOf` gives a scale, with the digits that the bounds allow or else 38;
 * otherwise a float.
 */
export function numberType(node: Keywords): LogicalType {
  const scale = scaleOf(node.multipleOf);
  if (scale === undefined) return float(node.format === 'float' ? 32 : 64);
  const [lower, upper] = [bound(node, 'Minimum'), bound(node, 'Maximum')];
  if (lower === undefined || upper === undefined) return decimal(38, scale);
  return decimal(greater(1, scale + greater(wholeDigits(lower), wholeDigits(upper))), scale);
}

/** Digits after the point of a step such as 0.01 or 1e-9. */
function scaleOf(step: unknown): number | undefined {
  const parts = typeof step === 'number' ? /^\d+(?:\.(\d+))?(?:e-(\d+))?$/.exec(String(step)) : null;
  if (parts === null) return undefined;
  const scale = (parts[1]?.length ?? 0) + Number(parts[2] ?? 0);
  return scale <= 38 ? scale : undefined;
}

/** The keywords of an integer type. A bigint has no bounds: its greatest value is no JSON number that every reader keeps. */
export function integerKeywords(bits: IntBits): Keywords {
  return bits === 64 ? { type: 'integer' } : { type: 'integer', minimum: -(2 ** (bits - 1)), maximum: 2 ** (bits - 1) - 1 };
}

/** The keywords of a decimal. */
export function decimalKeywords(precision: number, scale: number): Keywords {
  const limit = Number(`1e${precision - scale}`);
  return { type: 'number', multipleOf: Number(`1e-${scale}`), exclusiveMinimum: -limit, exclusiveMaximum: limit };
}
