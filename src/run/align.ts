/** One run from end to end: the only place where things happen in order. */
import { type Fault, invariant } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import type { Plan, PlannedChange, PlannedDivergence, SourceGroup } from '../core/plan/plan.ts';
import { planAlignment } from '../core/plan/plan-alignment.ts';
import type { Finding } from '../core/record/finding.ts';
import type { RunCheck, RunRecord } from '../core/record/run-record.ts';
import { openEngine } from '../engines/registry.ts';
import { redactUrl } from '../config/redact.ts';
import { version } from '../version.ts';
import { auditedFailure, leavesRow } from './failed-run.ts';
import { changeRequests, withChanges } from './changes.ts';
import { withAwaitedKeys } from './awaited-keys.ts';
import type { Effects } from './effects.ts';
import type { Applied, AuditWrite, SourceInput, Statement, TargetDescription } from './engine.ts';
import type { Draft } from './draft.ts';
import { accountingChecks, predictedChecks, recordedChecks, schemaChecks, verifyDrafts } from './checks.ts';
import { buildFindings, completeFinding, sortFindings } from './findings.ts';
import { guardDrafts, noGuards } from './guards.ts';
import { placeLines } from './lines.ts';
import { batchToken, skipLoaded } from './ledger.ts';
import { asMoved, checkLocks, checkSavedPlan, makeLocks, sourceVersion } from './locks.ts';
import { planHash, type SavedPlan } from './plan-file.ts';
import { maskedError } from './masked-fault.ts';
import { missingTarget } from './missing-target.ts';
import { makeRecord, type RecordParts } from './record.ts';
import { isConflict, retried } from './retry.ts';
import type { AlignOptions, Run } from './run.ts';
import { uuidv7 } from './run-id.ts';
import { checkSource, readSource, type SourceRead, sourceDrafts, tokensOf } from './source.ts';
import { checkSteady } from './steady.ts';
import { checkCommon, checkKind, checkPartitionValues, checkTarget, checkTypes } from './target.ts';

export type { SavedPlan } from './plan-file.ts';
export type { AlignOptions, Progress } from './run.ts';

export interface AlignResult {
  readonly record: RunRecord;
  readonly plan: SavedPlan | null;
  readonly statements: readonly Statement[];
}

/**
 * Plans, loads or verifies one job.
 * @throws Fault for whatever keeps the run from coming to a verdict; findings of the data are in the record instead.
 */
