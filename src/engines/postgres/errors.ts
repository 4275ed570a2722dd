/** What PostgreSQL's errors mean, by SQLSTATE. https://www.postgresql.org/docs/current/errcodes-appendix.html */
import { Fault, type FaultCode } from '../../core/fault.ts';

/** What a server error tells; texts of the detail are left out of messages, as they hold values of rows. */
export interface ServerError {
  readonly code?: string;
  readonly message: string;
  readonly constraint?: string;
  readonly column?: string;
  readonly table?: string;
}

type Say = (error: ServerError) => string;
type Entry = readonly [pattern: RegExp, code: FaultCode, say: Say, fix?: string];

const own: Say = ({ message }) => `postgres: ${firstLine(message)}`;
const constraint: Say = ({ message, constraint: name }) =>
  `a constraint of the target does not allow a row: ${firstLine(message)}${name === undefined || message.includes(name) ? '' : ` (${name})`}`;

/** The first that matches wins. */
const table: readonly Entry[] = [
  [
    /^(?:28P01|28000)$/,
    'ENGINE_CONNECT',
    ({ message }) => `the server refused the login: ${firstLine(message)}`,
    'Check user and password.',
  ],
  [/^3D000$/, 'TARGET_URL', ({ message }) => firstLine(message), 'Mend the name of the database, or create it.'],
  [/^(?:08|53300|57P01|57P02|57P03)/, 'ENGINE_CONNECT', ({ message }) => `the connection was lost: ${firstLine(message)}`],
  [/^(?:40001|40P01)$/, 'ENGINE_CONFLICT', ({ message }) => `another transaction came in the way: ${firstLine(message)}`],
  [/^(?:42P07|42701)$/, 'ENGINE_CONFLICT', ({ message }) => `another session has made the same meanwhile: ${firstLine(message)}`],
  [/^55P03$/, 'ENGINE_LOCKED', () => 'another session holds a lock on the table'],
  [/^57014$/, 'INTERRUPTED', ({ message }) => firstLine(message)],
  [/^(?:53|54001)/, 'ENGINE_RESOURCES', ({ message }) => firstLine(message)],
  [/^(?:23|44000)/, 'TARGET_INCOMPATIBLE', constraint],
  [/^428C9$/, 'TARGET_INCOMPATIBLE', own],
  [/^42501$/, 'ENGINE_REJECTED', own, 'Grant the right that is missing to the user of the address.'],
  [/^25006$/, 'ENGINE_REJECTED', own, 'Name the primary server: a standby takes no writes.'],
];

const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE', 'EAI_AGAIN']);
const lost = /Connection terminated|connection error|timeout expired|not queryable|Client was closed/i;

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}

function isLost({ code, message }: ServerError): boolean {
  return network.has(code ?? '') || lost.test(message);
}

/** The innermost error that says something: a failed attempt on several addresses holds one error for each. */
function tellingError(error: unknown): ServerError {
  if (error instanceof AggregateError && error.errors.length > 0) return tellingError(error.errors[0]);
  return error instanceof Error ? (error as ServerError) : { message: String(error) };
}

/** Turns what the client threw into a fault. */
export function toFault(error: unknown, statement?: string): Fault {
  if (error instanceof Fault) return error;
  const told = tellingError(error);
  const details = { cause: error, ...(statement === undefined ? {} : { statement }) };
  if (isLost(told)) return new Fault('ENGINE_CONNECT', `the connection was lost: ${firstLine(told.message)}`, { cause: error });
  const entry = table.find(([pattern]) => pattern.test(told.code ?? ''));
  if (entry === undefined) return new Fault('ENGINE_REJECTED', own(told), details);
  const [, code, say, fix] = entry;
  return new Fault(code, say(told), { ...details, ...(fix === undefined ? {} : { fix }) });
}

/** The same for what was thrown while connecting: what is no answer of the server is a matter of network or address. */
export function toConnectFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const told = tellingError(error);
  if (isLost(told)) return new Fault('ENGINE_CONNECT', `the server cannot be reached: ${firstLine(told.message)}`, { cause: error });
  const fault = toFault(error);
  if (fault.code !== 'ENGINE_REJECTED' || told.code !== undefined) return fault;
  return new Fault('ENGINE_CONNECT', `the server cannot be reached: ${firstLine(told.message)}`, { cause: error });
}

/** When the connection breaks during a commit nobody knows whether it came to pass. */
export function commitFault(error: unknown): Fault {
  const fault = toFault(error, 'COMMIT');
  if (fault.code !== 'ENGINE_CONNECT') return fault;
  return new Fault('ENGINE_CONNECT', 'the connection was lost during the commit, so it is not known whether the load took place', {
    cause: error,
    fix: 'Run again: what was loaded is not loaded twice.',
  });
}
