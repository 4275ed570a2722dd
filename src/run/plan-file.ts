/** The saved plan: a pure plan with its hash, the counted effects, and the locks that say when it no longer fits. */
import { createHash } from 'node:crypto';
import type { Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { RunCounts, RunFile } from '../core/record/run-record.ts';
import type { Finding } from '../core/record/finding.ts';

export interface PlanLocks {
  /** Of everything in the job that can change what a load does, but for addresses. */
  readonly job: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly target_schema: string | null;
  /** Row count and content hash of the target, or the engine's version of it. */
  readonly target_version: string | null;
}

export interface SavedPlan {
  readonly schema: 'plan-1';
  readonly tool_version: string;
  readonly plan_hash: string;
  readonly job: Job;
  readonly plan: Plan;
  readonly effects: { readonly counts: RunCounts; readonly findings: readonly Finding[]; readonly files: readonly RunFile[] };
  readonly locks: PlanLocks;
  /** Content hash of the rows of a table or query; null for files. */
  readonly source_version: string | null;
}

/** JSON with sorted keys and maps as sorted lists of pairs, so that equal things have equal texts. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof Map) return { map: [...inner].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) };
    if (inner !== null && typeof inner === 'object' && !Array.isArray(inner)) {
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    return inner;
  });
}

/** Turns what `stableJson` wrote back into maps. */
export function reviveMaps(_key: string, value: unknown): unknown {
  if (value !== null && typeof value === 'object' && 'map' in value && Object.keys(value).length === 1 && Array.isArray(value.map)) {
    return new Map(value.map as [unknown, unknown][]);
  }
  return value;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const planHash = (plan: Plan): string => sha256(stableJson(plan));

/** Leaves out what may hold a secret or says where things lie on this machine. */
export function jobHash({ source, target, connection: _connection, origin: _origin, ...rest }: Job): string {
  const { base: _base, ...read } = source.kind === 'files' ? source : { ...source, base: undefined };
  return sha256(stableJson({ ...rest, source: read, target: { table: target.table, create: target.create } }));
}

export const schemaHash = (schema: Schema): string => sha256(stableJson(schema.columns));
