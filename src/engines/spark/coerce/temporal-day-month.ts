import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';

/** Boolean SQL, never NULL, about text that may be a date with the day or the month first. */
export interface DayMonthShape {
  /** Two numbers of one or two digits and a year of two or four, with the same separator (`/`, `.` or `-`) twice. */
  readonly looks: string;
  /** Looks so, and is a date with the day first. */
  readonly dayFirst: string;
  /** Looks so, and is a date with the month first. */
  readonly monthFirst: string;
}

const shape = '^[0-9]{1,2}(?:/[0-9]{1,2}/|[.][0-9]{1,2}[.]|-[0-9]{1,2}-)(?:[0-9]{4}|[0-9]{2})\\z';

/** Tests whether the text `x` could be a date in day-month or month-day order. Years of two digits count as 2000 to 2099. */
export function dayMonthShape(x: string): DayMonthShape {
  const text = trimBlanks(x);
  const looks = `coalesce(${text} RLIKE ${literal(shape)}, false)`;
  const part = (place: number): string => `split_part(translate(${text}, '.-', '//'), '/', ${place})`;
  const year = `CASE WHEN length(${part(3)}) = 2 THEN concat('20', ${part(3)}) ELSE ${part(3)} END`;
  const reads = (month: number, day: number): string => {
    const iso = `concat_ws('-', ${year}, lpad(${part(month)}, 2, '0'), lpad(${part(day)}, 2, '0'))`;
    return `CASE WHEN ${looks} THEN try_cast(${iso} AS DATE) IS NOT NULL AND ${part(3)} <> '0000' ELSE false END`;
  };
  return { looks, dayFirst: reads(2, 1), monthFirst: reads(1, 2) };
}
