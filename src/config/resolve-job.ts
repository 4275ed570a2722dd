import { resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { Job, JobOrigin } from '../core/model/policy.ts';
import { buildJob } from './build-job.ts';
import { conflictsWithin, missingFrom, type Complaint } from './check-job.ts';
import type { ConfigFile } from './config-file.ts';
import { didYouMean } from './did-you-mean.ts';
import { type Flags, type JobLayer, mergeLayers, noFlags } from './layer.ts';
import { shownPath } from './load-config.ts';
import { ConfigFault, pointerTo } from './problem.ts';
import { isFileAddress, targetFromUrl, tryTargetFromUrl, type TargetAddress } from './target-url.ts';

/**
 * A job of the file with every default filled in. Flags win over the job, the job over `defaults`; a column's own rule wins over all three.
 * Throws `NOT_FOUND` for an unknown job, `CONFIG_INVALID` for a variable that is not set, `USAGE` for flags that do not fit the job.
 */
export function resolveJob(config: ConfigFile, jobName: string, given: Partial<Flags> = {}): Job {
  const flags = { ...noFlags, ...given };
  const own = config.jobs.get(jobName);
  if (own === undefined) throw unknownJob(config, jobName);
  const layer = mergeLayers(config.defaults, own, flags.job);
  const connection = layer.target?.connection ?? '';
  const pointer = pointerTo('/jobs', jobName);
  refuseMissing(config, [pointer, '/defaults', '/audit', '/fail_on', pointerTo('/connections', connection)]);
  refuseFlags([...conflictsWithin(layer), ...missingFrom(layer)]);
  const { url, ...engine } = config.connections.get(connection) ?? { url: '' };
  return buildJob({
    name: jobName,
    layer,
    url: openableUrl(targetFromUrl(url, config.folder), config.folder),
    table: layer.target?.table ?? '',
    base: config.folder,
    engine: { ...engine, ...flags.engine },
    audit: { ...config.audit, ...flags.audit },
    failOn: flags.failOn ?? config.failOn,
    force: flags.force,
    origin: originOf(config, pointer, layer.ignore?.length ?? 0),
  });
}

/** Entries under `ignore` add up: those of `defaults`, then those of the job, then flags. */
function originOf(config: ConfigFile, pointer: string, entries: number): JobOrigin {
  const places = new Map([...config.places].map(([at, { key }]) => [at, key]));
  const shared = config.defaults.ignore?.length ?? 0;
  const ignore = Array.from({ length: entries }, (_, i) => {
    const at = i < shared ? pointerTo('/defaults/ignore', i) : pointerTo(`${pointer}/ignore`, i - shared);
    return places.has(at) ? at : null;
  });
  return { file: config.file, pointer, places, ignore };
}

/** The address of a connection, for verbs that need no job. Throws as `resolveJob` does. */
export function connectionUrl(config: ConfigFile, name: string): string {
  const connection = config.connections.get(name);
  if (connection === undefined) throw notFound('connection', name, [...config.connections.keys()], config.file);
  refuseMissing(config, [pointerTo('/connections', name)]);
  return openableUrl(targetFromUrl(connection.url, config.folder), config.folder);
}

/**
 * A job from the two operands SOURCE and TARGET and the flags alone; relative paths start from `cwd`.
 * A SOURCE that is a table of the target's own engine is written `URL#schema.table`; an empty SOURCE leaves it to the flags (`--query`).
 */
export function jobFromOperands(source: string, target: string, given: Partial<Flags> = {}, cwd: string = process.cwd()): Job {
  const flags = { ...noFlags, ...given };
  const address = targetFromUrl(target, cwd);
  const url = openableUrl(address, cwd);
  const table = tableOf(address, flags.job);
  const layer = mergeLayers({ source: sourceLayer(source, url, cwd) }, flags.job, { target: { connection: url, table } });
  refuseFlags([...conflictsWithin(layer), ...missingFrom(layer)]);
  return buildJob({
    name: table,
    layer,
    url,
    table,
    base: cwd,
    engine: flags.engine,
    audit: flags.audit,
    failOn: flags.failOn ?? 'error',
    force: flags.force,
  });
}

function unknownJob(config: ConfigFile, name: string): Fault {
  return notFound('job', name, [...config.jobs.keys()], config.file);
}

function notFound(what: string, name: string, known: readonly string[], file: string): Fault {
  const near = didYouMean(name, known);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  const list = known.length === 0 ? `${file} has no ${what}s` : `known in ${file}: ${known.join(', ')}`;
  return new Fault('NOT_FOUND', `there is no ${what} ${JSON.stringify(name)}${hint}`, { fix: `Use a name that exists (${list}).` });
}

/** Variables that are not set are a fault for what is used, and no concern of the rest. */
function refuseMissing(config: ConfigFile, used: readonly string[]): void {
  const concerned = config.missing.filter((problem) =>
    used.some((pointer) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`)),
  );
  if (concerned.length > 0) throw new ConfigFault(config.file, concerned);
}

/** The file by itself was found right, so what does not fit now came with the flags. */
function refuseFlags(complaints: readonly Complaint[]): void {
  const [first] = complaints;
  if (first === undefined) return;
  const advice =
    first.fix === undefined ? {} : { fix: flagAdvice[first.fix] ?? `${first.fix.charAt(0).toUpperCase()}${first.fix.slice(1)}.` };
  throw new Fault('USAGE', first.message, advice);
}

/** The same advice as for the file, in words of the command line. */
const flagAdvice: Readonly<Record<string, string>> = {
  'add key: [column]': 'Add --key COLUMN.',
  'add order_by': 'Add --order-by COLUMN.',
  'add partition: { columns: [column], values: [value] }': 'Add --partition-columns COLUMN --partition-values VALUE.',
};

/** A file of the embedded engine is opened from the working folder, wherever it was named; it is shown as written where that is the same. */
function openableUrl(address: TargetAddress, folder: string): string {
  if (!isFileAddress(address)) return address.url;
  const file = resolve(folder, address.url);
  return file === resolve(address.url) ? address.url : shownPath(file);
}

function tableOf(address: TargetAddress, job: JobLayer): string {
  const named = job.target?.table;
  if (named !== undefined && address.table !== undefined && named !== address.table) {
    throw new Fault('USAGE', `the target names the table ${JSON.stringify(address.table)} and --table ${JSON.stringify(named)}`, {
      fix: 'Keep one of them.',
    });
  }
  const table = named ?? address.table;
  if (table === undefined)
    throw new Fault('USAGE', 'no target table is named', { fix: 'Add --table NAME, or #schema.table to the target.' });
  return table;
}

function sourceLayer(source: string, targetUrl: string, cwd: string): NonNullable<JobLayer['source']> {
  if (source === '') return {};
  const address = tryTargetFromUrl(source, cwd);
  if (address === undefined) return { path: source };
  if (openableUrl(address, cwd) !== targetUrl) {
    throw new Fault('USAGE', 'a source table must be in the engine that holds the target', {
      fix: 'Export it to a file first, and load that.',
    });
  }
  if (address.table === undefined)
    throw new Fault('USAGE', 'the source is a database, not a table', { fix: 'Add #schema.table to the source.' });
  return { table: address.table };
}
