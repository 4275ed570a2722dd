/** What ties a saved plan to its source and target. */
import { Fault } from '../core/fault.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { TargetDescription } from './engine.ts';
import { planHash, type PlanLocks, schemaHash } from './plan-file.ts';
import type { Run } from './run.ts';
import type { SourceRead } from './source.ts';

export interface LockedParts {
  readonly read: SourceRead;
  readonly target?: TargetDescription;
  readonly prepared?: { readonly plan: Plan };
}

/** A saved plan is applied only to the very source and target that it was counted on. */
export async function checkSavedPlan(run: Run, parts: LockedParts): Promise<void> {
  const saved = run.options.savedPlan;
  if (saved === undefined || parts.prepared === undefined) return;
  const locks = await makeLocks(run, parts);
  const moved: string[] = [];
  const files = new Map(locks.files.map((file) => [file.path, file.sha256]));
  for (const file of saved.locks.files) {
    if (!files.has(file.path)) moved.push(`the file ${file.path} is gone`);
    else if (files.get(file.path) !== file.sha256) moved.push(`the file ${file.path} has changed`);
  }
  for (const file of locks.files)
    if (!saved.locks.files.some((known) => known.path === file.path)) moved.push(`the file ${file.path} is new`);
  if (locks.target_schema !== saved.locks.target_schema) moved.push('the schema of the target has changed');
  if (locks.target_version !== saved.locks.target_version) moved.push('the rows of the target have changed');
  if (moved.length === 0 && planHash(parts.prepared.plan) !== saved.plan_hash) moved.push('the plan made from them is another one');
  if (moved.length > 0) throw new Fault('PLAN_OUT_OF_DATE', moved.join('; '));
}

export async function makeLocks(run: Run, { read, target }: LockedParts): Promise<PlanLocks> {
  return {
    files: read.input.files.map((file) => ({ path: file.path, sha256: file.sha256 })),
    target_schema: target ? schemaHash(target.schema) : null,
    target_version: target ? await run.engine.contentHash(run.job.target.table) : null,
  };
}
