import { Fault } from '../fault.ts';

/** The kinds of type whose text may have declared formats. */
export type TemporalKind = 'date' | 'time' | 'timestamp' | 'timestamptz';

export type NumberField = 'year' | 'year2' | 'month' | 'day' | 'hour' | 'hour12' | 'minute' | 'second' | 'fraction';
export type NameField = 'month' | 'weekday' | 'halfday';

/** `min` to `max` ASCII digits. `year2` is a year of two digits, `fraction` the digits after the second. */
export interface NumberToken {
  readonly kind: 'number';
  readonly field: NumberField;
  readonly min: number;
  readonly max: number;
}

/** An English name, in any case: `Jan` or `January`, `Mon` or `Monday`, `AM` or `PM`. */
export interface NameToken {
  readonly kind: 'name';
  readonly field: NameField;
  readonly full: boolean;
}

/** An offset from UTC. `minutes`: `optional` is ±HH or ±HHmm, `plain` ±HHmm, `colon` ±HH:mm, `any` all three. */
export interface OffsetToken {
  readonly kind: 'offset';
  readonly minutes: 'optional' | 'plain' | 'colon' | 'any';
  /** Whether `Z` stands for UTC. */
  readonly z: boolean;
}

/** Text that stands for itself; with `anyOf`, one character of it. */
export interface LiteralToken {
  readonly kind: 'literal';
  readonly text: string;
  readonly anyOf?: true;
}

export type FormatToken = NumberToken | NameToken | OffsetToken | LiteralToken;

/** A format without its optional parts: what one text must look like from end to end. */
export type Alternative = readonly FormatToken[];

export type EpochUnit = 's' | 'ms' | 'us';

export type ParsedFormat =
  /** The built-in grammar of the target type. */
  | { readonly kind: 'iso'; readonly text: string }
  /** Seconds, milliseconds or microseconds since 1970-01-01T00:00:00Z. */
  | { readonly kind: 'epoch'; readonly text: string; readonly unit: EpochUnit }
  | { readonly kind: 'pattern'; readonly text: string; readonly alternatives: readonly Alternative[] };

/** One supported letter, with the numbers of repetitions it may have. */
export interface FormatLetter {
  readonly letters: string;
  readonly means: string;
  readonly counts: Readonly<Record<number, FormatToken>>;
}

const digits = (field: NumberField, min: number, max: number = min): FormatToken => ({ kind: 'number', field, min, max });
const oneOrTwo = (field: NumberField) => ({ 1: digits(field, 1, 2), 2: digits(field, 2) });
const name = (field: NameField, full: boolean): FormatToken => ({ kind: 'name', field, full });
const offset = (minutes: OffsetToken['minutes'], z: boolean): FormatToken => ({ kind: 'offset', minutes, z });
const fractions = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i + 1, digits('fraction', i + 1)]));
const plainOffset = offset('plain', false);
const shortDay = name('weekday', false);

/**
 * The supported letters of Java's DateTimeFormatter.
 * https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/format/DateTimeFormatter.html#patterns
 * Numbers of one letter take one or two digits, a year of one letter one to four; all others take exactly as many as there are letters.
 */
export const formatLetters: readonly FormatLetter[] = [
  { letters: 'yu', means: 'year', counts: { 1: digits('year', 1, 4), 2: digits('year2', 2), 4: digits('year', 4) } },
  { letters: 'ML', means: 'month', counts: { ...oneOrTwo('month'), 3: name('month', false), 4: name('month', true) } },
  { letters: 'd', means: 'day of the month', counts: oneOrTwo('day') },
  { letters: 'E', means: 'day of the week', counts: { 1: shortDay, 2: shortDay, 3: shortDay, 4: name('weekday', true) } },
  { letters: 'H', means: 'hour, 0 to 23', counts: oneOrTwo('hour') },
  { letters: 'h', means: 'hour, 1 to 12', counts: oneOrTwo('hour12') },
  { letters: 'a', means: 'AM or PM', counts: { 1: name('halfday', false) } },
  { letters: 'm', means: 'minute', counts: oneOrTwo('minute') },
  { letters: 's', means: 'second', counts: oneOrTwo('second') },
  { letters: 'S', means: 'fraction of a second', counts: fractions },
  { letters: 'X', means: 'offset, Z for UTC', counts: { 1: offset('optional', true), 2: offset('plain', true), 3: offset('colon', true) } },
  { letters: 'x', means: 'offset', counts: { 1: offset('optional', false), 2: plainOffset, 3: offset('colon', false) } },
  { letters: 'Z', means: 'offset', counts: { 1: plainOffset, 2: plainOffset, 3: plainOffset } },
];