export async function align(job: Job, options: AlignOptions): Promise<AlignResult> {
  const now = options.now ?? (() => new Date());
  const engine = await openEngine({
    url: job.target.url,
    readOnly: options.verb !== 'load',
    mayCreate: options.verb === 'load' && job.target.create,
    ...(job.connection.memoryLimit === undefined ? {} : { memoryLimit: job.connection.memoryLimit }),
    ...(job.connection.sessionTimezone === undefined ? {} : { sessionTimezone: job.connection.sessionTimezone }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const run = { job, options, engine, startedAt: now(), runId: options.runId ?? uuidv7(now()) };
  try {
    return await retried((isLastAttempt) => alignWith({ ...run, phases: [], notes: [], isLastAttempt }), options.signal);
  } catch (error) {
    throw maskedError(error, job);
  } finally {
    await engine.close();
  }
}

async function phase<T>(run: Run, name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  run.options.onProgress?.({ phase: name });
  try {
    return await work();
  } finally {
    run.phases.push({ name, ms: Math.round(performance.now() - start) });
  }
}

async function alignWith(run: Run): Promise<AlignResult> {
  const { job, engine } = run;
  const existing = await engine.describe(job.target.table);
  const target = existing ? { target: existing } : {};
  if (run.options.verb !== 'verify') checkKind(job, existing?.isView === true);
  if (existing && run.options.savedPlan === undefined) checkTarget(job, existing.schema);
  const found = await phase(run, 'examine', () => readSource(run, existing?.schema ?? null)).catch((error: unknown) => {
    throw asMoved(run, error);
  });
  await checkLocks(run, { read: found, ...target });
  checkSource(job, found);
  const checks = await recordedChecks(run, existing?.schema ?? null);
  const { read, allSkipped } = await skipLoaded(run, found);
  const drafts = sourceDrafts(run, read);
  if (allSkipped) return finish(run, { read, drafts, status: 'skipped' });
  if (drafts.some((draft) => draft.severity === 'error')) return finish(run, { read, drafts, checks, ...target });
  return alignSource(run, { read, existing, drafts, checks });
}

interface Read {
  readonly read: SourceRead;
  readonly existing: TargetDescription | undefined;
  readonly drafts: readonly Draft[];
  /** What verify can say before it reads a row. */
  readonly checks: readonly RunCheck[];
}

/** A plan with what it was made from. */
interface Prepared {
  readonly plan: Plan;
  readonly divergences: readonly PlannedDivergence[];
  readonly target: Schema;
  readonly before: Schema | null;
  readonly changes: readonly PlannedChange[];
}

async function alignSource(run: Run, { read, existing, drafts, checks }: Read): Promise<AlignResult> {
  const { job, engine } = run;
  const shapes = await phase(run, 'compare', () => engine.shapes(read.input));
  const groups = existing ? withAwaitedKeys(shapes, existing.schema, job) : shapes;
  let prepared = await prepare(run, { read, existing, groups });
  const early = buildFindings({ ...findingBase(run, read), ...prepared, effects: null });
  if (early.some((finding) => finding.severity === 'error')) {
    return finish(run, { read, prepared, drafts, checks, findings: early, ...(existing ? { target: existing } : {}) });
  }
  let effects = await stage(run, { prepared, read });
  const late = lateGroups(run, groups, effects, prepared);
  if (late !== null) {
    prepared = await prepare(run, { read, existing, groups: late });
    effects = await stage(run, { prepared, read });
  }
  const placedEffects = await phase(run, 'locate', () => placeLines(effects, read.input.files, run.options.signal));
  return settle(run, { read, existing, drafts, checks, prepared, effects: placedEffects });
}

async function stage(run: Run, { prepared, read }: { prepared: Prepared; read: SourceRead }): Promise<Effects> {
  const size = read.input.files.reduce((sum, file) => sum + file.size, 0);
  return phase(run, 'stage', () =>
    run.engine.stage({
      plan: prepared.plan,
      source: read.input,
      maxExamples: run.job.audit.maxExamples,
      onProgress: (rows, share) =>
        run.options.onProgress?.({ phase: 'stage', rows, ...(share === undefined ? {} : { bytes: Math.round(share * size) }) }),
    }),
  );
}

function findingBase(run: Run, read: SourceRead): { job: Job; files: SourceInput['files']; today: string } {
  return { job: run.job, files: read.input.files, today: run.startedAt.toISOString().slice(0, 10) };
}

/** JSON keys that only turned up while staging, but that a target column or rule could mean. */
function lateGroups(run: Run, groups: readonly SourceGroup[], effects: Effects, prepared: Prepared): readonly SourceGroup[] | null {
  const isInside = (path: string): boolean =>
    prepared.plan.columns.some(({ target }) => path.startsWith(`${target.name}.`) || path.startsWith(`${target.name}[]`));
  const names = [...new Set(effects.unknown.map((entry) => entry.path))].filter(
    (name) => !isInside(name) && !groups.every((group) => group.columns.some((column) => column.name === name)),
  );
  if (names.length === 0) return null;
  const wider = groups.map((group) =>
    group.form !== 'json' || group.complete
      ? group
      : {
          ...group,
          columns: [
            ...group.columns,
            ...names.filter((name) => !group.columns.some((column) => column.name === name)).map((name) => ({ name })),
          ],
        },
  );
  const again = planAlignment({ job: run.job, target: prepared.target, groups: wider, changes: prepared.changes, defaultSql: () => '' });
  const pairs = (plan: Plan): string => JSON.stringify(plan.columns.map((column) => column.sources.map((source) => source?.name ?? null)));
  const needsAll = run.job.onExtra === 'rescue' || run.job.onExtra === 'add_column';
  return needsAll || pairs(again.plan) !== pairs(prepared.plan) || again.divergences.length !== prepared.divergences.length ? wider : null;
}

async function prepare(
  run: Run,
  { read, existing, groups }: { read: SourceRead; existing: TargetDescription | undefined; groups: readonly SourceGroup[] },
): Promise<Prepared> {
  const { job, engine } = run;
  if (existing === undefined && !job.target.create) throw await missingTarget(run, read, groups);
  const requests = await changeRequests({ job, engine, existing: existing?.schema ?? null, groups, source: read.input });
  const target = withChanges(existing?.schema ?? null, requests);
  checkTarget(job, target);
  await checkPartitionValues(job, target, engine);
  const defaults = new Map<string, string>();
  for (const column of target.columns) {
    const text = (job.columns.get(column.name) ?? job.defaultRule).default;
    if (text !== undefined && job.columns.has(column.name)) defaults.set(column.name, await engine.defaultSql(column, text));
  }
  const { plan, divergences } = planAlignment({
    job,
    target,
    groups,
    changes: requests.changes,
    defaultSql: (column) => defaults.get(column.name) ?? 'NULL',
  });
  checkTypes(plan);
  return { plan, divergences, target, before: existing?.schema ?? null, changes: requests.changes };
}

interface Settled extends Read {
  readonly prepared: Prepared;
  readonly effects: Effects;
}

/** The findings are known: judge, and load if that is asked for and allowed. */
async function settle(run: Run, settled: Settled): Promise<AlignResult> {
  const { read, existing, drafts, checks, prepared, effects } = settled;
  const isVerify = run.options.verb === 'verify';
  const partitions = effects.broken.length > 0 || prepared.before === null ? [] : await run.engine.partitionsBefore(prepared.plan);
  const guards = isVerify ? noGuards : guardDrafts({ job: run.job, plan: prepared.plan, effects, partitions });
  const base = { ...findingBase(run, read), effects };
  const findings = sortFindings([
    ...buildFindings({ ...base, ...prepared }),
    ...[...drafts, ...guards.drafts].map((draft) => completeFinding(base, draft)),
  ]);
  const parts = {
    read,
    prepared,
    effects,
    findings,
    partitions,
    checks,
    ...(existing ? { target: existing } : {}),
    ...(guards.refusal ? { refusal: guards.refusal } : {}),
  };
  await checkSteady(read.stamps);
  await checkSavedPlan(run, read, prepared.plan);
  const worst =
    findings.some((finding) => finding.severity === 'error') ||
    (run.job.failOn === 'warning' && findings.some((finding) => finding.severity === 'warning'));
  if (worst || guards.refusal !== null) return finish(run, parts);
  checkCommon(prepared.plan, effects, read.input.files);
  if (isVerify) {
    const verified = await phase(run, 'verify', () => run.engine.verify(prepared.plan, null));
    return finish(run, { ...parts, checks: [...checks, ...verified.checks] });
  }
  const token = await batchToken(run, read, prepared.plan);
  if (token.loadedBy !== null) return finish(run, { read: token.read, status: 'skipped' });
  if (run.options.verb === 'plan') {
    const applied = await run.engine.predict(prepared.plan, existing !== undefined);
    return finish(run, { ...parts, applied, checks: [...checks, ...predictedChecks(run.job, effects, applied)] });
  }
  return load(run, { ...parts, read: token.read });
}

/** Parts that are known by the time rows may be written. */
interface Loadable extends FinishParts {
  readonly prepared: Prepared;
  readonly effects: Effects;
  readonly findings: readonly Finding[];
}

async function load(run: Run, parts: Loadable): Promise<AlignResult> {
  const { engine, job } = run;
  const { prepared, effects } = parts;
  const locks = await engine.begin(job.target.table);
  const since = performance.now();
  try {
    // Others may have written since the target was first looked at.
    const before = locks ? await engine.describe(job.target.table) : parts.target;
    if (locks) await checkLocks(run, { read: parts.read, ...(before ? { target: before } : {}) });
    const applied = await writeRows(run, parts);
    const verified = await phase(run, 'verify', () => engine.verify(prepared.plan, applied));
    const after = await engine.describe(job.target.table);
    const checks = [
      ...schemaChecks(prepared.target, after?.schema ?? null),
      ...accountingChecks(effects, applied, { before: applied.rowsBefore ?? before?.rows ?? 0, after: after?.rows ?? 0 }),
      ...verified.checks,
    ];
    if (checks.some((check) => !check.ok)) {
      await engine.rollback();
      return await finish(run, { ...parts, checks, applied });
    }
    if (locks) run.phases.push({ name: 'locked', ms: Math.round(performance.now() - since) });
    const result = await finish(run, { ...parts, checks, applied, committed: true, ...(after ? { after } : {}) });
    await checkSteady(parts.read.stamps);
    await engine.commit();
    return result;
  } catch (error) {
    await engine.rollback().catch(() => undefined);
    if (leavesRow(error) && (run.isLastAttempt || !isConflict(error)))
      await finish(run, { ...parts, refusal: error }).catch(() => undefined);
    throw error;
  }
}

async function writeRows(run: Run, parts: Loadable): Promise<Applied> {
  const { engine, job } = run;
  const { prepared, effects } = parts;
  // Where nothing holds several tables together, what is about to be written is said first.
  const isEarly = engine.announce !== undefined;
  await engine.announce?.(job.audit, startedWrite(run, parts));
  if (isEarly) await setAside(run, effects);
  await engine.changeSchema(changeStatements(run, prepared));
  const applied = await phase(run, 'load', () => engine.apply(prepared.plan));
  if (!isEarly) await setAside(run, effects);
  return applied;
}

const setAside = ({ engine, job, runId }: Run, effects: Effects): Promise<void> =>
  engine.quarantine(job.audit, { runId, job: job.name }, effects);

/** The row of a run that is about to write: its record as it will be when all goes well. */
function startedWrite(run: Run, parts: Loadable): AuditWrite {
  const record = makeRecord({ ...recordParts(run, { ...parts, committed: true }), findings: parts.findings });
  return { record: { ...record, status: 'started', finished_at: null }, loadToken: parts.read.token, fileTokens: tokensOf(parts.read) };
}

function changeStatements(run: Run, { plan, target, changes }: Prepared): readonly string[] {
  return changes.map((change) => run.engine.changeSql(plan.table, change, target));
}

export interface FinishParts {
  readonly read: SourceRead;
  readonly target?: TargetDescription;
  readonly prepared?: Prepared;
  readonly effects?: Effects;
  readonly drafts?: readonly Draft[];
  readonly findings?: readonly Finding[];
  readonly partitions?: RecordParts['partitions'];
  readonly checks?: readonly RunCheck[];
  readonly applied?: Applied;
  readonly after?: TargetDescription;
  readonly committed?: boolean;
  readonly status?: 'skipped';
  readonly refusal?: Fault;
}

/** Builds the record, leaves it in the audit tables when rows may be written, and hands it out. */
async function finish(run: Run, parts: FinishParts): Promise<AlignResult> {
  const { options } = run;
  const base = { ...findingBase(run, parts.read), effects: parts.effects ?? null };
  const drafts = [...(parts.effects === undefined ? (parts.drafts ?? []) : []), ...verifyDrafts(parts.checks ?? [], run.job)];
  const findings = sortFindings([...(parts.findings ?? []), ...drafts.map((draft) => completeFinding(base, draft))]);
  const record = makeRecord({ ...recordParts(run, parts), findings });
  await auditRun(run, parts, record);
  const saved = options.verb === 'plan' && parts.prepared && options.lock === true ? await savePlan(run, parts, record) : null;
  return { record, plan: saved, statements: statementsOf(run, parts) };
}

/** What a run sends to the engine, in order: staging, then in one transaction the changes of the schema and the load. */
function statementsOf(run: Run, { prepared, effects }: FinishParts): readonly Statement[] {
  if (prepared === undefined || effects === undefined) return [];
  const sent = run.engine.statements(prepared.plan);
  const ddl = changeStatements(run, prepared).map(
    (sql, i): Statement => ({ sql, purpose: 'schema', because: prepared.changes[i]?.because ?? [] }),
  );
  const staging = sent.filter((statement) => statement.purpose === 'stage');
  return [...staging, ...ddl, ...sent.filter((statement) => statement.purpose !== 'stage')];
}

function recordParts(run: Run, parts: FinishParts): Omit<RecordParts, 'findings'> {
  const { prepared } = parts;
  return {
    run,
    finishedAt: (run.options.now ?? (() => new Date()))(),
    toolVersion: version,
    url: redactUrl(run.engine.url),
    read: parts.read,
    effects: orNull(parts.effects),
    applied: orNull(parts.applied),
    committed: parts.committed === true,
    status: orNull(parts.status),
    plan: orNull(prepared?.plan),
    planHash: prepared ? planHash(prepared.plan) : '',
    checks: parts.checks ?? [],
    partitions: parts.partitions ?? [],
    ddl: prepared ? changeStatements(run, prepared) : [],
    refusal: orNull(parts.refusal),
    rowsBefore: orNull(parts.target?.rows),
    rowsAfter: orNull(parts.after?.rows),
  };
}

const orNull = <T>(value: T | undefined): T | null => value ?? null;

async function auditRun(run: Run, parts: FinishParts, record: RunRecord): Promise<void> {
  const { options, engine, job } = run;
  if (options.verb !== 'load') return;
  const write = { record, loadToken: parts.read.token, fileTokens: tokensOf(parts.read) };
  if (record.committed) await engine.writeAudit(job.audit, write);
  else await auditedFailure(engine, job.audit, write);
}

async function savePlan(run: Run, parts: FinishParts, record: RunRecord): Promise<SavedPlan> {
  invariant(parts.prepared, 'a plan was made');
  return {
    schema: 'plan-1',
    tool_version: version,
    plan_hash: planHash(parts.prepared.plan),
    job: run.job,
    plan: parts.prepared.plan,
    effects: { counts: record.counts, findings: record.findings, files: record.source.files },
    locks: await makeLocks(run, parts),
    source_version: await sourceVersion(run, parts.read, parts.prepared.plan),
  };
}
