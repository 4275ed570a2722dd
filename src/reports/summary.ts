/** What every report says in the same words: the verdict, the six numbers, the order of the findings. */
import type { Finding } from '../core/record/finding.ts';
import type { Severity } from '../core/model/severity.ts';
import { counted, formatCount, formatShare } from '../core/record/numbers.ts';
import type { RunColumn, RunRecord } from '../core/record/run-record.ts';

/** How a run ended, for colour and mark: never shown without its word. */
export type Tone = 'good' | 'warn' | 'bad' | 'idle';

export interface Verdict {
  readonly tone: Tone;
  /** One or two words in capitals: LOADED, REFUSED. */
  readonly word: string;
  /** One sentence: what happened to the target, and why. May hold text from data. */
  readonly sentence: string;
}

/** Whether nobody has accepted the finding. */
export const isActive = (finding: Finding) => finding.ignored === null;

/** Whether a finding is why the run ends with 1: an error, or a warning where warnings count and no error stands before them. */
export function isFailing(finding: Finding, record: RunRecord): boolean {
  if (!isActive(finding)) return false;
  if (finding.severity === 'error') return true;
  return finding.severity === 'warning' && record.exit === 1 && record.fault === null && countOf(record, 'error') === 0;
}

/** How many findings of a severity there are that nobody has accepted. */
function countOf(record: RunRecord, severity: Severity): number {
  return record.findings.filter((finding) => finding.severity === severity && isActive(finding)).length;
}

/** How the run ended. */
export function verdictOf(record: RunRecord): Verdict {
  if (record.verb === 'plan') return verdictOfPlan(record);
  if (record.verb === 'verify') return verdictOfVerify(record);
  return verdictOfLoad(record);
}

function verdictOfLoad(record: RunRecord): Verdict {
  if (record.status === 'started') {
    return { tone: 'idle', word: 'STARTED', sentence: 'The run has not ended, or was killed before it could say how.' };
  }
  if (record.status === 'skipped') {
    return { tone: 'idle', word: 'SKIPPED', sentence: 'Every file was loaded before; the target is as it was.' };
  }
  if (record.status === 'failed') return verdictOfFailure(record);
  const { counts } = record;
  const unchanged = Number(counts.inserted) + Number(counts.updated) + Number(counts.deleted) === 0;
  const warnings = countOf(record, 'warning');
  const tone = warnings > 0 ? 'warn' : 'good';
  if (unchanged && Number(counts.read) > 0) {
    return { tone, word: 'UNCHANGED', sentence: 'The target already holds these rows; nothing in it was changed.' };
  }
  const sentence =
    warnings === 0
      ? 'Every row fits, and the target was checked.'
      : `What fits was loaded and checked; ${counted(warnings, 'warning says', 'warnings say')} what was not, or not as it stood.`;
  return { tone, word: 'LOADED', sentence };
}

function verdictOfFailure(record: RunRecord): Verdict {
  const word = record.exit === 3 ? 'REFUSED' : 'FAILED';
  if (record.committed) return { tone: 'bad', word, sentence: `The target was changed before the run failed: ${causeOf(record)}` };
  return { tone: 'bad', word, sentence: `Nothing was changed: ${causeOf(record)}` };
}

/** Why a run stopped, in one sentence: its fault, or its errors. */
function causeOf(record: RunRecord): string {
  if (record.fault !== null) return record.fault.message.replace(/^\[[A-Z_]+\] /, '');
  const errors = sortFindings(record.findings).filter((finding) => finding.severity === 'error' && isActive(finding));
  const first = errors[0];
  if (first === undefined) {
    const failing = record.verify.checks.filter((check) => !check.ok).length;
    return failing === 0 ? 'no cause was recorded.' : `${counted(failing, 'check')} failed.`;
  }
  const name = first.path === null ? first.name : `${first.name} in ${pathText(first.path)}`;
  return errors.length === 1
    ? `${first.code} ${name} is an error.`
    : `${formatCount(errors.length)} findings are errors, the first is ${first.code} ${name}.`;
}

function verdictOfPlan(record: RunRecord): Verdict {
  if (record.exit === 0) {
    const tone = countOf(record, 'warning') > 0 ? 'warn' : 'good';
    return { tone, word: 'PLAN', sentence: 'Nothing was written. A load would do this:' };
  }
  const would = record.exit === 3 ? 'A load would be refused' : 'A load would fail';
  return countOf(record, 'error') === 0 && record.fault === null && record.exit === 1
    ? {
        tone: 'warn',
        word: 'PLAN',
        sentence: `Nothing was written. A load would end with ${counted(countOf(record, 'warning'), 'warning')}.`,
      }
    : { tone: 'bad', word: 'PLAN', sentence: `Nothing was written. ${would}: ${causeOf(record)}` };
}

