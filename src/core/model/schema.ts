import type { LogicalType } from './type.ts';

/** A column of a table or of a source. */
export interface Column {
  readonly name: string;
  readonly type: LogicalType;
  /** Whether NULL is allowed. A source that cannot say allows it. */
  readonly nullable: boolean;
  /** The default as an SQL expression of the engine that holds the table, for example `'new'` or `now()`. */
  readonly default?: string;
  readonly comment?: string;
  /** Member of the primary key, or of the key named by the user. */
  readonly key?: boolean;
  readonly partition?: boolean;
  /** Computed by the engine; never written. */
  readonly generated?: boolean;
  /** The engine's own spelling of the type, where it says more than the logical type. */
  readonly native?: string;
}

export interface Schema {
  /** A table, file or contract name for messages; never used to find anything. */
  readonly name?: string;
  readonly columns: readonly Column[];
}

/** How much of the data was read to find a schema out. */
export interface Evidence {
  readonly rows: number;
  /** False when every row was read: the types are proven, not guessed. */
  readonly sampled: boolean;
}
