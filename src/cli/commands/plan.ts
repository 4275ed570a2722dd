import { inertJson, visible } from '../../reports/visible.ts';
import type { Io } from '../io.ts';
import { fromCwd, jobOf } from '../job-of.ts';
import { addConfigFlag, addJobFlags, addReportFlags, jobFlagsOf, textOption } from '../options.ts';
import { type Invocation, type PlanFile, refuseSecrets, writePlan } from '../plan-file.ts';
import { beforeJob } from '../previous-run.ts';
import { printRecord, refuseUnwritable, reportFilesOf, writeReports } from '../run-output.ts';
import type { AlignResult } from '../../run/align.ts';
import type { Statement } from '../../run/engine.ts';
import { runJob, toldInReports } from '../run-verb.ts';
import { harmless } from '../terminal.ts';
import type { Options, Verb } from '../verb.ts';

const examples = `
  $ schemalign plan orders.json warehouse.duckdb --table orders --key id
  $ schemalign plan orders --sql              the statements of the job "orders"
  $ schemalign plan orders --out plan.json    save it; then: schemalign load plan.json
  $ schemalign plan orders --check            exit 1 on warnings too, for CI
`;

export const plan: Verb = {
  examples,
  describe: (command) => {
    command.usage('SOURCE TARGET [OPTIONS] | JOB [OPTIONS]').argument('[operands...]', 'SOURCE and TARGET, or a job');
    command.optionsGroup('Plan:');
    command.option('--sql', 'print the statements instead of the report');
    command.option('--out <FILE>', 'save the plan, for schemalign load FILE');
    command.option('--check', 'exit 1 on warnings too');
    addReportFlags(command);
    addConfigFlag(command);
    addJobFlags(command);
    command.optionsGroup('Loading:').option('--force', 'append files again although the ledger has them');
  },
  run: async (operands, options, io) => {
    const files = await reportFilesOf(options, io);
    const out = textOption(options, 'out');
    const invocation = invocationOf(operands, options);
    if (out !== undefined) {
      refuseSecrets(invocation);
      await refuseUnwritable(fromCwd(out, io));
    }
    const make = () => jobOf(operands, options, io);
    const job = await toldInReports(make, { job: operands.join(' '), verb: 'plan', files }, io);
    const align = { verb: 'plan', check: options.check === true, lock: out !== undefined } as const;
    const result = await runJob(job, { quiet: options.quiet === true, files, align }, io);
    if (options.sql === true) printStatements(result, options, io);
    else printRecord(result.record, options, io);
    await writeReports(result.record, files, io, beforeJob(job, result.record, io));
    if (out !== undefined && result.plan !== null) await save(out, { plan: result.plan, invocation }, options, io);
    return result.record.exit;
  },
};

/** What names the job, so that a load of the plan finds it again. */
function invocationOf(operands: readonly string[], options: Options): Invocation {
  const config = textOption(options, 'config');
  return { operands, options: { ...jobFlagsOf(options), ...(config === undefined ? {} : { config }) } };
}

async function save(out: string, file: PlanFile, options: Options, io: Io): Promise<void> {
  await writePlan(fromCwd(out, io), file);
  if (options.quiet !== true) io.stderr.write(`${harmless(`saved ${out}; load it with: schemalign load ${out}`)}\n`);
}

/** A terminal gets the text made harmless; a file or pipe gets the very bytes, so that it can be run. */
function printStatements({ statements }: AlignResult, options: Options, io: Io): void {
  if (options.json === true) {
    io.stdout.write(`${inertJson(JSON.stringify(statements, null, 2))}\n`);
    return;
  }
  const text = statements.map(statementText).join('\n');
  io.stdout.write(io.stdout.isTTY === true ? harmless(text) : text);
}

function statementText({ sql, purpose, because }: Statement): string {
  const why = because.length === 0 ? '' : `: ${because.join(', ')}`;
  return `-- ${visible(`${purpose}${why}`)}\n${sql.trimEnd().replace(/;$/, '')};\n`;
}
