/** Whole numbers and decimals: a number of places, a range, and exact arithmetic in NUMERIC. */
import { once } from './levels.ts';
import { castable } from './levels.ts';
import { exactNumeric, isNumber, numberStyle, quickNumber } from './number-text.ts';
import type { ScalarRequest, ScalarSql } from './sql-coercion.ts';

/** One exact type. */
export interface ExactType {
  readonly sqlType: string;
  /** Places after the point. */
  readonly scale: number;
  /** Code of a text that has more places. */
  readonly lossy: string;
  /** Boolean: a NUMERIC or a value of the type is in the range. */
  readonly inRange: (value: string) => string;
  /** True when the cast to `sqlType` alone refuses what is out of range. */
  readonly castBounds: boolean;
}

/** Text to an exact number. */
export function exactNumber(x: string, request: ScalarRequest, type: ExactType): ScalarSql {
  const style = numberStyle(request);
  const number = isNumber(x, style, style.exponent);
  const fit = (n: string): string => `CASE WHEN ${type.inRange(n)} THEN CAST(${n} AS ${type.sqlType}) END`;
  const near = (function_: 'round' | 'trunc'): string =>
    `CASE WHEN ${number} THEN ${once(exactNumeric(x, style), (n) => once(`${function_}(${n}, ${type.scale})`, fit))} END`;
  const exact = once(exactNumeric(x, style), (n) => `CASE WHEN trunc(${n}, ${type.scale}) = ${n} THEN ${fit(n)} END`);
  const notNumber = style.exponent
    ? `'invalid_value'`
    : `CASE WHEN ${isNumber(x, style, true)} THEN 'invalid_value:exponent' ELSE 'invalid_value' END`;
  const inexact = once(
    exactNumeric(x, style),
    (n) => `CASE WHEN ${type.inRange(`trunc(${n}, ${type.scale})`)} THEN '${type.lossy}' ELSE 'invalid_value:out_of_range' END`,
  );
  const quick = quickArm(x, request, type);
  return {
    value: `CASE ${quick} WHEN ${number} THEN ${exact} END`,
    reason: `CASE WHEN ${number} THEN ${inexact} ELSE ${notNumber} END`,
    round: near('round'),
    truncate: near('trunc'),
  };
}

/** The common spellings: of digits, signs and the mark alone, the cast takes just what the law takes; but decimals are rounded. */
function quickArm(x: string, request: ScalarRequest, { sqlType, scale, inRange, castBounds }: ExactType): string {
  const quick = quickNumber(x, numberStyle(request), scale === 0 ? '' : '.');
  if (quick === undefined) return '';
  const { when, text } = quick;
  const cast = `CAST(${text} AS ${sqlType})`;
  // Nested CASEs, since AND promises no order, and the casts raise where the first test fails.
  const bounded = castBounds ? cast : `CASE WHEN ${inRange(cast)} THEN ${cast} END`;
  const fewPlaces = `WHEN ${text} NOT LIKE '%.${'_'.repeat(scale + 1)}%' THEN ${bounded}`;
  const places = `CASE ${fewPlaces} WHEN min_scale(CAST(${text} AS numeric)) <= ${scale} THEN ${bounded} END`;
  const value = `CASE WHEN ${castable(text, sqlType)} THEN ${scale > 0 ? places : bounded} END`;
  return `WHEN ${when} THEN ${value}`;
}
