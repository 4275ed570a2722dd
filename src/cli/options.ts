/** Options that several verbs share. */
import { type Command, Option } from 'commander';
import { flagKeys, placeholder, type FlagKey } from '../config/flag-keys.ts';
import { camel } from '../config/build-job.ts';
import { reportFormats } from '../reports/format-names.ts';
import type { Options } from './verb.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Every key of a job as a flag, in groups. */
export function addJobFlags(command: Command): void {
  let group = '';
  for (const flagKey of flagKeys) {
    if (flagKey.group !== group) command.optionsGroup(`${flagKey.group}:`);
    group = flagKey.group;
    addJobFlag(command, flagKey);
  }
  command.optionsGroup('Rules of single columns:');
  command.option('--rule <COLUMN.KEY=VALUE>', 'a rule of one column, such as amount.decimal=, (repeatable)', collect);
}

function addJobFlag(command: Command, { flag, key }: FlagKey): void {
  const plain = key.meaning.charAt(0).toLowerCase() + key.meaning.slice(1);
  const meaning = key.builtIn === undefined || key.builtIn === '[]' ? plain : `${plain} [${key.builtIn}]`;
  const { shape } = key;
  if (shape.kind === 'flag') {
    command.addOption(new Option(`--${flag}`, meaning));
    command.addOption(new Option(`--no-${flag}`, `not --${flag}`).hideHelp());
    return;
  }
  const option = new Option(`--${flag} <${placeholder(shape)}>`, meaning);
  command.addOption(shape.kind === 'list' || shape.kind === 'either' ? option.argParser(collect) : option);
}

export function addConfigFlag(command: Command): void {
  command.optionsGroup('Configuration:');
  command.option('--config <FILE>', 'the configuration, instead of the schemalign.yaml found from here upwards');
}

/** Options of verbs that make a run record. */
export function addReportFlags(command: Command): void {
  command.optionsGroup('Output:');
  command.option('--json', 'print the run record as JSON');
  command.option(
    '--report <FORMAT=FILE>',
    `also write the report: ${reportFormats.join(', ')}; - is standard output (repeatable)`,
    collect,
  );
  command.option('--quiet', 'print only faults and failures');
}

/** Whether any flag was given that changes the job. */
export function jobFlagsOf(options: Options): Options {
  const names = [...flagKeys.map((each) => camel(each.flag)), 'rule', 'force'];
  return Object.fromEntries(names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]));
}

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOfOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
