import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Fault, type FaultPlace } from '../core/fault.ts';
import { checkConfig } from './check-config.ts';
import type { ConfigFile } from './config-file.ts';
import type { Environment } from './environment.ts';
import { ConfigFault } from './problem.ts';

const configName = 'schemalign.yaml';

export interface LoadConfigOptions {
  /** The file to read, from `cwd`; undefined: it is looked for. */
  readonly file?: string;
  readonly cwd: string;
  /** Default: the environment of the process. */
  readonly env?: Environment;
  /** Default: the home folder of the user. */
  readonly home?: string;
}

/**
 * Reads schemalign.yaml: the file named, or the first one found from `cwd` up to the repository root (a folder with `.git`) or home,
 * whichever comes first; outside of both only `cwd` itself is looked at. Undefined when none is found.
 * Throws `CONFIG_NOT_FOUND` when a named file does not exist, `CONFIG_INVALID` with every problem of the file.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<ConfigFile | undefined> {
  const file = options.file === undefined ? findConfig(options.cwd, options.home ?? homedir()) : resolve(options.cwd, options.file);
  if (file === undefined) return undefined;
  const shown = shownPath(file);
  return checkConfig(await readText(file, shown), { file: shown, folder: dirname(file) }, options.env ?? process.env);
}

/** A path as people know it and as this process can open it. */
export function shownPath(file: string): string {
  const fromHere = relative(process.cwd(), file);
  return fromHere === '' || fromHere.startsWith('..') || isAbsolute(fromHere) ? file : fromHere;
}

function findConfig(cwd: string, home: string): string | undefined {
  const folders = foldersUp(resolve(cwd));
  const last = folders.findIndex((folder) => folder === resolve(home) || existsSync(join(folder, '.git')));
  return folders
    .slice(0, Math.max(last, 0) + 1)
    .map((folder) => join(folder, configName))
    .find((file) => existsSync(file));
}

function foldersUp(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUp(parent)];
}

/** Reads a configuration as UTF-8 text, without a byte-order mark. */
async function readText(file: string, shown: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw unreadable(shown, cause);
  });
  const text = decode(bytes);
  if (text !== undefined && !text.includes('\0')) return text;
  const expected = { line: lineOfBadByte(bytes), column: 1, pointer: '', message: 'expected UTF-8 text, found other bytes' };
  throw new ConfigFault(shown, [expected]);
}

function unreadable(shown: string, cause: unknown): Fault {
  const code = (cause as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Fault('CONFIG_NOT_FOUND', `there is no file ${shown}`, { cause, fix: 'Mend the path.' });
  const why = code === 'EISDIR' ? 'it is a folder' : `it cannot be read (${String(code)})`;
  return new Fault('CONFIG_INVALID', why, { cause, place: { file: shown }, fix: `Name a file such as ${configName} that you may read.` });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first line, from 1, that is no UTF-8 text. */
function lineOfBadByte(bytes: Uint8Array): number {
  const newline = 10;
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(newline, start);
    const text = decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    if (text === undefined || text.includes('\0') || end < 0) return line;
    start = end + 1;
  }
  return line;
}

/**
 * Where the first of these JSON pointers that the file holds stands (its key, when `what` is key), for faults found while a job runs.
 * Without line when it holds none of them or can no longer be read.
 */
export async function locate(file: string, pointers: readonly string[], what: 'key' | 'value' = 'key'): Promise<FaultPlace> {
  const config = await loadConfig({ file, cwd: process.cwd() }).catch(() => undefined);
  const places = pointers.map((pointer) => config?.places.get(pointer)?.[what]);
  return { file, ...places.find((place) => place !== undefined) };
}
