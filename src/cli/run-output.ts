/** What a verb that makes a run record prints and writes. */
import { constants } from 'node:fs';
import { access, appendFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { isReportFormat, reportFormats, type ReportFormat } from '../reports/format-names.ts';
import { renderReport, renderReports } from '../reports/registry.ts';
import type { Io } from './io.ts';
import { fromCwd } from './job-of.ts';
import { listOfOption } from './options.ts';
import { colorOn, widthOf } from './terminal.ts';
import type { Options } from './verb.ts';
import { writeWhole } from './write-file.ts';

export interface ReportFile {
  readonly format: ReportFormat;
  readonly file: string;
}

/** As a file, it means standard output. */
const standardOutput = '-';

/** The files of `--report FORMAT=FILE`, found writable before the run begins. Throws `USAGE`. */
export async function reportFilesOf(options: Options, io: Io): Promise<readonly ReportFile[]> {
  const files = listOfOption(options, 'report').map((text) => reportFile(text, io));
  for (const { file } of files) if (file !== standardOutput) await refuseUnwritable(file);
  return files;
}

function reportFile(text: string, io: Io): ReportFile {
  const [, format = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (file === '')
    throw new Fault('USAGE', `--report: expected FORMAT=FILE, found ${JSON.stringify(text)}`, {
      fix: 'Write for example --report html=run.html',
    });
  if (!isReportFormat(format)) {
    throw new Fault('USAGE', `--report: there is no report format ${JSON.stringify(format)}`, {
      fix: `Choose one of ${reportFormats.join(', ')}.`,
    });
  }
  return { format, file: file === standardOutput ? file : fromCwd(file, io) };
}

export async function refuseUnwritable(file: string): Promise<void> {
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw new Fault('USAGE', `cannot write ${file}: it is a folder`, { fix: 'Name a file.' });
  await access(dirname(file), constants.W_OK).catch((cause: unknown) => {
    throw new Fault('USAGE', `cannot write ${file}: its folder does not exist or may not be written to`, {
      cause,
      fix: 'Name a file in a folder that exists.',
    });
  });
}

/** The run before, for the format that compares with it: asked for when it is needed. */
export type Before = () => Promise<RunRecord | null | undefined>;

/** Writes the report of one run, or of several, in every format asked for. Throws `USAGE` for a file that cannot be written. */
export async function writeReports(
  record: RunRecord | readonly RunRecord[],
  files: readonly ReportFile[],
  io: Io,
  before: Before = async () => undefined,
): Promise<void> {
  for (const { format, file } of files) {
    const text = isSeveral(record) ? renderReports(format, record, plainPage) : await reportText(format, record, before);
    if (file === standardOutput) printReport(format, text, io);
    else if (isStepSummary(file, io)) await appendFile(file, text);
    else await writeWhole(file, text);
  }
}

async function reportText(format: ReportFormat, record: RunRecord, before: Before): Promise<string> {
  const previous = format === 'html' ? await before() : undefined;
  return renderReport(format, record, { ...plainPage, ...(previous === undefined ? {} : { previous }) });
}

const plainPage = { color: false, width: 100 };

const isSeveral = (record: RunRecord | readonly RunRecord[]): record is readonly RunRecord[] => Array.isArray(record);

/** A report on standard output. Only that of annotations may hold commands of the CI system. */
export function printReport(format: string, text: string, io: Io): void {
  const stream = format === 'github' ? (io.commands ?? io.stdout) : io.stdout;
  stream.write(text);
}

/** The summary of a step of GitHub Actions is added to: what other commands of the step have written stays. */
function isStepSummary(file: string, { env, cwd }: Io): boolean {
  const summary = env.GITHUB_STEP_SUMMARY ?? '';
  return summary !== '' && resolve(cwd, summary) === file;
}

/** The record on standard output: JSON, or the report; under `--quiet` only the verdict of a failed run, on standard error. */
export function printRecord(record: RunRecord, options: Options, io: Io): void {
  const text = (): string => renderReport('text', record, { color: colorOn(io.stdout, io.env), width: widthOf(io.stdout) });
  if (options.json === true) io.stdout.write(renderReport('json', record, { color: false, width: widthOf(io.stdout) }));
  else if (options.quiet !== true) io.stdout.write(text());
  if (options.quiet === true && record.exit !== 0)
    io.stderr.write(`${renderReport('text', record, { color: false, width: 100 }).split('\n')[0]}\n`);
}
