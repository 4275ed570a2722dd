/** Text in a declared pattern. */
import {
  type Alternative,
  type FormatToken,
  type NameField,
  type NumberField,
  type NumberToken,
  type OffsetToken,
  partsOf,
  type TemporalKind,
} from '../../../core/coercions/format.ts';
import { literal } from '../quote.ts';
import { once, tryCast } from './levels.ts';
import { fastPaths } from './temporal-fixed.ts';
import { offsetInterval } from './temporal-iso.ts';
import { century, isoText, microDigits, partOf } from './temporal-parts.ts';
import { type TemporalReader, wholePattern } from './temporal-reader.ts';

/** How a number is written as a regular expression: exactly two digits, or one or two. */
interface NumberStyle {
  readonly two: string;
  readonly oneOrTwo: string;
}

const twelve = { two: '(?:0[1-9]|1[0-2])', oneOrTwo: '(?:0?[1-9]|1[0-2])' };
const sixty = { two: '[0-5][0-9]', oneOrTwo: '[0-5]?[0-9]' };

const twoDigits: Readonly<Record<Exclude<NumberField, 'year' | 'year2' | 'fraction'>, NumberStyle>> = {
  month: twelve,
  day: { two: '(?:0[1-9]|[12][0-9]|3[01])', oneOrTwo: '(?:0?[1-9]|[12][0-9]|3[01])' },
  hour: { two: '(?:[01][0-9]|2[0-3])', oneOrTwo: '(?:[01]?[0-9]|2[0-3])' },
  hour12: twelve,
  minute: sixty,
  second: sixty,
};

const fullYear = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9][0-9]|[1-9][0-9]{3})';
const openYear = '(?:0{0,3}[1-9]|0{0,2}[1-9][0-9]|0?[1-9][0-9][0-9]|[1-9][0-9]{3})';

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const dayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** A pattern of the words in any case, which no locale changes. */
const anyCase = (words: readonly string[]): string =>
  `(?:${words.map((word) => word.replace(/./g, (sign) => `[${sign.toUpperCase()}${sign.toLowerCase()}]`)).join('|')})`;
const short = (words: readonly string[]): readonly string[] => words.map((word) => word.slice(0, 3));

const names: Readonly<Record<NameField, { readonly short: string; readonly full: string }>> = {
  month: { short: anyCase(short(monthNames)), full: anyCase(monthNames) },
  weekday: { short: anyCase(short(dayNames)), full: anyCase(dayNames) },
  halfday: { short: anyCase(['am', 'pm']), full: anyCase(['am', 'pm']) },
};

const offsetHours = '(?:0[0-9]|1[0-7])';
const offsets: Readonly<Record<OffsetToken['minutes'], string>> = {
  optional: `(?:${offsetHours}(?:[0-5][0-9])?|18(?:00)?)`,
  plain: `(?:${offsetHours}[0-5][0-9]|1800)`,
  colon: `(?:${offsetHours}:[0-5][0-9]|18:00)`,
  any: `(?:${offsetHours}(?::?[0-5][0-9])?|18(?::?00)?)`,
};

/** What the rest of the rendering needs to know of one alternative. */
interface Pattern {
  readonly x: string;
  readonly tokens: Alternative;
  readonly ignoreBlanks: boolean;
  readonly years: readonly [number, number] | undefined;
}

function numberRegex(token: NumberToken): string {
  if (token.field === 'year') return token.min === token.max ? fullYear : openYear;
  if (token.field === 'year2') return '[0-9]{2}';
  if (token.field === 'fraction') return `[0-9]{${token.min}}`;
  const style = twoDigits[token.field];
  return token.min === token.max ? style.two : style.oneOrTwo;
}

function tokenRegex(token: FormatToken): string {
  switch (token.kind) {
    case 'number':
      return numberRegex(token);
    case 'name':
      return token.full ? names[token.field].full : names[token.field].short;
    case 'offset':
      return `(?:${token.z ? 'Z|' : ''}[+-]${offsets[token.minutes]})`;
    case 'literal':
      return [...token.text].map((sign) => `\\U${(sign.codePointAt(0) as number).toString(16).padStart(8, '0')}`).join('');
  }
}

/** The pattern with groups where `groupOf` gives them. */
const whole = ({ tokens, ignoreBlanks }: Pattern, groupOf: (token: FormatToken) => string = tokenRegex): string =>
  literal(wholePattern(tokens.map(groupOf).join(''), ignoreBlanks));

