/** What a date or time text means in the proleptic Gregorian calendar, counted in BigInt microseconds since 1970. */

/** A text of the built-in grammar: its local time, what lies below microseconds, and its offset in minutes if it has one. */
export interface Moment {
  /** Microseconds of the local time, read as UTC. */
  readonly local: bigint;
  /** Nanoseconds below the microsecond. */
  readonly below: number;
  readonly dateOnly: boolean;
  readonly offset: number | undefined;
}

const grammar = new RegExp(
  '^[\\t-\\r ]*([0-9]{4})-([0-9]{2})-([0-9]{2})' +
    '(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?[\\t-\\r ]*$',
);

const leap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
export const daysIn = (year: number, month: number): number =>
  [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;

/** Days since 1970-01-01: whole years first, then months. */
function dayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  let days = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  for (let m = 1; m < month; m += 1) days += daysIn(year, m);
  return days + day - 1 - 719_162;
}

export const microsPerDay = 86_400_000_000n;
const first = BigInt(dayNumber(1, 1, 1)) * microsPerDay;
const last = BigInt(dayNumber(10_000, 1, 1)) * microsPerDay - 1n;
export const inYears = (micros: bigint): boolean => micros >= first && micros <= last;

/** Undefined when the text is none, or names no real time. */
export function readMoment(text: string): Moment | undefined {
  const match = grammar.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = readOffset(match[8]);
  if (offset === 'wrong') return undefined;
  const nanos = Number((match[7] ?? '').padEnd(9, '0'));
  const seconds = BigInt(dayNumber(year, month, day)) * 86_400n + BigInt(hour * 3600 + minute * 60 + second);
  return { local: seconds * 1_000_000n + BigInt(Math.floor(nanos / 1000)), below: nanos % 1000, dateOnly: match[4] === undefined, offset };
}

function readOffset(text: string | undefined): number | undefined | 'wrong' {
  if (text === undefined) return undefined;
  if (text === 'Z') return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', '') || 0)];
  if (minutes > 59 || hours * 60 + minutes > 1080) return 'wrong';
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** `yyyy-MM-dd HH:mm:ss.ffffff`. */
export function stampText(micros: bigint): string {
  const pad = (n: number | bigint, width: number): string => String(n).padStart(width, '0');
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - fraction) / 1_000_000n;
  const time = ((seconds % 86_400n) + 86_400n) % 86_400n;
  const [year, month, day] = civil(Number((seconds - time) / 86_400n));
  const clock = [time / 3600n, (time / 60n) % 60n, time % 60n].map((part) => pad(part, 2)).join(':');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)} ${clock}.${pad(fraction, 6)}`;
}

function civil(day: number): readonly [year: number, month: number, day: number] {
  let year = Math.max(1, Math.floor((day + 719_162) / 366));
  while (dayNumber(year + 1, 1, 1) <= day) year += 1;
  let month = 1;
  while (month < 12 && dayNumber(year, month + 1, 1) <= day) month += 1;
  return [year, month, day - dayNumber(year, month, 1) + 1];
}
