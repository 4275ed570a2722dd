/** What a run asks of the engine that holds the target. The run owns this port; an engine answers it and shows nothing else of itself. */
import type { Column, Evidence, Schema } from '../core/model/schema.ts';
import type { AuditOptions, FileSource, QuerySource } from '../core/model/policy.ts';
import type { LogicalType } from '../core/model/type.ts';
import type { Plan, PlannedChange, SourceGroup } from '../core/plan/plan.ts';
import type { RunCheck, RunRecord } from '../core/record/run-record.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { Effects, PartitionEffect } from './effects.ts';

export interface OpenRequest {
  readonly url: string;
  /** Nothing is written: the database is opened read-only, or kept in memory when it does not exist. */
  readonly readOnly: boolean;
  /** Whether a database that does not exist may be made. */
  readonly mayCreate: boolean;
  readonly memoryLimit?: string;
  readonly sessionTimezone?: string;
  readonly signal?: AbortSignal;
}

export interface TargetDescription {
  readonly schema: Schema;
  /** `schema.table`, as shown. */
  readonly name: string;
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly rows: number;
  readonly isView: boolean;
}

/** What is read: files already examined, or a table or query of the engine itself. */
export interface SourceInput {
  readonly files: readonly SourceFile[];
  readonly spec: FileSource | QuerySource;
}

export interface Inferred {
  readonly schema: Schema;
  readonly evidence: Evidence;
}

/** A statement with its reason, for `--sql` and for reviewers. */
export interface Statement {
  readonly sql: string;
  readonly purpose: 'read' | 'stage' | 'check' | 'schema' | 'quarantine' | 'load' | 'verify' | 'audit';
  readonly because: readonly string[];
}

export interface StageInput {
  readonly plan: Plan;
  readonly source: SourceInput;
  readonly maxExamples: number;
  /** Rows staged so far, and the share of the running statement that is done, 0 to 1. */
  readonly onProgress?: (rows: number, share: number | undefined) => void;
}

export interface Applied {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly partitions: readonly PartitionEffect[];
  /** False when the target already held exactly these rows, so nothing was written. */
  readonly wrote: boolean;
  /** Rows of the target just before, where others may have written since it was described. */
  readonly rowsBefore?: number;
}

export interface Verified {
  readonly checks: readonly RunCheck[];
}

/** A file that an earlier run of the same target has appended. */
export interface LedgerEntry {
  readonly sha256: string;
  readonly run_id: string;
  readonly load_token: string;
}

export interface AuditWrite {
  readonly record: RunRecord;
  readonly loadToken: string | null;
  /** Token of each file, for append; null otherwise. */
  readonly fileTokens: readonly (string | null)[];
}

/** An open engine. One run at a time; calls come in the order of the run. */
export interface Engine {
  readonly name: string;
  /** For reports, free of secrets. */
  readonly url: string;
  /** Schema of a table that is named without one: `main`, `public`. */
  readonly defaultSchema: string;
  /** Nothing has been at this address: what is open stands in memory, or was made just now. */
  readonly isMissing?: boolean;
  readonly describe: (table: string) => Promise<TargetDescription | undefined>;
  /** Names of the tables that are there, for messages. */
  readonly tables: () => Promise<readonly string[]>;
  /** The shapes in which the source comes, one group per shape. */
  readonly shapes: (source: SourceInput) => Promise<readonly SourceGroup[]>;
  /** Types that hold every value of the source, or of its first `sample` records. */
  readonly infer: (source: SourceInput, groups: readonly SourceGroup[], sample: number | null) => Promise<Inferred>;
  /** SQL of a default given as text, by the coercion law; a Fault when the text does not fit. */
  readonly defaultSql: (column: Column, text: string) => Promise<string>;
  /** Reads, casts and counts; the target is not touched. */
  readonly stage: (input: StageInput) => Promise<Effects>;
  /** Partitions touched, with their rows before the load. */
  readonly partitionsBefore: (plan: Plan) => Promise<readonly PartitionEffect[]>;
  /** Begins a transaction. With a table named nobody else writes to it until the end; answers whether others may have to wait for that. */
  readonly begin: (table?: string) => Promise<boolean>;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
  /** The DDL of planned changes; `apply` runs it. */
  readonly changeSql: (table: string, change: PlannedChange, target: Schema) => string;
  readonly changeSchema: (statements: readonly string[]) => Promise<void>;
  /**
   * Only where no transaction holds several tables together: keeps what the run is about to write, so that a later run can bring it to its end.
   * Comes after `begin`, before anything else is written; the quarantine follows it.
   */
  readonly announce?: (audit: AuditOptions, write: AuditWrite) => Promise<void>;
  /** What `apply` would do; `exists` is false when the plan creates the target. */
  readonly predict: (plan: Plan, exists: boolean) => Promise<Applied>;
  readonly apply: (plan: Plan) => Promise<Applied>;
  readonly quarantine: (audit: AuditOptions, run: { readonly runId: string; readonly job: string }, effects: Effects) => Promise<void>;
  readonly verify: (plan: Plan, applied: Applied | null) => Promise<Verified>;
  /** Row count and content hash of the target, for locks. */
  readonly contentHash: (table: string) => Promise<string>;
  /** Content hash of the staged rows that would be loaded: the token of a table or query. */
  readonly batchHash: (plan: Plan) => Promise<string>;
  readonly ledger: (audit: AuditOptions, target: string) => Promise<readonly LedgerEntry[]>;
  readonly writeAudit: (audit: AuditOptions, write: AuditWrite) => Promise<void>;
  readonly runs: (audit: AuditOptions) => Promise<readonly RunRecord[]>;
  /** The statements that staged and would load, in order. */
  readonly statements: (plan: Plan) => readonly Statement[];
  readonly typeName: (type: LogicalType) => string;
  readonly close: () => Promise<void>;
}
