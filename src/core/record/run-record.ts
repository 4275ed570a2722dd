import type { ConfigPlace, Finding } from './finding.ts';

export type RunStatus = 'started' | 'finished' | 'failed' | 'skipped';

export interface RunCounts {
  readonly read: number;
  readonly loaded: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly quarantined: number;
  readonly superseded: number;
  readonly values_altered: number;
  readonly values_nulled: number;
  readonly files_skipped: number;
}

export interface RunFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly read: number;
  /** The run that loaded this file before, when it was skipped. */
  readonly skipped_by_run: string | null;
}

/** What happened to the values of one target column. */
export interface RunColumn {
  readonly path: string;
  readonly source: string | null;
  readonly source_type: string | null;
  readonly target_type: string;
  readonly rule: string;
  readonly ok: number;
  readonly invalid: number;
  readonly lossy: number;
  readonly nulled: number;
  readonly defaulted: number;
  readonly altered: number;
}

export interface RunPartition {
  readonly values: Readonly<Record<string, string | null>>;
  readonly before: number;
  readonly after: number;
}

export interface RunCheck {
  readonly name: string;
  readonly path: string | null;
  readonly expected: string;
  readonly actual: string;
  readonly ok: boolean;
}

/** What a run leaves behind: one JSON document, schema `run-1`. */
export interface RunRecord {
  readonly schema: 'run-1';
  readonly run_id: string;
  readonly tool_version: string;
  readonly job: string;
  /** Where the job stands in its configuration file; absent or null when there is none. */
  readonly config?: ConfigPlace | null;
  /** `load`, `plan` or `verify`: what was asked for. */
  readonly verb: 'load' | 'plan' | 'verify';
  readonly status: RunStatus;
  readonly exit: number;
  readonly committed: boolean;
  readonly mode: string;
  readonly source: { readonly description: string; readonly fingerprint: string; readonly files: readonly RunFile[] };
  readonly target: {
    readonly engine: string;
    readonly url: string;
    readonly table: string;
    readonly version_before: string | null;
    readonly version_after: string | null;
  };
  readonly plan_hash: string;
  readonly evidence: { readonly rows: number; readonly sampled: boolean };
  readonly counts: RunCounts;
  readonly columns: readonly RunColumn[];
  readonly findings: readonly Finding[];
  readonly partitions: readonly RunPartition[];
  readonly schema_changes: readonly { readonly ddl: string; readonly because: readonly string[] }[];
  readonly verify: { readonly ok: boolean; readonly checks: readonly RunCheck[] };
  /** Lines for people: what was skipped, what a second run found, what to look at. */
  readonly notes: readonly string[];
  /** Why the run stopped, when it did: the fault's code and message. */
  readonly fault: { readonly code: string; readonly message: string; readonly fix: string } | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly phases: readonly { readonly name: string; readonly ms: number }[];
}
