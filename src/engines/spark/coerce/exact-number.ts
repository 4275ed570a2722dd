/** What whole numbers and decimals have in common: a grammar, a number of places, and a cast that rounds what does not fit. */
import { literal } from '../quote.ts';
import { matches } from './blanks.ts';
import type { NumberStyle } from './number-text.ts';
import {
  boundedPattern,
  cutText,
  exactPattern,
  exponentPattern,
  numberStyle,
  plainPattern,
  plainText,
  pointed,
  zeroPattern,
} from './number-text.ts';
import type { ScalarRequest, ScalarSql } from './sql-coercion.ts';

/** One exact type. All functions take SQL of a text with a point and no groups. */
export interface ExactType {
  /** Places after the point. */
  readonly scale: number;
  /** Code of a text that has more places. */
  readonly lossy: string;
  /** The value of a plain number text, rounded half away from zero; NULL when out of range. */
  readonly cast: (text: string) => string;
  /** For the common spellings, with a point as the mark if there is one: a pattern, and the value of a text of that pattern. */
  readonly quick?: { readonly pattern: string; readonly cast: (text: string) => string };
}

/** Arms for texts with an exponent. A text of more places is cut down to nothing, which no cast takes. */
function exponentArms(x: string, style: NumberStyle, type: ExactType): readonly string[] {
  const exact = exactPattern({ ...style, mark: '.', group: undefined }, type.scale);
  const fitting = `regexp_extract(${plainText(x, style)}, ${literal(`^${exact}\\z`)}, 0)`;
  return [
    `WHEN ${matches(x, zeroPattern(style), style.rule)} THEN ${type.cast(`'0'`)}`,
    `WHEN ${matches(x, boundedPattern(style), style.rule)} THEN ${type.cast(fitting)}`,
  ];
}

/**
 * A value that is not exact, made so by `adjust` and the cast. An exponent of five digits and more makes the number nothing or
 * too large; only a text of 10,000 digits could make up for it.
 */
function inexact(x: string, style: NumberStyle, type: ExactType, adjust: (plain: string) => string): string {
  if (!style.exponent) return type.cast(adjust(pointed(x, style)));
  const nothing = `WHEN ${x} RLIKE '[eE]-' THEN ${type.cast(`'0'`)}`;
  return `CASE WHEN ${matches(x, boundedPattern(style), style.rule)} THEN ${type.cast(adjust(plainText(x, style)))} ${nothing} END`;
}

/** Text to an exact number. */
export function exactNumber(x: string, request: ScalarRequest, type: ExactType): ScalarSql {
  const style = numberStyle(request);
  const { rule, exponent } = style;
  const isNumber = matches(x, exponent ? exponentPattern(style) : plainPattern(style), rule);
  const cut = inexact(x, style, type, (plain) => cutText(plain, type.scale));
  const arms = [`WHEN ${matches(x, exactPattern(style, type.scale), rule)} THEN ${type.cast(pointed(x, style))}`];
  if (type.quick !== undefined && style.mark === '.' && style.group !== '.')
    arms.unshift(`WHEN ${x} RLIKE ${literal(`^${type.quick.pattern}\\z`)} THEN ${type.quick.cast(x)}`);
  if (exponent) arms.push(...exponentArms(x, style, type));
  const notNumber = exponent
    ? `'invalid_value'`
    : `CASE WHEN ${matches(x, exponentPattern(style), rule)} THEN 'invalid_value:exponent' ELSE 'invalid_value' END`;
  return {
    value: `CASE ${arms.join(' ')} END`,
    reason: `CASE WHEN NOT ${isNumber} THEN ${notNumber} WHEN ${cut} IS NULL THEN 'invalid_value:out_of_range' ELSE '${type.lossy}' END`,
    round: inexact(x, style, type, (plain) => plain),
    truncate: cut,
  };
}
