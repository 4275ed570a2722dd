/**
 * The one grammar of numbers in text, and texts brought into the plain form (`-12.50`) that Spark's casts read exactly. Those casts take
 * more than the law allows (`1e3`, `1.5f`, `0x1p3`, control characters around the number, and they round), so a cast is only trusted on a
 * text that was matched first. All patterns are Java's.
 */
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
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

/** A pattern that stands for `text` itself, whatever it is. */
const exactly = (text: string): string => [...text].map((sign) => `\\x{${(sign.codePointAt(0) as number).toString(16)}}`).join('');

/** Pattern of an unsigned whole part. With a group separator, groups are right or absent. */
function wholePart(style: NumberStyle, digit = '[0-9]'): string {
  return style.group === undefined ? `${digit}+` : `(?:${digit}+|${digit}{1,3}(?:${exactly(style.group)}${digit}{3})+)`;
}

/** Pattern of a number without exponent. */
export function plainPattern(style: NumberStyle): string {
  const mark = exactly(style.mark);
  return `[+-]?(?:${wholePart(style)}(?:${mark}[0-9]*)?|${mark}[0-9]+)`;
}

/** Pattern of a number that may have an exponent. */
export function exponentPattern(style: NumberStyle): string {
  return `${plainPattern(style)}(?:[eE][+-]?[0-9]+)?`;
}

/** Pattern of a number without exponent that has no digit but 0 beyond `scale` places. */
export function exactPattern(style: NumberStyle, scale: number): string {
  const mark = exactly(style.mark);
  const places = scale === 0 ? '0*' : `[0-9]{0,${scale}}0*`;
  const onlyPlaces = scale === 0 ? '0+' : `[0-9]{1,${scale}}0*`;
  return `[+-]?(?:${wholePart(style)}(?:${mark}${places})?|${mark}${onlyPlaces})`;
}

/** SQL of the text of a number, without blanks and groups and with a point. */
export function pointed(x: string, style: NumberStyle): string {
  const bare = withoutBlanks(x, style.rule);
  const joined = style.group === undefined ? bare : `replace(${bare}, ${literal(style.group)}, '')`;
  return style.mark === '.' ? joined : `replace(${joined}, ${literal(style.mark)}, '.')`;
}

/** Pattern of a number whose exponent, if it has one, has up to four digits: those that `plainText` can apply. */
export function boundedPattern(style: NumberStyle): string {
  return `${plainPattern(style)}(?:[eE][+-]?0*[0-9]{1,4})?`;
}

/** Pattern of zero, whatever its exponent. */
export function zeroPattern(style: NumberStyle): string {
  const mark = exactly(style.mark);
  return `[+-]?(?:${wholePart(style, '0')}(?:${mark}0*)?|${mark}0+)(?:[eE][+-]?[0-9]+)?`;
}

/**
 * SQL of the plain form `[sign]digits.digits` of a text that `boundedPattern` describes. The point is moved, digits are never computed:
 * Java would take hours over a `1e-999999999` that is cast to a decimal.
 */
export function plainText(x: string, style: NumberStyle): string {
  const text = pointed(x, style);
  const part = (pattern: string): string => `regexp_extract(${text}, ${literal(pattern)}, 1)`;
  const whole = part('^[+-]*([0-9]*)');
  const exponent = `coalesce(try_cast(${part('[eE](.*)')} AS INT), 0)`;
  const digits = `concat(repeat('0', -${exponent}), ${whole}, ${part('[.]([0-9]*)')}, repeat('0', ${exponent}))`;
  const point = `(length(${whole}) + greatest(${exponent}, 0))`;
  return `concat(${part('^(-?)')}, substr(${digits}, 1, ${point}), '.', substr(${digits}, ${point} + 1))`;
}

/** SQL of a plain text cut after `scale` places, toward zero. */
export function cutText(plain: string, scale: number): string {
  return `regexp_replace(${plain}, '([.][0-9]{${scale}})[0-9]*', ${literal('$10')})`;
}
