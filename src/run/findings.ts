/** Turns what planning and staging found into findings: one per kind, path, reason and outcome, worst first. */
import { createHash } from 'node:crypto';
import { kindOf } from '../core/divergences/catalogue.ts';
import type { KindName } from '../core/divergences/divergence.ts';
import { suggestFix } from '../core/divergences/suggest-fix.ts';
import { findPath } from '../core/model/path.ts';
import { printType } from '../core/model/type-text.ts';
import type { ColumnRule, Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import type { Plan, PlannedDivergence } from '../core/plan/plan.ts';
import type { Example, Finding, Outcome, Severity } from '../core/record/finding.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { Effects, IssueCount, PlacedExample } from './effects.ts';
import { maskText } from './mask.ts';

export interface FindingsRequest {
  readonly job: Job;
  readonly target: Schema;
  readonly plan: Plan;
  readonly divergences: readonly PlannedDivergence[];
  readonly files: readonly SourceFile[];
  /** Null when the run stopped before anything was read. */
  readonly effects: Effects | null;
  /** Today, `yyyy-MM-dd`, for entries that expire. */
  readonly today: string;
}

/** A finding before its derived parts are filled in. */
export interface Draft {
  readonly name: KindName;
  readonly reason?: string | null;
  readonly severity: Severity;
  readonly path: string | null;
  readonly position?: number;
  readonly expected?: string | null;
  readonly actual?: string | null;
  readonly count: number;
  readonly rows?: number;
  /** Positions in the files of the run. */
  readonly files?: readonly number[];
  readonly outcome: Outcome;
  readonly examples?: readonly Example[];
  readonly consequence: string;
}

export function buildFindings(request: FindingsRequest): readonly Finding[] {
  const drafts = [
    ...structureDrafts(request), ...missingDrafts(request), ...extraDrafts(request),
    ...(request.effects ? effectDrafts(request, request.effects) : []),
  ];
  return sortFindings(drafts.map((draft) => completeFinding(request, draft)));
}

/** Where malformed records stop the run, the values beside them are not judged: their fields may have slipped. */
function effectDrafts(request: FindingsRequest, effects: Effects): readonly Draft[] {
  const records = recordDrafts(request, effects);
  const issues = issueDrafts(request, effects);
  const malformed = [...records, ...issues.filter((draft) => draft.name === 'malformed_record')];
  if (malformed.some((draft) => draft.severity === 'error')) return malformed;
  return [...records, ...issues, ...noteDrafts(request, effects), ...keyDrafts(request, effects)];
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, remark: 2 };

/** Worst first: by severity, then by records concerned. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => rank[a.severity] - rank[b.severity] || b.count - a.count || a.code.localeCompare(b.code) || (a.path ?? '').localeCompare(b.path ?? ''));
}

export function completeFinding({ job, files, effects, today }: Pick<FindingsRequest, 'job' | 'files' | 'effects' | 'today'>, draft: Draft): Finding {
  const { code } = kindOf(draft.name);
  const reason = draft.reason ?? null;
  const rule = draft.path === null ? job.defaultRule : ruleOfPath(job, draft.path);
  const examples = (draft.examples ?? []).map((example) => maskExample(example, rule));
  const read = readOf(effects, draft.files);
  const ignored = draft.severity === 'error' ? null : ignoreEntry(job, code, { path: draft.path, today });
  const yaml = suggestFix(draft.name, reason, draft.path ?? '', {
    expected: draft.expected ?? null, actual: draft.actual ?? null, examples: rule.mask === 'none' ? examples.map((example) => example.value) : [],
  });
  return {
    code, name: draft.name, reason,
    severity: ignored ? 'remark' : draft.severity,
    path: draft.path,
    ...(draft.position === undefined ? {} : { position: draft.position }),
    expected: draft.expected ?? null,
    actual: draft.actual ?? null,
    count: draft.count,
    rows: draft.rows ?? null,
    share: read > 0 ? Math.min(1, draft.count / read) : null,
    files: (draft.files ?? []).map((file) => files[file]?.path ?? '').filter((path) => path !== ''),
    outcome: draft.outcome,
    examples,
    consequence: draft.consequence,
    fix: yaml === '' ? null : { pointer: fixPointer(job, draft.path, yaml), yaml },
    fingerprint: createHash('sha256').update(JSON.stringify([job.name, code, draft.path, reason, draft.actual ?? null])).digest('hex'),
    first_seen: null,
    ignored,
  };
}

function readOf(effects: Effects | null, files: readonly number[] | undefined): number {
  if (effects === null) return 0;
  if (files === undefined || files.length === 0) return effects.read;
  return effects.files.filter((file) => files.includes(file.file)).reduce((sum, file) => sum + file.read, 0);
}

function fixPointer(job: Job, path: string | null, yaml: string): string | null {
  if (job.origin === undefined) return null;
  const key = /^([a-z_]+):/.exec(yaml)?.[1];
  const jobKeys = new Set(['on_malformed', 'on_extra', 'merge', 'ignore', 'schema_changes', 'key', 'replace', 'partition']);
  const column = path === null || key === undefined || jobKeys.has(key) ? '' : `/columns/${escapePointer(path)}`;
  return `${job.origin.pointer}${column}${key === undefined ? '' : `/${key}`}`;
}

const escapePointer = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');

function ignoreEntry(job: Job, code: string, { path, today }: { path: string | null; today: string }): Finding['ignored'] {
  const entry = job.ignore.find((candidate) => candidate.code === code && (candidate.column === undefined || candidate.column === path));
  if (entry === undefined || (entry.until !== undefined && entry.until < today)) return null;
  return { reason: entry.reason, until: entry.until ?? null };
}

/** The rule of a nested path is that of the nearest path above it that has one. */
export function ruleOfPath(job: Job, path: string): ColumnRule {
  let rest = path;
  while (rest !== '') {
    const rule = job.columns.get(rest);
    if (rule) return rule;
    const cut = Math.max(rest.lastIndexOf('.'), rest.endsWith('[]') ? rest.length - 2 : -1);
    rest = cut <= 0 ? '' : rest.slice(0, cut);
  }
  return job.defaultRule;
}

function maskExample(example: Example, rule: ColumnRule): Example {
  if (rule.mask === 'none' || example.value === null) return example;
  return { ...example, value: maskText(example.value, rule.mask), masked: true };
}

function typeAt(schema: Schema, path: string): string | null {
  const column = schema.columns.find((candidate) => candidate.name === path);
  const type = column?.type ?? findPath(schema, path)?.type;
  return type === undefined ? null : printType(type);
}

/** Names and order: found per group, told once. */
function structureDrafts({ plan, divergences }: FindingsRequest): readonly Draft[] {
  const drafts = new Map<string, { draft: Draft; files: number[] }>();
  for (const { divergence, group } of divergences) {
    if (divergence.kind === 'missing_column' || divergence.kind === 'extra_column') continue;
    const key = JSON.stringify([divergence.kind, divergence.path, divergence.severity, divergence.actual]);
    const files = group === null ? [] : (plan.groups[group]?.files ?? []);
    const known = drafts.get(key);
    if (known) {
      known.files.push(...files);
      continue;
    }
    const failed = divergence.severity === 'error';
    drafts.set(key, {
      files: [...files],
      draft: {
        name: divergence.kind, severity: divergence.severity, path: divergence.path === '' ? null : divergence.path, expected: divergence.expected, actual: divergence.actual,
        ...(divergence.position === undefined ? {} : { position: divergence.position }),
        count: 0, outcome: failed ? 'failed' : 'none', consequence: divergence.detail,
        examples: divergence.kind === 'name_collision' ? (divergence.names ?? []).map((value) => placed(value)) : [],
      },
    });
  }
  return [...drafts.values()].map(({ draft, files }) => ({ ...draft, files: [...new Set(files)] }));
}

const placed = (value: string | null): Example => ({ value, masked: false, file: null, record: null, line: null });

/** A target column that a whole file lacks. */
function missingDrafts({ job, plan, effects, target }: FindingsRequest): readonly Draft[] {
  return plan.columns.flatMap((column): Draft[] => {
    const { name } = column.target;
    if (name === '_rescued' && job.onExtra === 'rescue') return [];
    const lacking = plan.groups.flatMap((group, number) => (column.sources[number] === null && !collides(plan, number, name) ? group.files : []));
    const empty = new Set((effects?.absent ?? []).filter((entry) => entry.path === name && entry.records === readOf(effects, [entry.file])).map((entry) => entry.file));
    const files = [...new Set([...lacking, ...empty])];
    const all = plan.groups.length > 0 && plan.groups.every((_, number) => column.sources[number] === null);
    if (files.length === 0 && !(all && plan.groups.some((group) => group.files.length === 0))) return [];
    const needed = column.key || (column.fallback === 'null' && !column.target.nullable) || column.rule.onMissing === 'error';
    const filled = column.fallback === 'null' ? 'NULL is stored' : 'the default is stored';
    return [{
      name: 'missing_column', severity: needed ? 'error' : 'warning', path: name, expected: typeAt(target, name), actual: null,
      count: files.length === 0 ? (effects?.read ?? 0) : readOf(effects, files), files, outcome: needed ? 'failed' : column.fallback === 'null' ? 'none' : 'defaulted',
      consequence: needed ? (column.rule.onMissing === 'error' ? 'the rule demands the column, so the load stops' : 'nothing can fill the column, so the load stops') : filled,
    }];
  });
}

function collides(plan: Plan, group: number, name: string): boolean {
  return plan.columns.some((column) => column.target.name === name && column.collisions.includes(group));
}

const extraOutcome: Readonly<Record<Job['onExtra'], { severity: Severity; outcome: Outcome; consequence: string }>> = {
  ignore: { severity: 'warning', outcome: 'ignored', consequence: 'its values are not loaded' },
  rescue: { severity: 'warning', outcome: 'none', consequence: 'its values are kept in _rescued' },
  add_column: { severity: 'warning', outcome: 'none', consequence: 'the column is added to the target' },
  error: { severity: 'error', outcome: 'failed', consequence: 'the load stops' },
};

function extraDrafts({ job, plan, effects }: FindingsRequest): readonly Draft[] {
  const known = plan.extras.map((extra): Draft => {
    const groups = extra.positions.flatMap((position, number) => (position === null ? [] : [number]));
    const files = groups.flatMap((number) => plan.groups[number]?.files ?? []);
    const position = extra.positions.find((candidate) => candidate !== null);
    const counts = (effects?.extras ?? []).filter((entry) => entry.path === extra.name);
    const isJson = groups.every((number) => plan.groups[number]?.form === 'json');
    return {
      name: 'extra_column', ...extraOutcome[job.onExtra], path: extra.name, count: counts.reduce((sum, entry) => sum + entry.records, 0),
      files: isJson && effects ? counts.map((entry) => entry.file) : files, ...(position == null ? {} : { position: position + 1 }),
    };
  });
  const nested = new Map<string, Draft>();
  for (const { path, file, records } of effects?.unknown ?? []) {
    const before = nested.get(path);
    nested.set(path, {
      name: 'extra_column', ...(path.includes('.') && job.onExtra !== 'error' ? extraOutcome.ignore : extraOutcome[job.onExtra]), path,
      count: (before?.count ?? 0) + records, files: [...(before?.files ?? []), file],
    });
  }
  return [...known, ...nested.values()];
}

const splitCode = (code: string): { name: KindName; reason: string | null } => {
  const [name, reason] = code.split(':', 2);
  return { name: name as KindName, reason: reason ?? null };
};

/** Values and records with faults. */
function issueDrafts(request: FindingsRequest, effects: Effects): readonly Draft[] {
  const merged = new Map<string, IssueCount[]>();
  for (const issue of effects.issues) {
    if (isWholeFileAbsent(effects, issue)) continue;
    const key = JSON.stringify([issue.path, issue.code, issue.outcome]);
    merged.set(key, [...(merged.get(key) ?? []), issue]);
  }
  return [...merged.values()].map((issues) => issueDraft(request, effects, issues));
}

/** A column that a whole file lacks is told as missing, not value by value. */
function isWholeFileAbsent(effects: Effects, issue: IssueCount): boolean {
  return (issue.code === 'nullability' || issue.code === 'null_key')
    && effects.absent.some((entry) => entry.path === issue.path && entry.file === issue.file && entry.records === readOf(effects, [entry.file]));
}

function issueDraft({ job, target, files }: FindingsRequest, effects: Effects, issues: readonly IssueCount[]): Draft {
  const [first] = issues as [IssueCount];
  const { name, reason } = splitCode(first.code);
  const count = issues.reduce((sum, issue) => sum + issue.records, 0);
  const { severity, outcome } = issueOutcome(job, first, name);
  const examples = effects.examples.filter((example) => example.path === first.path && example.code === first.code);
  return {
    name, reason, severity, outcome, path: first.path, count, files: issues.map((issue) => issue.file),
    expected: first.path === null ? null : typeAt(target, first.path),
    actual: first.path === null ? null : actualType(name, reason, examples),
    examples: examples.map((example) => toExample(example, files)),
    consequence: consequenceOf(outcome, count, name),
  };
}

function issueOutcome(job: Job, issue: IssueCount, name: KindName): { severity: Severity; outcome: Outcome } {
  if (issue.outcome !== 'rejected') return { severity: 'warning', outcome: issue.outcome };
  const policy = name === 'malformed_record' ? job.onMalformed : name === 'null_key' ? job.merge.onNullKey : issue.path === null ? 'error' : ruleOfPath(job, issue.path).onInvalid;
  return policy === 'quarantine' ? { severity: 'warning', outcome: 'quarantined' } : { severity: 'error', outcome: 'failed' };
}

function actualType(name: KindName, reason: string | null, examples: readonly PlacedExample[]): string | null {
  if (name === 'nullability' || name === 'null_key') return 'null';
  if (reason !== 'structure') return 'string';
  const token = examples[0]?.value?.trimStart()[0] ?? '"';
  return { '{': 'struct', '[': 'list', '"': 'string', t: 'boolean', f: 'boolean' }[token] ?? (/[-0-9]/.test(token) ? 'number' : 'string');
}

const plural = (count: number, word: string): string => `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;

function consequenceOf(outcome: Outcome, count: number, name: KindName): string {
  const what = name === 'malformed_record' ? 'record' : 'value';
  const be = count === 1 ? 'is' : 'are';
  const texts: Partial<Record<Outcome, string>> = {
    failed: 'the load stops; nothing is changed',
    quarantined: `${plural(count, 'record')} ${be} set aside in quarantine`,
    nulled: `${plural(count, what)} ${count === 1 ? 'becomes' : 'become'} NULL`,
    defaulted: `the default takes the place of ${plural(count, what)}`,
    altered: `${plural(count, what)} ${be} stored rounded or cut by the rule`,
  };
  return texts[outcome] ?? '';
}

export function toExample(example: PlacedExample, files: readonly SourceFile[]): Example {
  return { value: example.value, masked: false, file: example.file === null ? null : (files[example.file]?.path ?? null), record: example.record, line: example.line };
}

/** Malformed records that never became rows, and documents that break off. */
function recordDrafts({ job, files }: FindingsRequest, effects: Effects): readonly Draft[] {
  const quarantine = job.onMalformed === 'quarantine';
  const byReason = new Map<string, typeof effects.malformed[number][]>();
  for (const record of effects.malformed) byReason.set(record.reason, [...(byReason.get(record.reason) ?? []), record]);
  const drafts = [...byReason].map(([reason, records]): Draft => ({
    name: 'malformed_record', reason, severity: quarantine ? 'warning' : 'error', path: null, count: records.length, files: [...new Set(records.map((record) => record.file))],
    outcome: quarantine ? 'quarantined' : 'failed', consequence: consequenceOf(quarantine ? 'quarantined' : 'failed', records.length, 'malformed_record'),
    examples: records.slice(0, job.audit.maxExamples).map((record) => ({ value: record.raw, masked: false, file: files[record.file]?.path ?? null, record: record.record, line: record.line })),
  }));
  const broken = effects.broken.map((document): Draft => ({
    name: 'malformed_record', reason: 'json', severity: 'error', path: null, count: 1, files: [document.file], outcome: 'failed',
    consequence: `the document breaks off, so its records cannot be told apart: ${document.message}`,
    examples: [{ value: null, masked: false, file: files[document.file]?.path ?? null, record: document.record, line: document.line }],
  }));
  return [...drafts, ...broken];
}

/** Values that came in another type and were converted without loss. */
function noteDrafts({ target, files }: FindingsRequest, effects: Effects): readonly Draft[] {
  const merged = new Map<string, { path: string; from: string; count: number; files: number[] }>();
  for (const note of effects.notes) {
    const from = note.from ?? 'string';
    const key = JSON.stringify([note.path, from]);
    const known = merged.get(key) ?? { path: note.path, from, count: 0, files: [] };
    known.count += note.records;
    known.files.push(note.file);
    merged.set(key, known);
  }
  return [...merged.values()].map(({ path, from, count, files: where }): Draft => {
    const expected = typeAt(target, path);
    const intoText = expected === 'string' || expected?.startsWith('varchar') === true;
    return {
      name: 'type_mismatch', severity: intoText ? 'remark' : 'warning', path, expected, actual: from, count, files: where, outcome: 'none',
      consequence: intoText ? 'kept as the text of the token' : 'converted without loss of value; the written form cannot be got back',
      examples: effects.examples.filter((example) => example.path === path && example.code === `type_mismatch:${from}`).map((example) => toExample(example, files)),
    };
  });
}

function keyDrafts({ job, plan, files }: FindingsRequest, effects: Effects): readonly Draft[] {
  const drafts: Draft[] = [];
  const { duplicates } = effects;
  if (duplicates.keys > 0) {
    const failed = job.merge.onDuplicateKey === 'error';
    drafts.push({
      name: 'duplicate_key', severity: failed ? 'error' : 'warning', path: plan.key.join(','), count: duplicates.keys, rows: duplicates.rows,
      outcome: failed ? 'failed' : duplicates.tied > 0 ? 'quarantined' : 'none', examples: duplicates.examples.map((value) => placed(value)),
      consequence: failed ? 'the load stops; nothing is changed' : `${plural(duplicates.superseded, 'row')} superseded, ${plural(duplicates.tied, 'row')} set aside because they tie`,
    });
  }
  if (effects.outside > 0) {
    const column = plan.partition?.columns[0] ?? '';
    const quarantine = ruleOfPath(job, column).onInvalid === 'quarantine';
    drafts.push({
      name: 'outside_partition', severity: quarantine ? 'warning' : 'error', path: plan.partition?.columns.join(',') ?? null, count: effects.outside,
      outcome: quarantine ? 'quarantined' : 'failed', consequence: consequenceOf(quarantine ? 'quarantined' : 'failed', effects.outside, 'outside_partition'),
      examples: effects.examples.filter((example) => example.code === 'outside_partition').map((example) => toExample(example, files)),
    });
  }
  return drafts;
}

