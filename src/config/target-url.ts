import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault } from '../core/fault.ts';
import { didYouMean } from './did-you-mean.ts';
import { redactUrl } from './redact.ts';

export type EngineName = 'duckdb' | 'postgres' | 'spark' | 'bigquery' | 'sqlserver';

export interface TargetAddress {
  readonly engine: EngineName;
  /** Without the table, and without the prefix `duckdb:`. */
  readonly url: string;
  readonly table?: string;
}

/** The engine whose addresses are files. */
const embedded: EngineName = 'duckdb';

/** Whether the address is a file that the embedded engine opens, rather than a server or memory. */
export function isFileAddress({ engine, url }: TargetAddress): boolean {
  return engine === embedded && url !== inMemory;
}

const inMemory = ':memory:';

const schemes: Readonly<Record<string, EngineName>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  sc: 'spark',
  bigquery: 'bigquery',
  sqlserver: 'sqlserver',
};

export const acceptedAddresses =
  'FILE.duckdb, FILE.db, FILE.ddb, :memory:, duckdb:FILE, postgres://…, sc://…, bigquery://… or sqlserver://…, each optionally with #schema.table';

/**
 * Reads an address such as `warehouse.duckdb#main.orders` or `postgres://host/db`; a file whose own name holds `#` wins over a table.
 * Throws `TARGET_URL` for anything else.
 */
export function targetFromUrl(text: string, cwd: string = process.cwd()): TargetAddress {
  const found = tryTargetFromUrl(text, cwd);
  if (found !== undefined) return found;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  const near = scheme === undefined ? undefined : didYouMean(scheme, Object.keys(schemes));
  const hint = near === undefined ? '' : `; did you mean ${near}://?`;
  throw new Fault('TARGET_URL', `expected ${acceptedAddresses}, found ${JSON.stringify(redactUrl(text))}${hint}`);
}

/** As `targetFromUrl`, but undefined for what is no address of an engine: a source file, for example. */
export function tryTargetFromUrl(text: string, cwd: string = process.cwd()): TargetAddress | undefined {
  const whole = engineOf(text, cwd);
  const hash = text.lastIndexOf('#');
  if (hash < 0 || (whole === embedded && existsSync(resolve(cwd, filePart(text))))) return address(whole, text);
  const table = text.slice(hash + 1);
  const engine = engineOf(text.slice(0, hash), cwd);
  if (engine === undefined || !isTable(table)) return address(whole, text);
  return { ...(address(engine, text.slice(0, hash)) as TargetAddress), table };
}

function address(engine: EngineName | undefined, url: string): TargetAddress | undefined {
  return engine === undefined ? undefined : { engine, url: engine === embedded ? filePart(url) : url };
}

/** What stands behind `#` may be a password that nobody encoded: an unquoted table holds no `@` and no `/`. */
function isTable(text: string): boolean {
  return text !== '' && (text.startsWith('"') || !/[@/]/.test(text));
}

function engineOf(url: string, cwd: string): EngineName | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/./i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && Object.hasOwn(schemes, scheme)) return schemes[scheme];
  if (/^duckdb:./i.test(url)) return embedded;
  if (url === inMemory) return embedded;
  const isFile = /[^/\\](\.duckdb|\.ddb|\.db)$/i.test(url) && (scheme === undefined || existsSync(resolve(cwd, url)));
  return isFile ? embedded : undefined;
}

function filePart(url: string): string {
  return url.replace(/^duckdb:(\/\/(?=.))?/i, '');
}
