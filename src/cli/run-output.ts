/** What a verb that makes a run record prints and writes. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { isReportFormat, renderReport, reportFormats, type ReportFormat } from '../reports/registry.ts';
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

/** The files of `--report FORMAT=FILE`, found writable before the run begins. Throws `USAGE`. */
export async function reportFilesOf(options: Options, io: Io): Promise<readonly ReportFile[]> {
  const files = listOfOption(options, 'report').map((text) => reportFile(text, io));
  for (const { file } of files) await refuseUnwritable(file);
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
  return { format, file: fromCwd(file, io) };
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

export async function writeReports(record: RunRecord, files: readonly ReportFile[]): Promise<void> {
  for (const { format, file } of files) await writeWhole(file, renderReport(format, record, { color: false, width: 100 }));
}

/** The record on standard output: JSON, or the report; under `--quiet` only the verdict of a failed run, on standard error. */
export function printRecord(record: RunRecord, options: Options, io: Io): void {
  const text = (): string => renderReport('text', record, { color: colorOn(io.stdout, io.env), width: widthOf(io.stdout) });
  if (options.json === true) io.stdout.write(renderReport('json', record, { color: false, width: widthOf(io.stdout) }));
  else if (options.quiet !== true) io.stdout.write(text());
  if (options.quiet === true && record.exit !== 0)
    io.stderr.write(`${renderReport('text', record, { color: false, width: 100 }).split('\n')[0]}\n`);
}
