import type { Job } from '../core/model/policy.ts';
import type { Io } from './io.ts';
import { withPlace } from './fault-place.ts';
import { asFault } from './fault-text.ts';
import type { AlignOptions, AlignResult } from '../run/align.ts';
import { faultRecord } from '../run/fault-record.ts';
import { type ReportFile, writeReports } from './run-output.ts';
import { port } from './run-port.ts';
import { progressLine } from './terminal.ts';

export interface Request {
  readonly quiet: boolean;
  /** Reports that are written also when a fault ends the run. */
  readonly files: readonly ReportFile[];
  readonly align: Pick<AlignOptions, 'verb' | 'savedPlan' | 'check' | 'lock'>;
}

/** Runs a job with a progress line, which is gone when this returns or throws. */
export async function runJob(job: Job, { quiet, align: asked, files }: Request, io: Io): Promise<AlignResult> {
  const align = await port('align', io.ports);
  const progress = progressLine(io, quiet);
  const work = async (): Promise<AlignResult> => {
    try {
      return await align(job, { ...asked, signal: io.signal, onProgress: progress.update });
    } catch (error) {
      throw await withPlace(error, job);
    } finally {
      progress.clear();
    }
  };
  return toldInReports(work, { job, verb: asked.verb, files }, io);
}

interface Told {
  /** The job, or what it is called where a fault may keep it from being made. */
  readonly job: Job | string;
  readonly verb: Request['align']['verb'];
  readonly files: readonly ReportFile[];
}

/**
 * Does a part of a run. A fault is thrown on; the reports asked for tell of it first, as a CI system that finds no report, or that of an
 * earlier run, would not know.
 */
export async function toldInReports<T>(work: () => Promise<T>, { job, verb, files }: Told, io: Io): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (files.length > 0) {
      const record = faultRecord({ job, verb, fault: asFault(error), now: new Date() });
      await writeReports(record, files, io).catch(() => undefined);
    }
    throw error;
  }
}
