/** From a reading to the value of the target type, the reason of a refusal, and the nearest value. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { once } from './levels.ts';
import { inYears, microseconds, onlyInYears, type TemporalReader } from './temporal-reader.ts';
import { instantOf, inUtc, isUtc, localAt, roughInstantOf } from './temporal-zone.ts';

export interface TemporalTarget {
  readonly sqlType: string;
  /** The value of an exact text; undefined when texts of this reader never have one. */
  value(reader: TemporalReader): string | undefined;
  /** The same from the reading of the fast path; undefined where `value` is. */
  fastValue(reader: TemporalReader, reading: string): string | undefined;
  /** Text, never NULL: why a text of the reader's shape has no value. */
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
const checked = (timestamp: string): string => once(timestamp, onlyInYears);
const asDate = (timestamp: string): string => `CAST(${timestamp} AS date)`;
const stepped = (timestamp: string, step: string, up: boolean): string => (up ? `${timestamp} + ${microseconds(`(${step})`)}` : timestamp);

/** What clocks show in the wanted zone; undefined when the text has an offset and no zone is wanted. */
function localOf(reader: TemporalReader, reading: string, rule: Rule): string | undefined {
  if (reader.zone === 'none') return reading;
  const zone = rule.toTimezone ?? (reader.zone === 'instant' ? 'UTC' : undefined);
  return zone === undefined ? undefined : localAt(reading, zone);
}

/** Why a text has no local time; `otherwise` when it has one. */
function localReason(reader: TemporalReader, rule: Rule, otherwise: string): string {
  const local = localOf(reader, reader.reading, rule);
  if (local === undefined) return unless([unreadable(reader)], "'invalid_value:offset_without_target_zone'");
  const range: Branches = mayLeaveYears(reader, rule) ? [[`NOT ${once(local, inYears)}`, outOfRange]] : [];
  return unless([unreadable(reader), ...range], otherwise);
}

/** Only a shift between zones can leave the years 1 to 9999; an epoch in UTC is not shifted. */
function mayLeaveYears(reader: TemporalReader, rule: Rule): boolean {
  return reader.zone === 'offset' || (reader.zone === 'instant' && !isUtc(rule.toTimezone ?? 'UTC'));
}

const guarded = (reader: TemporalReader, rule: Rule, local: string): string => (mayLeaveYears(reader, rule) ? checked(local) : local);

function timestampTarget(rule: Rule): TemporalTarget {
  return {
    sqlType: 'timestamp',
    value: (reader) => {
      const local = localOf(reader, reader.reading, rule);
      return local === undefined ? undefined : guarded(reader, rule, local);
    },
    fastValue: (reader, reading) => {
      const local = localOf(reader, reading, rule);
      return local === undefined ? undefined : guarded(reader, rule, local);
    },
    reason: (reader) => localReason(reader, rule, lossyDigits),
    near: (reader, up) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined || reader.step === undefined) return undefined;
      return checked(stepped(local, reader.step, up));
    },
  };
}

function dateTarget(rule: Rule): TemporalTarget {
  const atMidnight = (local: string): string => once(local, (t) => `CASE WHEN date_trunc('day', ${t}) = ${t} THEN ${asDate(t)} END`);
  return {
    sqlType: 'date',
    value: (reader) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined) return undefined;
      return reader.time !== 'any' ? asDate(local) : atMidnight(guarded(reader, rule, local));
    },
    fastValue: (reader, reading) => {
      const local = localOf(reader, reading, rule);
      if (local === undefined || reader.time !== 'any') return local === undefined ? undefined : reading;
      return atMidnight(guarded(reader, rule, local));
    },
    reason: (reader) => localReason(reader, rule, "'lossy_value'"),
    near: (reader, up) => {
      const local = localOf(reader, reader.reading, rule);
      if (local === undefined || reader.time === 'never') return undefined;
      return asDate(checked(up ? `${local} + interval '12 hours'` : local));
    },
  };
}

function timeTarget(): TemporalTarget {
  return {
    sqlType: 'time',
    value: (reader) => reader.reading,
    fastValue: (_, reading) => reading,
    reason: (reader) => unless([unreadable(reader)], lossyDigits),
    near: ({ reading, step }, up) => {
      if (step === undefined || !up) return step === undefined ? undefined : reading;
      // One more microsecond would wrap around to 00:00.
      const next = `CASE WHEN ${reading} < time '23:59:59.999999' THEN ${reading} + ${microseconds(`(${step})`)} END`;
      return `CASE WHEN ${step} = 0 THEN ${reading} ELSE ${next} END`;
    },
  };
}

function instantTarget(rule: Rule): TemporalTarget {
  const zone = rule.timezone;
  const named = (reader: TemporalReader): boolean => reader.zone !== 'none' || zone !== undefined;
  /** The instant in UTC, if it is known that a local time has exactly one. */
  const rough = (reader: TemporalReader): string =>
    reader.zone === 'none' && zone !== undefined ? roughInstantOf(reader.reading, zone) : reader.reading;
  const exact = (reader: TemporalReader, reading: string): string =>
    reader.zone === 'none' && zone !== undefined ? instantOf(reading, zone) : reading;
  const mayLeave = (reader: TemporalReader): boolean => reader.zone === 'offset' || (reader.zone === 'none' && !isUtc(zone ?? 'UTC'));
  const valueFrom = (reader: TemporalReader, reading: string): string | undefined => {
    if (!named(reader)) return undefined;
    const utc = exact(reader, reading);
    return inUtc(reader.zone === 'offset' ? checked(utc) : utc);
  };
  return {
    sqlType: 'timestamptz',
    value: (reader) => valueFrom(reader, reader.reading),
    fastValue: valueFrom,
    reason: (reader) => {
      if (!named(reader)) return unless([unreadable(reader)], "'invalid_value:missing_timezone'");
      const range: Branches = mayLeave(reader) ? [[`NOT ${once(rough(reader), inYears)}`, outOfRange]] : [];
      const never: Branches =
        reader.zone === 'none' ? [[`${exact(reader, reader.reading)} IS NULL`, "'invalid_value:local_time_undefined'"]] : [];
      return unless([unreadable(reader), ...range, ...never], lossyDigits);
    },
    near: (reader, up) => {
      if (!named(reader) || reader.step === undefined) return undefined;
      return inUtc(checked(stepped(rough(reader), reader.step, up)));
    },
  };
}
