/** Findings on values, records and keys. */
import type { KindName } from '../core/divergences/divergence.ts';
import type { Job, Mask } from '../core/model/policy.ts';
import type { Severity } from '../core/model/severity.ts';
import type { Example, Outcome } from '../core/record/finding.ts';
import type { SourceFile } from '../sources/source-file.ts';
import { type Draft, type FindingsRequest, placed, readOf, ruleOfPath, typeAt } from './draft.ts';
import type { DayMonthEffect, Effects, IssueCount, PlacedExample } from './effects.ts';
import { maskOfPath, shownText } from './mask.ts';

/** Where malformed records stop the run, the values beside them are not judged: their fields may have slipped. */
export function effectDrafts(request: FindingsRequest, effects: Effects): readonly Draft[] {
  const records = recordDrafts(request, effects);
  const issues = issueDrafts(request, effects);
  const malformed = [...records, ...issues.filter((draft) => draft.name === 'malformed_record')];
  if (malformed.some((draft) => draft.severity === 'error')) return malformed;
  return [...records, ...issues, ...noteDrafts(request, effects), ...keyDrafts(request, effects)];
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
  return (
    (issue.code === 'nullability' || issue.code === 'null_key') &&
    effects.absent.some(
      (entry) => entry.path === issue.path && entry.file === issue.file && entry.records === readOf(effects, [entry.file]),
    )
  );
}

function issueDraft({ job, target, files }: FindingsRequest, effects: Effects, issues: readonly IssueCount[]): Draft {
  const [first] = issues as [IssueCount];
  const { name, reason } = splitCode(first.code);
  const count = issues.reduce((sum, issue) => sum + issue.records, 0);
  const { severity, outcome } = issueOutcome(job, first, name);
  const order = first.code === 'invalid_value' ? effects.dayMonth.find((entry) => entry.path === first.path) : undefined;
  const found = effects.examples.filter((example) => example.path === first.path && example.code === first.code);
  const examples = order === undefined ? found : decidingFirst(found, order);
  return {
    name: order !== undefined && readsBothWays(order) ? 'ambiguous_format' : name,
    reason,
    severity,
    outcome,
    path: first.path,
    count,
    files: issues.map((issue) => issue.file),
    expected: first.path === null ? null : typeAt(target, first.path),
    actual: first.path === null ? null : actualType(name, reason, examples),
    examples: examples.map((example) => toExample(example, files)),
    consequence: [consequenceOf(outcome, count, name), ...(order === undefined ? [] : [orderSentence(order, maskOfPath(job, order.path))])]
      .filter((text) => text !== '')
      .join('; '),
  };
}

/** Every refused text reads as day and month and as month and day, so none of them decides. */
const readsBothWays = ({ values, dayFirst, monthFirst }: DayMonthEffect): boolean => dayFirst === values && monthFirst === values;

/** The texts that decide the order of day and month stand before those that do not. */
function decidingFirst(examples: readonly PlacedExample[], { deciding }: DayMonthEffect): readonly PlacedExample[] {
  const decides = (example: PlacedExample): boolean => example.value !== null && deciding.includes(example.value);
  return [...examples.filter(decides), ...examples.filter((example) => !decides(example))];
}

function orderSentence(order: DayMonthEffect, mask: Mask): string {
  const { values, looks, dayFirst, monthFirst, deciding } = order;
  // Without a text that decides, such as 31/02, neither order reads them all.
  if (looks < values || (deciding.length === 0 && !readsBothWays(order))) return '';
  if (readsBothWays(order)) return 'every value reads as day and month and as month and day: only a declared format can decide';
  const shown = [...new Set(deciding.map((text) => JSON.stringify(shownText(text, mask))))].join(', ');
  if (dayFirst === values) return `all values read as day and month; ${shown} can be nothing else`;
  if (monthFirst === values) return `all values read as month and day; ${shown} can be nothing else`;
  return `some values read only as day and month, others only as month and day: ${shown}`;
}

