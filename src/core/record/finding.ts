import type { Severity } from '../model/severity.ts';

/** The finding: one divergence of a run, the same object in every output. See docs/reference/record.md. */

export type Outcome = 'failed' | 'quarantined' | 'nulled' | 'defaulted' | 'altered' | 'ignored' | 'none';

export interface Example {
  readonly value: string | null;
  /** What the target holds in its place, as text, where a rule has altered it; absent or null where that is not known. */
  readonly stored?: string | null;
  readonly masked: boolean;
  readonly file: string | null;
  /** Number of the record in its file, from 1; blank lines and the header are no records. */
  readonly record: number | null;
  /** Physical line in the file, from 1. */
  readonly line: number | null;
}

/** A line of the configuration. Lines and columns count from 1. */
export interface ConfigPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  /** Stable code, `SA201`. */
  readonly code: string;
  /** Kind in words, `invalid_value`. */
  readonly name: string;
  readonly reason: string | null;
  readonly severity: Severity;
  /** Column path, `items[].price`; key columns joined by commas; empty for a nameless column, null when no column is concerned. */
  readonly path: string | null;
  /** Position of a source column, from 1; only for extra columns. */
  readonly position?: number;
  readonly expected: string | null;
  readonly actual: string | null;
  /** Records; keys for duplicate_key. */
  readonly count: number;
  /** Source rows behind `count` keys. */
  readonly rows: number | null;
  /** `count` divided by the records read of `files`. */
  readonly share: number | null;
  readonly files: readonly string[];
  readonly outcome: Outcome;
  readonly examples: readonly Example[];
  readonly consequence: string;
  readonly fix: { readonly pointer: string | null; readonly yaml: string } | null;
  /** The line that causes or would settle it: the key where it is written, else the nearest one around it. Absent or null without a configuration. */
  readonly config?: ConfigPlace | null;
  readonly fingerprint: string;
  readonly first_seen: string | null;
  readonly ignored: { readonly reason: string; readonly until: string | null } | null;
}
