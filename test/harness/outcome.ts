/** What one run of the command left behind, as the comparison needs it. */
import type { Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import type { PlainValue } from './case-value.ts';

export type Rows = readonly (readonly PlainValue[])[];

/** The tables of the case at one moment. */
export interface TableState {
  readonly target: Rows;
  readonly extra: Readonly<Record<string, Rows>>;
}

export type RecordFacts = Pick<RunRecord, 'committed' | 'status' | 'counts'> & {
  readonly findings: readonly Pick<
    Finding,
    'name' | 'reason' | 'severity' | 'path' | 'position' | 'expected' | 'actual' | 'count' | 'rows' | 'files' | 'examples'
  >[];
};

export interface Outcome {
  /** Exit code of `plan --check`, before the load. */
  readonly planExit: number;
  readonly loadExit: number;
  /** Undefined when the load printed none. */
  readonly record: RecordFacts | undefined;
  readonly before: TableState;
  readonly after: TableState;
  /** Rows of the run in the quarantine table. */
  readonly quarantined: number;
  /** The answers to `target_summary`, in its order. */
  readonly summary: readonly (string | null)[];
}

/** One thing that is not as it must be; `field` is its path in `expect`. */
export interface Difference {
  readonly field: string;
  readonly expected: string;
  readonly came: string;
}
