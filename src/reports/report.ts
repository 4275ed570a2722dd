import type { RunRecord } from '../core/record/run-record.ts';

export interface ReportOptions {
  /** Whether escape sequences for colour may be used; only text formats look at it. */
  readonly color: boolean;
  /** Columns of the terminal or page. */
  readonly width: number;
}

/** One way to show a run record. It writes no file and asks nothing: the same record gives the same text. */
export interface Report {
  /** Extension of a file that holds it, without a dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** The whole report; ends with a line end. */
  readonly render: (record: RunRecord, options: ReportOptions) => string;
}
