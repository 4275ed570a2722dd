/** From a reading to the value of the target type, the reason of a refusal, and the nearest value. */
import type { TemporalKind } from '../../../core/coercions/format.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import { dayMicros, inYears, once, onlyInYears, type TemporalReader } from './temporal-reader.ts';
import { dateOf, instant, instantOf, isUtc, localAt, localTime, roughInstantOf } from './temporal-zone.ts';

export interface TemporalTarget {
  readonly sqlType: string;
  /** The value of an exact text; undefined when texts of this reader never have one. */
  value(reader: TemporalReader): string | undefined;
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
const stepped = (micros: string, step: string, up: boolean): string => (up ? `(${micros} + ${step})` : micros);

/** Microseconds that clocks show in the wanted zone; undefined when the text has an offset and no zone is wanted. */
function localOf(reader: TemporalReader, rule: Rule): string | undefined {
  if (reader.zone === 'none') return reader.reading;
  const zone = rule.toTimezone ?? (reader.zone === 'instant' ? 'UTC' : undefined);
  return zone === undefined ? undefined : localAt(reader.reading, zone);
}

/** Why a text has no local time; `otherwise` when it has one. */
function localReason(reader: TemporalReader, rule: Rule, otherwise: string): string {
  const local = localOf(reader, rule);
  if (local === undefined) return unless([unreadable(reader)], "'invalid_value:offset_without_target_zone'");
  const range: Branches = mayLeaveYears(reader, rule) ? [[`NOT ${inYears(local)}`, outOfRange]] : [];
  return unless([unreadable(reader), ...range], otherwise);
}

/** Only a shift between zones can leave the years 1 to 9999; an epoch in UTC is not shifted. */
function mayLeaveYears(reader: TemporalReader, rule: Rule): boolean {
  return reader.zone === 'offset' || (reader.zone === 'instant' && !isUtc(rule.toTimezone ?? 'UTC'));
}

const guarded = (reader: TemporalReader, rule: Rule, local: string): string => (mayLeaveYears(reader, rule) ? onlyInYears(local) : local);

function timestampTarget(rule: Rule): TemporalTarget {
  return {
    sqlType: 'TIMESTAMP_NTZ',
    value: (reader) => {
      const local = localOf(reader, rule);
      return local === undefined ? undefined : localTime(guarded(reader, rule, local));
    },
    reason: (reader) => localReason(reader, rule, lossyDigits),
    near: (reader, up) => {
      const local = localOf(reader, rule);
      if (local === undefined || reader.step === undefined) return undefined;
      return localTime(onlyInYears(stepped(local, reader.step, up)));
    },
  };
}

const noon = '43200000000';

function dateTarget(rule: Rule): TemporalTarget {
  const atMidnight = (local: string): string => once(local, 'sd', `CASE WHEN pmod(sd, ${dayMicros}) = 0 THEN ${dateOf('sd')} END`);
  return {
    sqlType: 'DATE',
    value: (reader) => {
      const local = localOf(reader, rule);
      if (local === undefined) return undefined;
      return reader.time === 'any' ? atMidnight(guarded(reader, rule, local)) : once(local, 'sd', dateOf('sd'));
    },
    reason: (reader) => localReason(reader, rule, "'lossy_value'"),
    near: (reader, up) => {
      const local = localOf(reader, rule);
      if (local === undefined || reader.time === 'never') return undefined;
      return once(onlyInYears(up ? `(${local} + ${noon})` : local), 'sd', dateOf('sd'));
    },
  };
}

/** Text of a time: `10:30:00` or `10:30:00.5`. */
const clock = (micros: string): string => `substr(CAST(${localTime(micros)} AS STRING), 12)`;

function timeTarget(): TemporalTarget {
  return {
    sqlType: 'STRING',
    value: (reader) => clock(reader.reading),
    reason: (reader) => unless([unreadable(reader)], lossyDigits),
    near: ({ reading, step }, up) => {
      if (step === undefined) return undefined;
      // A day has no moment beyond its last microsecond.
      return clock(once(stepped(reading, step, up), 'st', `CASE WHEN st < ${dayMicros} THEN st END`));
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
    sqlType: 'TIMESTAMP',
    value: (reader) => {
      if (!named(reader)) return undefined;
      return instant(mayLeave(reader) ? onlyInYears(exact(reader)) : exact(reader));
    },
    reason: (reader) => {
      if (!named(reader)) return unless([unreadable(reader)], "'invalid_value:missing_timezone'");
      const range: Branches = mayLeave(reader) ? [[`NOT ${inYears(rough(reader))}`, outOfRange]] : [];
      const never: Branches = reader.zone === 'none' ? [[`${exact(reader)} IS NULL`, "'invalid_value:local_time_undefined'"]] : [];
      return unless([unreadable(reader), ...range, ...never], lossyDigits);
    },
    near: (reader, up) => {
      if (!named(reader) || reader.step === undefined) return undefined;
      return instant(onlyInYears(stepped(rough(reader), reader.step, up)));
    },
  };
}
