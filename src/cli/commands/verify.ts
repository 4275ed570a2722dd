import { checkSchema } from '../../core/compare/compare-schemas.ts';
import { Fault } from '../../core/fault.ts';
import { divergenceJson, divergenceText, exitOf } from '../divergence-text.ts';
import { inspectOperand } from '../inspect-operand.ts';
import type { Io } from '../io.ts';
import { jobOf } from '../job-of.ts';
import { addConfigFlag, addJobFlags, addReportFlags, textOption } from '../options.ts';
import { printRecord, reportFilesOf, writeReports } from '../run-output.ts';
import { runJob } from '../run-verb.ts';
import type { Options, Verb } from '../verb.ts';

const examples = `
  $ schemalign verify orders                  the job "orders": its rows against what the table holds now
  $ schemalign verify orders.json warehouse.duckdb --table orders --key id
  $ schemalign verify warehouse.duckdb#main.orders --against orders.sql
  $ schemalign verify warehouse.duckdb#main.orders --against orders.schema.json
`;

export const verify: Verb = {
  examples,
  describe: (command) => {
    command.usage('JOB [OPTIONS] | SOURCE TARGET [OPTIONS] | URL#TABLE --against FILE');
    command.argument('[operands...]', 'a job, SOURCE and TARGET, or a table');
    command.optionsGroup('Verify:');
    command.option('--against <FILE>', 'the expected schema: DDL (.sql) or JSON Schema (.json)');
    addReportFlags(command);
    addConfigFlag(command);
    addJobFlags(command);
  },
  run: async (operands, options, io) => {
    const against = textOption(options, 'against');
    if (against !== undefined) return verifySchema(operands, against, options, io);
    const files = await reportFilesOf(options, io);
    const job = await jobOf(operands, options, io);
    const { record } = await runJob(job, { quiet: options.quiet === true, align: { verb: 'verify' } }, io);
    printRecord(record, options, io);
    await writeReports(record, files);
    return record.exit;
  },
};

/** Any table against an expected schema. Every error is a mismatch; warnings and remarks are shown. */
async function verifySchema(operands: readonly string[], against: string, options: Options, io: Io): Promise<number> {
  const [table, ...others] = operands;
  if (table === undefined || others.length > 0) {
    throw new Fault('USAGE', `--against needs one table, found ${operands.length} operands`, {
      fix: 'Name one table: warehouse.duckdb#main.orders',
    });
  }
  if (options.report !== undefined) throw new Fault('USAGE', '--report needs a run, and --against makes none', { fix: 'Use --json.' });
  const expected = await inspectOperand(against, {}, io);
  const actual = await inspectOperand(table, {}, io);
  const found = {
    left: actual.description,
    right: expected.description,
    divergences: checkSchema(actual.schema, expected.schema),
    exit: 0,
  };
  const exit = exitOf(found.divergences, options.failOn === 'warning' ? 'warning' : options.failOn === 'never' ? 'never' : 'error');
  if (options.json === true) io.stdout.write(divergenceJson('verify-1', { ...found, exit }));
  else if (options.quiet !== true) io.stdout.write(divergenceText({ ...found, exit }, io));
  return exit;
}
