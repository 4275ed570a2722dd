import type { Job } from '../core/model/policy.ts';
import type { Io } from './io.ts';
import { type AlignOptions, type AlignResult, port, type SavedPlan } from './run-port.ts';
import { progressLine } from './terminal.ts';

export interface Request {
  readonly verb: AlignOptions['verb'];
  readonly quiet: boolean;
  readonly savedPlan?: SavedPlan;
}

/** Runs a job with a progress line, which is gone when this returns or throws. */
export async function runJob(job: Job, { verb, quiet, savedPlan }: Request, io: Io): Promise<AlignResult> {
  const align = await port('align', io.ports);
  const progress = progressLine(io, quiet);
  try {
    return await align(job, { verb, signal: io.signal, onProgress: progress.update, ...(savedPlan === undefined ? {} : { savedPlan }) });
  } finally {
    progress.clear();
  }
}
