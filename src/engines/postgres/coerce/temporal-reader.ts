import type { Alternative } from '../../../core/coercions/format.ts';

/** A cheap way for the common texts of a format. */
export interface FastPath {
  /** Boolean: the text has exactly this shape, without blanks around it. */
  readonly when: string;
  /** The reading; NULL when there is no such date or time. A DATE where `time` is not `any` and the target is a date. */
  readonly reading: string;
}

/**
 * SQL that reads the text `x` of one shape. Readings are TIME for a time, else TIMESTAMP, cut to microseconds: the local time when `zone`
 * is `none`, otherwise the time in UTC, perhaps outside of the years 1 to 9999. They may be evaluated only for texts of the shape.
 *
 * Instants are kept as TIMESTAMP in UTC on the way: arithmetic and casts of TIMESTAMPTZ look at the session's zone.
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
  /** For texts with digits beyond microseconds: INTEGER, the microseconds to add to the reading when rounding half away from zero. */
  readonly step?: string;
  readonly fast?: readonly FastPath[];
}

/** Pattern of a whole text, with ASCII blanks around it where they are ignored, as a literal body. */
export const wholePattern = (pattern: string, ignoreBlanks: boolean): string =>
  ignoreBlanks ? `^[\\t-\\r ]*${pattern}[\\t-\\r ]*$` : `^${pattern}$`;

/** Boolean SQL: a TIMESTAMP that lies in the years 1 to 9999. */
export const inYears = (timestamp: string): string =>
  `${timestamp} BETWEEN timestamp '0001-01-01 00:00:00' AND timestamp '9999-12-31 23:59:59.999999'`;

/** The same TIMESTAMP, or NULL when it lies outside of the years 1 to 9999. */
export const onlyInYears = (timestamp: string): string => `CASE WHEN ${inYears(timestamp)} THEN ${timestamp} END`;

/** INTERVAL of whole microseconds, less than 2^53 of them. */
export const microseconds = (count: string): string => `${count} * interval '1 microsecond'`;
