import type { LogicalType } from '../model/type.ts';

/**
 * How one engine spells the SQL that every engine needs. A dialect is a plain value; a new question here is a compile error
 * in each dialect that has not answered it.
 */
export interface Dialect {
  readonly name: string;
  /** A quoted identifier, whatever its characters. */
  readonly ident: (name: string) => string;
  /** A string literal, whatever its characters. */
  readonly literal: (text: string) => string;
  /** The type in this engine's DDL and casts. */
  readonly type: (type: LogicalType) => string;
  /** Column constraint that keeps what the type itself cannot say, such as the length of text; empty when there is none. */
  readonly typeCheck: (column: string, type: LogicalType) => string;
  /** SQL of the row number of a staged row, an ordinal from 0 in the order of the source. */
  readonly rowId: (alias: string) => string;
  /** Null-safe difference of two expressions. */
  readonly isDistinct: (a: string, b: string) => string;
  /** One number over all rows of a relation of the given columns: equal for equal multisets of rows. */
  readonly contentHash: (columns: readonly string[]) => string;
  /** A text of any value for comparison and reports; never dependent on the session. */
  readonly text: (expression: string, type: LogicalType) => string;
}
