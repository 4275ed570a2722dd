/** Where the audit tables are that `history` and `report` read. */
import type { ConfigFile } from '../config/config-file.ts';
import { flagsFromOptions } from '../config/flags.ts';
import { connectionUrl, resolveJob } from '../config/resolve-job.ts';
import { targetFromUrl } from '../config/target-url.ts';
import { Fault } from '../core/fault.ts';
import { type Command, Option } from 'commander';
import type { Io } from './io.ts';
import { configOf } from './job-of.ts';
import { addConfigFlag } from './options.ts';
import type { HistoryOptions } from '../run/history.ts';
import type { Options } from './verb.ts';

export interface AuditPlace {
  readonly url: string;
  readonly options: HistoryOptions;
}

export interface Asked {
  readonly job?: string;
  readonly target?: string;
}

export function addAuditFlags(command: Command): void {
  addConfigFlag(command);
  command.optionsGroup('Audit tables:');
  command.addOption(new Option('--audit-schema <NAME>', "schema that holds the audit tables [the target's]"));
  command.addOption(new Option('--audit-prefix <NAME>', 'how the names of the audit tables begin [audit_schema_]'));
}

/** By the target named, by the job's target, or by the one connection of the configuration. */
export async function auditPlace(asked: Asked, options: Options, io: Io): Promise<AuditPlace> {
  const { auditSchema, auditPrefix } = options;
  const flags = flagsFromOptions({ auditSchema, auditPrefix });
  if (asked.target !== undefined) {
    return { url: targetFromUrl(asked.target, io.cwd).url, options: historyOptions(flags.audit, asked.job) };
  }
  const config = await configOf(options, io);
  if (config === undefined)
    throw new Fault('CONFIG_NOT_FOUND', 'no target is named, and no schemalign.yaml was found', {
      fix: 'Name the target: warehouse.duckdb',
    });
  if (asked.job !== undefined) {
    const job = resolveJob(config, asked.job, flags);
    return { url: job.target.url, options: historyOptions(job.audit, job.name) };
  }
  return { url: onlyConnection(config), options: historyOptions({ ...config.audit, ...flags.audit }, undefined) };
}

function historyOptions(audit: { readonly schema?: string; readonly prefix?: string }, job: string | undefined): HistoryOptions {
  return {
    prefix: audit.prefix ?? 'audit_schema_',
    ...(audit.schema === undefined ? {} : { schema: audit.schema }),
    ...(job === undefined ? {} : { job }),
  };
}

function onlyConnection(config: ConfigFile): string {
  const names = [...config.connections.keys()];
  const [only] = names;
  if (only !== undefined && names.length === 1) return connectionUrl(config, only);
  throw new Fault('USAGE', `${config.file} has ${names.length} connections, and no job or target is named`, {
    fix: 'Name a job or a target.',
  });
}
