/** Local times and instants, all as TIMESTAMP; instants in UTC. `AT TIME ZONE` with a named zone does not look at the session. */
import { literal } from '../quote.ts';
import { fresh, inLevels } from './levels.ts';
import { inYears } from './temporal-reader.ts';

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

/** TIMESTAMP in UTC of a TIMESTAMPTZ, and back. An interval needs no look-up of a zone, which takes as long as all the rest. */
export const inUtc = (instant: string): string => `((${instant}) AT TIME ZONE interval '0')`;

/** What the clocks of an IANA zone show at an instant in UTC. */
export function localAt(utc: string, zone: string): string {
  return isUtc(zone) ? utc : `(${inUtc(utc)} AT TIME ZONE ${literal(zone)})`;
}

/**
 * The one instant, in UTC, at which the clocks of an IANA zone show `local`; NULL when there is none, or two, or outside of the years 1 to 9999.
 *
 * Seen from a day before and a day after, the offset is the same almost always, and then it holds in between: in the tz database no two
 * changes of a zone are less than two days apart. Else both offsets are tried, and exactly one of them must give back `local`.
 */
export function instantOf(local: string, zone: string): string {
  if (isUtc(zone)) return local;
  const [l, before, after] = [fresh(), fresh(), fresh()];
  const offset = (shift: string): string => `${localAt(`(${l} ${shift} interval '1 day')`, zone)} - (${l} ${shift} interval '1 day')`;
  const [early, late] = [`(${l} - ${before})`, `(${l} - ${after})`];
  const holds = (utc: string): string => `${localAt(utc, zone)} = ${l}`;
  const tried = `CASE WHEN ${holds(early)} THEN CASE WHEN NOT (${holds(late)}) THEN ${early} END WHEN ${holds(late)} THEN ${late} END`;
  return inLevels(
    [
      [[l, local]],
      [
        [before, offset('-')],
        [after, offset('+')],
      ],
    ],
    `CASE WHEN ${before} <> ${after} THEN ${tried} WHEN ${inYears(early)} THEN ${early} END`,
  );
}

/** Some instant, in UTC, near the one at which the clocks show `local`, whether or not that exists. */
export function roughInstantOf(local: string, zone: string): string {
  return isUtc(zone) ? local : `(((${local}) AT TIME ZONE ${literal(zone)}) AT TIME ZONE interval '0')`;
}
