import { Fault } from '../core/fault.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { isReportFormat, type ReportFormat, reportFormats } from './format-names.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Report, ReportOptions } from './report.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

/** Every report format by the name that `--format` takes. A new one is a file, a line here and its name among the names. */
export const reports = {
  text,
  json,
  markdown,
  html,
  junit,
  sarif,
  github,
  gitlab,
} as const satisfies Record<ReportFormat, AnyReport>;

type AnyReport = Report | Report<Promise<string>>;

/** A run record in one format, ending with a line end. A promise for html, whose page is loaded first. Throws the fault `USAGE` for a format that does not exist. */
export function renderReport(format: Exclude<ReportFormat, 'html'>, record: RunRecord, options: ReportOptions): string;
export function renderReport(format: string, record: RunRecord, options: ReportOptions): string | Promise<string>;
export function renderReport(format: string, record: RunRecord, options: ReportOptions): string | Promise<string> {
  return knownReport(format).render(record, options);
}

/** Several runs in one report. Throws the fault `USAGE` for a format that does not exist, or that holds one run only. */
export function renderReports(format: string, records: readonly RunRecord[], options: ReportOptions): string {
  const { renderAll } = knownReport(format);
  if (renderAll === undefined) throw holdsOne(format);
  return renderAll(records, options);
}

/** Throws the fault `USAGE` for a format that cannot hold several runs. */
export function refuseSingle(format: ReportFormat): void {
  if (knownReport(format).renderAll === undefined) throw holdsOne(format);
}

function knownReport(format: string): AnyReport {
  if (isReportFormat(format)) return reports[format];
  throw new Fault('USAGE', `there is no report format ${JSON.stringify(format)}`, { fix: `Choose one of ${reportFormats.join(', ')}.` });
}

function holdsOne(format: string): Fault {
  const several = reportFormats.filter((name) => 'renderAll' in reports[name]);
  return new Fault('USAGE', `a report in the format ${format} holds one run`, { fix: `Choose one of ${several.join(', ')}.` });
}
