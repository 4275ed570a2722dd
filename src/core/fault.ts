/**
 * The one error class that is thrown, and its closed list of codes.
 *
 * A *divergence* (data or schemas that disagree) is a result and never thrown. A fault is thrown: the run cannot go on.
 */

/** What a fault means for the process: its exit code, and whether the same call may succeed when tried again. */
export interface FaultKind {
  readonly exit: 2 | 3 | 70;
  readonly retry: boolean;
  readonly title: string;
  readonly fix: string;
}

const usage = (title: string, fix: string): FaultKind => ({ exit: 2, retry: false, title, fix });
const refused = (title: string, fix: string): FaultKind => ({ exit: 3, retry: false, title, fix });

/** Every fault code. Codes are never renamed or reused. */
export const faults = {
  USAGE: usage('The command line is wrong', 'See `schemalign VERB --help`.'),
  CONFIG_NOT_FOUND: usage('No configuration was found', 'Name SOURCE and TARGET, or write a schemalign.yaml.'),
  CONFIG_INVALID: usage('The configuration is wrong', 'Mend the named line.'),
  CONFIG_UNKNOWN_COLUMN: usage('A rule names a column that the target does not have', 'Mend the name or remove the rule.'),
  SOURCE_NOT_FOUND: usage('The source does not exist', 'Mend the path.'),
  SOURCE_NO_MATCH: usage('No file matches the source pattern', 'Mend the pattern, or put the files in place.'),
  SOURCE_UNREADABLE: usage('The source cannot be read', 'Check the permissions and the kind of the file.'),
  SOURCE_FORMAT: usage('The source is not in the expected format', 'Name the format with `--format`, or mend the file.'),
  SCHEMA_TEXT: usage('A schema text cannot be read', 'Mend the named place.'),
  TARGET_URL: usage('The target address is not understood', 'Use FILE.duckdb, postgres://, sc://, bigquery:// or sqlserver://.'),
  TARGET_MISSING: usage('The target table does not exist', 'Create it, or pass `--create`.'),
  TARGET_INCOMPATIBLE: usage('The target table cannot take this load', 'Change the table or the configuration as the message says.'),
  ENGINE_MISSING: usage('The client of this engine is not installed', 'Install it with the command in the message.'),
  ENGINE_LOCKED: { exit: 2, retry: true, title: 'Another process has the database open', fix: 'Wait until it ends, then run again.' },
  ENGINE_CONNECT: {
    exit: 2,
    retry: true,
    title: 'The engine cannot be reached',
    fix: 'Check the address, the credentials and the network.',
  },
  ENGINE_REJECTED: usage('The engine refused a statement', "Read the engine's message below."),
  ENGINE_CONFLICT: { exit: 2, retry: true, title: 'Another writer changed the target meanwhile', fix: 'Run again.' },
  ENGINE_RESOURCES: usage('The engine ran out of memory or disk', 'Raise `memory_limit`, or free disk space for spilling.'),
  GAP: usage('This engine cannot do what the plan needs', 'Choose another mode or rule, as the message says.'),
  INTERRUPTED: { exit: 2, retry: true, title: 'The run was interrupted', fix: 'Run again: the target is as it was before.' },
  PLAN_INVALID: usage('The saved plan cannot be read', 'Make it anew with `schemalign plan --out FILE`.'),
  PLAN_OUT_OF_DATE: refused('The saved plan no longer fits', 'Make it anew with `schemalign plan --out FILE`, review it, and load that.'),
  GUARD_SHRINK: refused('The load would shrink the target more than allowed', 'Raise `max_shrink` if the loss is intended.'),
  GUARD_EMPTY: refused('The source holds no rows', 'Set `allow_empty: true` if emptying the target is intended.'),
  NULL_BUDGET: refused('More values would become NULL than the budget allows', 'Mend the data or the rule, or raise `null_budget`.'),
  NOT_FOUND: usage('There is nothing by that name', 'Use a name that exists, as listed in the message.'),
  BUG: { exit: 70, retry: false, title: 'A bug in Schemalign', fix: 'Please report it, with the message above.' },
} as const satisfies Record<string, FaultKind>;

export type FaultCode = keyof typeof faults;

/** Where in a file something is wrong. Lines and columns count from 1. */
export interface FaultPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface FaultDetails {
  readonly cause?: unknown;
  /** The statement that the engine refused, already free of secrets. */
  readonly statement?: string;
  readonly place?: FaultPlace;
  /** What to do in this very case; overrides the general advice of the code. */
  readonly fix?: string;
}

/** The only error that Schemalign throws on purpose. The message starts with the code in brackets. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly place: FaultPlace;
  readonly statement: string | undefined;
  readonly fix: string;

  constructor(code: FaultCode, message: string, details: FaultDetails = {}) {
    super(`[${code}] ${placePrefix(details.place)}${message}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.place = details.place ?? {};
    this.statement = details.statement;
    this.fix = details.fix ?? faults[code].fix;
  }

  get exit(): 2 | 3 | 70 {
    return faults[this.code].exit;
  }

  get retry(): boolean {
    return faults[this.code].retry;
  }
}

function placePrefix(place: FaultPlace | undefined): string {
  if (place?.file === undefined) return '';
  const line = place.line === undefined ? '' : `:${place.line}`;
  const column = place.line === undefined || place.column === undefined ? '' : `:${place.column}`;
  return `${place.file}${line}${column}: `;
}

/** Says that something must hold; when it does not, the program itself is wrong. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Fault('BUG', message);
}
