import { Fault } from '../core/fault.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { openEngine } from '../engines/registry.ts';
import { checkDatabase } from './missing-database.ts';

export interface HistoryOptions {
  readonly job?: string | undefined;
  readonly prefix?: string | undefined;
  readonly schema?: string | undefined;
}

/** The runs that left a record beside the target, newest first. */
export async function listRuns(url: string, options: HistoryOptions = {}): Promise<readonly RunRecord[]> {
  const engine = await openEngine({ url, readOnly: true, mayCreate: false });
  try {
    checkDatabase(engine);
    const audit = {
      prefix: options.prefix ?? 'audit_schema_',
      maxExamples: 5,
      ...(options.schema === undefined ? {} : { schema: options.schema }),
    };
    const runs = await engine.runs(audit);
    return options.job === undefined ? runs : runs.filter((run) => run.job === options.job);
  } finally {
    await engine.close();
  }
}

/**
 * One run by its identifier or a beginning of it that fits no other; the newest when none is named.
 * @throws Fault NOT_FOUND
 */
export async function readRun(url: string, runId: string | undefined, options: HistoryOptions = {}): Promise<RunRecord> {
  const runs = await listRuns(url, options);
  const found = runId === undefined ? runs.slice(0, 1) : runs.filter((run) => run.run_id.startsWith(runId));
  const [first, second] = found;
  if (first === undefined) {
    const newest = runs
      .slice(0, 5)
      .map((run) => run.run_id)
      .join(', ');
    throw new Fault(
      'NOT_FOUND',
      runId === undefined ? 'no run has left a record there' : `no run ${runId}${newest === '' ? '' : `; the newest are ${newest}`}`,
    );
  }
  if (second !== undefined && first.run_id !== runId)
    throw new Fault('NOT_FOUND', `${runId} is the beginning of ${found.length} runs; write more of it`);
  return first;
}

/**
 * The run of the same job and table before a run, of those that came to look at the data; null when none has left a record.
 * @throws Fault when the database or its audit tables cannot be read
 */
export async function previousRun(url: string, record: RunRecord, options: HistoryOptions = {}): Promise<RunRecord | null> {
  const runs = await listRuns(url, { ...options, job: record.job });
  return runs.find((run) => isBefore(run, record)) ?? null;
}

function isBefore(run: RunRecord, { run_id, started_at, target }: RunRecord): boolean {
  const looked = (run.status === 'finished' || run.status === 'failed') && run.columns.length > 0;
  return looked && run.run_id !== run_id && run.target.table === target.table && run.started_at < started_at;
}
