import { Option } from 'commander';
import { Fault } from '../../core/fault.ts';
import { addReadingFlags, inspectOperand } from '../inspect-operand.ts';
import { schemaFormats, schemaText } from '../schema-formats.ts';
import { textOption } from '../options.ts';
import { harmless } from '../terminal.ts';
import type { Verb } from '../verb.ts';

const examples = `
  $ schemalign inspect orders.csv
  $ schemalign inspect 'in/*.json.gz' --as ddl
  $ schemalign inspect warehouse.duckdb#main.orders --as json-schema
  $ schemalign inspect warehouse.duckdb --query 'SELECT total / 2 AS half FROM orders'
`;

export const inspect: Verb = {
  examples,
  note: 'X is a file, a folder, a pattern, a table (URL#schema.table), a DDL file (.sql) or a JSON Schema.',
  describe: (command) => {
    command.usage('X [OPTIONS]').argument('<X>', 'what to look at');
    addReadingFlags(command);
    command.option('--query <SQL>', 'the schema of a query on the engine X');
    command.optionsGroup('Output:');
    command.addOption(new Option('--as <FORMAT>', 'how to show it').choices(schemaFormats).default('tree'));
    command.option('--json', 'the same as --as json');
  },
  run: async (operands, options, io) => {
    const format = options.json === true ? 'json' : (textOption(options, 'as') ?? 'tree');
    if (operands[0] === undefined) throw new Fault('USAGE', 'inspect needs an operand');
    const inspected = await inspectOperand(operands[0], options, io);
    const text = await schemaText(format, inspected);
    io.stdout.write(io.stdout.isTTY === true ? harmless(text) : text);
    return 0;
  },
};
