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
import { blanks, type TemporalReader } from './temporal-reader.ts';

/** How a number is written: as a regular expression, exactly two digits or one or two; as a GLOB pattern; for strptime. */
interface NumberStyle {
  readonly two: string;
  readonly oneOrTwo: string;
  readonly glob: string;
  readonly strptime: string;
}

const sixty = { two: '[0-5]\\d', oneOrTwo: '[0-5]?\\d', glob: '[0-5][0-9]' };

const twoDigits: Readonly<Record<Exclude<NumberField, 'year' | 'year2' | 'fraction'>, NumberStyle>> = {
  month: { two: '(?:0[1-9]|1[0-2])', oneOrTwo: '(?:0?[1-9]|1[0-2])', glob: '[01][0-9]', strptime: '%m' },
  day: { two: '(?:0[1-9]|[12]\\d|3[01])', oneOrTwo: '(?:0?[1-9]|[12]\\d|3[01])', glob: '[0-3][0-9]', strptime: '%d' },
  hour: { two: '(?:[01]\\d|2[0-3])', oneOrTwo: '(?:[01]?\\d|2[0-3])', glob: '[0-2][0-9]', strptime: '%H' },
  hour12: { two: '(?:0[1-9]|1[0-2])', oneOrTwo: '(?:0?[1-9]|1[0-2])', glob: '[01][0-9]', strptime: '%I' },
  minute: { ...sixty, strptime: '%M' },
  second: { ...sixty, strptime: '%S' },
};

const fullYear = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const openYear = '(?:0{0,3}[1-9]|0{0,2}[1-9]\\d|0?[1-9]\\d\\d|[1-9]\\d{3})';

/** Names as regular expressions, short and full, and for strptime. */
interface NameStyle {
  readonly short: string;
  readonly full: string;
  readonly strptime: readonly [short: string, full: string];
}

const names: Readonly<Record<NameField, NameStyle>> = {
  month: {
    short: '(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)',
    full: '(?i:January|February|March|April|May|June|July|August|September|October|November|December)',
    strptime: ['%b', '%B'],
  },
  weekday: {
    short: '(?i:Mon|Tue|Wed|Thu|Fri|Sat|Sun)',
    full: '(?i:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)',
    strptime: ['%a', '%A'],
  },
  halfday: { short: '(?i:AM|PM)', full: '(?i:AM|PM)', strptime: ['%p', '%p'] },
};

const offsetHours = '(?:0\\d|1[0-7])';
const offsets: Readonly<Record<OffsetToken['minutes'], string>> = {
  optional: `(?:${offsetHours}(?:[0-5]\\d)?|18(?:00)?)`,
  plain: `(?:${offsetHours}[0-5]\\d|1800)`,
  colon: `(?:${offsetHours}:[0-5]\\d|18:00)`,
  any: `(?:${offsetHours}(?::?[0-5]\\d)?|18(?::?00)?)`,
};

/** What the rest of the rendering needs to know of one alternative. */
interface Pattern {
  readonly x: string;
  readonly tokens: Alternative;
  readonly around: string;
  readonly years: readonly [number, number] | undefined;
}

function numberRegex(token: NumberToken): string {
  if (token.field === 'year') return token.min === token.max ? fullYear : openYear;
  if (token.field === 'year2') return '\\d\\d';
  if (token.field === 'fraction') return `\\d{${token.min}}`;
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
      return token.text.replaceAll(/[^\p{L}\p{N} ]/gu, (char) => `[${/[\\\]^]/.test(char) ? '\\' : ''}${char}]`);
  }
}

function numberDirective(token: NumberToken): string {
  if (token.field === 'year' || token.field === 'year2') return '%Y';
  return token.field === 'fraction' ? '%f' : twoDigits[token.field].strptime;
}

function directive(token: FormatToken): string {
  switch (token.kind) {
    case 'number':
      return numberDirective(token);
    case 'name':
      return names[token.field].strptime[token.full ? 1 : 0];
    case 'offset':
      return '';
    case 'literal':
      return token.text.replaceAll('%', '%%');
  }
}

