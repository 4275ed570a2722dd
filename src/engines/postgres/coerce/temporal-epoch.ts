/** Numbers that count seconds, milliseconds or microseconds since 1970-01-01T00:00:00Z. */
import type { EpochUnit } from '../../../core/coercions/format.ts';
import { epochAlternatives, exponentAlternatives } from '../../../core/coercions/format-overlap.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { once } from './levels.ts';
import { exactNumeric, type NumberStyle } from './number-text.ts';
import { microseconds, type TemporalReader, wholePattern } from './temporal-reader.ts';

/** Microseconds of a unit, and digits of present-day numbers. */
const units: Readonly<Record<EpochUnit, { readonly micros: number; readonly common: number }>> = {
  s: { micros: 1_000_000, common: 10 },
  ms: { micros: 1_000, common: 13 },
  us: { micros: 1, common: 16 },
};

/** The reader of an epoch of one unit. */
export function epochReader(x: string, unit: EpochUnit, rule: ColumnRule): TemporalReader {
  const { micros, common } = units[unit];
  const count = microseconds(`CAST(${x} AS bigint) * ${micros}`);
  return {
    ...numberReader(x, unit, rule, `${x} ~ ${literal(wholePattern('[+-]?[0-9]+(?:[.][0-9]+)?', rule.trim !== 'never'))}`),
    // Below 2 * 10^15 microseconds the double on the way to an interval is exact.
    fast: [{ when: `${x} LIKE '1${'_'.repeat(common - 1)}' AND ${x} !~ '[^0-9]'`, reading: `timestamp '1970-01-01 00:00:00' + ${count}` }],
  };
}

/** The reader of JSON numbers with an exponent, such as `1.7e9`. */
export function exponentReader(x: string, unit: EpochUnit, rule: ColumnRule): TemporalReader {
  return {
    ...numberReader(x, unit, rule, `${x} ~ '^-?[0-9]+(?:[.][0-9]+)?[eE][+-]?[0-9]+$'`),
    alternatives: exponentAlternatives,
  };
}

/** Microseconds since 1970 of the first and the last moment of the years 1 to 9999. */
const [first, last] = ['-62135596800000000', '253402300799999999'];

function numberReader(x: string, unit: EpochUnit, rule: ColumnRule, shape: string): TemporalReader {
  const style: NumberStyle = { rule, mark: '.', group: undefined, exponent: true };
  const counted = (use: (n: string) => string): string => once(`${exactNumeric(x, style)} * ${units[unit].micros}`, use);
  const day = '86400000000';
  return {
    alternatives: epochAlternatives,
    epoch: true,
    zone: 'instant',
    unreadable: 'invalid_value:out_of_range',
    time: 'any',
    shape,
    exact: `${shape} AND ${counted((n) => `coalesce(${n} = trunc(${n}), false)`)}`,
    reading: counted((n) =>
      once(`trunc(${n})`, (t) => {
        const days = `CAST(floor(${t} / ${day}) AS integer)`;
        const rest = `CAST(${t} - floor(${t} / ${day}) * ${day} AS double precision)`;
        const sum = `timestamp '1970-01-01 00:00:00' + ${days} * interval '1 day' + ${microseconds(rest)}`;
        return `CASE WHEN ${t} BETWEEN ${first} AND ${last} THEN ${sum} END`;
      }),
    ),
    step: counted((n) => `CAST(round(${n}) - trunc(${n}) AS integer)`),
  };
}
