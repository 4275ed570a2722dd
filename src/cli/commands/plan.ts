import { inertJson, visible } from '../../reports/visible.ts';
import type { Io } from '../io.ts';
import { fromCwd, jobOf } from '../job-of.ts';
import { addConfigFlag, addJobFlags, addReportFlags, jobFlagsOf, textOption } from '../options.ts';
import { writePlan } from '../plan-file.ts';
import { printRecord, refuseUnwritable, reportFilesOf, writeReports } from '../run-output.ts';
import type { AlignResult } from '../../run/align.ts';
import type { Statement } from '../../run/engine.ts';
import type { SavedPlan } from '../../run/plan-file.ts';
import { runJob } from '../run-verb.ts';
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
    if (out !== undefined) await refuseUnwritable(fromCwd(out, io));
    const job = await jobOf(operands, options, io);
    const align = { verb: 'plan', check: options.check === true, lock: out !== undefined } as const;
    const result = await runJob(job, { quiet: options.quiet === true, align }, io);
    if (options.sql === true) printStatements(result, options, io);
    else printRecord(result.record, options, io);
    await writeReports(result.record, files);
    if (out !== undefined && result.plan !== null) await save(out, result.plan, { operands, options }, io);
    return result.record.exit;
  },
};

async function save(
  out: string,
  saved: SavedPlan,
  asked: { readonly operands: readonly string[]; readonly options: Options },
  io: Io,
): Promise<void> {
  const config = textOption(asked.options, 'config');
  const options = { ...jobFlagsOf(asked.options), ...(config === undefined ? {} : { config }) };
  await writePlan(fromCwd(out, io), { plan: saved, invocation: { operands: asked.operands, options } });
  if (asked.options.quiet !== true) io.stderr.write(`${harmless(`saved ${out}; load it with: schemalign load ${out}`)}\n`);
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