/** SQL of the text that `token` stands for, or of a part of it, `regex`, which must hold the only group. */
function extract(pattern: Pattern, token: FormatToken, regex = `(${tokenRegex(token)})`): string {
  const whole = pattern.tokens.map((other) => (other === token ? regex : tokenRegex(other))).join('');
  return `regexp_extract(${pattern.x}, ${literal(`^${pattern.around}${whole}${pattern.around}$`)}, 1)`;
}

/** The first two digits of a year that the text gives by its last two; NULL when that year is outside of the range. */
function century(digits: string, [first, last]: readonly [number, number]): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const whens: string[] = [];
  for (let base = first - (first % 100); base <= last; base += 100) {
    const [from, to] = [Math.max(first, base) - base, Math.min(last, base + 99) - base];
    whens.push(`WHEN ${digits} BETWEEN '${two(from)}' AND '${two(to)}' THEN '${two(base / 100)}'`);
  }
  return `CASE ${whens.join(' ')} END`;
}

const find = <F extends NumberField>(tokens: Alternative, field: F): NumberToken | undefined =>
  tokens.find((token): token is NumberToken => token.kind === 'number' && token.field === field);

/** Digits of a fraction that strptime takes. */
const microDigits = 6;

/** A stretch of the text on the way to strptime: whether it stays, and SQL of what is put before it. */
interface Segment {
  readonly regex: string;
  readonly kept: boolean;
  readonly before?: string;
}

function segmentsOf(pattern: Pattern, token: FormatToken): readonly Segment[] {
  if (token.kind === 'offset') return [{ regex: tokenRegex(token), kept: false }];
  if (token.kind === 'number' && token.field === 'year2' && pattern.years !== undefined) {
    return [{ regex: '\\d\\d', kept: true, before: century(extract(pattern, token), pattern.years) }];
  }
  if (token.kind === 'number' && token.field === 'fraction' && token.min > microDigits) {
    return [
      { regex: `\\d{${microDigits}}`, kept: true },
      { regex: `\\d{${token.min - microDigits}}`, kept: false },
    ];
  }
  return [{ regex: tokenRegex(token), kept: true }];
}

/** SQL of the text as strptime can read it: the century put in, the offset and the digits beyond microseconds left out. */
function parseable(pattern: Pattern): string {
  const segments = pattern.tokens.flatMap((token) => segmentsOf(pattern, token));
  if (segments.every((segment) => segment.kept && segment.before === undefined)) return pattern.x;
  let regex = '';
  let groups = 0;
  let open = false;
  const result: string[] = [];
  for (const segment of segments) {
    const joins = segment.kept && open && segment.before === undefined;
    if (open && !joins) regex += ')';
    if (segment.before !== undefined) result.push(segment.before);
    if (segment.kept && !joins) {
      groups += 1;
      regex += '(';
      result.push(`'\\${groups}'`);
    }
    regex += segment.regex;
    open = segment.kept;
  }
  const ending = open ? ')' : '';
  return `regexp_replace(${pattern.x}, ${literal(`^${pattern.around}${regex}${ending}${pattern.around}$`)}, ${result.join(' || ')})`;
}

/** The format for strptime, which skips blanks around the text by itself. */
const strptimeFormat = (tokens: Alternative): string =>
  literal(
    tokens
      .map(directive)
      .join('')
      .replace(/^[\t-\r ]+|[\t-\r ]+$/g, ''),
  );

