/** The records set aside, one line for each example that the record of the run holds. */
import type { Example, Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { placeOf } from '../../src/reports/summary.ts';
import { wordsIn } from './filter-findings.ts';

export interface QuarantineEntry {
  readonly finding: Finding;
  /** Null for a finding that holds no example. */
  readonly example: Example | null;
  /** Kind and reason: `invalid_value · missing_timezone`. */
  readonly reason: string;
  readonly column: string;
  readonly file: string;
  readonly text: string;
}

export interface QuarantineFilter {
  readonly reason: string | null;
  readonly column: string | null;
  readonly file: string | null;
  readonly query: string;
}

export const everyEntry: QuarantineFilter = { reason: null, column: null, file: null, query: '' };

/** Why a finding sent records into quarantine, in a few words. */
const reasonText = ({ name, reason }: Finding): string => (reason === null ? name : `${name} · ${reason}`);

/** Findings that sent records into quarantine, in the order given. */
const quarantining = (findings: readonly Finding[]): readonly Finding[] => findings.filter(({ outcome }) => outcome === 'quarantined');

export function entriesOf(findings: readonly Finding[]): readonly QuarantineEntry[] {
  return quarantining(findings).flatMap((finding) =>
    finding.examples.length === 0 ? [entryOf(finding, null)] : finding.examples.map((example) => entryOf(finding, example)),
  );
}

function entryOf(finding: Finding, example: Example | null): QuarantineEntry {
  const reason = reasonText(finding);
  const column = finding.path ?? '';
  const file = example?.file ?? (finding.files.length === 1 ? (finding.files[0] ?? '') : '');
  const text = [finding.code, reason, column, file, example?.value ?? '', example === null ? '' : placeOf(example)]
    .join('\n')
    .toLowerCase();
  return { finding, example, reason, column, file, text };
}

export function filterEntries(entries: readonly QuarantineEntry[], filter: QuarantineFilter): readonly QuarantineEntry[] {
  const words = wordsIn(filter.query);
  return entries.filter(
    (entry) =>
      (filter.reason === null || entry.reason === filter.reason) &&
      (filter.column === null || entry.column === filter.column) &&
      (filter.file === null || entry.file === filter.file) &&
      words.every((word) => entry.text.includes(word)),
  );
}

/** Records by reason, most first: each finding counts its own, so that a record with several faults counts in several. */
export function recordsByReason(findings: readonly Finding[]): readonly (readonly [reason: string, count: number])[] {
  const byReason = new Map<string, number>();
  for (const finding of quarantining(findings)) {
    const reason = reasonText(finding);
    byReason.set(reason, (byReason.get(reason) ?? 0) + Number(finding.rows ?? finding.count));
  }
  return [...byReason].sort((a, b) => b[1] - a[1]);
}

/** The statement that shows the whole records of the run. */
export function quarantineSql({ run_id }: RunRecord): string {
  const id = `'${run_id.replaceAll("'", "''")}'`;
  return `SELECT source_file, source_row, issues, raw FROM audit_schema_quarantine WHERE run_id = ${id};`;
}
