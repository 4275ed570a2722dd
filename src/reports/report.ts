import type { RunRecord } from '../core/record/run-record.ts';

export interface ReportOptions {
  /** Whether escape sequences for colour may be used; only text formats look at it. */
  readonly color: boolean;
  /** Columns of the terminal or page. */
  readonly width: number;
  /** The run of the same job before this one, null when there is none; absent when nobody has looked. Only the page looks at it. */
  readonly previous?: RunRecord | null;
}

/** One way to show a run record. It writes no file and asks nothing: the same record gives the same text. */
export interface Report<Output extends string | Promise<string> = string> {
  /** Extension of a file that holds it, without a dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** The whole report; ends with a line end. */
  readonly render: (record: RunRecord, options: ReportOptions) => Output;
  /** One report of several runs, such as all jobs of a project; absent where a format holds one run only. Ends with a line end. */
  readonly renderAll?: (records: readonly RunRecord[], options: ReportOptions) => string;
}
