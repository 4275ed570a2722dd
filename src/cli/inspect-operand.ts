import { type Command, Option } from 'commander';
import type { SourceLayer } from '../config/layer.ts';
import { Fault } from '../core/fault.ts';
import type { Io } from './io.ts';
import { textOption } from './options.ts';
import type { Inspected } from '../run/inspect.ts';
import { port } from './run-port.ts';
import type { Options } from './verb.ts';

/** The schema of an operand of `inspect`, `diff` or `verify --against`. A stop by Ctrl-C need not wait for it: nothing is written. */
export async function inspectOperand(operand: string, options: Options, io: Io): Promise<Inspected> {
  const inspectAny = await port('inspectAny', io.ports);
  const query = textOption(options, 'query');
  const sample = sampleOf(textOption(options, 'sample'));
  const reading = inspectAny(operand, { ...(await readingOf(options)), cwd: io.cwd, signal: io.signal, query, sample });
  return Promise.race([reading, aborted(io.signal)]);
}

const readingFlags = ['format', 'delimiter', 'quote', 'header', 'encoding'];

/** How to read a file, checked as the flags of a load are; that module is spared when nothing is said. */
async function readingOf(options: Options): Promise<SourceLayer> {
  const said = Object.fromEntries(readingFlags.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
  if (Object.keys(said).length === 0) return {};
  const { flagsFromOptions } = await import('../config/flags.ts');
  return flagsFromOptions(said).job.source ?? {};
}

export function addReadingFlags(command: Command): void {
  command.optionsGroup('Reading:');
  command.option('--format <FORMAT>', 'csv, ndjson, json or parquet [detected]');
  command.option('--delimiter <TEXT>', 'separator of CSV fields [detected]');
  command.option('--quote <TEXT>', 'quote of CSV fields [detected]');
  command.option('--header', 'the first CSV record holds the names [detected]');
  command.addOption(new Option('--no-header', 'the first CSV record is data').hideHelp());
  command.option('--encoding <NAME>', 'utf-8, utf-16 or latin-1 [utf-8]');
  command.option('--sample <N>', 'records to read of a file, or all', 'all');
}

function sampleOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'all') return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new Fault('USAGE', `--sample: expected a number of records or all, found ${JSON.stringify(text)}`);
  return Number(text);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