/** SQL of the text that `token` stands for, or of a part of it, `regex`, which must hold the only group. */
function extract(pattern: Pattern, token: FormatToken, regex = `(${tokenRegex(token)})`): string {
  return `substring(${pattern.x} from ${whole(pattern, (other) => (other === token ? regex : tokenRegex(other)))})`;
}

/** The parts of the text by one replacement of the whole pattern: `\1` is what stands in the first group. */
function replaced(pattern: Pattern, to: TemporalKind): string {
  const parts = pattern.tokens.map(partOf).filter((part) => part !== undefined);
  const grouped = whole(pattern, (token) => {
    if (partOf(token) === undefined) return tokenRegex(token);
    const long = token.kind === 'number' && token.field === 'fraction' ? token.min - microDigits : 0;
    return long > 0 ? `([0-9]{${microDigits}})[0-9]{${long}}` : `(${tokenRegex(token)})`;
  });
  const open = pattern.tokens.some((token) => token.kind === 'number' && token.field === 'year' && token.min !== token.max);
  const template = isoText((part) => {
    const at = parts.indexOf(part);
    if (at < 0) return undefined;
    const text = literal(`${part === 'year' && open ? '000' : ''}\\${at + 1}`);
    if (part !== 'year2' || pattern.years === undefined) return text;
    const token = pattern.tokens.find((other) => partOf(other) === 'year2') as FormatToken;
    return `${once(extract(pattern, token), (digits) => century(digits, pattern.years as readonly [number, number]))} || ${text}`;
  }, to);
  return `regexp_replace(${pattern.x}, ${grouped}, ${template})`;
}

/** TIME, or TIMESTAMP: local, or in UTC when there is an offset. NULL when there is no such date or the day of the week is another. */
function readingOf(pattern: Pattern, to: TemporalKind): string {
  const { tokens } = pattern;
  const parsed = once(replaced(pattern, to), (text) => tryCast(text, to === 'time' ? 'time' : 'timestamp'));
  const weekday = tokens.find((token) => token.kind === 'name' && token.field === 'weekday');
  const form = weekday?.kind === 'name' && weekday.full ? 'FMday' : 'dy';
  const local =
    weekday === undefined
      ? parsed
      : once(parsed, (t) => `CASE WHEN to_char(${t}, '${form}') = lower(${extract(pattern, weekday)} COLLATE "C") THEN ${t} END`);
  const offset = tokens.find((token) => token.kind === 'offset');
  return offset === undefined ? local : `(${local} - ${offsetInterval(extract(pattern, offset))})`;
}

/** An alternative without the blanks at its ends, as the text has none there either. */
function withoutOuterBlanks(tokens: Alternative): Alternative {
  const trim = (token: FormatToken, edge: RegExp): FormatToken =>
    token.kind === 'literal' && !token.anyOf ? { kind: 'literal', text: token.text.replace(edge, '') } : token;
  return tokens.map((token, i) => {
    const head = i === 0 ? trim(token, /^[\t-\r ]+/) : token;
    return i === tokens.length - 1 ? trim(head, /[\t-\r ]+$/) : head;
  });
}

export interface PatternRequest {
  readonly to: TemporalKind;
  readonly ignoreBlanks: boolean;
  /** First and last year that a year of two digits may mean. */
  readonly years: readonly [number, number] | undefined;
}

/** The reader of one alternative of a pattern, which has passed the checks of its target type. */
export function patternReader(x: string, alternative: Alternative, { to, ignoreBlanks, years }: PatternRequest): TemporalReader {
  const tokens = ignoreBlanks ? withoutOuterBlanks(alternative) : alternative;
  const pattern: Pattern = { x, tokens, ignoreBlanks, years };
  const shape = `${x} ~ ${whole(pattern)}`;
  const parts = partsOf(tokens);
  const fraction = tokens.find((token) => token.kind === 'number' && token.field === 'fraction' && token.min > microDigits);
  const lost = fraction === undefined ? '' : extract(pattern, fraction, `[0-9]{${microDigits}}([0-9]+)`);
  const fast = fastPaths({ x, tokens, years, to });
  return {
    alternatives: [tokens],
    epoch: false,
    unreadable: 'invalid_value',
    zone: parts.has('offset') ? 'offset' : 'none',
    time: to === 'date' && !parts.has('hour') && !parts.has('hour12') ? 'never' : 'any',
    shape,
    exact: fraction === undefined ? shape : `${shape} AND ltrim(${lost}, '0') = ''`,
    reading: readingOf(pattern, to),
    ...(fraction === undefined ? {} : { step: `CASE WHEN ${lost} >= '5' THEN 1 ELSE 0 END` }),
    fast,
  };
}
