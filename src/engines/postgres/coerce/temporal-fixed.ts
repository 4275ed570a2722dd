/** The cheap way for texts of a pattern whose parts stand at fixed places. */
import type { Alternative, FormatToken, NumberToken, TemporalKind } from '../../../core/coercions/format.ts';
import { literal } from '../quote.ts';
import { once, tryCast } from './levels.ts';
import { digitsIn, isPlainMark } from './temporal-digits.ts';
import { century, isoText, microDigits, type Part, partOf } from './temporal-parts.ts';
import type { FastPath } from './temporal-reader.ts';

interface Fixed {
  readonly x: string;
  readonly tokens: Alternative;
  readonly years: readonly [number, number] | undefined;
  readonly to: TemporalKind;
}

/** A token of one length, and that length. */
interface Piece {
  readonly token: FormatToken;
  readonly length: number;
}

/** Every number of one or two digits doubles the spellings; more than these are left to the slow way. */
const mostSpellings = 8;

/** The lengths that a token may have; none when it cannot be had this way. */
function lengthsOf(token: FormatToken): readonly number[] {
  if (token.kind === 'number') return numberLengths(token);
  if (token.kind === 'literal') return !token.anyOf && [...token.text].every(isPlainMark) ? [token.text.length] : [];
  if (token.kind === 'offset') return [];
  if (token.field === 'halfday') return [2];
  return token.full ? [] : [3];
}

function numberLengths({ min, max }: NumberToken): readonly number[] {
  if (min === max) return min <= microDigits ? [min] : [];
  return max === 2 ? [2, 1] : [];
}

/** Ways for texts of one length each; none for patterns with full names, offsets or years of open length. */
export function fastPaths(fixed: Fixed): readonly FastPath[] {
  let spellings: readonly (readonly Piece[])[] = [[]];
  for (const token of fixed.tokens) {
    spellings = spellings.flatMap((head) => lengthsOf(token).map((length) => [...head, { token, length }]));
    if (spellings.length > mostSpellings) return [];
  }
  return spellings.map((pieces) => fastPath(fixed, pieces));
}

const monthNumbers = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthNumber = (name: string): string =>
  `CASE lower(${name}) ${monthNumbers.map((month, i) => `WHEN '${month}' THEN '${String(i + 1).padStart(2, '0')}'`).join(' ')} END`;

function fastPath({ x, years, to }: Fixed, pieces: readonly Piece[]): FastPath {
  const places = new Map<Part | 'weekday', string>();
  const digits: string[] = [];
  let at = 1;
  for (const { token, length } of pieces) {
    const place = `substr(${x}, ${at}, ${length})`;
    if (token.kind === 'number') digits.push(place);
    const part = token.kind === 'name' && token.field === 'weekday' ? 'weekday' : partOf(token);
    if (part !== undefined) places.set(part, place);
    at += length;
  }
  const hasNames = pieces.some(({ token }) => token.kind === 'name');
  const monthName = pieces.some(({ token }) => token.kind === 'name' && token.field === 'month');
  const text = isoText((part) => {
    const place = places.get(part);
    if (part === 'month' && monthName && place !== undefined) return monthNumber(place);
    return part === 'year2' && place !== undefined && years !== undefined ? `${century(place, years)} || ${place}` : place;
  }, to);
  const timed = places.has('hour') || places.has('hour12');
  const type = to === 'time' ? 'time' : to === 'date' && !timed ? 'date' : 'timestamp';
  const shape = pieces.map(({ token, length }) => (token.kind === 'literal' ? token.text : '_'.repeat(length))).join('');
  const bounds = boundsOf(places);
  // Beside letters, a search for wrong characters says nothing; so the digits alone are looked through.
  const spelled = [`${x} LIKE ${literal(shape)}`, ...bounds, `(${digits.join(' || ')}) !~ '[^0-9]'`].join(' AND ');
  const parsed = once(text, (iso) => tryCast(iso, type));
  const weekday = places.get('weekday');
  return {
    when: hasNames ? spelled : digitsIn(x, shape, bounds),
    reading: weekday === undefined ? parsed : once(parsed, (t) => `CASE WHEN to_char(${t}, 'dy') = lower(${weekday}) THEN ${t} END`),
  };
}

/** What the casts would read although the law does not: hour 24 and second 60; hours beyond 12 or 0 beside AM and PM, and BC in their place. */
function boundsOf(places: ReadonlyMap<Part | 'weekday', string>): readonly string[] {
  const [hour, hour12, second, halfday] = (['hour', 'hour12', 'second', 'halfday'] as const).map((part) => places.get(part));
  return [
    ...(hour === undefined ? [] : [`lpad(${hour}, 2, '0') < '24'`]),
    ...(hour12 === undefined ? [] : [`lpad(${hour12}, 2, '0') BETWEEN '01' AND '12'`]),
    ...(second === undefined ? [] : [`lpad(${second}, 2, '0') < '60'`]),
    ...(halfday === undefined ? [] : [`lower(${halfday}) IN ('am', 'pm')`]),
  ];
}
