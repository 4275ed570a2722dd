/** Numbers that count seconds, milliseconds or microseconds since 1970-01-01T00:00:00Z. */
import type { EpochUnit } from '../../../core/coercions/format.ts';
import { epochAlternatives, exponentAlternatives } from '../../../core/coercions/format-overlap.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { blankRun, matchesAll } from './blanks.ts';
import { plainText } from './number-text.ts';
import { onlyInYears, type TemporalReader } from './temporal-reader.ts';

/** Digits of a fraction that are whole microseconds. */
const fractions: Readonly<Record<EpochUnit, number>> = { s: 6, ms: 3, us: 0 };

/** The reader of an epoch of one unit. */
export function epochReader(x: string, unit: EpochUnit, rule: ColumnRule): TemporalReader {
  const around = rule.trim === 'never' ? '' : blankRun;
  return {
    ...numberReader(unit, rule, { shape: matchesAll(x, `${around}[+-]?[0-9]+(?:[.][0-9]+)?${around}`), bounded: x }),
    alternatives: epochAlternatives,
  };
}

/** The reader of JSON numbers with an exponent, such as `1.7e9`. */
export function exponentReader(x: string, unit: EpochUnit, rule: ColumnRule): TemporalReader {
  return {
    // Farther than 9999 places the number is out of range or nearer to zero than any unit sees, whatever the exponent.
    ...numberReader(unit, rule, {
      shape: matchesAll(x, '-?[0-9]+(?:[.][0-9]+)?[eE][+-]?[0-9]+'),
      bounded: `regexp_replace(${x}, ${literal('([eE][+-]?)0*[1-9][0-9]{4,}$')}, ${literal('$19999')})`,
    }),
    alternatives: exponentAlternatives,
  };
}

/** SQL of the test of the shape, and of the text with an exponent that can be applied. */
interface NumberSql {
  readonly shape: string;
  readonly bounded: string;
}

function numberReader(unit: EpochUnit, rule: ColumnRule, { shape, bounded }: NumberSql): Omit<TemporalReader, 'alternatives'> {
  const fraction = fractions[unit];
  const plain = plainText(bounded, { rule, mark: '.', group: undefined, exponent: true });
  const digits = `regexp_replace(concat(${plain}, '${'0'.repeat(fraction)}'), ${literal(`^(-?[0-9]+)[.]([0-9]{${fraction}}).*$`)}, '$1$2')`;
  return {
    epoch: true,
    zone: 'instant',
    unreadable: 'invalid_value:out_of_range',
    time: 'any',
    shape,
    exact: `${shape} AND NOT (${plain} RLIKE '[.][0-9]{${fraction}}[0-9]*[1-9]')`,
    reading: onlyInYears(`CAST(try_cast(${digits} AS DECIMAL(18,0)) AS BIGINT)`),
    step: `CASE WHEN ${plain} RLIKE '[.][0-9]{${fraction}}[5-9]' THEN CASE WHEN contains(${plain}, '-') THEN -1 ELSE 1 END ELSE 0 END`,
  };
}
