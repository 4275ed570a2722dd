import { trimBlanks } from './blanks.ts';
import { blanks } from './temporal-reader.ts';

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
  const parts = '\\d{1,2}(?:/\\d{1,2}/|[.]\\d{1,2}[.]|-\\d{1,2}-)(?:\\d{4}|\\d\\d)';
  const looks = `coalesce(regexp_full_match(${x}, '${blanks}${parts}${blanks}'), FALSE)`;
  const slashed = `regexp_replace(translate(${trimBlanks(x)}, '.-', '//'), '/(..)$', '/20\\1')`;
  const reads = (format: string): string => `(${looks} AND try_strptime(${slashed}, '${format}') IS NOT NULL)`;
  return { looks, dayFirst: reads('%d/%m/%Y'), monthFirst: reads('%m/%d/%Y') };
}
