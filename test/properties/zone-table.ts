/** The offsets of a zone, found out from the zone database of JavaScript by looking at its clocks. */

/** From `start` on (milliseconds since 1970) local time is UTC plus `offset` milliseconds. */
interface Span {
  readonly start: number;
  readonly offset: number;
}

export interface ZoneTable {
  readonly spans: readonly Span[];
  /** First and last local time of the table, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

const day = 86_400_000;

/** The table of the years from `first` up to `last`. In those of the tests no two changes are on one day. */
export function zoneTable(zone: string, first: number, last: number): ZoneTable {
  const clock = clockOf(zone);
  const [from, to] = [Date.UTC(first, 0, 1), Date.UTC(last, 0, 1)];
  const spans: Span[] = [{ start: Number.NEGATIVE_INFINITY, offset: clock(from - 2 * day) }];
  for (let at = from - 2 * day; at < to + 2 * day; at += day) {
    const before = (spans.at(-1) as Span).offset;
    if (clock(at + day) !== before) spans.push(...changeIn(clock, at, before));
  }
  return { spans, from, to };
}

type Clock = (instant: number) => number;

function changeIn(clock: Clock, from: number, before: number): readonly Span[] {
  let [low, high] = [from, from + day];
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (clock(middle) === before) low = middle;
    else high = middle;
  }
  return [{ start: high, offset: clock(high) }];
}

/** What the clocks of a zone show at a whole second, less UTC. */
function clockOf(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const [month = 0, date = 0, year = 0, hour = 0, minute = 0, second = 0] = format
      .format(instant)
      .split(/[/, :]+/)
      .map(Number);
    return Date.UTC(year, month - 1, date, hour, minute, second) - instant;
  };
}

/** The instants, in microseconds, at which clocks of the zone show a local time: none, one or two. */
export function instantsOf(table: ZoneTable, local: bigint): readonly bigint[] {
  return table.spans.flatMap(({ start, offset }, i) => {
    const instant = local - BigInt(offset) * 1000n;
    const next = table.spans[i + 1]?.start ?? Number.POSITIVE_INFINITY;
    const millis = Number(instant) / 1000;
    return millis >= start && millis < next ? [instant] : [];
  });
}

/** Local times, in microseconds, at which the clocks were changed, on either side. */
export const changesOf = ({ spans }: ZoneTable): readonly bigint[] =>
  spans.slice(1).flatMap(({ start, offset }, i) => [offset, (spans[i] as Span).offset].map((shown) => BigInt(start + shown) * 1000n));