/** TIMESTAMP or TIMESTAMPTZ; NULL when there is no such date or the day of the week is another. */
function readingOf(pattern: Pattern): string {
  const { tokens } = pattern;
  const parsed = `try_strptime(${parseable(pattern)}, ${strptimeFormat(tokens)})`;
  const weekday = tokens.find((token) => token.kind === 'name' && token.field === 'weekday');
  const name = weekday === undefined ? '' : `strftime(${parsed}, '${directive(weekday)}')`;
  const local = weekday === undefined ? parsed : `CASE WHEN lower(${name}) = lower(${extract(pattern, weekday)}) THEN ${parsed} END`;
  const offset = tokens.find((token) => token.kind === 'offset');
  // With the offset in the text, the cast does not look at the session's zone.
  return offset === undefined ? local : `TRY_CAST(CAST(${local} AS VARCHAR) || ${extract(pattern, offset)} AS TIMESTAMPTZ)`;
}

const globLetter = '[A-Za-z]';

/** The token as a GLOB pattern of fixed length, for years from 1000 to 2999; undefined when it has none. */
function tokenGlob(token: FormatToken): string | undefined {
  if (token.kind === 'literal') return /^[\x01-\x7f]*$/.test(token.text) && !/[*?[\]\\]/.test(token.text) ? token.text : undefined;
  if (token.kind === 'name' && token.field === 'halfday') return '[AaPp][Mm]';
  if (token.kind === 'name' && token.field === 'month' && !token.full) return globLetter.repeat(3);
  if (token.kind !== 'number' || token.min !== token.max) return undefined;
  if (token.field === 'year') return '[12][0-9][0-9][0-9]';
  if (token.field === 'year2') return '[0-9][0-9]';
  if (token.field === 'fraction') return token.min <= microDigits ? '[0-9]'.repeat(token.min) : undefined;
  return twoDigits[token.field].glob;
}

const widthOf = (token: FormatToken): number => {
  if (token.kind === 'literal') return token.text.length;
  if (token.kind === 'number') return token.min;
  return token.kind === 'name' && token.field === 'month' ? 3 : 2;
};

/** The cheap way for patterns of fixed length. */
function fastPath(pattern: Pattern): { readonly when: string; readonly reading: string } | undefined {
  const { x, tokens, years } = pattern;
  const globs = tokens.map(tokenGlob);
  if (globs.includes(undefined)) return undefined;
  const short = find(tokens, 'year2');
  let text = x;
  if (short !== undefined && years !== undefined) {
    const at = tokens.slice(0, tokens.indexOf(short)).reduce((sum, token) => sum + widthOf(token), 0);
    const head = at === 0 ? '' : `${x}[1:${at}] || `;
    text = `${head}${century(`${x}[${at + 1}:${at + 2}]`, years)} || ${x}[${at + 1}:]`;
  }
  return { when: `${x} GLOB ${literal(globs.join(''))}`, reading: `try_strptime(${text}, ${strptimeFormat(tokens)})` };
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
  const pattern: Pattern = { x, tokens, around: ignoreBlanks ? blanks : '', years };
  const shape = `regexp_full_match(${x}, ${literal(pattern.around + tokens.map(tokenRegex).join('') + pattern.around)})`;
  const parts = partsOf(tokens);
  const fraction = find(tokens, 'fraction');
  const longFraction = fraction !== undefined && fraction.min > microDigits;
  const lost = longFraction ? extract(pattern, fraction, `\\d{${microDigits}}(\\d+)`) : '';
  const timeless = to === 'date' && !parts.has('hour') && !parts.has('hour12');
  const fast = fastPath(pattern);
  const type = to === 'time' ? '::TIME' : '';
  return {
    alternatives: [tokens],
    epoch: false,
    unreadable: 'invalid_value',
    zone: parts.has('offset') ? 'offset' : 'none',
    time: timeless ? 'never' : 'any',
    shape,
    exact: longFraction ? `${shape} AND ltrim(${lost}, '0') = ''` : shape,
    reading: `${readingOf(pattern)}${type}`,
    ...(longFraction ? { step: `(${lost} >= '5')::BIGINT` } : {}),
    ...(fast === undefined ? {} : { fast: { when: fast.when, reading: `${fast.reading}${timeless ? '::DATE' : type}` } }),
  };
}
