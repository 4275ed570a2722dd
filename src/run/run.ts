import type { Job } from '../core/model/policy.ts';
import type { Engine } from './engine.ts';
import type { SavedPlan } from './plan-file.ts';

export interface Progress {
  readonly phase: string;
  readonly rows?: number;
  readonly total?: number;
  readonly bytes?: number;
}

export interface AlignOptions {
  readonly verb: 'load' | 'plan' | 'verify';
  readonly savedPlan?: SavedPlan;
  readonly now?: () => Date;
  readonly runId?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** `plan --check`: warnings count as well. */
  readonly check?: boolean;
  /** Keep what locks a plan to the target: its content hash. */
  readonly lock?: boolean;
}

/** Everything that a run has found out so far. */
export interface Run {
  readonly job: Job;
  readonly options: AlignOptions;
  readonly engine: Engine;
  readonly startedAt: Date;
  readonly runId: string;
  readonly phases: { name: string; ms: number }[];
  readonly notes: string[];
  /** Whether a conflict with another transaction ends the run: before that it is begun anew. */
  readonly isLastAttempt: boolean;
}
