/**
 * SQL of one coercion. The expressions are used in nested SELECTs, each level naming the columns of the one below:
 *
 *     level 1: SELECT <raw>                 AS raw      (made by the reader)
 *     level 2: SELECT raw, <text>           AS text
 *     level 3: SELECT raw, text, <strict>   AS strict
 *     level 4: SELECT …, CASE WHEN <refused> THEN <relaxed> ELSE strict END, CASE WHEN <refused> THEN <issues> END …
 *
 * Spark merges levels only where nothing is computed twice for it. Inside lambdas the same pieces are nested by substitution.
 */
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';

export interface SqlInput {
  /** SQL of the raw value: a quoted column or a lambda variable. */
  readonly raw: string;
  /** SQL of the prepared value of level 2. */
  readonly text: string;
  /** SQL of the strict value of level 3; only `refused`, `relaxed`, `rejects` and `issues` may use it. */
  readonly strict: string;
}

export interface SqlCoercion {
  /** From `raw`: null tokens made NULL, JSON strings unquoted, typed values as they are. NULL when the value is null. */
  readonly text: string;
  /** From `raw` and `text`: the value in the target's type; NULL when it is null or does not fit. Cheap for common values. */
  readonly strict: string;
  /** Boolean, never NULL: a value is there that did not fit. Usually `strict IS NULL AND text IS NOT NULL`. */
  readonly refused: string;
  /** For refused values: what is stored under the policy (rounded, default, a list with nulled elements); NULL when nulled or rejected. */
  readonly relaxed: string;
  /** For refused values, boolean, never NULL: the whole record must go (policy error or quarantine). */
  readonly rejects: string;
  /**
   * For refused values: ARRAY<STRUCT<path: STRING, code: STRING, outcome: STRING, value: STRING>>.
   * `code` is `invalid_value`, `invalid_value:out_of_range`, `lossy_value:scale`, …; `outcome` is rejected, nulled, defaulted or altered.
   */
  readonly issues: string;
  /** Remarks on accepted values. */
  readonly notes: readonly SqlNote[];
}

export interface SqlNote {
  readonly code: 'type_mismatch';
  readonly path: string;
  /** The type in which the value came: `string`, `int`, `boolean`, … */
  readonly from: string;
  /** Boolean SQL over `raw`, `text` (and `strict`), never NULL. */
  readonly when: string;
  /** SQL of the example text. */
  readonly value: string;
}

/** Facts of the source that let checks be left out. */
export interface CoerceContext {
  /** False: no text of the source can hold U+0000, so nothing needs to look for it. */
  readonly nul: boolean;
  /** Internal: the text comes out of a JSON string, so it may be marked by `halfPair`. */
  readonly json?: boolean;
}

/** A scalar read from text `x`, a piece of SQL that is evaluated several times: a column or lambda variable, never a big expression. */
export interface ScalarSql {
  /** The value in the target's type, or NULL when the text does not fit exactly (or is NULL). */
  readonly value: string;
  /** For text without a value: its code, STRING, never NULL: `invalid_value`, `invalid_value:out_of_range`, `lossy_value:scale`, … */
  readonly reason: string;
  /** For text refused as `lossy_value…`: the value under `on_lossy: round` (half away from zero); NULL when even that does not fit. */
  readonly round?: string;
  /** The same under `on_lossy: truncate`. */
  readonly truncate?: string;
}

export interface ScalarRequest {
  readonly to: LogicalType;
  readonly rule: ColumnRule;
  readonly context: CoerceContext;
  /** The text is the token of a JSON number: it goes by value, so an exponent is fine, and decimal marks are always points. */
  readonly number: boolean;
}

export type ScalarRenderer = (x: string, request: ScalarRequest) => ScalarSql;
