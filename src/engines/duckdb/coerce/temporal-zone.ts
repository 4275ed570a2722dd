/** Local times and instants. DuckDB's casts between TIMESTAMP and TIMESTAMPTZ use the session's zone, so none are made. */
import { literal } from '../quote.ts';

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

/** The instant at which clocks that show UTC show `local`. */
const asUtc = (local: string): string => `make_timestamptz(epoch_us(${local}))`;

/** TIMESTAMP: what the clocks of an IANA zone show at an instant. */
export function localAt(instant: string, zone: string): string {
  return isUtc(zone) ? `make_timestamp(epoch_us(${instant}))` : `timezone(${literal(zone)}, ${instant})`;
}

/**
 * TIMESTAMPTZ: the one instant at which the clocks of an IANA zone show `local`; NULL when there is none, or two.
 *
 * Seen from a day before and a day after, the offset is the same almost always, and then it holds in between: in the tz database no two
 * changes of a zone are less than two days apart. Else both offsets are tried, and exactly one of them must give back `local`.
 */
export function instantOf(local: string, zone: string): string {
  if (isUtc(zone)) return asUtc(local);
  const name = literal(zone);
  const day = '86400000000';
  const clocks = (shift: string): string => `epoch_us(timezone(${name}, make_timestamptz(epoch_us(${local}) ${shift})))`;
  const [before, after] = [clocks(`- ${day}`), clocks(`+ ${day}`)];
  const holds = (shift: string, seen: string): string =>
    `timezone(${name}, make_timestamptz(2 * epoch_us(${local}) ${shift} - ${seen})) = ${local}`;
  const once = `(${holds(`- ${day}`, before)}) <> (${holds(`+ ${day}`, after)})`;
  // Arithmetic costs a third of another conversion.
  const steady = `make_timestamptz(2 * epoch_us(${local}) - ${day} - ${before})`;
  return `CASE WHEN ${after} - ${before} = 172800000000 THEN ${steady} WHEN ${once} THEN timezone(${name}, ${local}) END`;
}

/** TIMESTAMPTZ: some instant near the one at which the clocks show `local`, whether or not that exists. */
export function roughInstantOf(local: string, zone: string): string {
  return isUtc(zone) ? asUtc(local) : `timezone(${literal(zone)}, ${local})`;
}
