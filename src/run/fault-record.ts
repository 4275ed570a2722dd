/** The record of a run that a fault ended before it came to a verdict, so that reports can tell of it. It is kept in no table. */
import { redactUrl } from '../config/redact.ts';
import type { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { ConfigPlace } from '../core/record/finding.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { version } from '../version.ts';
import { placeAt } from './config-place.ts';
import { emptyCounts } from './record.ts';
import { uuidv7 } from './run-id.ts';

export interface FaultRecordRequest {
  /** The job, or its name where the fault has kept it from being made. */
  readonly job: Job | string;
  readonly verb: RunRecord['verb'];
  readonly fault: Fault;
  readonly now: Date;
}

export function faultRecord({ job, verb, fault, now }: FaultRecordRequest): RunRecord {
  const known = typeof job === 'string' ? undefined : job;
  const source = known?.source;
  const description = source === undefined ? '' : source.kind === 'files' ? source.path : (source.table ?? source.query ?? '');
  return {
    schema: 'run-1',
    run_id: uuidv7(now),
    tool_version: version,
    job: typeof job === 'string' ? redactUrl(job) : job.name,
    config: placeOf(fault) ?? (known === undefined ? null : placeAt(known, known.origin?.pointer ?? '')),
    verb,
    status: 'failed',
    exit: fault.exit,
    committed: false,
    mode: known?.mode ?? '',
    source: { description: redactUrl(description), fingerprint: '', files: [] },
    target: {
      engine: '',
      url: redactUrl(known?.target.url ?? ''),
      table: known?.target.table ?? '',
      version_before: null,
      version_after: null,
    },
    plan_hash: '',
    evidence: { rows: 0, sampled: false },
    counts: emptyCounts,
    columns: [],
    findings: [],
    partitions: [],
    schema_changes: [],
    verify: { ok: verb !== 'verify', checks: [] },
    notes: [],
    fault: { code: fault.code, message: redactUrl(fault.message), fix: redactUrl(fault.fix) },
    started_at: now.toISOString(),
    finished_at: now.toISOString(),
    phases: [],
  };
}

/** The line of a configuration that a fault names; lines of data files are none. */
function placeOf({ place }: Fault): ConfigPlace | null {
  const { file, line, column } = place;
  return file === undefined || line === undefined || !/\.ya?ml$/i.test(file) ? null : { file, line, column: column ?? 1 };
}
