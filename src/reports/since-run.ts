/** What differs between a run and the one before it. */
import type { Finding } from '../core/record/finding.ts';
import type { CountJson } from '../core/record/numbers.ts';
import type { RunColumn, RunRecord } from '../core/record/run-record.ts';
import { figuresOf, verdictOf } from './summary.ts';

/** A finding of the run before that is there no more. */
export type GoneFinding = Pick<Finding, 'code' | 'name' | 'severity' | 'path' | 'reason' | 'count' | 'consequence'>;

/** A column of the target that came, went, or whose types are others now. */
export interface ColumnChange {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'retyped';
  /** `string → decimal(12,2)`, of the run before; null for a column that came. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface SinceRun {
  readonly run_id: string;
  readonly started_at: string;
  /** How it ended, in one word: LOADED. */
  readonly word: string;
  /** The six numbers of the run before, by their label. */
  readonly counts: Readonly<Record<string, CountJson>>;
  /** Fingerprints of the findings that the run before did not have. */
  readonly fresh: readonly string[];
  readonly gone: readonly GoneFinding[];
  /** Fingerprint and count of the run before, of findings that count something else now. */
  readonly counted: readonly (readonly [fingerprint: string, before: CountJson])[];
  readonly columns: readonly ColumnChange[];
}

/** Compares two runs of one job. Findings are the same when their fingerprints are. */
export function sinceRun(record: RunRecord, before: RunRecord): SinceRun {
  const had = new Map(before.findings.map((finding) => [finding.fingerprint, finding]));
  const has = new Set(record.findings.map((finding) => finding.fingerprint));
  return {
    run_id: before.run_id,
    started_at: before.started_at,
    word: verdictOf(before).word,
    counts: Object.fromEntries(figuresOf(before).map(({ label, count }) => [label, count])),
    fresh: [...has].filter((fingerprint) => !had.has(fingerprint)),
    gone: [...had.values()].filter((finding) => !has.has(finding.fingerprint)).map(gone),
    counted: record.findings.flatMap(({ fingerprint, count }) => {
      const known = had.get(fingerprint);
      return known === undefined || String(known.count) === String(count) ? [] : [[fingerprint, known.count] as const];
    }),
    columns: columnChanges(record.columns, before.columns),
  };
}

function gone({ code, name, severity, path, reason, count, consequence }: Finding): GoneFinding {
  return { code, name, severity, path, reason, count, consequence };
}

/** None when one of the runs ended before it knew the columns. */
function columnChanges(now: readonly RunColumn[], then: readonly RunColumn[]): readonly ColumnChange[] {
  if (now.length === 0 || then.length === 0) return [];
  const before = new Map(then.map((column) => [column.path, typesText(column)]));
  const after = new Map(now.map((column) => [column.path, typesText(column)]));
  const changed = [...after].flatMap(([path, types]): ColumnChange[] => {
    const known = before.get(path);
    if (known === undefined) return [{ path, change: 'added', before: null, after: types }];
    return known === types ? [] : [{ path, change: 'retyped', before: known, after: types }];
  });
  const removed = [...before].filter(([path]) => !after.has(path));
  return [...changed, ...removed.map(([path, types]): ColumnChange => ({ path, change: 'removed', before: types, after: null }))];
}

const typesText = ({ source_type, target_type }: RunColumn): string => `${source_type ?? 'absent'} → ${target_type}`;
