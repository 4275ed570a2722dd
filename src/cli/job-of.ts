/** From operands and flags to a job. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigFile } from '../config/config-file.ts';
import { flagsFromOptions } from '../config/flags.ts';
import { loadConfig } from '../config/load-config.ts';
import { jobFromOperands, resolveJob } from '../config/resolve-job.ts';
import { tryTargetFromUrl } from '../config/target-url.ts';
import { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { Io } from './io.ts';
import { jobFlagsOf, textOption } from './options.ts';
import { harmless } from './terminal.ts';
import type { Options } from './verb.ts';

/**
 * The job of `SOURCE TARGET`, of `TARGET` with `--query` or `--source-table`, of the name of a job, or of nothing when the file has one job.
 * Throws `USAGE`, `CONFIG_NOT_FOUND`, and what the configuration has to say.
 */
export async function jobOf(operands: readonly string[], options: Options, io: Io): Promise<Job> {
  const flags = flagsFromOptions(jobFlagsOf(options));
  const readsEngine = options.query !== undefined || options.sourceTable !== undefined;
  const [first = '', second] = operands;
  if (operands.length > 2) throw new Fault('USAGE', `expected SOURCE and TARGET, or the name of a job, found ${operands.length} operands`);
  if (second !== undefined) {
    if (readsEngine) throw new Fault('USAGE', '--query and --source-table stand instead of SOURCE', { fix: 'Name the TARGET only.' });
    return jobFromOperands(first, second, flags, io.cwd);
  }
  if (readsEngine && tryTargetFromUrl(first, io.cwd) !== undefined) return jobFromOperands('', first, flags, io.cwd);
  const config = await configOf(options, io);
  const isPlace = first !== '' && (tryTargetFromUrl(first, io.cwd) !== undefined || existsSync(fromCwd(first, io)));
  if (isPlace && config?.jobs.has(first) !== true) throw oneOperand(first);
  if (config === undefined) throw noConfig(first, io);
  return resolveJob(config, first === '' ? onlyJob(config) : first, flags);
}

/** The configuration named or found; says on standard error which one it is. */
export async function configOf(options: Options, io: Io): Promise<ConfigFile | undefined> {
  const file = textOption(options, 'config');
  const config = await loadConfig({
    cwd: io.cwd,
    env: io.env,
    ...(file === undefined ? {} : { file }),
    ...(io.env.HOME === undefined ? {} : { home: io.env.HOME }),
  });
  if (config !== undefined && options.quiet !== true) io.stderr.write(`${harmless(`using ${config.file}`)}\n`);
  return config;
}

function onlyJob(config: ConfigFile): string {
  const names = [...config.jobs.keys()];
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const known = names.length === 0 ? `${config.file} has no jobs` : `Jobs in ${config.file}: ${names.join(', ')}`;
  throw new Fault('USAGE', 'no job is named', { fix: `Name SOURCE and TARGET, or a job. ${known}.` });
}

function noConfig(operand: string, io: Io): Fault {
  const what = operand === '' ? 'nothing to do is named' : `there is no job ${JSON.stringify(operand)}`;
  const rename = existsSync(fromCwd('schemalign.yml', io)) ? 'Rename schemalign.yml to schemalign.yaml. ' : '';
  return new Fault('CONFIG_NOT_FOUND', `${what}, and no schemalign.yaml was found`, {
    fix: `${rename}Name SOURCE and TARGET (schemalign load orders.json warehouse.duckdb --table orders), or write a schemalign.yaml.`,
  });
}

function oneOperand(operand: string): Fault {
  return new Fault('USAGE', `one operand is the name of a job or a saved plan, and ${JSON.stringify(operand)} is neither`, {
    fix: 'Name SOURCE and TARGET: schemalign load orders.json warehouse.duckdb --table orders',
  });
}

/** A path of the command line, absolute. */
export function fromCwd(file: string, io: Io): string {
  return resolve(io.cwd, file);
}
