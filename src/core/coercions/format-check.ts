import { Fault } from '../fault.ts';
import type { ColumnRule } from '../model/policy.ts';
import { type Alternative, badFormat, type ParsedFormat, parseFormat, partsOf, type TemporalKind } from './format.ts';

/**
 * The formats in which text of a column may come, in the order of the rule: those listed, or `iso` when none are.
 * @throws Fault CONFIG_INVALID when a format is wrong or does not fit the target type, or `two_digit_year_range` is missing or wrong.
 */
export function columnFormats(rule: Pick<ColumnRule, 'formats' | 'twoDigitYearRange'>, to: TemporalKind): readonly ParsedFormat[] {
  checkYearRange(rule.twoDigitYearRange);
  const formats = (rule.formats ?? ['iso']).map(parseFormat);
  if (formats.length === 0) throw new Fault('CONFIG_INVALID', 'formats: the list is empty, so no text could be read');
  for (const format of formats) checkFormat(format, to, rule.twoDigitYearRange !== undefined);
  return formats;
}

function checkYearRange(range: readonly [number, number] | undefined): void {
  if (range === undefined) return;
  const [first, last] = range;
  const years = [first, last].every((year) => Number.isInteger(year) && year >= 1 && year <= 9999);
  if (years && first <= last && last - first <= 99) return;
  throw new Fault('CONFIG_INVALID', `two_digit_year_range: [${first}, ${last}] must be two years from 1 to 9999, at most 99 apart`, {
    fix: 'Name the first and the last year that two digits may mean, for example [1925, 2024].',
  });
}

function checkFormat(format: ParsedFormat, to: TemporalKind, hasYearRange: boolean): void {
  if (format.kind === 'epoch' && to === 'time') throw badFormat(format.text, 'an epoch is not a time of day');
  if (format.kind !== 'pattern') return;
  for (const alternative of format.alternatives) {
    checkParts(format.text, alternative, to);
    const short = alternative.some((token) => token.kind === 'number' && token.field === 'year2');
    if (short && !hasYearRange) throw badFormat(format.text, 'a year of two digits needs two_digit_year_range');
  }
}

const dateParts = ['year', 'month', 'day'];

function checkParts(text: string, alternative: Alternative, to: TemporalKind): void {
  const parts = partsOf(alternative);
  const foreign = to === 'time' ? [...dateParts, 'weekday', 'offset'].find((part) => parts.has(part)) : undefined;
  if (foreign !== undefined) throw badFormat(text, `a time of day has no ${foreign}`);
  const missing = to === 'time' ? undefined : dateParts.find((part) => !parts.has(part));
  if (missing !== undefined) throw badFormat(text, `without a ${missing} it is no ${to === 'date' ? 'date' : 'timestamp'}`);
  if (!parts.has('hour') && !parts.has('hour12') && (to === 'time' || parts.has('offset'))) throw badFormat(text, 'it gives no hour');
}
