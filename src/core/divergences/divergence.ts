import type { Severity } from '../model/severity.ts';

/** Every kind of divergence, by the name used in configuration, cases and reports. */
export type KindName =
  | 'missing_column'
  | 'extra_column'
  | 'type_mismatch'
  | 'name_variant'
  | 'name_collision'
  | 'column_order'
  | 'nullability_mismatch'
  | 'invalid_value'
  | 'lossy_value'
  | 'nullability'
  | 'ambiguous_format'
  | 'null_budget'
  | 'malformed_record'
  | 'malformed_file'
  | 'duplicate_key'
  | 'null_key'
  | 'empty_source'
  | 'outside_partition'
  | 'file_skipped'
  | 'key_not_unique'
  | 'schema_after_load'
  | 'row_accounting'
  | 'column_content'
  | 'partition_count'
  | 'ignore_expired';

/** A structural difference of two schemas, found without looking at rows. */
export interface Divergence {
  readonly kind: KindName;
  /** Target path where the target has one, else the source's name. Empty for a nameless source column. */
  readonly path: string;
  readonly severity: Severity;
  /** What the target says: a type, a name, `not null`. */
  readonly expected: string | null;
  /** What the source says. */
  readonly actual: string | null;
  /** Position of a source column, from 1, for extra columns and collisions. */
  readonly position?: number;
  /** The source names concerned, as they stand in the source, for name divergences. */
  readonly names?: readonly string[];
  /** One sentence for people. */
  readonly detail: string;
}
