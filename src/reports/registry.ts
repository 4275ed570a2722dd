import { Fault } from '../core/fault.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { Report, ReportOptions } from './report.ts';
import { text } from './text.ts';

/** Every report format by the name that `--format` takes. A new one is a file and a line here. */
export const reports = {
  text,
  json,
  markdown,
  html,
} as const satisfies Record<string, Report>;

export type ReportFormat = keyof typeof reports;

/** The names that `--format` takes. */
export const reportFormats = Object.keys(reports) as readonly ReportFormat[];

/** Whether a word names a report format. */
export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(reports, word);
}

/** A run record in one format, ending with a line end. Throws the fault `USAGE` for a format that does not exist. */
export function renderReport(format: string, record: RunRecord, options: ReportOptions): string {
  if (!isReportFormat(format)) {
    throw new Fault('USAGE', `there is no report format ${JSON.stringify(format)}`, { fix: `Choose one of ${reportFormats.join(', ')}.` });
  }
  return reports[format].render(record, options);
}
