/**
 * The one grammar of numbers in text, and texts brought into the plain form (`-12.50`) that casts read exactly. The casts take more than
 * the law allows (`0x1F`, `1_000`, `1e3`, `NaN`, blanks, and they round), so a cast is only trusted on a text of a known form.
 *
 * An anchored pattern costs 0.5 to 1 µs a value, a search for a wrong character a fifth of that: patterns are for the rarer spellings.
 */
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
import { castable, inLevels, fresh } from './levels.ts';
import type { ScalarRequest } from './sql-coercion.ts';

/** How numbers are written in one column. */
export interface NumberStyle {
  readonly rule: ColumnRule;
  /** Decimal mark. */
  readonly mark: string;
  /** Group separator; undefined when digits are never grouped. */
  readonly group: string | undefined;
  /** Whether `1e3` is a number where the target is exact. */
  readonly exponent: boolean;
}

/** The style of a request. A JSON number is always written with a point, and goes by value. */
export function numberStyle({ rule, number }: ScalarRequest): NumberStyle {
  if (number) return { rule, mark: '.', group: undefined, exponent: true };
  return { rule, mark: rule.decimal, group: rule.group, exponent: rule.exponent };
}

/** A pattern that stands for `text` itself, whatever it is, inside and outside of brackets. */
const exactly = (text: string): string =>
  [...text].map((sign) => `\\U${(sign.codePointAt(0) as number).toString(16).padStart(8, '0')}`).join('');

/** Pattern of an unsigned whole part. With a group separator, groups are right or absent. */
function wholePart(style: NumberStyle): string {
  return style.group === undefined ? '[0-9]+' : `(?:[0-9]+|[0-9]{1,3}(?:${exactly(style.group)}[0-9]{3})+)`;
}

function numberPattern(style: NumberStyle, exponent: boolean): string {
  const mark = exactly(style.mark);
  return literal(`^[+-]?(?:${wholePart(style)}(?:${mark}[0-9]*)?|${mark}[0-9]+)${exponent ? '(?:[eE][+-]?[0-9]+)?' : ''}$`);
}

/** Boolean: the whole of `x` is a number, with or without an exponent. */
export function isNumber(x: string, style: NumberStyle, exponent: boolean): string {
  return `${withoutBlanks(x, style.rule)} ~ ${numberPattern(style, exponent)}`;
}

/** SQL of the text of a number, without blanks and groups and with a point. */
export function pointed(x: string, style: NumberStyle): string {
  const bare = withoutBlanks(x, style.rule);
  const joined = style.group === undefined ? bare : `replace(${bare}, ${literal(style.group)}, '')`;
  return style.mark === '.' ? joined : `replace(${joined}, ${literal(style.mark)}, '.')`;
}

/** The text of a number in its common spellings: a test that there is no other character than these, and the text with a point. */
export interface Quick {
  readonly when: string;
  readonly text: string;
}

/** Undefined when the mark or the group separator is a character that means something else. */
export function quickNumber(x: string, style: NumberStyle, more: string): Quick | undefined {
  const odd = /[0-9+eE-]/.test(`${style.mark}${style.group ?? ''}`);
  if (odd || style.mark.length !== 1) return undefined;
  const withMark = more.includes('.');
  const signs = more.replace('.', exactly(style.mark));
  return {
    when: `${x} !~ ${literal(`[^0-9+${signs}-]`)}`,
    text: style.mark === '.' || !withMark ? x : `replace(${x}, ${literal(style.mark)}, '.')`,
  };
}

/** Digits after the point of which no type keeps any: PostgreSQL's largest scale is 1,000. */
const sticky = 1_100;

/**
 * NUMERIC of a text that `isNumber` holds for (with an exponent), exactly; NULL when it has more digits before the point than any type.
 *
 * `numeric` itself holds 131,072 digits before the point and 16,383 after it. A number with more after it is cut where no type sees it and
 * gets a last digit 1, so that it stays inexact; one that is next to nothing becomes a small number of the same sign.
 */
export function exactNumeric(x: string, style: NumberStyle): string {
  const [b, z] = [fresh(), fresh()];
  const tiny = `CASE WHEN ${b} LIKE '-%' THEN -1 ELSE 1 END * CAST('1e-9999' AS numeric)`;
  const cut = `left(${z}, strpos(${z}, '.') + ${sticky}) || '1'`;
  const value =
    `CASE WHEN ${castable(b, 'numeric')} THEN CAST(${b} AS numeric) ` +
    `WHEN ${b} ~ '^[+-]?[0.]*([eE]|$)' THEN 0 WHEN ${b} ~ '[eE]-' THEN ${tiny} WHEN ${b} ~ '[eE]' THEN NULL ` +
    `WHEN ${castable(z, 'numeric')} THEN CAST(${z} AS numeric) WHEN ${castable(`(${cut})`, 'numeric')} THEN CAST(${cut} AS numeric) END`;
  const zeroless = `CASE WHEN length(${b}) > ${sticky} AND ${b} LIKE '%.%' AND ${b} !~ '[eE]' THEN rtrim(${b}, '0') ELSE ${b} END`;
  return inLevels([[[b, pointed(x, style)]], [[z, zeroless]]], value);
}