function verdictOfVerify(record: RunRecord): Verdict {
  const { checks } = record.verify;
  const failing = checks.filter((check) => !check.ok).length;
  if (record.verify.ok && record.status !== 'failed') {
    return { tone: 'good', word: 'VERIFIED', sentence: `The target holds what it should: ${counted(checks.length, 'check')} passed.` };
  }
  if (failing === 0) return { tone: 'bad', word: 'FAILED', sentence: causeOf(record) };
  return { tone: 'bad', word: 'MISMATCH', sentence: `${formatCount(failing)} of ${counted(checks.length, 'check')} failed.` };
}

/** Exit codes, the worst last: a job that could not be judged is worse than one that was judged and found wanting. */
const exitOrder: readonly number[] = [0, 1, 3, 2, 70];

/** The exit code of several runs together. */
export function worstExit(exits: readonly number[]): number {
  return exits.reduce((worst, exit) => (exitOrder.indexOf(exit) > exitOrder.indexOf(worst) ? exit : worst), 0);
}

/** Runs in the order of their exit codes, the worst first; then those with warnings. */
export function sortRecords(records: readonly RunRecord[]): RunRecord[] {
  const tones: Record<Tone, number> = { bad: 0, warn: 1, idle: 2, good: 3 };
  return records.toSorted(
    (a, b) => exitOrder.indexOf(b.exit) - exitOrder.indexOf(a.exit) || tones[verdictOf(a).tone] - tones[verdictOf(b).tone],
  );
}

/** How the jobs of a project stand together. */
export function verdictOfAll(records: readonly RunRecord[]): Verdict {
  const stopped = records.filter(({ fault, exit }) => fault !== null && exit !== 3).length;
  const failing = records.filter(({ exit }) => exit !== 0).length - stopped;
  const warned = records.filter((record) => record.exit === 0 && countOf(record, 'warning') > 0).length;
  const fits = records.length - stopped - failing - warned;
  const parts = [
    ...(stopped > 0 ? [`${formatCount(stopped)} could not be checked`] : []),
    ...(failing > 0 ? [`${formatCount(failing)} would fail`] : []),
    ...(warned > 0 ? [`${formatCount(warned)} would load with warnings`] : []),
    ...(fits > 0 ? [`${formatCount(fits)} would load`] : []),
  ];
  const tone = stopped + failing > 0 ? 'bad' : warned > 0 ? 'warn' : 'good';
  return { tone, word: 'CHECK', sentence: `${counted(records.length, 'job')}: ${parts.join(', ')}. Nothing was written.` };
}

/** A number of the headline. */
export interface Figure {
  readonly label: 'read' | 'loaded' | 'quarantined' | 'superseded' | 'altered' | 'nulled';
  readonly count: number;
}

/** The six numbers, in their order. */
export function figuresOf({ counts }: RunRecord): readonly Figure[] {
  return [
    { label: 'read', count: counts.read },
    { label: 'loaded', count: counts.loaded },
    { label: 'quarantined', count: counts.quarantined },
    { label: 'superseded', count: counts.superseded },
    { label: 'altered', count: counts.values_altered },
    { label: 'nulled', count: counts.values_nulled },
  ];
}

/** What became of the rows of the target; empty when every loaded row is new to it and none was there. */
export function changesOf({ counts, mode }: RunRecord): readonly { readonly label: string; readonly count: number }[] {
  const all = [
    { label: 'inserted', count: counts.inserted },
    { label: 'updated', count: counts.updated },
    { label: 'unchanged', count: counts.unchanged },
    { label: 'deleted', count: counts.deleted },
  ];
  const told = all.filter(({ label, count }) => Number(count) > 0 || (mode === 'merge' && label !== 'deleted'));
  const onlyInserts = told.every(({ label }) => label === 'inserted');
  return Number(counts.loaded) + Number(counts.deleted) === 0 || onlyInserts ? [] : told;
}

const severityRank: Record<Severity, number> = { error: 0, warning: 1, remark: 2 };
const outcomeRank: Record<Finding['outcome'], number> = {
  failed: 0,
  quarantined: 1,
  nulled: 2,
  altered: 3,
  defaulted: 4,
  ignored: 5,
  none: 6,
};

