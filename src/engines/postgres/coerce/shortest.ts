/**
 * The shortest text that reads back as a double or a float. PostgreSQL's own output depends on `extra_float_digits`, and is not the shortest
 * where that lies right between two values: 1e23 comes out as 9.999999999999999e+22.
 */
import type { FloatBits } from '../../../core/model/type.ts';
import { castable, fresh, inLevels } from './levels.ts';

interface FloatDigits {
  readonly type: string;
  /** Decimal digits that any value of the type keeps; two or three more always tell it from its neighbours. */
  readonly kept: number;
  readonly most: number;
  /** Below this, numbers are so thinly sown that fewer digits than `kept` may do. */
  readonly smallestNormal: string;
}

const facts: { readonly [B in FloatBits]: FloatDigits } = {
  32: { type: 'real', kept: 6, most: 9, smallestNormal: '1.17549435e-38' },
  64: { type: 'double precision', kept: 15, most: 17, smallestNormal: '2.2250738585072014e-308' },
};

/** With EEEE, `to_char` prints the nearest number of so many digits, whatever the settings. */
const nearest = (value: string, digits: number): string =>
  `btrim(to_char(CAST(${value} AS double precision), '${`9.${'9'.repeat(digits - 1)}EEEE`}'))`;

/** One more in the last place, away from zero. */
function above(text: string, digits: number): string {
  const [mantissa, exponent] = [`split_part(${text}, 'e', 1)`, `split_part(${text}, 'e', 2)`];
  const last = `CAST('1e-${digits - 1}' AS numeric)`;
  return `(CASE WHEN ${text} LIKE '-%' THEN CAST(${mantissa} AS numeric) - ${last} ELSE CAST(${mantissa} AS numeric) + ${last} END || 'e' || ${exponent})`;
}

/**
 * SQL of the shortest text of a finite `value`, a column, in scientific notation, perhaps with zeros at the end of the mantissa.
 * Beside powers of two the values are twice as dense on one side, so there the neighbour of the nearest text may be the one that reads back.
 */
export function shortestDigits(value: string, bits: FloatBits): string {
  const { type, kept, most, smallestNormal } = facts[bits];
  const counts = Array.from({ length: most - kept }, (_, i) => kept + i);
  // Rounded up, the largest values are out of range.
  const readsBack = (text: string): string => `CASE WHEN ${castable(text, type)} THEN CAST(${text} AS ${type}) = ${value} ELSE false END`;
  const levels: (readonly [string, string])[] = [];
  const arms: string[] = [];
  for (const digits of counts) {
    const near = fresh();
    levels.push([near, nearest(value, digits)]);
    arms.push(`WHEN ${readsBack(near)} THEN ${near}`);
    if (digits === kept) continue;
    arms.push(`WHEN ${readsBack(above(near, digits))} THEN ${above(near, digits)}`);
  }
  const digits = inLevels([levels], `CASE ${arms.join(' ')} ELSE ${nearest(value, most)} END`);
  return `CASE WHEN abs(${value}) < CAST('${smallestNormal}' AS ${type}) THEN CAST(${value} AS text) ELSE ${digits} END`;
}

/** SQL of the shortest text of a `value`: plain digits for sizes as PostgreSQL prints them so, else with an exponent; `NaN`, `Infinity`. */
export function shortestText(value: string, bits: FloatBits): string {
  const { type, kept } = facts[bits];
  const [v, digits] = [fresh(), fresh()];
  const special = `${v} IN ('NaN', 'Infinity', '-Infinity', 0)`;
  const plain = `abs(${v}) >= CAST('1e-4' AS ${type}) AND abs(${v}) < CAST('1e${kept}' AS ${type})`;
  return inLevels(
    [[[v, value]], [[digits, `CASE WHEN NOT (${special}) THEN ${shortestDigits(v, bits)} END`]]],
    `CASE WHEN ${digits} IS NULL THEN CAST(${v} AS text) WHEN ${plain} THEN CAST(trim_scale(CAST(${digits} AS numeric)) AS text) ` +
      `ELSE regexp_replace(${digits}, '[.]?0*e', 'e') END`,
  );
}
