/** Exact text for Spark's numbers of days, microseconds and unscaled decimals, at any distance. */

const microsPerDay = 86_400_000_000n;
const microsPerSecond = 1_000_000n;

/** A date from days since 1970-01-01 in the calendar that never changed; years as Spark writes them: `0001`, `+10000`, `-0044`. */
export function dateText(days: number): string {
  // Eras of 400 years, counted from the first of March of year 0, so that the leap day comes last.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${yearText(year)}-${pad(month)}-${pad(day)}`;
}

/** `2024-01-31 10:00:00`, with the fraction of the second if there is one, its trailing zeros left out. */
export function momentText(micros: bigint): string {
  const days = floorDivide(micros, microsPerDay);
  return `${dateText(Number(days))} ${timeText(micros - days * microsPerDay)}`;
}

/** A time of day from microseconds since midnight. */
export function timeText(micros: bigint): string {
  const seconds = Number(micros / microsPerSecond);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(pad).join(':');
  const fraction = (micros % microsPerSecond).toString().padStart(6, '0').replace(/0+$/, '');
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

/** A decimal from its digits without the point. */
export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function yearText(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  if (year < 0) return `-${digits}`;
  return year > 9999 ? `+${digits}` : digits;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
