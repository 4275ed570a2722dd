/** What ties a saved plan to its job, its source and its target. */
import { Fault } from '../core/fault.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { TargetDescription } from './engine.ts';
import { jobHash, planHash, type PlanLocks, schemaHash } from './plan-file.ts';
import type { Run } from './run.ts';
import type { SourceRead } from './source.ts';

export interface LockedParts {
  readonly read: SourceRead;
  readonly target?: TargetDescription;
}

/**
 * A saved plan is applied only to the very source and target that it was counted on. Nothing is staged before this is known.
 * @throws Fault PLAN_OUT_OF_DATE, with all that has moved
 */
export async function checkLocks(run: Run, parts: LockedParts): Promise<void> {
  const saved = run.options.savedPlan?.locks;
  if (saved === undefined) return;
  const locks = await makeLocks(run, parts);
  const moved = movedFiles(locks.files, saved.files);
  if (locks.target_schema === null && saved.target_schema !== null) moved.push('the target table is gone');
  else if (locks.target_schema !== saved.target_schema) moved.push('the schema of the target has changed');
  if (locks.target_schema !== null && locks.target_version !== saved.target_version) moved.push('the rows of the target have changed');
  if (locks.job !== saved.job) moved.push('the configuration of the job has changed');
  if (moved.length > 0) throw new Fault('PLAN_OUT_OF_DATE', moved.join('; '));
}

function movedFiles(now: PlanLocks['files'], then: PlanLocks['files']): string[] {
  const moved: string[] = [];
  const files = new Map(now.map((file) => [file.path, file.sha256]));
  for (const file of then) {
    if (!files.has(file.path)) moved.push(`the file ${file.path} is gone`);
    else if (files.get(file.path) !== file.sha256) moved.push(`the file ${file.path} has changed`);
  }
  const known = new Set(then.map((file) => file.path));
  for (const file of now) if (!known.has(file.path)) moved.push(`the file ${file.path} is new`);
  return moved;
}

/** The plan made now is the saved one, and a table or query still has the rows that it had. @throws Fault PLAN_OUT_OF_DATE */
export async function checkSavedPlan(run: Run, read: SourceRead, plan: Plan): Promise<void> {
  const saved = run.options.savedPlan;
  if (saved === undefined) return;
  if ((await sourceVersion(run, read, plan)) !== saved.source_version)
    throw new Fault('PLAN_OUT_OF_DATE', 'the rows of the source have changed');
  if (planHash(plan) !== saved.plan_hash) throw new Fault('PLAN_OUT_OF_DATE', 'the plan made from them is another one');
}

/** Content hash of the rows that a table or query yields; files are locked by their bytes instead. */
export async function sourceVersion(run: Run, read: SourceRead, plan: Plan): Promise<string | null> {
  return read.input.spec.kind === 'query' ? run.engine.batchHash(plan) : null;
}

/** Under a saved plan a source that cannot be found any more, or is of another format than it was, has moved. */
export function asMoved(run: Run, error: unknown): unknown {
  const files = run.options.savedPlan?.locks.files;
  if (files === undefined || !(error instanceof Fault)) return error;
  if (error.code === 'SOURCE_FORMAT')
    return new Fault('PLAN_OUT_OF_DATE', `the file ${error.place.file ?? ''} has changed`, { cause: error });
  if (error.code !== 'SOURCE_NOT_FOUND' && error.code !== 'SOURCE_NO_MATCH') return error;
  return new Fault('PLAN_OUT_OF_DATE', movedFiles([], files).join('; ') || 'the source is gone', { cause: error });
}

export async function makeLocks(run: Run, { read, target }: LockedParts): Promise<PlanLocks> {
  return {
    job: jobHash(run.job),
    files: read.listed.map(({ file }) => ({ path: file.path, sha256: file.sha256 })),
    target_schema: target ? schemaHash(target.schema) : null,
    target_version: target ? await run.engine.contentHash(run.job.target.table) : null,
  };
}
