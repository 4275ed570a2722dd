/** Turns what planning and staging found into findings: one per kind, path, reason and outcome, worst first. */
import { createHash } from 'node:crypto';
import { kindOf } from '../core/divergences/catalogue.ts';
import type { KindName } from '../core/divergences/divergence.ts';
import { suggestFix } from '../core/divergences/suggest-fix.ts';
import type { Job, Mask } from '../core/model/policy.ts';
import type { Severity } from '../core/model/severity.ts';
import type { Example, Finding } from '../core/record/finding.ts';
import { member, placeAt, placeOfFinding } from './config-place.ts';
import { type Draft, type FindingsRequest, readOf } from './draft.ts';
import { acceptedBy } from './ignore.ts';
import { maskOfPath, maskOfRecord, maskText } from './mask.ts';
import { extraDrafts, missingDrafts, structureDrafts } from './structure-findings.ts';
import { effectDrafts } from './value-findings.ts';

export function buildFindings(request: FindingsRequest): readonly Finding[] {
  const drafts = [
    ...structureDrafts(request),
    ...missingDrafts(request),
    ...extraDrafts(request),
    ...(request.effects ? effectDrafts(request, request.effects) : []),
  ];
  return sortFindings(drafts.map((draft) => completeFinding(request, draft)));
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, remark: 2 };

/** Worst first: by severity, then by records concerned. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) =>
      rank[a.severity] - rank[b.severity] ||
      b.count - a.count ||
      a.code.localeCompare(b.code) ||
      (a.path ?? '').localeCompare(b.path ?? ''),
  );
}

/** Kinds that count something else than records, so that a share of the records would mean nothing. */
const notOfRecords: ReadonlySet<KindName> = new Set([
  'column_order',
  'malformed_file',
  'file_skipped',
  'key_not_unique',
  'schema_after_load',
  'row_accounting',
  'column_content',
  'partition_count',
  'ignore_expired',
]);

type Base = Pick<FindingsRequest, 'job' | 'files' | 'effects' | 'today'>;

/** Fills in what follows from the draft: code, share, fix, fingerprint, masks. */
export function completeFinding({ job, files, effects, today }: Base, draft: Draft): Finding {
  const { code } = kindOf(draft.name);
  const { name, path, reason = null, expected = null, actual = null, rows = null, count, outcome, consequence } = draft;
  const mask = maskOf(job, draft);
  const examples = (draft.examples ?? []).map((example) => maskExample(example, mask));
  const read = readOf(effects, draft.files);
  const accepted = draft.severity === 'error' ? null : acceptedBy(job, code, { path, today });
  const yaml = suggestFix(name, reason, path ?? '', {
    expected,
    actual,
    examples: mask === 'none' ? examples.map(({ value }) => value) : [],
  });
  const fix = yaml === '' || isInForce(draft, yaml) ? null : { pointer: fixPointer(job, draft, yaml), yaml };
  return {
    code,
    name,
    reason,
    severity: accepted ? 'remark' : draft.severity,
    path,
    ...(draft.position === undefined ? {} : { position: draft.position }),
    expected,
    actual,
    count,
    rows,
    share: read > 0 && !notOfRecords.has(name) ? Math.min(1, count / read) : null,
    files: (draft.files ?? []).flatMap((file) => files[file]?.path ?? []),
    outcome,
    examples,
    consequence,
    fix,
    config: accepted?.pointer == null ? placeOfFinding(job, { name, path, outcome, fix }) : placeAt(job, accepted.pointer),
    fingerprint: fingerprintOf([job.name, code, path, reason, actual]),
    first_seen: null,
    ignored: accepted?.ignored ?? null,
  };
}

/** Whether the advice only repeats the rule that was followed. */
function isInForce({ name, severity, outcome }: Draft, yaml: string): boolean {
  if (severity === 'error') return false;
  if (name === 'duplicate_key') return true;
  if (outcome === 'quarantined') return yaml.includes('quarantine');
  return outcome === 'altered' && yaml.startsWith('on_lossy');
}

const fingerprintOf = (parts: readonly (string | null)[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const ofJob = new Set(['on_malformed', 'on_extra', 'merge', 'ignore', 'schema_changes', 'key', 'replace', 'partition']);

function fixPointer(job: Job, { path, pointer }: Draft, yaml: string): string | null {
  if (job.origin === undefined || pointer === null) return null;
  const key = /^([a-z_]+):/.exec(yaml)?.[1];
  const column = path === null || key === undefined || ofJob.has(key) ? '' : `/columns${member(path)}`;
  return `${pointer ?? job.origin.pointer + column}${key === undefined ? '' : `/${key}`}`;
}

/** What may be shown of the examples of a draft. Texts of whole records and keys may hold any column's value. */
function maskOf(job: Job, draft: Draft): Mask {
  const whole = draft.path === null || draft.name === 'duplicate_key' || draft.name === 'outside_partition';
  return whole ? maskOfRecord(job) : maskOfPath(job, draft.path);
}

function maskExample(example: Example, mask: Mask): Example {
  const { value, stored } = example;
  if (mask === 'none' || (value === null && stored == null)) return example;
  const shown = stored == null ? {} : { stored: maskText(stored, mask) };
  return { ...example, ...shown, value: value === null ? null : maskText(value, mask), masked: true };
}
