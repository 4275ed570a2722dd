import type { Alternative } from '../../../core/coercions/format.ts';

/** A cheap way for the common texts of a format, straight into the target's type. */
export interface FastPath {
  /** Boolean: the text has exactly this shape, without blanks around it. */
  readonly when: string;
  /** The value; NULL when there is no such date or time. */
  readonly value: string;
}

/**
 * SQL that reads the text `x` of one shape. Readings are BIGINT, microseconds since 1970-01-01 00:00:00, cut to whole ones: of the local
 * time when `zone` is `none`, otherwise of the instant, perhaps outside of the years 1 to 9999; of a time, those since midnight. They may be
 * evaluated only for texts of the shape.
 *
 * Numbers, since Spark converts between TIMESTAMP_NTZ and TIMESTAMP by the session's zone alone.
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
  /** For texts with digits beyond microseconds: INT, the microseconds to add to the reading when rounding half away from zero. */
  readonly step?: string;
  readonly fast?: FastPath;
}

/** SQL over a value that is computed once. Names differ from those of other lambdas around. */
export const once = (value: string, name: string, use: string): string => `transform(array(${value}), ${name} -> ${use})[0]`;

/** First and last microsecond of the years 1 to 9999. */
const [first, last] = ['-62135596800000000', '253402300799999999'];

/** Boolean SQL: microseconds since 1970 that lie in the years 1 to 9999. */
export const inYears = (micros: string): string => `(${micros} BETWEEN ${first} AND ${last})`;

/** The same microseconds, or NULL when they lie outside of the years 1 to 9999. */
export const onlyInYears = (micros: string): string => once(micros, 'sy', `CASE WHEN ${inYears('sy')} THEN sy END`);

/** SQL of microseconds from text of a date and time, year first, that has a `Z` at its end: NULL when there is no such day. */
export const microsOf = (text: string): string => `unix_micros(try_cast(${text} AS TIMESTAMP))`;

export const dayMicros = '86400000000';
