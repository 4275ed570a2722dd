import { Fault } from '../../core/fault.ts';
import type { Job } from '../../core/model/policy.ts';
import type { Io } from '../io.ts';
import { fromCwd, jobOf } from '../job-of.ts';
import { addConfigFlag, addJobFlags, addReportFlags, jobFlagsOf } from '../options.ts';
import { isPlanFile, readPlan } from '../plan-file.ts';
import { beforeJob } from '../previous-run.ts';
import { printRecord, reportFilesOf, writeReports } from '../run-output.ts';
import type { SavedPlan } from '../../run/plan-file.ts';
import { runJob, toldInReports } from '../run-verb.ts';
import type { Options, Verb } from '../verb.ts';

const examples = `
  $ schemalign load orders.json warehouse.duckdb --table orders --key id --create
  $ schemalign load 'in/*.csv.gz' warehouse.duckdb#main.sales --on-invalid quarantine --rule amount.decimal=,
  $ schemalign load orders                    the job "orders" of schemalign.yaml
  $ schemalign load plan.json                 a plan saved by schemalign plan --out plan.json
`;

export const load: Verb = {
  examples,
  describe: (command) => {
    command
      .usage('SOURCE TARGET [OPTIONS] | JOB [OPTIONS] | PLAN.json')
      .argument('[operands...]', 'SOURCE and TARGET, a job, or a saved plan');
    addReportFlags(command);
    addConfigFlag(command);
    addJobFlags(command);
    command.optionsGroup('Loading:').option('--force', 'append files again although the ledger has them');
  },
  run: async (operands, options, io) => {
    const files = await reportFilesOf(options, io);
    const make = () => requestOf(operands, options, io);
    const { job, savedPlan } = await toldInReports(make, { job: operands.join(' '), verb: 'load', files }, io);
    const align = { verb: 'load', ...(savedPlan === undefined ? {} : { savedPlan }) } as const;
    const { record } = await runJob(job, { quiet: options.quiet === true, files, align }, io);
    printRecord(record, options, io);
    await writeReports(record, files, io, beforeJob(job, record, io));
    return record.exit;
  },
};

async function requestOf(
  operands: readonly string[],
  options: Options,
  io: Io,
): Promise<{ readonly job: Job; readonly savedPlan?: SavedPlan }> {
  const file = operands.length === 1 && operands[0]?.endsWith('.json') ? fromCwd(operands[0], io) : undefined;
  if (file === undefined || !(await isPlanFile(file))) return { job: await jobOf(operands, options, io) };
  const changed = Object.keys(jobFlagsOf(options));
  if (changed.length > 0) {
    throw new Fault('USAGE', 'a saved plan is loaded as it is, and flags would change it', {
      fix: 'Remove the flags, or make a new plan with them.',
    });
  }
  const { plan, invocation } = await readPlan(file);
  return { job: await jobOf(invocation.operands, { ...invocation.options, ...options }, io), savedPlan: plan };
}
