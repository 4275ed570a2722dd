import { checkSchema } from '../../core/compare/compare-schemas.ts';
import { Fault } from '../../core/fault.ts';
import { visible } from '../../reports/visible.ts';
import type { Inspected } from '../../run/inspect.ts';
import type { TableVerdict } from '../../run/verify-table.ts';
import { divergenceJson, divergenceText, exitOf } from '../divergence-text.ts';
import { inspectOperand } from '../inspect-operand.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { jobOf } from '../job-of.ts';
import { addConfigFlag, addJobFlags, addReportFlags, textOption } from '../options.ts';
import { beforeJob } from '../previous-run.ts';
import { printRecord, reportFilesOf, writeReports } from '../run-output.ts';
import { runJob, toldInReports } from '../run-verb.ts';
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
    const make = () => jobOf(operands, options, io);
    const job = await toldInReports(make, { job: operands.join(' '), verb: 'verify', files }, io);
    const { record } = await runJob(job, { quiet: options.quiet === true, files, align: { verb: 'verify' } }, io);
    printRecord(record, options, io);
    await writeReports(record, files, io, beforeJob(job, record, io));
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
  const verdict = actual.kind === 'table' ? await verdictOf(table, actual, expected, io) : null;
  const divergences = verdict?.divergences ?? checkSchema(actual.schema, expected.schema);
  const misfits = verdict?.misfits ?? [];
  const level = options.failOn === 'warning' ? 'warning' : options.failOn === 'never' ? 'never' : 'error';
  const exit = misfits.length > 0 && level !== 'never' ? exitCode.findings : exitOf(divergences, level);
  const found = { left: actual.description, right: expected.description, divergences, exit };
  if (options.json === true) io.stdout.write(divergenceJson('verify-1', found, { rows: verdict?.rows ?? null, misfits }));
  else if (options.quiet !== true) io.stdout.write(`${divergenceText(found, io)}${misfitText(verdict)}`);
  return exit;
}

async function verdictOf(table: string, actual: Inspected, expected: Inspected, io: Io): Promise<TableVerdict> {
  const { targetFromUrl } = await import('../../config/target-url.ts');
  const { verifyTable } = await import('../../run/verify-table.ts');
  const address = targetFromUrl(table, io.cwd);
  return verifyTable({ url: address.url, table: address.table ?? actual.schema.name ?? '', expected: expected.schema, signal: io.signal });
}

/** The rows of a table whose values would not fit what is expected, with samples. */
function misfitText(verdict: TableVerdict | null): string {
  if (verdict === null) return '';
  if (verdict.misfits.length === 0) return `  all ${verdict.rows.toLocaleString('en-US')} rows fit\n`;
  const lines = verdict.misfits.flatMap(({ path, code, rows, examples }) => [
    `  error    ${visible(path)}: ${rows.toLocaleString('en-US')} of ${verdict.rows.toLocaleString('en-US')} rows would not fit (${visible(code)})`,
    ...examples.map(({ value, row }) => `           row ${row ?? '?'}: ${value === null ? 'NULL' : JSON.stringify(visible(value))}`),
  ]);
  return `${lines.join('\n')}\n`;
}
