/** The plan: what a run would do, as data. It holds no counts, no SQL, no time, so the same inputs give the same plan. */
import type { Coercion } from '../coercions/coercion.ts';
import type { Divergence } from '../divergences/divergence.ts';
import type { ColumnRule, GuardOptions, LoadMode, MergeOptions, OnExtra, OnMalformed, PartitionOptions } from '../model/policy.ts';
import type { Column } from '../model/schema.ts';
import type { LogicalType } from '../model/type.ts';

/** A column of the source as it stands there: the header cell, the JSON key, the Parquet column. */
export interface SourceColumn {
  readonly name: string;
  /** Absent for text and JSON, whose values have no type of their own. */
  readonly type?: LogicalType;
  /** The name under which the engine gives it, where that is another. */
  readonly readAs?: string;
}

/** Files that share one shape, or the one table or query that is read. */
export interface SourceGroup {
  /** Positions in the list of files of the run. */
  readonly files: readonly number[];
  readonly form: 'text' | 'json' | 'typed';
  readonly columns: readonly SourceColumn[];
  /** False: more columns may turn up (JSON keys beyond the sampled records). */
  readonly complete: boolean;
}

/** Where a target column comes from in one group. */
export interface PlannedSource {
  /** Position in the group's columns. */
  readonly index: number;
  readonly name: string;
  readonly how: 'exact' | 'variant' | 'from';
  /** Path below a JSON key, such as `$.zip` of `$.address.zip`. */
  readonly below?: readonly (string | number)[];
  readonly coercion: Coercion;
}

export interface PlannedColumn {
  readonly target: Column;
  readonly rule: ColumnRule;
  /** Name of the coercion, such as `text-to-decimal`; `missing-to-default`, `missing-to-null` when no group has it. */
  readonly ruleName: string;
  readonly key: boolean;
  readonly partition: boolean;
  /** One entry per group; null where the group lacks the column. */
  readonly sources: readonly (PlannedSource | null)[];
  /** Groups in which several source columns claim it. */
  readonly collisions: readonly number[];
  /** Who gives a value where the source has none. */
  readonly fallback: 'rule' | 'table' | 'null';
  /** The rule's default as the engine writes it, for rows that lack the column. */
  readonly defaultSql?: string;
}

/** A source column without a target. */
export interface PlannedExtra {
  readonly name: string;
  /** Per group: position in its columns, or null. */
  readonly positions: readonly (number | null)[];
}

export interface PlannedChange {
  readonly change: 'create_table' | 'add_column' | 'widen';
  readonly column: string | null;
  readonly from: LogicalType | null;
  readonly to: LogicalType | null;
  /** Codes and paths of the divergences that made it necessary. */
  readonly because: readonly string[];
}

export interface Plan {
  readonly job: string;
  readonly mode: LoadMode;
  readonly table: string;
  readonly key: readonly string[];
  readonly merge: MergeOptions;
  readonly partition: PartitionOptions | null;
  readonly replace: GuardOptions;
  readonly onMalformed: OnMalformed;
  readonly onExtra: OnExtra;
  readonly groups: readonly SourceGroup[];
  readonly columns: readonly PlannedColumn[];
  readonly extras: readonly PlannedExtra[];
  readonly changes: readonly PlannedChange[];
}

/** A divergence found while planning, with the group it was found in. */
export interface PlannedDivergence {
  readonly divergence: Divergence;
  /** Group number, or null when it concerns the target alone. */
  readonly group: number | null;
}
