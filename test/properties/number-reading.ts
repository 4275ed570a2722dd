/** What a number text means, in whole numbers of any size: digits times a power of ten. */
import type { Expected } from '../conformance/corpus.ts';
import { altered, refused, value } from './bulk.ts';

interface Written {
  readonly negative: boolean;
  readonly digits: bigint;
  /** Places after the point, less the exponent: the number is digits / 10^places. */
  readonly places: number;
  readonly exponent: boolean;
}

const grammar = /^[\t-\r ]*([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?[\t-\r ]*$/;

function readNumber(text: string): Written | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', after, only, exponent] = match;
  const fraction = after ?? only ?? '';
  return {
    negative: sign === '-',
    digits: BigInt(`0${whole}${fraction}`),
    places: fraction.length - Number(exponent ?? 0),
    exponent: exponent !== undefined,
  };
}

/** A fixed-point type: units of its last place, from -limit (or one less) to limit. */
export interface FixedPoint {
  readonly scale: number;
  readonly min: bigint;
  readonly max: bigint;
  readonly lossy: string;
  readonly round?: boolean;
}

/** The law of whole numbers and decimals. */
export function readFixed(text: string, type: FixedPoint): Expected {
  const written = readNumber(text);
  if (written === undefined) return refused('invalid_value');
  if (written.exponent) return refused('invalid_value:exponent');
  const fits = (units: bigint): boolean => units >= type.min && units <= type.max;
  const power = 10n ** BigInt(Math.abs(type.scale - written.places));
  const grown = written.places > type.scale ? written.digits : written.digits * power;
  const unit = written.places > type.scale ? power : 1n;
  const sign = written.negative ? -1n : 1n;
  const cut = sign * (grown / unit);
  if (!fits(cut)) return refused('invalid_value:out_of_range');
  if (grown % unit === 0n) return value(fixedText(cut, type.scale));
  const rounded = cut + (2n * (grown % unit) >= unit ? sign : 0n);
  return type.round === true && fits(rounded) ? altered(fixedText(rounded, type.scale)) : refused(type.lossy);
}

function fixedText(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${scale === 0 ? '' : `.${digits.slice(point)}`}`;
}

/** The law of doubles. JavaScript reads the nearest double, and prints the shortest text that reads back. */
export function readDouble(text: string): Expected {
  const written = readNumber(text);
  if (written === undefined) return readWord(text);
  const near = Number(text.trim());
  if (!Number.isFinite(near)) return refused('invalid_value:out_of_range');
  if (isWhole(written) && Math.abs(near) >= 2 ** 53 && !comesBack(written, near)) return refused('lossy_value');
  return value(near);
}

function readWord(text: string): Expected {
  const match = /^[\t-\r ]*([+-]?)(nan|inf|infinity)[\t-\r ]*$/i.exec(text);
  if (match === null) return refused('invalid_value');
  if (match[2]?.toLowerCase() === 'nan') return value('NaN');
  return value(match[1] === '-' ? '-Infinity' : 'Infinity');
}

const isWhole = ({ digits, places }: Written): boolean => places <= 0 || (places < 400 && digits % 10n ** BigInt(places) === 0n);

/** Whether a whole number is held exactly, or is what the shortest text of the double says. */
function comesBack({ digits, places, negative }: Written, near: number): boolean {
  const whole = (negative ? -1n : 1n) * (places <= 0 ? digits * 10n ** BigInt(-places) : digits / 10n ** BigInt(places));
  if (whole === BigInt(near)) return true;
  const shortest = readNumber(String(near));
  return shortest !== undefined && whole === (near < 0 ? -1n : 1n) * shortest.digits * 10n ** BigInt(-shortest.places);
}
