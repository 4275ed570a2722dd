import { Fault } from '../../../core/fault.ts';

/** Where a Spark Connect server is and who asks, read from a connection string. Holds secrets: never shown whole. */
export interface SparkAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly token?: string;
  readonly userId?: string;
  readonly userAgent?: string;
  readonly sessionId?: string;
  /** Largest message to take and to send, in bytes. */
  readonly maxMessageBytes: number;
  /** Further headers, as managed services ask for them: the keys that start with `x-`. */
  readonly headers: Readonly<Record<string, string>>;
}

const defaultPort = 15_002;
const defaultMaxMessageBytes = 128 * 1024 * 1024;
const knownKeys = ['token', 'use_ssl', 'user_id', 'user_agent', 'session_id', 'grpc_max_message_size'] as const;
type Key = (typeof knownKeys)[number];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads `sc://host:port/;key=value;…` as Spark's client-connection-string.md describes it. Keys are case sensitive, values percent-encoded.
 * A token turns TLS on; `use_ssl=false` beside a token is taken for this machine only, where nobody listens in.
 * @throws Fault TARGET_URL; the message never holds a value of a parameter
 */
export function parseSparkAddress(text: string): SparkAddress {
  const match = /^sc:\/\/([^/;?#]*)(?:\/(.*))?$/is.exec(text);
  if (match === null) throw refuse('expected sc://host:port/;key=value');
  const { host, port } = readHost(match[1] ?? '');
  const { values, headers } = readParameters(match[2] ?? '');
  const token = values.get('token');
  const asked = readFlag(values.get('use_ssl'));
  if (token !== undefined && asked === false && !isLoopback(host)) {
    throw refuse('a token is sent without TLS only to this machine', 'Remove `use_ssl=false`: with a token, TLS is on.');
  }
  const sessionId = values.get('session_id');
  if (sessionId !== undefined && !uuid.test(sessionId)) throw refuse('`session_id` must be a UUID');
  const userId = values.get('user_id');
  const userAgent = values.get('user_agent');
  return {
    host,
    port,
    tls: asked ?? token !== undefined,
    maxMessageBytes: readSize(values.get('grpc_max_message_size')),
    headers,
    ...(token === undefined ? {} : { token }),
    ...(userId === undefined ? {} : { userId }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** The address without its secrets, for messages. */
export function placeOf({ host, port }: Pick<SparkAddress, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a host is this machine. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function readHost(text: string): { host: string; port: number } {
  if (text.includes('@'))
    throw refuse('a user or password stands before the host', 'Name them as `user_id=…` and `token=…` after the `/;`.');
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text);
  const host = match?.[1]?.replaceAll(/[[\]]/g, '').toLowerCase();
  if (host === undefined) throw refuse('expected sc://host:port, and the host is not the name or address of a machine');
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  if (port < 1 || port > 65_535) throw refuse(`${port} is no port`);
  return { host, port };
}

interface Parameters {
  readonly values: ReadonlyMap<Key, string>;
  readonly headers: Record<string, string>;
}

function readParameters(text: string): Parameters {
  if (text !== '' && !text.startsWith(';')) throw refuse('the path must be empty: parameters start with `/;`');
  const values = new Map<Key, string>();
  const headers = new Map<string, string>();
  for (const part of text.split(';').filter((one) => one !== '')) {
    const { key, value } = readParameter(part);
    const isHeader = /^x-[a-z0-9-]+$/.test(key);
    if (!isHeader && !isKnown(key)) throw refuseKey(key, values.has('token'));
    if (values.has(key as Key) || headers.has(key)) throw refuse(`the parameter \`${key}\` stands there twice`);
    if (isHeader) headers.set(key, value);
    else values.set(key as Key, value);
  }
  return { values, headers: Object.fromEntries(headers) };
}

/** What follows a token may be the rest of it, when its `;` was not encoded. */
function refuseKey(key: string, mayBeSecret: boolean): Fault {
  const what = mayBeSecret ? 'a parameter after `token`' : `the parameter \`${key}\``;
  return refuse(`${what} is not known`, `Use ${knownKeys.join(', ')}, or a header x-…; write \`;\` within a value as %3B.`);
}

function readParameter(part: string): { key: string; value: string } {
  const equals = part.indexOf('=');
  // The whole part may be a secret whose `;` was not encoded.
  if (equals < 1) throw refuse('a parameter is not of the form key=value', 'Write `;` within a value as %3B.');
  const key = part.slice(0, equals);
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(key)) throw refuse('the name of a parameter is not a word', 'Write `;` within a value as %3B.');
  const value = decode(part.slice(equals + 1), key);
  if (value === '') throw refuse(`the parameter \`${key}\` is empty`);
  // A line end would end the header that the value is sent in.
  if (/[^\x20-\x7e]/.test(value) && key !== 'user_id') throw refuse(`the parameter \`${key}\` holds other characters than printable ASCII`);
  return { key, value };
}

function decode(text: string, key: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse(`the parameter \`${key}\` is not percent-encoded properly`);
  }
}

function isKnown(key: string): key is Key {
  return (knownKeys as readonly string[]).includes(key);
}

function readFlag(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw refuse('`use_ssl` must be true or false');
  return text === 'true';
}

function readSize(text: string | undefined): number {
  if (text === undefined) return defaultMaxMessageBytes;
  const bytes = Number(text);
  if (!/^\d{1,10}$/.test(text) || bytes < 1024 || bytes > 2 ** 31 - 1) {
    throw refuse('`grpc_max_message_size` must be a number of bytes from 1024 to 2147483647');
  }
  return bytes;
}

function refuse(message: string, fix?: string): Fault {
  return new Fault('TARGET_URL', `the address of Spark is wrong: ${message}`, fix === undefined ? {} : { fix });
}
