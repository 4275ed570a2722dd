import { trimBlanks } from './blanks.ts';
import { castable } from './levels.ts';

/** Boolean SQL, never NULL, about text that may be a date with the day or the month first. */
export interface DayMonthShape {
  /** Two numbers of one or two digits and a year of two or four, with the same separator (`/`, `.` or `-`) twice. */
  readonly looks: string;
  /** Looks so, and is a date with the day first. */
  readonly dayFirst: string;
  /** Looks so, and is a date with the month first. */
  readonly monthFirst: string;
}

/** Tests whether the text `x` could be a date in day-month or month-day order. Years of two digits count as 2000 to 2099. */
export function dayMonthShape(x: string): DayMonthShape {
  const pattern = `^[0-9]{1,2}(?:/[0-9]{1,2}/|[.][0-9]{1,2}[.]|-[0-9]{1,2}-)(?:[0-9]{4}|[0-9]{2})$`;
  // Most texts are longer or shorter, or have other characters; a search for one costs a fifth of the pattern.
  const text = trimBlanks(x);
  const likely = `octet_length(${text}) BETWEEN 6 AND 10 AND ${text} !~ '[^0-9/.-]'`;
  const looks = `coalesce(CASE WHEN ${likely} THEN ${text} ~ '${pattern}' END, false)`;
  const slashed = `translate(${text}, '.-', '//')`;
  const part = (place: number): string => `split_part(${slashed}, '/', ${place})`;
  const year = `CASE WHEN length(${part(3)}) = 2 THEN '20' || ${part(3)} ELSE ${part(3)} END`;
  const reads = (month: number, day: number): string =>
    `CASE WHEN ${looks} THEN ${castable(`((${year}) || '-' || ${part(month)} || '-' || ${part(day)})`, 'date')} ELSE false END`;
  return { looks, dayFirst: reads(2, 1), monthFirst: reads(1, 2) };
}