/** The words that stand in a list of formats beside patterns. */
const formatWords: ReadonlyMap<string, ParsedFormat> = new Map<string, ParsedFormat>([
  ['iso', { kind: 'iso', text: 'iso' }],
  ['epoch_s', { kind: 'epoch', text: 'epoch_s', unit: 's' }],
  ['epoch_ms', { kind: 'epoch', text: 'epoch_ms', unit: 'ms' }],
  ['epoch_us', { kind: 'epoch', text: 'epoch_us', unit: 'us' }],
]);

/** Most alternatives that the optional parts of one format may make. */
const mostAlternatives = 32;

const letterRules: ReadonlyMap<string, FormatLetter> = new Map(
  formatLetters.flatMap((rule) => [...rule.letters].map((letter): [string, FormatLetter] => [letter, rule])),
);

/** A complaint about a format, which names it. */
export function badFormat(text: string, complaint: string): Fault {
  const words = [...formatWords.keys()].join(', ');
  return new Fault('CONFIG_INVALID', `format ${JSON.stringify(text)}: ${complaint}`, {
    fix: `Use ${words} or a pattern of the letters ${formatLetters.map((rule) => rule.letters).join('')}, such as dd/MM/yyyy HH:mm.`,
  });
}

/**
 * Reads a format: `iso`, `epoch_s`, `epoch_ms`, `epoch_us` or a pattern.
 * @throws Fault CONFIG_INVALID when a letter is unknown or the pattern could not be read in one way only.
 */
export function parseFormat(text: string): ParsedFormat {
  const word = formatWords.get(text);
  if (word !== undefined) return word;
  const parser: Parser = { text, at: 0 };
  const alternatives = parseSequence(parser, 0).map(joinLiterals);
  for (const alternative of alternatives) checkAlternative(text, alternative);
  return { kind: 'pattern', text, alternatives };
}

interface Parser {
  readonly text: string;
  at: number;
}

/** Reads up to the end or the closing bracket of `depth`; returns the alternatives, those with the optional parts first. */
function parseSequence(parser: Parser, depth: number): Alternative[] {
  let found: Alternative[] = [[]];
  while (parser.at < parser.text.length) {
    const char = parser.text.charAt(parser.at);
    if (char === ']') break;
    const next = char === '[' ? parseOptional(parser, depth) : [[parseToken(parser)]];
    found = found.flatMap((head) => next.map((tail) => [...head, ...tail]));
    if (found.length > mostAlternatives) throw badFormat(parser.text, `its optional parts make more than ${mostAlternatives} variants`);
  }
  if (depth === 0 && parser.at < parser.text.length) throw badFormat(parser.text, 'a ] has no [ before it');
  return found;
}

function parseOptional(parser: Parser, depth: number): Alternative[] {
  parser.at += 1;
  const inner = parseSequence(parser, depth + 1);
  if (parser.text.charAt(parser.at) !== ']') throw badFormat(parser.text, 'a [ is not closed');
  parser.at += 1;
  return [...inner, []];
}

