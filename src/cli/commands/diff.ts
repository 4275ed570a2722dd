import { Option } from 'commander';
import { compareSchemas } from '../../core/compare/compare-schemas.ts';
import { Fault } from '../../core/fault.ts';
import { divergenceJson, divergenceText, exitOf } from '../divergence-text.ts';
import { addReadingFlags, inspectOperand } from '../inspect-operand.ts';
import { textOption } from '../options.ts';
import type { Options, Verb } from '../verb.ts';

const examples = `
  $ schemalign diff orders.csv warehouse.duckdb#main.orders
  $ schemalign diff old.sql new.sql
  $ schemalign diff warehouse.duckdb orders.sql --query 'SELECT * FROM staging'
  $ schemalign diff orders.json orders.schema.json --check
`;

export const diff: Verb = {
  examples,
  note: 'A is what comes, B is what is expected. Each is a file or folder, a table (URL#schema.table), a DDL file (.sql) or a JSON Schema.',
  describe: (command) => {
    command.usage('A B [OPTIONS]').argument('<A>', 'what comes').argument('<B>', 'what is expected');
    addReadingFlags(command);
    command.option('--query <SQL>', 'compare the result of a query on the engine A');
    command.optionsGroup('Output:');
    command.option('--check', 'exit 1 on warnings too');
    command.addOption(new Option('--fail-on <LEVEL>', 'which differences make the exit code 1').choices(['error', 'warning', 'never']));
    command.option('--json', 'print the differences as JSON');
    command.option('--quiet', 'print nothing but faults');
  },
  run: async (operands, options, io) => {
    const [a, b] = operands;
    if (a === undefined || b === undefined) throw new Fault('USAGE', 'diff needs two operands');
    const source = await inspectOperand(a, options, io);
    const target = await inspectOperand(b, { sample: options.sample }, io);
    const divergences = compareSchemas(source.schema, target.schema, { sourceForm: source.form });
    const found = { left: source.description, right: target.description, divergences, exit: exitOf(divergences, levelOf(options)) };
    if (options.json === true) io.stdout.write(divergenceJson('diff-1', found));
    else if (options.quiet !== true) io.stdout.write(divergenceText(found, io));
    return found.exit;
  },
};

function levelOf(options: Options): 'error' | 'warning' | 'never' {
  if (options.check === true) return 'warning';
  const level = textOption(options, 'failOn');
  return level === 'warning' || level === 'never' ? level : 'error';
}
