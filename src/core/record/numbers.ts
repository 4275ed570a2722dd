/** A count as it stands in a record read back from JSON: a decimal string once it is beyond 2^53. */
export type CountJson = number | string;

/** A count in JSON: itself while a double holds it exactly, else its digits as a string. */
export function countToJson(count: number | bigint): CountJson {
  if (typeof count === 'bigint') return Number.isSafeInteger(Number(count)) ? Number(count) : `${count}`;
  return Number.isInteger(count) && !Number.isSafeInteger(count) ? BigInt(count).toString() : count;
}

/** A count for people: `1,234,567`. Takes a number, a bigint or the digits of either. */
export function formatCount(count: CountJson | bigint): string {
  const digits = typeof count === 'string' ? count : String(countToJson(count));
  return digits.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ','));
}

/** A count with its noun: `1 record`, `2,000 records`. */
export function counted(count: CountJson | bigint, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${String(count) === '1' ? singular : plural}`;
}

/** A share of 0 to 1 for people: `4.2 %`; never `0 %` for something and never `100 %` for not quite all. */
export function formatShare(share: number): string {
  if (share === 0 || share === 1) return `${share * 100} %`;
  const percent = share * 100;
  if (percent < 0.01) return '< 0.01 %';
  if (percent > 99.99 && percent < 100) return '> 99.99 %';
  return `${Number(percent.toFixed(percent < 1 || percent > 99 ? 2 : 1))} %`;
}
