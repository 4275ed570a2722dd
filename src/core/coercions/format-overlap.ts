import type { Alternative, FormatToken, LiteralToken, NumberField, TemporalKind } from './format.ts';

/** One character of a text: any of `chars`, and whether it may be absent. */
interface Slot {
  readonly chars: string;
  readonly optional: boolean;
}

const digit = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letter = upper + upper.toLowerCase();

const slots = (chars: string, needed: number, more = 0): Slot[] =>
  Array.from({ length: needed + more }, (_, i) => ({ chars, optional: i >= needed }));

/** Lengths of the shortest and longest English names. */
const nameLengths = { month: [3, 9], weekday: [6, 9] } as const;

function nameSlots(field: 'month' | 'weekday' | 'halfday', full: boolean): Slot[] {
  if (field === 'halfday') return [...slots('AaPp', 1), ...slots('Mm', 1)];
  const [shortest, longest] = nameLengths[field];
  return full ? slots(letter, shortest, longest - shortest) : slots(letter, 3);
}

function slotsOf(token: FormatToken): Slot[] {
  switch (token.kind) {
    case 'number':
      return slots(digit, token.min, token.max - token.min);
    case 'name':
      return nameSlots(token.field, token.full);
    case 'offset':
      return [...slots('Z+-', 1), ...slots(digit, 0, 2), ...slots(':', 0, 1), ...slots(digit, 0, 2)];
    case 'literal':
      return token.anyOf ? slots(token.text, 1) : [...token.text].flatMap((char) => slots(char, 1));
  }
}

const meetings = new Map<string, Map<string, boolean>>();

/** Whether two sets share a character. There are few sets, each compared over and over. */
function meet(a: string, b: string): boolean {
  if (a === b) return true;
  const known = meetings.get(a) ?? new Map<string, boolean>();
  meetings.set(a, known);
  let found = known.get(b);
  if (found === undefined) {
    found = [...a].some((char) => b.includes(char));
    known.set(b, found);
  }
  return found;
}

/** Whether some text could have both shapes. May say yes where only the shapes of names and offsets meet, never no where texts exist. */
export function shapesMeet(a: Alternative, b: Alternative): boolean {
  const left = a.flatMap(slotsOf);
  const right = b.flatMap(slotsOf);
  const seen = new Set<number>();
  const todo: [number, number][] = [[0, 0]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [i, j] = next;
    if (i === left.length && j === right.length) return true;
    const key = i * (right.length + 1) + j;
    if (!seen.has(key)) todo.push(...steps(left, right, i, j));
    seen.add(key);
  }
  return false;
}

function steps(left: readonly Slot[], right: readonly Slot[], i: number, j: number): [number, number][] {
  const [a, b] = [left[i], right[j]];
  const found: [number, number][] = [];
  if (a?.optional) found.push([i + 1, j]);
  if (b?.optional) found.push([i, j + 1]);
  if (a !== undefined && b !== undefined && meet(a.chars, b.chars)) found.push([i + 1, j + 1]);
  return found;
}

/**
 * Whether two alternatives read every text that both can have in the same way: the same parts in the same order, cut at the same places.
 * Literals with letters or digits may move the cuts, so they count as different (but for the `T` of ISO 8601).
 */
export function readAlike(a: Alternative, b: Alternative): boolean {
  const [left, right] = [readingKey(a), readingKey(b)];
  return left !== undefined && left === right;
}

function readingKey(tokens: Alternative): string | undefined {
  if (tokens.some((token) => token.kind === 'literal' && /[\p{L}\p{N}]/u.test(token.text.replaceAll('T', '')))) return undefined;
  return tokens
    .map((token, i) => {
      if (token.kind === 'literal') return '.';
      if (token.kind === 'offset') return 'offset';
      if (token.kind === 'name') return token.field;
      const free = [tokens[i - 1], tokens[i + 1]].every((beside) => beside?.kind !== 'number');
      return free ? token.field : `${token.field}:${token.min}-${token.max}`;
    })
    .join(' ');
}

const number = (field: NumberField, min: number, max = min): FormatToken => ({ kind: 'number', field, min, max });
const literal = (text: string): LiteralToken => ({ kind: 'literal', text });

const isoDate: Alternative = [number('year', 4), literal('-'), number('month', 2), literal('-'), number('day', 2)];
const isoMinutes: Alternative = [number('hour', 2), literal(':'), number('minute', 2)];
const isoSeconds: Alternative = [...isoMinutes, literal(':'), number('second', 2)];
const isoTimes: readonly Alternative[] = [isoMinutes, isoSeconds, [...isoSeconds, literal('.'), number('fraction', 1, 9)]];
const isoJoint: LiteralToken = { kind: 'literal', text: 'T ', anyOf: true };
const isoOffset: FormatToken = { kind: 'offset', minutes: 'any', z: true };

/** The built-in grammar as alternatives, with or without an offset at the end. */
export function isoAlternatives(to: TemporalKind, withOffset: boolean): readonly Alternative[] {
  if (to === 'time') return isoTimes;
  const stamps = isoTimes.map((time): Alternative => [...isoDate, isoJoint, ...time]);
  return withOffset ? stamps.map((stamp) => [...stamp, isoOffset]) : [isoDate, ...stamps];
}

const sign: LiteralToken = { kind: 'literal', text: '+-', anyOf: true };
const wholeNumber: Alternative = [number('fraction', 1, 40)];
const brokenNumber: Alternative = [...wholeNumber, literal('.'), number('fraction', 1, 40)];

/** The shapes of an epoch of any unit: digits, perhaps a sign, perhaps a fraction. Their readings are like no other's. */
export const epochAlternatives: readonly Alternative[] = [wholeNumber, brokenNumber, [sign, ...wholeNumber], [sign, ...brokenNumber]];

const mark: LiteralToken = { kind: 'literal', text: 'eE', anyOf: true };

/** The same with an exponent, as JSON numbers may have one. */
export const exponentAlternatives: readonly Alternative[] = epochAlternatives.flatMap((number): readonly Alternative[] => [
  [...number, mark, ...wholeNumber],
  [...number, mark, sign, ...wholeNumber],
]);
