/** Faults of the engine under masks: its words quote values of rows, such as the key that is there twice. */
import { Fault, type FaultCode } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import { hasMasks } from './mask.ts';

/** Codes whose message repeats what the engine said, when it was the engine that failed. */
const quotesEngine: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'ENGINE_REJECTED',
  'ENGINE_CONFLICT',
  'ENGINE_RESOURCES',
  'TARGET_INCOMPATIBLE',
  'SOURCE_FORMAT',
  'SOURCE_UNREADABLE',
  'BUG',
]);

/** Kinds of constraints, in the words of every engine. */
const constraint = /\b(primary key|foreign key|unique|not[ -]null|check|exclusion)\b(?: constraint)?/i;

/** Errors of the language itself hold no values. */
const ofProgram = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError']);

/**
 * What may be said of an error where columns are masked: code, place and advice, and which kind of constraint was broken, but neither the
 * words nor the statement of the engine, nor the cause, which holds them. Without masks the error itself.
 */
export function maskedError(error: unknown, job: Job): unknown {
  if (!hasMasks(job)) return error;
  if (!(error instanceof Fault)) return maskedBug(error);
  const { cause } = error;
  if (cause === undefined && error.statement === undefined) return error;
  const isOfEngine = quotesEngine.has(error.code) && !isOfSystem(cause);
  const details = { place: error.place, fix: error.fix };
  return new Fault(error.code, isOfEngine ? masked(error) : plain(error), details);
}

/** What Node.js says of files names paths, and no values. */
const isOfSystem = (cause: unknown): boolean => typeof (cause as { errno?: unknown } | null | undefined)?.errno === 'number';

function masked(error: Fault): string {
  const message = plain(error);
  const kind = error.code === 'TARGET_INCOMPATIBLE' ? constraint.exec(message)?.[1]?.toLowerCase() : undefined;
  const refused = error.code.startsWith('SOURCE_') ? 'the engine cannot read the source' : 'the engine refused a statement or a value';
  const what = kind === undefined ? refused : `a constraint of the target (${kind}) does not allow a row`;
  return `${what}; its own words are left out, as they may hold values of masked columns`;
}

/** The message without code and place, which the new fault puts there again. */
function plain({ code, message, place }: Fault): string {
  const text = message.replace(`[${code}] `, '');
  const { file, line, column } = place;
  if (file === undefined) return text;
  const at = [file, ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])])].join(':');
  return text.startsWith(`${at}: `) ? text.slice(at.length + 2) : text;
}

function maskedBug(error: unknown): unknown {
  if (error instanceof Error && ofProgram.has(error.name)) return error;
  return new Fault('BUG', 'an error that nobody foresaw; its words are left out, as they may hold values of masked columns', {
    fix: 'Please report it, and what the run was doing. Without masks, SCHEMALIGN_DEBUG=1 shows where it happened.',
  });
}
