/** Folds what a run found and did into its record. */
import { redactUrl } from '../config/redact.ts';
import type { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import { printType } from '../core/model/type-text.ts';
import type { Plan, PlannedColumn } from '../core/plan/plan.ts';
import type { Finding } from '../core/record/finding.ts';
import type { RunCheck, RunColumn, RunCounts, RunFile, RunRecord } from '../core/record/run-record.ts';
import { maskedChecks } from './checks.ts';
import { placeAt } from './config-place.ts';
import { auditTarget } from './ledger.ts';
import { maskedPartition } from './mask.ts';
import { maskedError } from './masked-fault.ts';
import type { Run } from './run.ts';
import type { Effects, PartitionEffect } from './effects.ts';
import type { Applied } from './engine.ts';
import type { SourceRead } from './source.ts';

export interface RecordParts {
  readonly run: Run;
  readonly read: SourceRead;
  readonly findings: readonly Finding[];
  readonly effects: Effects | null;
  readonly applied: Applied | null;
  readonly committed: boolean;
  readonly status: 'skipped' | null;
  readonly plan: Plan | null;
  readonly planHash: string;
  readonly checks: readonly RunCheck[];
  readonly partitions: readonly PartitionEffect[];
  readonly ddl: readonly string[];
  readonly refusal: Fault | null;
  readonly rowsBefore: number | null;
  readonly rowsAfter: number | null;
  readonly finishedAt: Date;
  readonly toolVersion: string;
  readonly url: string;
}

export const emptyCounts: RunCounts = {
  read: 0,
  loaded: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  quarantined: 0,
  superseded: 0,
  values_altered: 0,
  values_nulled: 0,
  files_skipped: 0,
};

export function makeRecord(parts: RecordParts): RunRecord {
  const { run, read, plan, findings } = parts;
  const { job, options, engine } = run;
  const exit = exitOf(parts);
  const wouldLoad = options.verb === 'plan' && exit === 0;
  return {
    schema: 'run-1',
    run_id: run.runId,
    tool_version: parts.toolVersion,
    job: job.name,
    config: placeAt(job, job.origin?.pointer ?? ''),
    verb: options.verb,
    status: parts.status ?? (exit === 0 || options.verb !== 'load' ? 'finished' : 'failed'),
    exit,
    committed: parts.committed,
    mode: job.mode,
    source: { description: read.description, fingerprint: read.fingerprint, files: runFiles(parts) },
    target: {
      engine: engine.name,
      url: parts.url,
      table: auditTarget(engine, job.target.table),
      version_before: rowsText(parts.rowsBefore),
      version_after: rowsText(parts.rowsAfter),
    },
    plan_hash: parts.planHash,
    evidence: { rows: parts.effects?.read ?? 0, sampled: false },
    counts: countsOf(parts),
    columns: plan === null ? [] : plan.columns.map((column) => runColumn(column, parts.effects)),
    findings,
    partitions: (parts.applied?.partitions.length ? parts.applied.partitions : parts.partitions).map((one) => maskedPartition(one, job)),
    schema_changes: parts.ddl.map((ddl, i) => ({ ddl, because: plan?.changes[i]?.because ?? [] })),
    verify: { ok: parts.checks.every((check) => check.ok), checks: maskedChecks(parts.checks, job) },
    notes: [...run.notes, ...notesOf(parts, wouldLoad)],
    fault: parts.refusal === null ? null : faultPart(parts.refusal, job),
    started_at: run.startedAt.toISOString(),
    finished_at: parts.finishedAt.toISOString(),
    phases: run.phases,
  };
}

function faultPart(refusal: Fault, job: Job): RunRecord['fault'] {
  const { code, message, fix } = maskedError(refusal, job) as Fault;
  return { code, message: redactUrl(message), fix };
}

const rowsText = (rows: number | null): string | null => (rows === null ? null : `rows=${rows}`);

function exitOf({ refusal, findings, run }: RecordParts): number {
  if (refusal !== null) return refusal.exit;
  const has = (severity: Finding['severity']): boolean => findings.some((finding) => finding.severity === severity);
  const { failOn } = run.job;
  const { verb, check } = run.options;
  if (has('error')) return failOn === 'never' && verb !== 'load' ? 0 : 1;
  return has('warning') && (failOn === 'warning' || (check === true && failOn !== 'never')) ? 1 : 0;
}

function runFiles({ read, effects }: RecordParts): readonly RunFile[] {
  if (read.input.spec.kind === 'query') {
    return [
      { path: read.description, size: 0, sha256: read.fingerprint, read: effects?.read ?? 0, skipped_by_run: read.skippedBy ?? null },
    ];
  }
  return read.listed.map(({ file, skippedBy }) => {
    const position = read.input.files.indexOf(file);
    const count = effects?.files.find((entry) => entry.file === position)?.read ?? 0;
    return { path: file.path, size: file.size, sha256: file.sha256, read: skippedBy === null ? count : 0, skipped_by_run: skippedBy };
  });
}

function countsOf({ effects, applied, read, committed, run }: RecordParts): RunCounts {
  const skipped = read.listed.filter((entry) => entry.skippedBy !== null).length + (read.skippedBy === undefined ? 0 : 1);
  if (effects === null) return { ...emptyCounts, files_skipped: skipped };
  // A load that changed nothing has loaded and set aside nothing, whatever it would have done.
  if (run.options.verb === 'load' && !committed) return { ...emptyCounts, read: effects.read, files_skipped: skipped };
  const sum = (outcomes: readonly string[]): number =>
    effects.issues.filter((issue) => outcomes.includes(issue.outcome)).reduce((total, issue) => total + issue.loaded, 0);
  return {
    read: effects.read,
    loaded: effects.loaded,
    quarantined: effects.quarantined,
    superseded: effects.superseded,
    inserted: applied?.inserted ?? 0,
    updated: applied?.updated ?? 0,
    unchanged: applied?.unchanged ?? 0,
    deleted: applied?.deleted ?? 0,
    values_altered: sum(['altered', 'defaulted']),
    values_nulled: sum(['nulled']),
    files_skipped: skipped,
  };
}

function runColumn(column: PlannedColumn, effects: Effects | null): RunColumn {
  const source = column.sources.find((candidate) => candidate !== null) ?? null;
  const from = source?.coercion.from;
  const { name } = column.target;
  const issues = (effects?.issues ?? []).filter(
    (issue) => issue.path === name || issue.path?.startsWith(`${name}.`) || issue.path?.startsWith(`${name}[]`),
  );
  const count = (test: (issue: Effects['issues'][number]) => boolean): number =>
    issues.filter(test).reduce((sum, issue) => sum + issue.records, 0);
  const lossy = count((issue) => issue.code.startsWith('lossy_value'));
  const bad = count(() => true);
  return {
    path: name,
    source: source?.name ?? null,
    source_type: from === undefined ? null : from.form === 'typed' ? printType(from.type) : from.form === 'text' ? 'string' : 'json',
    target_type: printType(column.target.type),
    rule: column.ruleName,
    ok: Math.max(0, (effects?.read ?? 0) - bad),
    invalid: bad - lossy,
    lossy,
    nulled: count((issue) => issue.outcome === 'nulled'),
    defaulted: count((issue) => issue.outcome === 'defaulted'),
    altered: count((issue) => issue.outcome === 'altered'),
  };
}

function notesOf({ applied, committed, status, run, effects }: RecordParts, wouldLoad: boolean): readonly string[] {
  if (status === 'skipped') return ['every file was loaded before; nothing was done'];
  if (wouldLoad && effects !== null) return [];
  if (!committed || applied === null) return [];
  if (run.job.mode === 'merge' && applied.inserted + applied.updated === 0)
    return ['nothing changed: every row is already in the target as it is'];
  if (!applied.wrote && run.job.mode !== 'append' && run.job.mode !== 'merge')
    return ['nothing was written: the target already holds exactly these rows'];
  return [];
}
