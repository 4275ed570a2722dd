import type { Job } from '../core/model/policy.ts';
import type { Io } from './io.ts';
import { withPlace } from './fault-place.ts';
import type { AlignOptions, AlignResult } from '../run/align.ts';
import { port } from './run-port.ts';
import { progressLine } from './terminal.ts';

export interface Request {
  readonly quiet: boolean;
  readonly align: Pick<AlignOptions, 'verb' | 'savedPlan' | 'check' | 'lock'>;
}

/** Runs a job with a progress line, which is gone when this returns or throws. */
export async function runJob(job: Job, { quiet, align: asked }: Request, io: Io): Promise<AlignResult> {
  const align = await port('align', io.ports);
  const progress = progressLine(io, quiet);
  try {
    return await align(job, { ...asked, signal: io.signal, onProgress: progress.update });
  } catch (error) {
    throw await withPlace(error, job);
  } finally {
    progress.clear();
  }
}
