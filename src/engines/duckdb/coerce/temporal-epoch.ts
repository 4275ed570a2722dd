/** Numbers that count seconds, milliseconds or microseconds since 1970-01-01T00:00:00Z. */
import type { EpochUnit } from '../../../core/coercions/format.ts';
import { epochAlternatives } from '../../../core/coercions/format-overlap.ts';
import { literal } from '../quote.ts';
import { blanks, firstMicro, lastMicro, type TemporalReader } from './temporal-reader.ts';

/** Digits of a fraction that are whole microseconds, digits of present-day numbers, microseconds. */
const units: Readonly<Record<EpochUnit, { readonly fraction: number; readonly common: number; readonly micros: string }>> = {
  s: { fraction: 6, common: 10, micros: '1000000' },
  ms: { fraction: 3, common: 13, micros: '1000' },
  us: { fraction: 0, common: 16, micros: '1' },
};

/** The reader of an epoch of one unit. */
export function epochReader(x: string, unit: EpochUnit, ignoreBlanks: boolean): TemporalReader {
  const around = ignoreBlanks ? blanks : '';
  const common = `1${'[0-9]'.repeat(units[unit].common - 1)}`;
  return {
    ...numberReader(x, unit, `regexp_full_match(${x}, ${literal(`${around}[+-]?\\d+(?:[.]\\d+)?${around}`)})`),
    fast: { when: `${x} GLOB '${common}'`, reading: `make_timestamptz(TRY_CAST(${x} AS BIGINT) * ${units[unit].micros})` },
  };
}

/** The reader of JSON numbers with an exponent, such as `1.7e9`. */
export function exponentReader(x: string, unit: EpochUnit): TemporalReader {
  const shape = `regexp_full_match(${x}, '-?\\d+(?:[.]\\d+)?[eE][+-]?\\d+')`;
  return numberReader(withoutExponent(x), unit, shape);
}

function numberReader(x: string, unit: EpochUnit, shape: string): TemporalReader {
  const { fraction } = units[unit];
  const lost = `regexp_matches(${x}, '[.]\\d{${fraction}}\\d*[1-9]')`;
  const whole = `regexp_extract(${x}, '[+-]?\\d+')`;
  const padded = fraction === 0 ? '' : ` || rpad(left(regexp_extract(${x}, '[.](\\d+)', 1), ${fraction}), ${fraction}, '0')`;
  const micros = `TRY_CAST(${whole}${padded} AS BIGINT)`;
  const away = `CASE WHEN contains(${x}, '-') THEN -1 ELSE 1 END`;
  return {
    alternatives: epochAlternatives, epoch: true, zone: 'instant', unreadable: 'invalid_value:out_of_range', time: 'any',
    shape,
    exact: `${shape} AND NOT ${lost}`,
    reading: `CASE WHEN ${micros} BETWEEN ${firstMicro} AND ${lastMicro} THEN make_timestamptz(${micros}) END`,
    step: `CASE WHEN regexp_matches(${x}, '[.]\\d{${fraction}}[5-9]') THEN ${away} ELSE 0 END`,
  };
}

/** Farthest that the point is moved; beyond it every number is either out of range or nearer to zero than any unit sees. */
const farthest = 400;

/** The same number with its point moved by the exponent. */
function withoutExponent(x: string): string {
  const zeros = `repeat('0', ${farthest})`;
  const whole = `regexp_extract(${x}, '^-?(\\d+)', 1)`;
  const digits = `${zeros} || ${whole} || regexp_extract(${x}, '[.](\\d+)', 1) || ${zeros}`;
  const huge = `CASE WHEN contains(${x}, 'e-') OR contains(${x}, 'E-') THEN -${farthest} ELSE ${farthest} END`;
  const exponent = `coalesce(TRY_CAST(regexp_extract(${x}, '[eE](.*)', 1) AS INTEGER), ${huge})`;
  const point = `(${farthest} + length(${whole}) + greatest(-${farthest}, least(${farthest}, ${exponent})))`;
  const text = `(${digits})`;
  return `(regexp_extract(${x}, '^-?') || ${text}[:${point}] || '.' || ${text}[${point} + 1:])`;
}
