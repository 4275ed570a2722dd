/** The command line: reads the arguments, runs one verb, turns whatever is thrown into words and an exit code. */
import { Command, CommanderError } from 'commander';
import { Fault, faults } from '../core/fault.ts';
import { version } from '../version.ts';
import { withoutCommands } from './ci-log.ts';
import { exitCode } from './exit-code.ts';
import { asFault, faultJson, faultText } from './fault-text.ts';
import type { Io } from './io.ts';
import { colorOn, widthOf } from './terminal.ts';
import { verbs } from './verbs.ts';

const examples = `
Examples:
  $ schemalign inspect orders.csv
  $ schemalign plan orders.json warehouse.duckdb --table orders --key id --create
  $ schemalign load orders.json warehouse.duckdb --table orders --key id --create
  $ schemalign load orders                    the job "orders" of schemalign.yaml

Exit codes: 0 done, 1 findings, 2 usage or environment, 3 refused for safety, 70 a bug of ours.
`;

/** Runs the command with these arguments (without `node` and the script) and answers the exit code. Throws nothing. */
export async function main(argv: readonly string[], given: Io): Promise<number> {
  const io = withoutCommands(given);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return report(error, argv, io);
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  let exit: number = exitCode.done;
  const program = programFor(io);
  const asked = argv[0] === 'help' ? argv[1] : argv[0];
  for (const entry of verbs) {
    const command = program.command(entry.name).summary(entry.summary).description(`${entry.summary}.`);
    if (entry.name !== asked) continue;
    const verb = await entry.load();
    command.description(`${entry.summary}.${verb.note === undefined ? '' : `\n${verb.note}`}\n\nExamples:${verb.examples.trimEnd()}`);
    verb.describe(command);
    command.action(async () => {
      exit = await verb.run(command.args, command.opts(), io);
    });
  }
  if (argv.length === 0) {
    program.outputHelp({ error: true });
    return exitCode.usage;
  }
  await program.parseAsync(argv, { from: 'user' });
  return exit;
}

function programFor(io: Io): Command {
  return new Command('schemalign')
    .description('Aligns incoming data with the table it must land in.')
    .usage('VERB [OPERANDS] [OPTIONS]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [VERB]', 'show the help of a verb')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(widthOf(io.stdout), 110),
      getErrHelpWidth: () => Math.min(widthOf(io.stderr), 110),
      getOutHasColors: () => colorOn(io.stdout, io.env),
      getErrHasColors: () => colorOn(io.stderr, io.env),
    })
    .addHelpText('after', examples);
}

function report(error: unknown, argv: readonly string[], io: Io): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCode.done;
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCode.usage;
  const fault = error instanceof CommanderError ? usageFault(error, argv) : withVerb(error, argv);
  const debug = (io.env.SCHEMALIGN_DEBUG ?? '') !== '';
  if (argv.includes('--json')) io.stdout.write(faultJson(fault));
  io.stderr.write(faultText(fault, { cwd: io.cwd, color: colorOn(io.stderr, io.env), debug }));
  return asFault(fault).exit;
}

/** `error: unknown option '--tabel'` and its suggestion, in our own words. */
function usageFault(error: CommanderError, argv: readonly string[]): Fault {
  const [first = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const near = suggestion.replace(/^\((.*)\)$/, '$1').replace('Did', 'did');
  const path = /^unknown option '(-[^']*[./\\][^']*)'/.exec(first)?.[1];
  const fix = path === undefined ? helpOf(argv) : `A file of this name is written ./${path}. ${helpOf(argv)}`;
  return new Fault('USAGE', near === '' ? first : `${first}; ${near}`, { cause: error, fix });
}

function helpOf(argv: readonly string[]): string {
  const verb = verbs.find((entry) => entry.name === argv[0]);
  return `See \`schemalign ${verb === undefined ? '' : `${verb.name} `}--help\`.`;
}

/** The general advice of `USAGE` names no verb; here it is known. */
function withVerb(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof Fault) || error.code !== 'USAGE' || error.fix !== faults.USAGE.fix) return error;
  return new Fault('USAGE', error.message.replace('[USAGE] ', ''), { cause: error, fix: helpOf(argv) });
}
