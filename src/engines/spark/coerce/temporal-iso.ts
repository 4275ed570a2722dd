/** The built-in grammar of dates and times. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import { isoAlternatives } from '../../../core/coercions/format-overlap.ts';
import { literal } from '../quote.ts';
import { blankRun, matchesAll, trimBlanks } from './blanks.ts';
import { type FastPath, microsOf, once, type TemporalReader } from './temporal-reader.ts';

const year = '(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9][0-9]|[1-9][0-9]{3})';
const date = `${year}-[0-9]{2}-[0-9]{2}`;
const minutes = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const anyFraction = '[0-9]{1,9}';
const microFraction = '[0-9]{1,6}0{0,3}';
const offset = '(?:Z|[+-](?:(?:0[0-9]|1[0-7])(?::?[0-5][0-9])?|18(?::?00)?))';

const timeOf = (fraction: string): string => `${minutes}(?::[0-5][0-9](?:[.]${fraction})?)?`;
const midnight = '00:00(?::00(?:[.]0{1,9})?)?';
const fastTime = `${minutes}:[0-5][0-9](?:[.][0-9]{1,6})?`;
/** Years so far from the ends that no offset leads out of the years 1 to 9999. */
const fastDate = '[12][0-9]{3}-[0-9]{2}-[0-9]{2}';

/** INT 1 when the digits beyond microseconds make at least a half. */
const stepOf = (x: string): string => `CASE WHEN ${x} RLIKE '[.][0-9]{6}[5-9]' THEN 1 ELSE 0 END`;

/** Whether `x` matches from end to end, blanks around it aside when they are ignored. */
const matcher =
  (x: string, ignoreBlanks: boolean) =>
  (pattern: string): string =>
    matchesAll(x, ignoreBlanks ? `${blankRun}${pattern}${blankRun}` : pattern);

/** Readers of the built-in grammar of a target type. */
export function isoReaders(x: string, to: TemporalKind, ignoreBlanks: boolean): readonly TemporalReader[] {
  return to === 'time' ? [timeReader(x, ignoreBlanks)] : [localReader(x, to, ignoreBlanks), offsetReader(x, to, ignoreBlanks)];
}

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
    reading: microsOf(completed(`concat('1970-01-01T', ${trimBlanks(x)})`)),
    step: stepOf(x),
  };
}

/** SQL of a local time with its seconds, which Spark wants before an offset, and a `Z`. */
const completed = (text: string): string =>
  once(text, 'si', `concat(si, CASE length(si) WHEN 10 THEN 'T00:00:00Z' WHEN 16 THEN ':00Z' ELSE 'Z' END)`);

function localReader(x: string, to: TemporalKind, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  const exactTime = to === 'date' ? midnight : timeOf(microFraction);
  const fast = fastLocal(x, to);
  return {
    alternatives: isoAlternatives(to, false),
    epoch: false,
    zone: 'none',
    unreadable: 'invalid_value',
    time: to === 'date' ? 'midnight' : 'any',
    shape: matches(`${date}(?:[T ]${timeOf(anyFraction)})?`),
    exact: matches(`${date}(?:[T ]${exactTime})?`),
    reading: microsOf(completed(trimBlanks(x))),
    step: stepOf(x),
    ...(fast === undefined ? {} : { fast }),
  };
}

/** An instant of a local time needs a zone. */
function fastLocal(x: string, to: TemporalKind): FastPath | undefined {
  if (to === 'date') return { when: matchesAll(x, fastDate), value: `try_cast(${x} AS DATE)` };
  if (to !== 'timestamp') return undefined;
  return { when: matchesAll(x, `${fastDate}(?:[T ]${fastTime})?`), value: `try_cast(${x} AS TIMESTAMP_NTZ)` };
}

function offsetReader(x: string, to: TemporalKind, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  const ending = '(?:Z|[+-][0-9]{2}:?(?:[0-9]{2})?)\\z';
  const parts = `named_struct('t', regexp_replace(so, ${literal(ending)}, ''), 'o', regexp_extract(so, ${literal(ending)}, 0))`;
  return {
    alternatives: isoAlternatives('timestamptz', true),
    epoch: false,
    zone: 'offset',
    unreadable: 'invalid_value',
    time: 'any',
    shape: matches(`${date}[T ]${timeOf(anyFraction)}${offset}`),
    exact: matches(`${date}[T ]${timeOf(microFraction)}${offset}`),
    reading: once(trimBlanks(x), 'so', once(parts, 'sp', `${microsOf(completed('sp.t'))} - ${offsetMicros('sp.o')}`)),
    step: stepOf(x),
    ...(to === 'timestamptz' ? { fast: fastOffset(x) } : {}),
  };
}

const fastOffset = (x: string): FastPath => ({
  when: matchesAll(x, `${fastDate}[T ]${fastTime}(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])`),
  value: `try_cast(${x} AS TIMESTAMP)`,
});

/** BIGINT, microseconds of an offset: `Z`, `±HH`, `±HHmm` or `±HH:mm`. */
export function offsetMicros(text: string): string {
  const minutes = `CAST(substr(sq, 2, 2) AS BIGINT) * 60 + CAST(concat('0', substr(sq, 4, 2)) AS BIGINT)`;
  const signed = `CASE WHEN sq = 'Z' THEN 0L WHEN startswith(sq, '-') THEN -(${minutes}) ELSE ${minutes} END * 60000000L`;
  return once(`replace(${text}, ':', '')`, 'sq', signed);
}
