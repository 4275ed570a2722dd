/** The parts of a date or time in a pattern, and the text that the casts read. */
import type { FormatToken, NumberField, TemporalKind } from '../../../core/coercions/format.ts';

/** The first two digits of a year that the text gives by its last two; NULL when that year is outside of the range. */
export function century(digits: string, [first, last]: readonly [number, number]): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const whens: string[] = [];
  for (let base = first - (first % 100); base <= last; base += 100) {
    const [from, to] = [Math.max(first, base) - base, Math.min(last, base + 99) - base];
    whens.push(`WHEN ${digits} BETWEEN '${two(from)}' AND '${two(to)}' THEN '${two(base / 100)}'`);
  }
  return `CASE ${whens.join(' ')} END`;
}

export type Part = NumberField | 'halfday';
type Pieces = (part: Part) => string | undefined;

/**
 * SQL of a date and time as the casts read it under every DateStyle: year first, English months. `piece` gives SQL of each part; a short
 * year must come with its century, one of open length with zeros before it, since two digits could mean something else.
 */
export function isoText(piece: Pieces, to: TemporalKind): string {
  const glue = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' || ');
  const day = glue(piece('year') ?? piece('year2'), `'-'`, piece('month'), `'-'`, piece('day'));
  const hour = piece('hour') ?? piece('hour12');
  if (hour === undefined) return day;
  const fraction = piece('fraction');
  const halfday = piece('halfday');
  const clock = glue(hour, `':'`, piece('minute') ?? `'00'`, `':'`, piece('second') ?? `'00'`);
  const rest = glue(fraction && `'.' || ${fraction}`, halfday && `' ' || ${halfday}`);
  const time = rest === '' ? clock : glue(clock, rest);
  return to === 'time' ? time : glue(day, `' '`, time);
}

/** Digits of a fraction that the casts take without rounding. */
export const microDigits = 6;

/** The part that a token gives to that text; undefined for literals, offsets and days of the week. */
export function partOf(token: FormatToken): Part | undefined {
  if (token.kind === 'number') return token.field;
  if (token.kind !== 'name' || token.field === 'weekday') return undefined;
  return token.field === 'month' ? 'month' : 'halfday';
}
