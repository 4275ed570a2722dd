import type { Alternative } from '../../../core/coercions/format.ts';

/** A cheap way for common texts of four-digit years from 1000 to 2999. */
export interface FastPath {
  /** Boolean: the text has exactly this shape, without blanks around it. */
  readonly when: string;
  /** The reading; NULL when there is no such date or time. A DATE where `time` is not `any` and the target is a date. */
  readonly reading: string;
}

/**
 * SQL that reads the text `x` of one shape. Readings are TIME for a time, TIMESTAMP (local, cut to microseconds) when `zone` is `none`,
 * TIMESTAMPTZ (cut to microseconds, perhaps outside of the years 1 to 9999) otherwise. They may be evaluated only for texts of the shape.
 */
export interface TemporalReader {
  /** The shapes in the terms of the formats, to find readers that could read the same text. */
  readonly alternatives: readonly Alternative[];
  readonly epoch: boolean;
  /** `none`: the text names no offset. `offset`: it does. `instant`: it counts from an instant, and means UTC where no zone is wanted. */
  readonly zone: 'none' | 'offset' | 'instant';
  /** Boolean: the text has the shape. */
  readonly shape: string;
  /** Boolean: the same, and nothing of the text is lost in the reading. */
  readonly exact: string;
  readonly reading: string;
  /** Code of texts that have the shape and no reading. */
  readonly unreadable: 'invalid_value' | 'invalid_value:out_of_range';
  /** What the texts say of a time of day: nothing ever, nothing but midnight in `exact` ones, or anything. */
  readonly time: 'never' | 'midnight' | 'any';
  /** For texts with digits beyond microseconds: BIGINT, the microseconds to add to the reading when rounding half away from zero. */
  readonly step?: string;
  readonly fast?: FastPath;
}

/** ASCII blanks as a regular expression, for texts that may have them around. */
export const blanks = '[\\t-\\r ]*';

/** First and last microsecond of the years 1 to 9999. */
const firstMicro = -62135596800000000n;
const lastMicro = 253402300799999999n;

/** Boolean SQL: microseconds since 1970 that lie in the years 1 to 9999. */
export const inYears = (micros: string): string => `${micros} BETWEEN ${firstMicro} AND ${lastMicro}`;

/**
 * The same microseconds, or NULL when they lie outside of the years 1 to 9999; they must be less than 10^18 from 1970. Of both
 * bounds the distance is taken as a number without sign, so that a long expression is written once, where a comparison needs it twice.
 */
export function onlyInYears(micros: string): string {
  const fromFirst = `TRY_CAST(${micros} - (${firstMicro}) AS UBIGINT)`;
  return `${lastMicro} - TRY_CAST(${lastMicro - firstMicro} - ${fromFirst}::BIGINT AS UBIGINT)::BIGINT`;
}
