/** From a reading to the value of the target type, the reason of a refusal, and the nearest value. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { inYears, onlyInYears, type TemporalReader } from './temporal-reader.ts';
import { instantOf, isUtc, localAt, roughInstantOf } from './temporal-zone.ts';

export interface TemporalTarget {
  readonly sqlType: string;
  /** The value of an exact text; undefined when texts of this reader never have one. */
  value(reader: TemporalReader): string | undefined;
  /** The same from the reading of the fast path, which is in the years 1000 to 2999; undefined where `value` is. */
  fastValue(reader: TemporalReader, reading: string): string | undefined;
  /** VARCHAR, never NULL: why a text of the reader's shape has no value. */
  reason(reader: TemporalReader): string;
  /** The nearest value of a lossy text, rounded `up` from the half or cut; undefined when texts of this reader are never lossy. */
  near(reader: TemporalReader, up: boolean): string | undefined;
}

type Rule = Pick<ColumnRule, 'timezone' | 'toTimezone'>;

/** The targets by kind, for the zones of a rule. */
export const temporalTargets: { readonly [K in TemporalKind]: (rule: Rule) => TemporalTarget } = {
  date: dateTarget,
  time: timeTarget,
  timestamp: timestampTarget,
  timestamptz: instantTarget,
};

const lossyDigits = "'lossy_value:sub_microsecond'";
const outOfRange = "'invalid_value:out_of_range'";
type Branches = readonly (readonly [when: string, code: string])[];

const unless = (bad: Branches, otherwise: string): string =>
  `CASE ${bad.map(([when, code]) => `WHEN ${when} THEN ${code}`).join(' ')} ELSE ${otherwise} END`;
const unreadable = (reader: TemporalReader): readonly [string, string] => [`${reader.reading} IS NULL`, `'${reader.unreadable}'`];

/** TIMESTAMP that clocks show in the wanted zone; undefined when the text has an offset and no zone is wanted. */
function localOf(reader: TemporalReader, reading: string, rule: Rule): string | undefined {
  if (reader.zone === 'none') return reading;
  const zone = rule.toTimezone ?? (reader.zone === 'instant' ? 'UTC' : undefined);
  return zone === undefined ? undefined : localAt(reading, zone);
}

/** Why a text has no local time; `otherwise` when it has one. */
function localReason(reader: TemporalReader, rule: Rule, otherwise: string): string {
  const local = localOf(reader, reader.reading, rule);
  if (local === undefined) return unless([unreadable(reader)], "'invalid_value:offset_without_target_zone'");
  const range: Branches = mayLeaveYears(reader, rule) ? [[`NOT (${inYears(`epoch_us(${local})`)})`, outOfRange]] : [];
  return unless([unreadable(reader), ...range], otherwise);
}

/** Only a shift between zones can leave the years 1 to 9999; an epoch in UTC is not shifted. */
function mayLeaveYears(reader: TemporalReader, rule: Rule): boolean {
  return reader.zone === 'offset' || (reader.zone === 'instant' && !isUtc(rule.toTimezone ?? 'UTC'));
}

function guarded(reader: TemporalReader, rule: Rule, local: string): string {
  return mayLeaveYears(reader, rule) ? `make_timestamp(${onlyInYears(`epoch_us(${local})`)})` : local;
}

function timestampTarget(rule: Rule): TemporalTarget {
  return {
    sqlType: 'TIMESTAMP',
    value: (reader) => {
      const local = localOf(reader, reader.reading, rule);
      return local === undefined ? undefined : guarded(reader, rule, local);
    },
    fastValue: (reader, reading) => localOf(reader, reading, rule),
    reason: (reader) => localReason(reader, rule, lossyDigits),
    near: (reader, up) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined || reader.step === undefined) return undefined;
      const micros = up ? `epoch_us(${local}) + ${reader.step}` : `epoch_us(${local})`;
      return `make_timestamp(${onlyInYears(micros)})`;
    },
  };
}

const day = '86400000000';
const noon = '43200000000';

function dateTarget(rule: Rule): TemporalTarget {
  const atMidnight = (local: string): string => `CASE WHEN epoch_us(${local}) % ${day} = 0 THEN CAST(${local} AS DATE) END`;
  return {
    sqlType: 'DATE',
    value: (reader) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined) return undefined;
      return reader.time !== 'any' ? `CAST(${local} AS DATE)` : atMidnight(guarded(reader, rule, local));
    },
    fastValue: (reader, reading) => {
      const local = localOf(reader, reading, rule);
      return local === undefined || reader.time !== 'any' ? reading : atMidnight(local);
    },
    reason: (reader) => localReason(reader, rule, "'lossy_value'"),
    near: (reader, up) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined || reader.time === 'never') return undefined;
      const micros = up ? `epoch_us(${local}) + ${noon}` : `epoch_us(${local})`;
      return `CAST(make_timestamp(${onlyInYears(micros)}) AS DATE)`;
    },
  };
}

function timeTarget(): TemporalTarget {
  return {
    sqlType: 'TIME',
    value: (reader) => reader.reading,
    fastValue: (_, reading) => reading,
    reason: (reader) => unless([unreadable(reader)], lossyDigits),
    near: ({ reading, step }, up) => {
      if (step === undefined || !up) return step === undefined ? undefined : reading;
      // One more microsecond would wrap around to 00:00.
      const next = `CASE WHEN ${reading} < TIME '23:59:59.999999' THEN ${reading} + to_microseconds(${step}) END`;
      return `CASE WHEN ${step} = 0 THEN ${reading} ELSE ${next} END`;
    },
  };
}

function instantTarget(rule: Rule): TemporalTarget {
  const zone = rule.timezone;
  const named = (reader: TemporalReader): boolean => reader.zone !== 'none' || zone !== undefined;
  /** The instant, if it is known that a local time has exactly one. */
  const rough = (reader: TemporalReader): string =>
    reader.zone === 'none' && zone !== undefined ? roughInstantOf(reader.reading, zone) : reader.reading;
  const exact = (reader: TemporalReader): string =>
    reader.zone === 'none' && zone !== undefined ? instantOf(reader.reading, zone) : reader.reading;
  const mayLeave = (reader: TemporalReader): boolean => reader.zone === 'offset' || (reader.zone === 'none' && !isUtc(zone ?? 'UTC'));
  return {
    sqlType: 'TIMESTAMPTZ',
    value: (reader) => {
      if (!named(reader)) return undefined;
      return mayLeave(reader) ? `make_timestamptz(${onlyInYears(`epoch_us(${exact(reader)})`)})` : exact(reader);
    },
    fastValue: (reader, reading) => {
      if (reader.zone !== 'none') return reading;
      return zone === undefined ? undefined : instantOf(reading, zone);
    },
    reason: (reader) => {
      if (!named(reader)) return unless([unreadable(reader)], "'invalid_value:missing_timezone'");
      const range: Branches = mayLeave(reader) ? [[`NOT (${inYears(`epoch_us(${rough(reader)})`)})`, outOfRange]] : [];
      const once: Branches = reader.zone === 'none' ? [[`(${exact(reader)}) IS NULL`, "'invalid_value:local_time_undefined'"]] : [];
      return unless([unreadable(reader), ...range, ...once], lossyDigits);
    },
    near: (reader, up) => {
      if (!named(reader) || reader.step === undefined) return undefined;
      const micros = up ? `epoch_us(${rough(reader)}) + ${reader.step}` : `epoch_us(${rough(reader)})`;
      return `make_timestamptz(${onlyInYears(micros)})`;
    },
  };
}
