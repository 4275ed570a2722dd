/** What the client of a Spark server answers, and to what. */
import type { SparkStruct, SparkType } from './spark-type.ts';

/**
 * A value of an answer, exactly: 64-bit integers and decimals as text, NaN and the infinities as text, dates as `2024-01-31`, times
 * without zone as `2024-01-31 10:00:00.000001`, instants the same in UTC with `+00` behind, binary as upper-case hex digits, a map as a
 * list of `{key, value}`. Structs are objects; of two fields with one name the last is kept.
 */
export type Cell = string | number | boolean | null | Cell[] | { [key: string]: Cell };
export type Row = { readonly [column: string]: Cell };

/** Rows by position, so that columns of the same name stay apart. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface StatementOptions {
  /** Words by which the operation can be found and interrupted at the server; no comma within. */
  readonly tags?: readonly string[];
  /** A UUID of one's own, by which `status` asks. */
  readonly operationId?: string;
  /** Lets the statement end although the signal has been given: for what must not be cut off. */
  readonly hold?: boolean;
}

/** Tasks of the running statement; those of stages yet to come are not counted. */
export interface Progress {
  readonly tasks: number;
  readonly done: number;
}

/** What the server says of an operation; `unknown` also where it cannot say, before Spark 4.2. */
export type OperationState = 'unknown' | 'running' | 'terminating' | 'succeeded' | 'failed' | 'cancelled';

/** Where and how the rows of a query are stored by `save`. */
export interface Destination {
  readonly query: string;
  /** The quoted name of a table, or the path of a folder. With `count`, a table must be there, and `mode` be `append`. */
  readonly to: { readonly table: string } | { readonly path: string };
  readonly format: string;
  readonly mode: 'append' | 'overwrite' | 'error';
  readonly partitionBy?: readonly string[];
  readonly options?: Readonly<Record<string, string>>;
  /**
   * Aggregates counted in the same pass, by name: SQL over the columns of the query, scalar values only (on 4.0 a list fails after the write
   * is done), and no FILTER or DISTINCT, which Spark refuses here.
   */
  readonly count?: Readonly<Record<string, string>>;
}

/**
 * A session at a Spark server. Statements run one after another or at the same time; one statement a call. Whatever fails is thrown as a
 * Fault whose cause is a SparkError with the error class and SQLSTATE, where Spark gave one.
 */
export interface SparkClient {
  /** Of the server, such as `4.2.0`. */
  readonly version: string;
  readonly sessionId: string;
  /** Runs a statement and waits until it is done; what it answers is dropped. */
  readonly run: (sql: string, options?: StatementOptions) => Promise<void>;
  /** Runs a statement; what commands answer (SHOW, DESCRIBE, the counts of MERGE) comes as well. Fails for two columns of one name. */
  readonly rows: (sql: string, options?: StatementOptions) => Promise<readonly Row[]>;
  /** The first row of a query that always has one. */
  readonly one: (sql: string, options?: StatementOptions) => Promise<Row>;
  /** As `rows`, by position. */
  readonly table: (sql: string, options?: StatementOptions) => Promise<Table>;
  /** As `table`, one Arrow batch after another as they come. Leaving the loop early stops the query. */
  readonly batches: (sql: string, options?: StatementOptions) => AsyncIterable<Table>;
  /** The columns of a query or, for `SELECT * FROM t`, of a table: types, nullability also within, comments, defaults. Runs nothing. */
  readonly schema: (sql: string) => Promise<SparkStruct>;
  /** A type, or the columns of a table, from Spark's own DDL: `decimal(10,2)`, `a int not null, b string`. */
  readonly parseType: (ddl: string) => Promise<SparkType>;
  /** The files that a query would read. */
  readonly inputFiles: (sql: string) => Promise<readonly string[]>;
  /** Spark's plan of a query, as text. */
  readonly explain: (sql: string) => Promise<string>;
  /** Settings of this session. Answers those that are set. */
  readonly config: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly setConfig: (settings: Readonly<Record<string, string>>) => Promise<void>;
  readonly unsetConfig: (keys: readonly string[]) => Promise<void>;
  /** Makes a temporary view of a few rows of text sent from here; the view's columns are all STRING. */
  readonly view: (name: string, columns: readonly string[], rows: readonly (readonly (string | null)[])[]) => Promise<void>;
  /** Stores the rows of a query and counts in the same pass. A write that the server had done is not done twice. */
  readonly save: (destination: Destination, options?: StatementOptions) => Promise<Row>;
  /** Whether tables can be Delta tables here. */
  readonly hasDelta: () => Promise<boolean>;
  readonly progress: () => Progress | undefined;
  readonly status: (operationId: string) => Promise<OperationState>;
  /** Stops the operations that bear a tag, or all of this session. Answers how many. */
  readonly interrupt: (tag?: string) => Promise<number>;
  /** Ends the session at the server, with its temporary views, and the connection. Never fails. */
  readonly close: () => Promise<void>;
}

export interface SparkClientOptions {
  /** Once given, running statements are stopped at the server and fail with INTERRUPTED, but for those that hold. */
  readonly signal?: AbortSignal;
  /** Settings of the session beside those every session needs. */
  readonly config?: Readonly<Record<string, string>>;
  /** Certificates to trust, in PEM, in place of the system's; NODE_EXTRA_CA_CERTS adds to those. */
  readonly ca?: string;
  /** Tags of every statement. */
  readonly tags?: readonly string[];
  /** How long a connection may be silent before it is given up and the answer taken up anew. The server is never silent for two minutes. */
  readonly silenceMs?: number;
}