function parseToken(parser: Parser): FormatToken {
  const char = parser.text.charAt(parser.at);
  if (char === "'") return parseQuoted(parser);
  if (/[A-Za-z]/.test(char)) return parseLetters(parser, char);
  if (/[{}#]/.test(char)) throw badFormat(parser.text, `${char} must stand in quotes: '${char}'`);
  const whole = String.fromCodePoint(parser.text.codePointAt(parser.at) ?? 0);
  parser.at += whole.length;
  return plainLiteral(parser.text, whole);
}

function parseLetters(parser: Parser, letter: string): FormatToken {
  const start = parser.at;
  while (parser.text.charAt(parser.at) === letter) parser.at += 1;
  const count = parser.at - start;
  const rule = letterRules.get(letter);
  if (rule === undefined) {
    throw badFormat(parser.text, `the letter ${letter} is not supported; text that stands for itself needs quotes: '${letter}'`);
  }
  const token = rule.counts[count];
  if (token === undefined) {
    const counts = Object.keys(rule.counts).join(', ');
    throw badFormat(parser.text, `${letter.repeat(count)} is not supported; ${letter} (${rule.means}) may stand ${counts} times`);
  }
  return token;
}

/** Quoted text; two quotes are one, inside and outside. */
function parseQuoted(parser: Parser): FormatToken {
  const quoted = /^'((?:[^']|'')*)'/.exec(parser.text.slice(parser.at));
  if (quoted === null) throw badFormat(parser.text, 'a quote is not closed');
  parser.at += quoted[0].length;
  const inner = (quoted[1] ?? '').replaceAll("''", "'");
  return plainLiteral(parser.text, inner === '' ? "'" : inner);
}

function plainLiteral(format: string, text: string): FormatToken {
  if (text.includes('\0')) throw badFormat(format, 'it holds U+0000');
  return { kind: 'literal', text };
}

function joinLiterals(tokens: Alternative): Alternative {
  const joined: FormatToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.kind === 'literal' && last?.kind === 'literal') joined[joined.length - 1] = { kind: 'literal', text: last.text + token.text };
    else joined.push(token);
  }
  return joined;
}

/** What a token says about the date or time; two tokens may not say the same. */
function saysWhat(token: FormatToken): string | undefined {
  if (token.kind === 'literal') return undefined;
  if (token.kind === 'offset') return 'offset';
  return token.field === 'year2' ? 'year' : token.field;
}

/** The parts of a date or time that an alternative gives: the names of its fields, `year` also for two digits, and `offset`. */
export function partsOf(alternative: Alternative): ReadonlySet<string> {
  return new Set(alternative.map(saysWhat).filter((part) => part !== undefined));
}

/** Parts that need others beside them. */
const needs: readonly (readonly [string, readonly string[]])[] = [
  ['weekday', ['year', 'month', 'day']],
  ['hour12', ['halfday']],
  ['halfday', ['hour12']],
  ['second', ['minute']],
  ['fraction', ['second']],
];

function checkAlternative(text: string, tokens: Alternative): void {
  const parts = partsOf(tokens);
  const said = tokens.map(saysWhat).filter((part) => part !== undefined);
  const twice = said.find((part, i) => said.indexOf(part) !== i);
  if (twice !== undefined) throw badFormat(text, `it gives the ${twice} twice`);
  if (parts.has('hour') && parts.has('hour12')) throw badFormat(text, 'it gives the hour twice, by H and by h');
  if (parts.has('minute') && !parts.has('hour') && !parts.has('hour12')) throw badFormat(text, 'a minute needs an hour beside it');
  for (const [part, others] of needs) {
    const missing = parts.has(part) ? others.find((other) => !parts.has(other)) : undefined;
    if (missing !== undefined) throw badFormat(text, `the ${part} needs the ${missing} beside it`);
  }
  tokens.forEach((token, i) => {
    const next = tokens[i + 1];
    if (next !== undefined && openEnded(token) && beginsWithDigit(next)) {
      throw badFormat(text, 'a number of open length stands right before a digit; write two letters, or a separator between them');
    }
  });
}

function openEnded(token: FormatToken): boolean {
  if (token.kind === 'number') return token.min !== token.max || token.field === 'fraction';
  return token.kind === 'offset' && token.minutes !== 'colon' && token.minutes !== 'plain';
}

function beginsWithDigit(token: FormatToken): boolean {
  return token.kind === 'number' || (token.kind === 'literal' && /^[0-9]/.test(token.text));
}
