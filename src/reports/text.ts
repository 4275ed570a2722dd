import { createColors } from 'picocolors';
import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { Report, ReportOptions } from './report.ts';
import { changesOf, figuresOf, isActive, sortRecords, tallyOf, type Tone, verdictOf, verdictOfAll } from './summary.ts';
import { findingLines } from './text-findings.ts';
import { flow, table } from './text-layout.ts';
import type { Page } from './text-page.ts';
import { sectionLines } from './text-sections.ts';
import { cut, cutMiddle } from './terminal-width.ts';
import { visible } from './visible.ts';

const toneMarks: Record<Tone, string> = { good: '✓', warn: '!', bad: '✗', idle: '·' };

export const text: Report = {
  extension: 'txt',
  mediaType: 'text/plain',
  render: (record, options) => {
    const page = pageOf(options);
    const blocks = [headLines(record, page), ...findingLines(record, page), ...sectionLines(record, page)];
    return `${blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`;
  },
  renderAll: (records, options) => allText(records, pageOf(options)),
};

/** Findings of a job that are shown among those of other jobs. */
const shownOfJob = 5;

/** A line for each job, the worst first; then the jobs of which something is to be said, each with its worst findings. */
function allText(records: readonly RunRecord[], page: Page): string {
  const { colors, width } = page;
  const { word, sentence, tone } = verdictOfAll(records);
  const sorted = sortRecords(records);
  const rows = sorted.map((record) => [
    toneMarks[verdictOf(record).tone],
    cutMiddle(visible(record.job), 30),
    `exit ${record.exit}`,
    `${formatCount(record.counts.read)} read`,
    record.fault === null ? tallyOf(record) || 'no findings' : record.fault.code,
  ]);
  const top = [
    colors.bold(paintOf(colors, tone)(`${toneMarks[tone]} ${word}`)),
    ...flow(sentence, width, '  '),
    ...table(rows, width - 2, [3]).map((line) => `  ${line}`),
  ];
  const told = sorted.filter((record) => record.findings.some(isActive) || record.fault !== null);
  const blocks = told.flatMap((record) => [
    headLines(record, page),
    ...(record.findings.length === 0 ? [] : findingLines(record, page, shownOfJob)),
  ]);
  return `${[top, ...blocks]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const paintOf = (colors: Page['colors'], tone: Tone) =>
  ({ good: colors.green, warn: colors.yellow, bad: colors.red, idle: colors.cyan })[tone];

function pageOf({ color, width }: ReportOptions): Page {
  return { width: Math.min(100, Math.max(40, Number.isFinite(width) && width > 0 ? Math.floor(width) : 100)), colors: createColors(color) };
}

/** The verdict, the six numbers, and how many findings there are. */
function headLines(record: RunRecord, page: Page): string[] {
  const { colors, width } = page;
  const verdict = verdictOf(record);
  const paint = paintOf(colors, verdict.tone);
  const lead = `${toneMarks[verdict.tone]} ${verdict.word}`;
  const how = ` (${visible(record.mode)})`;
  const room = Math.max(12, width - lead.length - how.length - 8 - Math.min(30, record.job.length));
  const target = cutMiddle(visible(record.target.table), Math.ceil(room / 2));
  const source = cutMiddle(visible(record.source.description), Math.max(6, room - target.length));
  const what = cut(`${cutMiddle(visible(record.job), 30)}: ${source} → ${target}${how}`, width - lead.length - 2);
  return [
    `${colors.bold(paint(lead))}  ${colors.bold(what)}`,
    ...flow(visible(verdict.sentence), width, '  '),
    ...flow(figuresLine(record), width, '  ').map((line) => colors.bold(line)),
    ...loadedLine(record, width).map((line) => colors.dim(line)),
    ...faultLines(record, page),
  ];
}

/** `12,480 read, 12,431 loaded, …`; of a plan `12,480 read; would be: 12,431 loaded, …`. */
function figuresLine(record: RunRecord): string {
  const [read, ...others] = figuresOf(record).map(({ label, count }) => `${formatCount(count)} ${label}`);
  return record.verb === 'plan' ? `${read}; would be: ${others.join(', ')}` : [read, ...others].join(', ');
}

function loadedLine(record: RunRecord, width: number): string[] {
  const { counts } = record;
  const parts = changesOf(record).map(({ label, count }) => `${formatCount(count)} ${label}`);
  const skipped = counts.files_skipped > 0 ? [`${counted(counts.files_skipped, 'file')} skipped`] : [];
  const changes = parts.length === 0 ? [] : [`${record.verb === 'plan' ? 'in the target would be' : 'in the target'} ${parts.join(', ')}`];
  return flow([...changes, ...skipped].join('; '), width, '  ');
}

function faultLines(record: RunRecord, { width, colors }: Page): string[] {
  if (record.fault === null) return [];
  return flow(`${record.fault.code}: ${visible(record.fault.fix)}`, width, '  ').map((line) => colors.red(line));
}
