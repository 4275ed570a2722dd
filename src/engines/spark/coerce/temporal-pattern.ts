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
import { blankRun, matchesAll } from './blanks.ts';
import { offsetMicros } from './temporal-iso.ts';
import { dayMicros, type FastPath, microsOf, once, type TemporalReader } from './temporal-reader.ts';

const sixty = { two: '[0-5][0-9]', oneOrTwo: '[0-5]?[0-9]' };

/** How a number is written: exactly two digits, or one or two. */
const twoDigits: Readonly<Record<Exclude<NumberField, 'year' | 'year2' | 'fraction'>, typeof sixty>> = {
  month: { two: '(?:0[1-9]|1[0-2])', oneOrTwo: '(?:1[0-2]|0?[1-9])' },
  day: { two: '(?:0[1-9]|[12][0-9]|3[01])', oneOrTwo: '(?:[12][0-9]|3[01]|0?[1-9])' },
  hour: { two: '(?:[01][0-9]|2[0-3])', oneOrTwo: '(?:2[0-3]|[01]?[0-9])' },
  hour12: { two: '(?:0[1-9]|1[0-2])', oneOrTwo: '(?:1[0-2]|0?[1-9])' },
  minute: sixty,
  second: sixty,
};

const fullYear = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9][0-9]|[1-9][0-9]{3})';
const openYear = '(?:[1-9][0-9]{3}|0?[1-9][0-9][0-9]|0{0,2}[1-9][0-9]|0{0,3}[1-9])';

const names: Readonly<Record<NameField, { readonly short: string; readonly full: string }>> = {
  month: {
    short: '(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)',
    full: '(?i:January|February|March|April|May|June|July|August|September|October|November|December)',
  },
  weekday: {
    short: '(?i:Mon|Tue|Wed|Thu|Fri|Sat|Sun)',
    full: '(?i:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)',
  },
  halfday: { short: '(?i:AM|PM)', full: '(?i:AM|PM)' },
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
  readonly around: string;
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
    case 'literal': {
      const signs = [...token.text].map((sign) => `\\x{${(sign.codePointAt(0) as number).toString(16)}}`);
      return token.anyOf ? `[${signs.join('')}]` : signs.join('');
    }
  }
}

/** Digits of a fraction that a value keeps. */
const microDigits = 6;

/** The same with a group around the part, named like it; names by their first three letters, digits beyond microseconds as `lost`. */
function captured(token: FormatToken): string {
  const regex = tokenRegex(token);
  if (token.kind === 'literal') return regex;
  if (token.kind === 'name')
    return `(?=(?<${token.field === 'month' ? 'name' : token.field}>[A-Za-z]{${token.field === 'halfday' ? 2 : 3}}))${regex}`;
  if (token.kind === 'offset') return `(?<offset>${regex})`;
  if (token.field !== 'fraction' || token.min <= microDigits) return `(?<${token.field}>${regex})`;
  return `(?<fraction>[0-9]{${microDigits}})(?<lost>[0-9]{${token.min - microDigits}})`;
}

type Group = NumberField | 'name' | 'weekday' | 'halfday' | 'offset' | 'lost';

/** SQL of the text with its groups put into a template of Java's Matcher. The text must have the shape. */
function filled(pattern: Pattern, template: string): string {
  const whole = `^${pattern.around}${pattern.tokens.map(captured).join('')}${pattern.around}\\z`;
  return `regexp_replace(${pattern.x}, ${literal(whole)}, ${literal(template)})`;
}

const part = (pattern: Pattern, group: Group): string => filled(pattern, `\${${group}}`);

/** SQL of the first two digits of a year that is given by its last two; NULL when that year is outside of the range. */
function century(digits: string, [first, last]: readonly [number, number]): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const whens: string[] = [];
  for (let base = first - (first % 100); base <= last; base += 100) {
    const [from, to] = [Math.max(first, base) - base, Math.min(last, base + 99) - base];
    whens.push(`WHEN ${digits} BETWEEN '${two(from)}' AND '${two(to)}' THEN '${two(base / 100)}'`);
  }
  return `CASE ${whens.join(' ')} END`;
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayNames = 'mon tue wed thu fri sat sun'.split(' ');

/** SQL of the number of a name, as text of two digits. */
const numbered = (name: string, list: readonly string[], first: number): string =>
  `CASE lower(${name}) ${list.map((word, i) => `WHEN '${word}' THEN '${String(i + first).padStart(2, '0')}'`).join(' ')} END`;

/** SQL of the date and time as Spark reads it; one template where no part needs more than its own digits. */
function isoText(pattern: Pattern, groups: ReadonlySet<Group>, to: TemporalKind): string {
  const group = (name: Group, absent: string): string => (groups.has(name) ? `\${${name}}` : absent);
  const clock = `${group('hour', '00')}:${group('minute', '00')}:${group('second', '00')}${groups.has('fraction') ? '.${fraction}' : ''}Z`;
  if (to === 'time') return filled(pattern, `1970-01-01T${clock}`);
  const open = pattern.tokens.some((token) => token.kind === 'number' && token.field === 'year' && token.min < token.max);
  const rest = `-\${day}T${clock}`;
  if (!groups.has('year2') && !groups.has('name') && !open) return filled(pattern, `\${year}-\${month}${rest}`);
  const short = part(pattern, 'year2');
  const year = groups.has('year2') ? `${century(short, pattern.years ?? [1, 1])}, ${short}` : `lpad(${part(pattern, 'year')}, 4, '0')`;
  const month = groups.has('name') ? numbered(part(pattern, 'name'), monthNames, 1) : part(pattern, 'month');
  return `concat(${year}, '-', ${month}, ${filled(pattern, rest)})`;
}