function issueOutcome(job: Job, issue: IssueCount, name: KindName): { severity: Severity; outcome: Outcome } {
  if (issue.outcome !== 'rejected') return { severity: 'warning', outcome: issue.outcome };
  const policy =
    name === 'malformed_record'
      ? job.onMalformed
      : name === 'null_key'
        ? job.merge.onNullKey
        : issue.path === null
          ? 'error'
          : ruleOfPath(job, issue.path).onInvalid;
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

function toExample(example: PlacedExample, files: readonly SourceFile[]): Example {
  return {
    value: example.value,
    ...(example.stored === undefined ? {} : { stored: example.stored }),
    masked: false,
    file: example.file === null ? null : (files[example.file]?.path ?? null),
    record: example.record,
    line: example.line,
  };
}

/** Malformed records that never became rows, and documents that break off. */
function recordDrafts({ job, files }: FindingsRequest, effects: Effects): readonly Draft[] {
  const quarantine = job.onMalformed === 'quarantine';
  const byReason = new Map<string, (typeof effects.malformed)[number][]>();
  for (const record of effects.malformed) byReason.set(record.reason, [...(byReason.get(record.reason) ?? []), record]);
  const drafts = [...byReason].map(
    ([reason, records]): Draft => ({
      name: 'malformed_record',
      reason,
      severity: quarantine ? 'warning' : 'error',
      path: null,
      count: records.length,
      files: [...new Set(records.map((record) => record.file))],
      outcome: quarantine ? 'quarantined' : 'failed',
      consequence: consequenceOf(quarantine ? 'quarantined' : 'failed', records.length, 'malformed_record'),
      examples: records.slice(0, job.audit.maxExamples).map((record) => ({
        value: record.raw,
        masked: false,
        file: files[record.file]?.path ?? null,
        record: record.record,
        line: record.line,
      })),
    }),
  );
  const broken = effects.broken.map(
    (document): Draft => ({
      name: 'malformed_record',
      reason: 'json',
      severity: 'error',
      path: null,
      count: 1,
      files: [document.file],
      outcome: 'failed',
      consequence: `the document breaks off, so its records cannot be told apart: ${document.message}`,
      examples: [{ value: null, masked: false, file: files[document.file]?.path ?? null, record: document.record, line: document.line }],
    }),
  );
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
      name: 'type_mismatch',
      severity: intoText ? 'remark' : 'warning',
      path,
      expected,
      actual: from,
      count,
      files: where,
      outcome: 'none',
      consequence: intoText ? 'kept as the text of the token' : 'converted without loss of value; the written form cannot be got back',
      examples: effects.examples
        .filter((example) => example.path === path && example.code === `type_mismatch:${from}`)
        .map((example) => toExample(example, files)),
    };
  });
}

function keyDrafts(request: FindingsRequest, effects: Effects): readonly Draft[] {
  return [...duplicateDrafts(request, effects), ...outsideDrafts(request, effects)];
}

function duplicateDrafts({ job, plan }: FindingsRequest, { duplicates }: Effects): readonly Draft[] {
  const { keys, rows, superseded, tied, examples } = duplicates;
  if (keys === 0) return [];
  const base = {
    name: 'duplicate_key',
    path: plan.key.join(','),
    count: keys,
    rows,
    examples: examples.map((value) => placed(value)),
  } as const;
  if (job.merge.onDuplicateKey === 'error') {
    return [{ ...base, severity: 'error', outcome: 'failed', consequence: 'the load stops; nothing is changed' }];
  }
  const consequence = `${plural(superseded, 'row')} superseded, ${plural(tied, 'row')} set aside because they tie`;
  return [{ ...base, severity: 'warning', outcome: tied > 0 ? 'quarantined' : 'none', consequence }];
}

function outsideDrafts({ job, plan, files }: FindingsRequest, effects: Effects): readonly Draft[] {
  const columns = plan.partition?.columns ?? [];
  if (effects.outside === 0) return [];
  const quarantine = ruleOfPath(job, columns[0] ?? '').onInvalid === 'quarantine';
  const outcome = quarantine ? 'quarantined' : 'failed';
  return [
    {
      name: 'outside_partition',
      severity: quarantine ? 'warning' : 'error',
      path: columns.join(','),
      count: effects.outside,
      outcome,
      consequence: consequenceOf(outcome, effects.outside, 'outside_partition'),
      examples: effects.examples.filter((example) => example.code === 'outside_partition').map((example) => toExample(example, files)),
    },
  ];
}
