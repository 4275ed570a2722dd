/** The built-in grammar of dates and times. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import { isoAlternatives } from '../../../core/coercions/format-overlap.ts';
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { blanks, type TemporalReader } from './temporal-reader.ts';

const year = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const date = `${year}-\\d\\d-\\d\\d`;
const minutes = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const anyFraction = '\\d{1,9}';
const microFraction = '\\d{1,6}0{0,3}';
const offset = '(?:Z|[+-](?:(?:0\\d|1[0-7])(?::?[0-5]\\d)?|18(?::?00)?))';

const timeOf = (fraction: string): string => `${minutes}(?::[0-5]\\d(?:[.]${fraction})?)?`;
const midnight = '00:00(?::00(?:[.]0{1,9})?)?';

const globTime = '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]';
const globDate = '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]';

/** BIGINT 1 when the digits beyond microseconds make at least a half. */
const stepOf = (x: string): string => `regexp_matches(${x}, '[.]\\d{6}[5-9]')::BIGINT`;

/** Whether `x` matches from end to end, blanks around it aside when they are ignored. */
function matcher(x: string, ignoreBlanks: boolean): (pattern: string) => string {
  const around = ignoreBlanks ? blanks : '';
  return (pattern) => `regexp_full_match(${x}, ${literal(around + pattern + around)})`;
}

/** The cast alone takes most blanks; what it refuses (`10:00` before a blank, U+000B) is rare and trimmed. */
function castTo(type: string, x: string, ignoreBlanks: boolean): string {
  const plain = `TRY_CAST(${x} AS ${type})`;
  return ignoreBlanks ? `coalesce(${plain}, TRY_CAST(${trimBlanks(x)} AS ${type}))` : plain;
}

/** Readers of the built-in grammar of a target type. */
export function isoReaders(x: string, to: TemporalKind, ignoreBlanks: boolean): readonly TemporalReader[] {
  return to === 'time' ? [timeReader(x, ignoreBlanks)] : [localReader(x, to, ignoreBlanks), offsetReader(x, ignoreBlanks)];
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
    reading: castTo('TIME', x, ignoreBlanks),
    step: stepOf(x),
    fast: { when: `${x} GLOB '${globTime}' AND ${x} NOT LIKE '24%'`, reading: `TRY_CAST(${x} AS TIME)` },
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
    reading: castTo('TIMESTAMP', x, ignoreBlanks),
    step: stepOf(x),
    fast:
      to === 'date'
        ? { when: `${x} GLOB '${globDate}'`, reading: `TRY_CAST(${x} AS DATE)` }
        : { when: stampShape(x, ['']), reading: `TRY_CAST(${x} AS TIMESTAMP)` },
  };
}

function stampShape(x: string, ends: readonly string[]): string {
  const shapes = ends.map((end) => `${x} GLOB '${globDate}[T ]${globTime}${end}'`).join(' OR ');
  // The cast reads 24:00 as the next day.
  return `${ends.length > 1 ? `(${shapes})` : shapes} AND ${x} NOT LIKE '___________24%'`;
}

function offsetReader(x: string, ignoreBlanks: boolean): TemporalReader {
  const matches = matcher(x, ignoreBlanks);
  // The cast takes an offset only after seconds.
  const withSeconds = `regexp_replace(${ignoreBlanks ? trimBlanks(x) : x}, '^(.{16})([Z+-])', '\\1:00\\2')`;
  return {
    alternatives: isoAlternatives('timestamptz', true),
    epoch: false,
    zone: 'offset',
    unreadable: 'invalid_value',
    time: 'any',
    shape: matches(`${date}[T ]${timeOf(anyFraction)}${offset}`),
    exact: matches(`${date}[T ]${timeOf(microFraction)}${offset}`),
    reading: `coalesce(TRY_CAST(${x} AS TIMESTAMPTZ), TRY_CAST(${withSeconds} AS TIMESTAMPTZ))`,
    step: stepOf(x),
    fast: { when: stampShape(x, ['Z', '[+-]0[0-9]:[0-5][0-9]']), reading: `TRY_CAST(${x} AS TIMESTAMPTZ)` },
  };
}
