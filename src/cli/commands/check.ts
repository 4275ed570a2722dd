import type { ConfigFile } from '../../config/config-file.ts';
import { flagsFromOptions } from '../../config/flags.ts';
import { ConfigFault } from '../../config/problem.ts';
import { resolveJob } from '../../config/resolve-job.ts';
import { Fault } from '../../core/fault.ts';
import type { Job } from '../../core/model/policy.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { refuseSingle, renderReports } from '../../reports/registry.ts';
import { verdictLine } from '../../reports/finding-lines.ts';
import { worstExit } from '../../reports/summary.ts';
import { faultRecord } from '../../run/fault-record.ts';
import { asFault } from '../fault-text.ts';
import type { Io } from '../io.ts';
import { configOf } from '../job-of.ts';
import { addConfigFlag, addReportFlags, textOption } from '../options.ts';
import { printReport, type ReportFile, reportFilesOf, writeReports } from '../run-output.ts';
import { runJob } from '../run-verb.ts';
import { colorOn, harmless, widthOf } from '../terminal.ts';
import type { Options, Verb } from '../verb.ts';

const examples = `
  $ schemalign check                          every job of schemalign.yaml
  $ schemalign check orders events            these two
  $ schemalign check --report sarif=schemalign.sarif --report junit=schemalign.xml
  $ schemalign check --fail-on warning        exit 1 on warnings too
`;

export const check: Verb = {
  examples,
  note: 'Nothing is written. Exits with the worst code of all jobs; the order is 0, 1, 3, 2, 70.',
  describe: (command) => {
    command.usage('[JOB…] [OPTIONS]').argument('[jobs...]', 'jobs of the configuration; all of them when none is named');
    command.optionsGroup('Check:');
    command.option('--fail-on <error|warning|never>', "which findings make the exit code 1 [the configuration's]");
    addReportFlags(command);
    addConfigFlag(command);
  },
  run: async (operands, options, io) => {
    const files = await reportFilesOf(options, io);
    for (const { format } of files) refuseSingle(format);
    const config = await configurationOf(options, files, io);
    const records: RunRecord[] = [];
    for (const name of namesOf(operands, config)) records.push(await checkJob(name, config, options, io));
    print(records, options, io);
    await writeReports(records, files, io);
    return worstExit(records.map(({ exit }) => exit));
  },
};

/** The configuration; when it is wrong, the reports say so at its line, and no job is checked. */
async function configurationOf(options: Options, files: readonly ReportFile[], io: Io): Promise<ConfigFile> {
  try {
    const config = await configOf(options, io);
    if (config !== undefined) return config;
  } catch (error) {
    if (error instanceof ConfigFault)
      await writeReports([faultRecord({ job: 'configuration', verb: 'plan', fault: error, now: new Date() })], files, io);
    throw error;
  }
  throw new Fault('CONFIG_NOT_FOUND', 'there is nothing to check: no schemalign.yaml was found', {
    fix: 'Write a schemalign.yaml with jobs, or name it: --config FILE.',
  });
}

/** The jobs named, each once and each known; else all of them. */
function namesOf(operands: readonly string[], config: ConfigFile): readonly string[] {
  const all = [...config.jobs.keys()];
  if (all.length === 0) throw new Fault('USAGE', `${config.file} has no jobs`, { fix: 'Write a job under jobs.' });
  const unknown = operands.find((name) => !config.jobs.has(name));
  if (unknown !== undefined) {
    throw new Fault('NOT_FOUND', `there is no job ${JSON.stringify(unknown)}`, { fix: `Jobs in ${config.file}: ${all.join(', ')}.` });
  }
  return operands.length === 0 ? all : [...new Set(operands)];
}

/** A job that cannot be checked leaves a record that says why, and the others are still checked. Only an interrupt ends them all. */
async function checkJob(name: string, config: ConfigFile, options: Options, io: Io): Promise<RunRecord> {
  let job: Job | string = name;
  try {
    job = resolveJob(config, name, flagsFromOptions({ failOn: textOption(options, 'failOn') }));
    const { record } = await runJob(job, { quiet: options.quiet === true, align: { verb: 'plan' }, files: [] }, io);
    return record;
  } catch (error) {
    const fault = asFault(error);
    if (fault.code === 'INTERRUPTED') throw error;
    return faultRecord({ job, verb: 'plan', fault, now: new Date() });
  }
}

/** The summary; under `--quiet` only the verdicts of jobs that would fail, on standard error. */
function print(records: readonly RunRecord[], options: Options, io: Io): void {
  if (options.json === true) printReport('json', renderReports('json', records, { color: false, width: 100 }), io);
  else if (options.quiet !== true) {
    io.stdout.write(renderReports('text', records, { color: colorOn(io.stdout, io.env), width: widthOf(io.stdout) }));
  } else {
    for (const record of records) if (record.exit !== 0) io.stderr.write(`${harmless(verdictLine(record))}\n`);
  }
}
