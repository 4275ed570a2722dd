/** Local times and instants, both as microseconds, and their way into Spark's types. Nothing here looks at the session's zone. */
import { literal } from '../quote.ts';
import { dayMicros, inYears, once } from './temporal-reader.ts';

const utcNames: ReadonlySet<string> = new Set([
  'utc',
  'etc/utc',
  'gmt',
  'etc/gmt',
  'uct',
  'etc/uct',
  'zulu',
  'etc/zulu',
  'universal',
  'etc/universal',
  'greenwich',
  'etc/greenwich',
]);

/** Whether an IANA zone is UTC at all times. */
export const isUtc = (zone: string): boolean => utcNames.has(zone.toLowerCase());

/** TIMESTAMP_NTZ of the microseconds of a local time. */
export const localTime = (micros: string): string => `timestampadd(MICROSECOND, ${micros}, TIMESTAMP_NTZ '1970-01-01 00:00:00')`;

/** TIMESTAMP of the microseconds of an instant. */
export const instant = (micros: string): string => `timestamp_micros(${micros})`;

/** DATE of the microseconds of a local time, the time of day cut off. */
export const dateOf = (micros: string): string =>
  `date_from_unix_date(CAST((${micros} - pmod(${micros}, ${dayMicros})) DIV ${dayMicros} AS INT))`;

/** Microseconds of what the clocks of an IANA zone show at an instant. */
export function localAt(micros: string, zone: string): string {
  return isUtc(zone) ? micros : `unix_micros(from_utc_timestamp(timestamp_micros(${micros}), ${literal(zone)}))`;
}

/**
 * Microseconds of the one instant at which the clocks of an IANA zone show `local`; NULL when there is none, or two.
 *
 * Seen from a day before and a day after, the offset is the same almost always, and then it holds in between: in the tz database no two
 * changes of a zone are less than two days apart. Else both offsets are tried, and exactly one of them must give back `local`.
 */
export function instantOf(local: string, zone: string): string {
  if (isUtc(zone)) return local;
  const offset = (shift: string): string => `${localAt(`(sz_l ${shift} ${dayMicros})`, zone)} - (sz_l ${shift} ${dayMicros})`;
  const holds = (utc: string): string => `(${localAt(utc, zone)} = sz_l)`;
  const [early, late] = ['(sz_l - sz_o.b)', '(sz_l - sz_o.a)'];
  const tried = `CASE WHEN ${holds(early)} THEN CASE WHEN NOT ${holds(late)} THEN ${early} END WHEN ${holds(late)} THEN ${late} END`;
  const offsets = `named_struct('b', ${offset('-')}, 'a', ${offset('+')})`;
  const found = `CASE WHEN sz_o.b <> sz_o.a THEN ${tried} WHEN ${inYears(early)} THEN ${early} END`;
  return once(local, 'sz_l', once(offsets, 'sz_o', found));
}

/** Microseconds of some instant near the one at which the clocks show `local`, whether or not that exists. */
export function roughInstantOf(local: string, zone: string): string {
  return isUtc(zone) ? local : `unix_micros(to_utc_timestamp(timestamp_micros(${local}), ${literal(zone)}))`;
}