/** The findings, worst first: by severity, what became of the rows, count, code and path. Accepted ones come last. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) =>
      Number(!isActive(a)) - Number(!isActive(b)) ||
      severityRank[a.severity] - severityRank[b.severity] ||
      outcomeRank[a.outcome] - outcomeRank[b.outcome] ||
      Number(b.count) - Number(a.count) ||
      order(a.code, b.code) ||
      order(a.path ?? '', b.path ?? ''),
  );
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** What `count` of a finding counts. */
const nouns: Readonly<Record<string, string>> = {
  duplicate_key: 'key',
  key_not_unique: 'key',
  malformed_file: 'file',
  file_skipped: 'file',
  column_order: 'file',
  schema_after_load: 'column',
  partition_count: 'partition',
  row_accounting: 'check',
  ignore_expired: 'entry',
};
const plurals: Readonly<Record<string, string>> = { entry: 'entries' };

/** Kinds that are about the schemas: with a count of 0, no rows were looked at. */
const structural = new Set(['type_mismatch', 'name_variant', 'name_collision', 'column_order', 'nullability_mismatch', 'missing_column']);

/** Count and share of a finding: `25 records, 0.2 %`; `11 keys in 25 rows, 0.1 %`. Empty when it counts nothing. */
export function sizeOf(finding: Finding): string {
  if (Number(finding.count) === 0 && structural.has(finding.name)) return '';
  const noun = Object.hasOwn(nouns, finding.name) ? nouns[finding.name] : undefined;
  const rows = finding.rows === null ? '' : ` in ${counted(finding.rows, 'row')}`;
  const share = finding.share === null ? '' : `, ${formatShare(finding.share)}`;
  const word = noun ?? 'record';
  return `${counted(finding.count, word, plurals[word] ?? `${word}s`)}${rows}${share}`;
}

/** `2 errors, 15 warnings, 1 remark`. */
export function tallyOf(record: RunRecord): string {
  const accepted = record.findings.filter((finding) => finding.ignored !== null).length;
  const parts = (['error', 'warning', 'remark'] as const)
    .map((severity) => [severity, countOf(record, severity)] as const)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => counted(count, severity));
  return [...parts, ...(accepted > 0 ? [`${formatCount(accepted)} ignored`] : [])].join(', ');
}

/** A column path for people: a nameless column is called so. */
export function pathText(path: string): string {
  return path === '' ? '(no name)' : path;
}

/** What a finding concerns, for people: its column, or the table of its kind. */
export function subjectOf(finding: Finding): string {
  const place = finding.position === undefined ? '' : ` (column ${finding.position})`;
  return finding.path === null ? '' : pathText(finding.path) + place;
}

/** `string → decimal(12,2)`, or the side that is known; empty when neither is. Names stand in quotes, as blanks in them count. */
export function typesOf({ name, actual, expected }: Finding): string {
  const shown = [actual, expected].filter((side) => side !== null).map((side) => (name.startsWith('name_') ? `"${side}"` : side));
  return shown.join(' → ');
}

/** Where an example stands: `file:line`, or the record where the line is not known. */
export function placeOf(example: Finding['examples'][number]): string {
  if (example.file === null) return example.record === null ? '' : `record ${formatCount(example.record)}`;
  if (example.line !== null) return `${example.file}:${example.line}`;
  return example.record === null ? example.file : `${example.file} record ${formatCount(example.record)}`;
}

/** A line of a file that a report can point at. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What stands for the configuration where a job has none: the file in which it would be written. */
const unwritten = 'schemalign.yaml';

/** Where a reviewer should look: the line of configuration, else the first example, else a file concerned, else the job. */
export function locationOf(finding: Finding, record: RunRecord): Place {
  if (finding.config != null) return finding.config;
  const example = finding.examples.find(({ file }) => file !== null);
  if (example?.file != null) return { file: example.file, line: example.line, column: null };
  const file = finding.files[0];
  return file === undefined ? jobPlace(record) : { file, line: null, column: null };
}

/** Where the job stands, or would stand. */
export function jobPlace({ config }: RunRecord): Place {
  return config ?? { file: unwritten, line: null, column: null };
}

/** What happened to the values of a column, apart from those that simply fit. */
export function effectsOf(column: RunColumn): readonly { readonly label: string; readonly count: number }[] {
  return (['invalid', 'lossy', 'nulled', 'defaulted', 'altered'] as const)
    .map((label) => ({ label, count: column[label] }))
    .filter(({ count }) => Number(count) > 0);
}

/** A partition for people: `dt=2026-09-01, region=EU`. */
export function partitionName(values: Readonly<Record<string, string | null>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value ?? 'NULL'}`)
    .join(', ');
}