/** Microseconds, in UTC when there is an offset. NULL when there is no such date or the day of the week is another. */
function readingOf(pattern: Pattern, groups: ReadonlySet<Group>, to: TemporalKind): string {
  const parsed = microsOf(isoText(pattern, groups, to));
  const more: string[] = [];
  if (groups.has('hour12')) more.push(`+ (CAST(${part(pattern, 'hour12')} AS BIGINT) % 12) * 3600000000L`);
  if (groups.has('halfday')) more.push(`+ CASE WHEN lower(${part(pattern, 'halfday')}) = 'pm' THEN 43200000000L ELSE 0L END`);
  if (groups.has('offset')) more.push(`- ${offsetMicros(part(pattern, 'offset'))}`);
  const local = groups.has('weekday') ? onWeekday(parsed, part(pattern, 'weekday')) : parsed;
  return more.length === 0 ? local : `(${local} ${more.join(' ')})`;
}

/** The microseconds when their day has that name. 1970-01-01 was a Thursday. */
function onWeekday(micros: string, name: string): string {
  const weekday = `pmod((sw - pmod(sw, ${dayMicros})) DIV ${dayMicros} + 3, 7)`;
  return once(micros, 'sw', `CASE WHEN ${weekday} = CAST(${numbered(name, dayNames, 0)} AS INT) THEN sw END`);
}

/** Characters of a token that always has as many; undefined for others. */
function widthOf(token: FormatToken): number | undefined {
  if (token.kind === 'literal') return token.anyOf ? 1 : [...token.text].length;
  return token.kind === 'number' && token.min === token.max && token.min <= microDigits ? token.min : undefined;
}

/** The way for texts of digits at fixed places, without blanks around them: taken apart by place, and read by the cast to the target. */
function fastPath({ x, tokens }: Pattern, groups: ReadonlySet<Group>, to: TemporalKind): FastPath | undefined {
  const places = new Map<NumberField, string>();
  let at = 1;
  for (const token of tokens) {
    const width = widthOf(token);
    if (width === undefined || groups.has('year2') || groups.has('hour12')) return undefined;
    if (token.kind === 'number') places.set(token.field, `substr(${x}, ${at}, ${width})`);
    at += width;
  }
  if ((to !== 'date' && to !== 'timestamp') || (to === 'date' && places.has('hour'))) return undefined;
  const day = `${places.get('year')}, '-', ${places.get('month')}, '-', ${places.get('day')}`;
  const clock = (['hour', 'minute', 'second'] as const).map((field) => places.get(field) ?? `'00'`).join(`, ':', `);
  const fraction = places.has('fraction') ? `, '.', ${places.get('fraction')}` : '';
  const text = places.has('hour') ? `concat(${day}, 'T', ${clock}${fraction})` : `concat(${day})`;
  return {
    when: matchesAll(x, tokens.map(tokenRegex).join('')),
    value: `try_cast(${text} AS ${to === 'date' ? 'DATE' : 'TIMESTAMP_NTZ'})`,
  };
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

const groupOf = (token: FormatToken): readonly Group[] => {
  if (token.kind === 'literal') return [];
  if (token.kind === 'offset') return ['offset'];
  if (token.kind === 'name') return [token.field === 'month' ? 'name' : token.field];
  return token.field === 'fraction' && token.min > microDigits ? ['fraction', 'lost'] : [token.field];
};

/** The reader of one alternative of a pattern, which has passed the checks of its target type. */
export function patternReader(x: string, alternative: Alternative, { to, ignoreBlanks, years }: PatternRequest): TemporalReader {
  const tokens = ignoreBlanks ? withoutOuterBlanks(alternative) : alternative;
  const pattern: Pattern = { x, tokens, around: ignoreBlanks ? blankRun : '', years };
  const groups = new Set(tokens.flatMap(groupOf));
  const shape = matchesAll(x, `${pattern.around}${tokens.map(tokenRegex).join('')}${pattern.around}`);
  const parts = partsOf(tokens);
  const lost = groups.has('lost') ? part(pattern, 'lost') : undefined;
  const fast = fastPath(pattern, groups, to);
  return {
    alternatives: [tokens],
    epoch: false,
    unreadable: 'invalid_value',
    zone: groups.has('offset') ? 'offset' : 'none',
    time: to === 'date' && !parts.has('hour') && !parts.has('hour12') ? 'never' : 'any',
    shape,
    exact: lost === undefined ? shape : `${shape} AND ltrim('0', ${lost}) = ''`,
    reading: readingOf(pattern, groups, to),
    ...(lost === undefined ? {} : { step: `CASE WHEN ${lost} >= '5' THEN 1 ELSE 0 END` }),
    ...(fast === undefined ? {} : { fast }),
  };
}
