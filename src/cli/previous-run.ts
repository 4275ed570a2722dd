/** The run before the one that is reported. */
import type { Job } from '../core/model/policy.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { HistoryOptions } from '../run/history.ts';
import type { Io } from './io.ts';
import type { Before } from './run-output.ts';
import { port } from './run-port.ts';

/** Looks for it in the audit tables. Where they cannot be read the answer is undefined: the report of a run is not lost for the one before it. */
export function beforeRun(url: string, record: RunRecord, options: HistoryOptions, io: Io): Before {
  return async () => {
    const previousRun = await port('previousRun', io.ports);
    return previousRun(url, record, options).catch(() => undefined);
  };
}

/** The same for a job that was just run. */
export function beforeJob({ target, audit }: Job, record: RunRecord, io: Io): Before {
  return beforeRun(target.url, record, audit, io);
}
