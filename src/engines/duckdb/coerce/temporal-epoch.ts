/** Numbers that count seconds, milliseconds or microseconds since 1970-01-01T00:00:00Z. */
import type { EpochUnit } from '../../../core/coercions/format.ts';
import { epochAlternatives, exponentAlternatives } from '../../../core/coercions/format-overlap.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { plainText } from './number-text.ts';
import { blanks, onlyInYears, type TemporalReader } from './temporal-reader.ts';

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
  const { fraction } = units[unit];
  const padded = fraction === 0 ? '' : ` || rpad(left(regexp_extract(${x}, '[.](\\d+)', 1), ${fraction}), ${fraction}, '0')`;
  return {
    ...numberReader(x, unit, {
      plain: x,
      digits: `(regexp_extract(${x}, '[+-]?\\d+')${padded})`,
      shape: `regexp_full_match(${x}, ${literal(`${around}[+-]?\\d+(?:[.]\\d+)?${around}`)})`,
    }),
    fast: { when: `${x} GLOB '${common}'`, reading: `make_timestamptz(TRY_CAST(${x} AS BIGINT) * ${units[unit].micros})` },
  };
}

/** The reader of JSON numbers with an exponent, such as `1.7e9`. */
export function exponentReader(x: string, unit: EpochUnit, rule: ColumnRule): TemporalReader {
  const { fraction } = units[unit];
  // Farther than 9999 places the number is out of range or nearer to zero than any unit sees, whatever the exponent.
  const bounded = `regexp_replace(${x}, '([eE][+-]?)0*[1-9]\\d{4,}$', '\\19999')`;
  const plain = plainText(bounded, { rule, mark: '.', group: undefined, exponent: true });
  const digits = `regexp_replace(${plain} || '${'0'.repeat(fraction)}', '^(-?\\d+)[.](\\d{${fraction}}).*$', '\\1\\2')`;
  return {
    ...numberReader(x, unit, { plain, digits, shape: `regexp_full_match(${x}, '-?\\d+(?:[.]\\d+)?[eE][+-]?\\d+')` }),
    alternatives: exponentAlternatives,
  };
}

/** SQL of a number without exponent, of its digits down to microseconds, and of the test of its shape. */
interface NumberSql {
  readonly plain: string;
  readonly digits: string;
  readonly shape: string;
}

function numberReader(x: string, unit: EpochUnit, { plain, digits, shape }: NumberSql): TemporalReader {
  const { fraction } = units[unit];
  const away = `CASE WHEN regexp_matches(${x}, '^[^\\d]*-') THEN -1 ELSE 1 END`;
  return {
    alternatives: epochAlternatives,
    epoch: true,
    zone: 'instant',
    unreadable: 'invalid_value:out_of_range',
    time: 'any',
    shape,
    exact: `${shape} AND NOT regexp_matches(${plain}, '[.]\\d{${fraction}}\\d*[1-9]')`,
    reading: `make_timestamptz(${onlyInYears(`TRY_CAST(${digits} AS DECIMAL(18,0))::BIGINT`)})`,
    step: `CASE WHEN regexp_matches(${plain}, '[.]\\d{${fraction}}[5-9]') THEN ${away} ELSE 0 END`,
  };
}
