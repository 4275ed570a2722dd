import type { ColumnRule } from '../model/policy.ts';
import type { LogicalType } from '../model/type.ts';

/** In what form a value arrives. */
export type SourceForm =
  /** Text exactly as written in the source (CSV field, or any text column). */
  | { readonly form: 'text' }
  /** The JSON token exactly as written: `"a"`, `1.50`, `true`, `{…}`; SQL NULL for an absent key or a JSON null. */
  | { readonly form: 'json' }
  /** A typed value (Parquet, table). */
  | { readonly form: 'typed'; readonly type: LogicalType };

/** One value's way into one target type, with the rules that hold on the way. `path` names it in findings. */
export interface Coercion {
  readonly path: string;
  readonly from: SourceForm;
  readonly to: LogicalType;
  readonly rule: ColumnRule;
  /** Rules of nested paths below `path`; looked up by full path, falling back to `rule`. */
  readonly nested: ReadonlyMap<string, ColumnRule>;
  /** SQL expression of the value that `onInvalid: default` and `onNull: default` store; undefined when there is none. */
  readonly defaultSql?: string;
}
