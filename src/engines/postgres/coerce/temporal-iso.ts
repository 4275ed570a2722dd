/** The built-in grammar of dates and times. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import { isoAlternatives } from '../../../core/coercions/format-overlap.ts';
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { once, tryCast } from './levels.ts';
import { digitsIn } from './temporal-digits.ts';
import { type FastPath, type TemporalReader, wholePattern } from './temporal-reader.ts';
import { inUtc } from './temporal-zone.ts';

const year = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9][0-9]|[1-9][0-9]{3})';
const date = `${year}-[0-9]{2}-[0-9]{2}`;
const minutes = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const anyFraction = '[0-9]{1,9}';
const microFraction = '[0-9]{1,6}0{0,3}';
const offset = '(?:Z|[+-](?:(?:0[0-9]|1[0-7])(?::?[0-5][0-9])?|18(?::?00)?))';

const timeOf = (fraction: string): string => `${minutes}(?::[0-5][0-9](?:[.]${fraction})?)?`;
const midnight = '00:00(?::00(?:[.]0{1,9})?)?';

/** INTEGER 1 when the digits beyond microseconds make at least a half. */
const stepOf = (x: string): string => `CASE WHEN ${x} ~ '[.][0-9]{6}[5-9]' THEN 1 ELSE 0 END`;

/** Whether `x` matches from end to end, blanks around it aside when they are ignored. */
const matcher =
  (x: string, ignoreBlanks: boolean) =>
  (pattern: string): string =>
    `${x} ~ ${literal(wholePattern(pattern, ignoreBlanks))}`;

/** Readers of the built-in grammar of a target type. */
export function isoReaders(x: string, to: TemporalKind, ignoreBlanks: boolean): readonly TemporalReader[] {
  return to === 'time' ? [timeReader(x, ignoreBlanks)] : [localReader(x, to, ignoreBlanks), offsetReader(x, ignoreBlanks)];
}

/** The cast rounds what it gets beyond microseconds, so it gets no more than them: `length` characters. */
const castCut = (text: string, length: number, type: string): string => once(`left(${text}, ${length})`, (cut) => tryCast(cut, type));

const timeLength = 'HH:mm:ss.ffffff'.length;
const stampLength = 'yyyy-MM-ddTHH:mm:ss.ffffff'.length;

function timeReader(x: string, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  return {
    alternatives: isoAlternatives('time', false),
    epoch: false,
    zone: 'none',
    unreadable: 'invalid_value',
    time: 'any',
    shape: matches(timeOf(anyFraction)),
    exact: matches(timeOf(microFraction)),
    reading: castCut(trimBlanks(x), timeLength, 'time'),
    step: stepOf(x),
    fast: [{ when: byLength(x, clocks, (shape) => digitsIn(x, shape, clockBounds(x, 0))), reading: tryCast(x, 'time') }],
  };
}

function localReader(x: string, to: TemporalKind, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  const exactTime = to === 'date' ? midnight : timeOf(microFraction);
  return {
    alternatives: isoAlternatives(to, false),
    epoch: false,
    zone: 'none',
    unreadable: 'invalid_value',
    time: to === 'date' ? 'midnight' : 'any',
    shape: matches(`${date}(?:[T ]${timeOf(anyFraction)})?`),
    exact: matches(`${date}(?:[T ]${exactTime})?`),
    reading: castCut(trimBlanks(x), stampLength, 'timestamp'),
    step: stepOf(x),
    fast: to === 'date' ? [{ when: digitsIn(x, '____-__-__'), reading: tryCast(x, 'date') }] : fastLocal(x),
  };
}

/** The usual spellings of a time: to the minute, second, millisecond or microsecond. */
const clocks = ['__:__', '__:__:__', '__:__:__.___', '__:__:__.______'];

/** Boolean: hours and seconds, `start` characters into the text, are not 24 and 60, which the casts read as the next day and minute. */
const clockBounds = (x: string, start: number): readonly string[] => [
  `${x} NOT LIKE '${'_'.repeat(start)}24%'`,
  `${x} NOT LIKE '${'_'.repeat(start + 6)}6%'`,
];

/** Boolean: one of the shapes, looked for by the length of the text, since every LIKE that fails costs as much as one that does not. */
function byLength(x: string, shapes: readonly string[], test: (shape: string) => string): string {
  const byCount = new Map<number, readonly string[]>();
  for (const shape of shapes) byCount.set(shape.length, [...(byCount.get(shape.length) ?? []), shape]);
  const arms = [...byCount].map(([count, same]) => `WHEN ${count} THEN ${same.map((shape) => `(${test(shape)})`).join(' OR ')}`);
  return `CASE octet_length(${x}) ${arms.join(' ')} ELSE false END`;
}

const stampsTo = (ends: readonly string[], times: readonly string[]): readonly string[] =>
  times.flatMap((time) => ['T', ' '].flatMap((joint) => ends.map((end) => `____-__-__${joint}${time}${end}`)));

const stampTest = (x: string) => (shape: string) => digitsIn(x, shape, clockBounds(x, 'yyyy-MM-ddT'.length));

function fastLocal(x: string): readonly FastPath[] {
  const when = byLength(x, ['____-__-__', ...stampsTo([''], clocks)], stampTest(x));
  return [{ when, reading: tryCast(x, 'timestamp') }];
}

/** With an offset in the text, the cast to TIMESTAMPTZ does not look at the session's zone; it takes offsets of up to 15:59. */
function fastOffset(x: string): readonly FastPath[] {
  const signs = ['+', '-'];
  const ends = ['Z', ...signs.flatMap((sign) => [`${sign}0_:__`, `${sign}10:__`, `${sign}11:__`, `${sign}12:__`])];
  const [, ...seconds] = clocks;
  const when = byLength(x, stampsTo(ends, seconds), stampTest(x));
  return [{ when, reading: inUtc(tryCast(x, 'timestamptz')) }];
}

function offsetReader(x: string, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  return {
    alternatives: isoAlternatives('timestamptz', true),
    epoch: false,
    zone: 'offset',
    unreadable: 'invalid_value',
    time: 'any',
    shape: matches(`${date}[T ]${timeOf(anyFraction)}${offset}`),
    exact: matches(`${date}[T ]${timeOf(microFraction)}${offset}`),
    reading: once(trimBlanks(x), (b) => {
      const local = `regexp_replace(${b}, '(Z|[+-][0-9]{2}:?([0-9]{2})?)$', '')`;
      return `${castCut(local, stampLength, 'timestamp')} - ${offsetInterval(`substring(${b} from '(Z|[+-][0-9]{2}:?(?:[0-9]{2})?)$')`)}`;
    }),
    step: stepOf(x),
    fast: fastOffset(x),
  };
}

/** INTERVAL of an offset: `Z`, `±HH`, `±HHmm` or `±HH:mm`. The casts take no more than 15:59, and read `-00:30` as `+00:30` in places. */
export function offsetInterval(offset: string): string {
  return once(`replace(${offset}, ':', '')`, (o) => {
    const minutes = `CAST(substr(${o}, 2, 2) AS integer) * 60 + CAST('0' || substr(${o}, 4, 2) AS integer)`;
    const signed = `CASE WHEN ${o} LIKE '-%' THEN -1 ELSE 1 END * (${minutes})`;
    return `CASE WHEN ${o} = 'Z' THEN interval '0' ELSE ${signed} * interval '1 minute' END`;
  });
}
