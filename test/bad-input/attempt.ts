/** One bad input, and all that must be true of the run that meets it. */

/** A file by its text or bytes; a function makes what is no plain file. */
export type Content = string | Buffer | ((path: string) => void | Promise<void>);

export interface Attempt {
  readonly name: string;
  /** What lies in the working folder, by path. */
  readonly files?: Readonly<Record<string, Content>>;
  /** Statements run on the database before. */
  readonly sql?: readonly string[];
  /** SOURCE of `load SOURCE w.duckdb --table orders`. */
  readonly source?: string;
  /** Further flags of it. */
  readonly flags?: readonly string[];
  /** The whole command line instead; `--json` is added. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: Expected;
}

export interface Expected {
  readonly exit: 0 | 1 | 2 | 3;
  /** Code of the fault that stops the run. */
  readonly fault?: string;
  /** Where the fault is. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Findings that must be among those of the record. */
  readonly findings?: readonly ExpectedFinding[];
  /** What the message says to people. */
  readonly says?: RegExp;
  /** What is advised: the `fix` of the fault, or that of the first expected finding. */
  readonly fix?: RegExp;
  /** The fault comes in the middle of a load, so the audit tables tell of a failed run. */
  readonly failedRun?: true;
  /** Rows of the target afterwards, where the input is odd but good, by a query with one column `v`. Otherwise nothing may change. */
  readonly rows?: { readonly sql: string; readonly are: readonly string[] };
  /** Text that must not appear anywhere: outputs, reports, audit tables, files. */
  readonly secrets?: readonly string[];
  /** Files that the run is to make. */
  readonly makes?: readonly string[];
}

export interface ExpectedFinding {
  readonly name: string;
  readonly severity?: 'error' | 'warning' | 'remark';
  readonly reason?: string | null;
  readonly path?: string | null;
  readonly count?: number;
  /** Place of one of the examples. */
  readonly file?: string;
  readonly line?: number;
  readonly value?: string;
}
