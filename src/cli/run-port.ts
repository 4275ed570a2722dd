/** What the command asks of the run side, and how it gets there: every module is imported when it is first needed. */
import type { ComparedForm } from '../core/compare/type-verdict.ts';
import type { Job } from '../core/model/policy.ts';
import type { Evidence, Schema } from '../core/model/schema.ts';
import type { RunRecord } from '../core/record/run-record.ts';

/** A saved plan as the run side makes and checks it; here it is only carried. */
export interface SavedPlan {
  readonly schema: 'plan-1';
}

export interface Progress {
  readonly phase: string;
  readonly rows?: number;
  readonly total?: number;
  readonly bytes?: number;
}

export interface AlignOptions {
  readonly verb: 'load' | 'plan' | 'verify';
  readonly savedPlan?: SavedPlan;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export interface PlannedStatement {
  readonly sql: string;
  readonly purpose: string;
  readonly because: readonly string[];
}

export interface AlignResult {
  readonly record: RunRecord;
  readonly plan: SavedPlan | null;
  readonly statements: readonly PlannedStatement[];
}

export interface InspectOptions {
  readonly cwd: string;
  readonly query?: string;
  readonly format?: string;
  /** Records to read; undefined reads all. */
  readonly sample?: number;
  readonly signal?: AbortSignal;
}

export interface Inspected {
  readonly schema: Schema;
  readonly evidence: Evidence | null;
  readonly description: string;
  readonly kind: 'file' | 'table' | 'ddl' | 'json-schema' | 'query';
  /** In what form a file brings its values; absent when the types are declared. */
  readonly form?: ComparedForm;
}

export interface HistoryOptions {
  readonly job?: string;
  readonly prefix: string;
  readonly schema?: string;
}

export interface Ports {
  readonly align: (job: Job, options: AlignOptions) => Promise<AlignResult>;
  readonly inspectAny: (text: string, options: InspectOptions) => Promise<Inspected>;
  readonly listRuns: (url: string, options: HistoryOptions) => Promise<readonly RunRecord[]>;
  /** The run of that id or the beginning of one; the latest when undefined. */
  readonly readRun: (url: string, runId: string | undefined, options: HistoryOptions) => Promise<RunRecord>;
}

const modules: { readonly [K in keyof Ports]: string } = {
  align: '../run/align', inspectAny: '../run/inspect', listRuns: '../run/history', readRun: '../run/history',
};

/** A function of the run side, or its stand-in. */
export async function port<K extends keyof Ports>(name: K, standIns: Partial<Ports> | undefined): Promise<Ports[K]> {
  const standIn = standIns?.[name];
  if (standIn !== undefined) return standIn;
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const loaded = (await import(new URL(modules[name] + extension, import.meta.url).href)) as Ports;
  return loaded[name];
}
