/** Entries under `ignore`: which finding they accept, and which of them are past their last day. */
import type { IgnoreEntry, Job } from '../core/model/policy.ts';
import type { Finding } from '../core/record/finding.ts';
import type { Draft } from './draft.ts';

export interface Accepted {
  readonly ignored: NonNullable<Finding['ignored']>;
  /** JSON pointer of the entry; null when it came as a flag. */
  readonly pointer: string | null;
}

const isOver = ({ until }: IgnoreEntry, today: string): boolean => until !== undefined && until < today;

/** The first entry that accepts a finding today, or null. Days are `yyyy-MM-dd`, in UTC. */
export function acceptedBy(job: Job, code: string, { path, today }: { path: string | null; today: string }): Accepted | null {
  const at = job.ignore.findIndex(
    (entry) => entry.code === code && (entry.column === undefined || entry.column === path) && !isOver(entry, today),
  );
  const entry = job.ignore[at];
  if (entry === undefined) return null;
  return { ignored: { reason: entry.reason, until: entry.until ?? null }, pointer: job.origin?.ignore?.[at] ?? null };
}

/** A warning for each entry whose last day is over, so that nobody wonders why its finding is back. */
export function expiredDrafts(job: Job, today: string): readonly Draft[] {
  return job.ignore.flatMap((entry, at): Draft[] => {
    if (!isOver(entry, today)) return [];
    const what = entry.column === undefined ? entry.code : `${entry.code} of ${entry.column}`;
    return [
      {
        name: 'ignore_expired',
        severity: 'warning',
        path: entry.column ?? null,
        actual: `${entry.code} until ${entry.until}`,
        count: 1,
        outcome: 'none',
        consequence: `the entry that accepts ${what} (${entry.reason}) ended on ${entry.until}: what it has hidden counts again`,
        pointer: job.origin?.ignore?.[at] ?? null,
      },
    ];
  });
}
