/** What the user decided about a job: modes, policies and rules, with every default filled in. */

export type OnInvalid = 'error' | 'quarantine' | 'null' | 'default';
export type OnLossy = 'invalid' | 'round' | 'truncate';
export type OnMissing = 'default' | 'error';
export type OnExtra = 'ignore' | 'rescue' | 'add_column' | 'error';
export type OnMalformed = 'error' | 'quarantine';
export type OnNull = 'keep' | 'default';
export type Trim = 'auto' | 'always' | 'never';
export type Mask = 'none' | 'shape' | 'hash' | 'drop';
export type LoadMode = 'merge' | 'append' | 'overwrite-partition' | 'replace';
export type FailOn = 'error' | 'warning' | 'never';
export type SchemaChange = 'add_column' | 'widen';

/** The rules of one column path, complete: job-wide defaults are already folded in. */
export interface ColumnRule {
  /** Other source names to look for, in order; `$.a.b` is a JSON path. */
  readonly from: readonly string[];
  readonly onInvalid: OnInvalid;
  readonly onLossy: OnLossy;
  readonly onMissing: OnMissing;
  readonly onNull: OnNull;
  readonly trim: Trim;
  /** Declared formats, exhaustive and ordered; undefined means the built-in ISO grammar. */
  readonly formats?: readonly string[];
  /** IANA zone of text without offset, when the target is an instant. */
  readonly timezone?: string;
  /** IANA zone into which text with an offset is turned, when the target has no zone. */
  readonly toTimezone?: string;
  /** First and last year that a two-digit year may mean. */
  readonly twoDigitYearRange?: readonly [number, number];
  /** Largest share of values, 0 to 1, that `onInvalid: null` may make NULL. */
  readonly nullBudget?: number;
  /** Decimal mark, default `.`. */
  readonly decimal: string;
  /** Group separator; undefined means none is allowed. */
  readonly group?: string;
  /** Whether text such as `1e3` is a whole number or decimal. */
  readonly exponent: boolean;
  readonly nullValues: readonly string[];
  readonly trueValues?: readonly string[];
  readonly falseValues?: readonly string[];
  /** Text of the default, read by the coercion law of the column's type. */
  readonly default?: string;
  readonly mask: Mask;
  readonly binary?: 'hex' | 'base64';
}

export const builtInRule: ColumnRule = {
  from: [],
  onInvalid: 'error',
  onLossy: 'invalid',
  onMissing: 'default',
  onNull: 'keep',
  trim: 'auto',
  decimal: '.',
  exponent: false,
  nullValues: [],
  mask: 'none',
};

export type SourceFormat = 'csv' | 'ndjson' | 'json' | 'parquet';
export type Encoding = 'utf-8' | 'utf-16' | 'latin-1';
export type Compression = 'auto' | 'none' | 'gzip' | 'zstd';

/** Files to read. Undefined keys are detected. */
export interface FileSource {
  readonly kind: 'files';
  /** A file, a folder or a glob, relative to the working folder or the configuration file. */
  readonly path: string;
  /** Folder that a relative `path` starts from. */
  readonly base?: string;
  readonly format?: SourceFormat;
  readonly delimiter?: string;
  readonly quote?: string;
  /** True: the first record holds the names. False: columns are `column1`, `column2`, … Undefined: detected. */
  readonly header?: boolean;
  readonly encoding?: Encoding;
  readonly compression?: Compression;
}

/** A table or query of the engine that holds the target. */
export interface QuerySource {
  readonly kind: 'query';
  readonly query?: string;
  readonly table?: string;
  /** The user's own load token for append. */
  readonly batch?: string;
}

export type SourceSpec = FileSource | QuerySource;

export interface MergeOptions {
  readonly onDuplicateKey: 'error' | 'keep_latest';
  readonly orderBy?: string;
  readonly onNullKey: 'error' | 'quarantine';
}

export interface GuardOptions {
  /** Largest share of rows, 0 to 1, that a partition or the table may lose. */
  readonly maxShrink: number;
  readonly allowEmpty: boolean;
}

export interface PartitionOptions extends GuardOptions {
  readonly columns: readonly string[];
  /** The values to overwrite (one list per partition, in the order of `columns`), or those present in the source. */
  readonly values: readonly (readonly string[])[] | 'present';
}

export interface AuditOptions {
  readonly schema?: string;
  readonly prefix: string;
  readonly maxExamples: number;
}

/** A finding that the user has decided to accept. */
export interface IgnoreEntry {
  readonly code: string;
  readonly column?: string;
  readonly reason: string;
  /** Last day, `yyyy-MM-dd`, on which the entry holds. */
  readonly until?: string;
}

/** Everything a run needs to know, free of defaults to be filled in later. */
export interface Job {
  readonly name: string;
  readonly source: SourceSpec;
  readonly target: { readonly url: string; readonly table: string; readonly create: boolean };
  readonly connection: { readonly memoryLimit?: string; readonly sessionTimezone?: string };
  readonly mode: LoadMode;
  readonly key: readonly string[];
  readonly merge: MergeOptions;
  readonly partition?: PartitionOptions;
  readonly replace: GuardOptions;
  readonly onMalformed: OnMalformed;
  readonly onExtra: OnExtra;
  readonly schemaChanges: readonly SchemaChange[];
  /** Rule of every column that has none of its own. */
  readonly defaultRule: ColumnRule;
  /** Rules by target column name or nested path (`address.zip`, `items[].price`); an exact column name wins over a path. */
  readonly columns: ReadonlyMap<string, ColumnRule>;
  readonly ignore: readonly IgnoreEntry[];
  readonly audit: AuditOptions;
  readonly failOn: FailOn;
  /** Append files again although the ledger has them. */
  readonly force: boolean;
  /** Where the job stands in its configuration file, for fixes. It changes nothing in what is done. */
  readonly origin?: JobOrigin;
}

export interface JobOrigin {
  readonly file: string;
  /** JSON pointer of the job. */
  readonly pointer: string;
  /** Where the keys of the file stand, by JSON pointer. Lines and columns count from 1. */
  readonly places?: ReadonlyMap<string, { readonly line: number; readonly column: number }>;
  /** JSON pointers of the entries under `ignore`, in their order; null for one that came as a flag. */
  readonly ignore?: readonly (string | null)[];
}
