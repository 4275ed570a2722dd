/** Which types a column of text may have, and which of them a look at a few of its texts rules out. */
import { boolean, date, float, int, type LogicalType, time, timestamp, timestamptz, uuid } from '../../core/model/type.ts';

/** Candidate types of text, the narrowest first. A column gets the first that takes every value. */
export const textCandidates: readonly LogicalType[] = [boolean, int(64), float(64), date, timestamp, timestamptz, time, uuid];
/** A JSON string is text; only what JSON has no token for is looked for in it. */
export const jsonStringCandidates: readonly LogicalType[] = [date, timestamp, timestamptz, uuid];

/** What every text that the law takes for a type begins with, or looks like: wider than the law, never narrower. */
const looks: { readonly [K in LogicalType['kind']]?: RegExp } = {
  boolean: /^(?:true|false)$/i,
  int: /^[+-]?[\d.]+$/,
  float: /^[+-]?(?:[\d.]|nan|inf)/i,
  date: /^\d{4}-\d\d-\d\d(?:[T ][0:.]*)?$/,
  timestamp: /^\d{4}-/,
  timestamptz: /^\d{4}-/,
  time: /^\d\d:/,
  uuid: /^\{?[\da-f]{8}/i,
};

/** The candidates that may take all of these texts. */
export function mayTake(candidates: readonly LogicalType[], texts: readonly string[]): readonly LogicalType[] {
  const bare = texts.map((text) => text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, ''));
  return candidates.filter((type) => bare.every((text) => looks[type.kind]?.test(text) ?? true));
}
