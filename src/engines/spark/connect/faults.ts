import { Code, ConnectError } from '@connectrpc/connect';
import { Fault, type FaultCode } from '../../../core/fault.ts';
import { placeOf, type SparkAddress } from './address.ts';
import { SparkError } from './spark-error.ts';

/** What is known when a call fails. */
export interface Circumstances {
  readonly address: SparkAddress;
  /** Free of secrets. */
  readonly statement?: string | undefined;
}

type Say = (address: SparkAddress, error: ConnectError) => { readonly text: string; readonly fix?: string };

const withoutTls: Say = ({ tls }) => ({
  text: tls ? 'the server does not speak TLS there' : 'what answers there is not Spark Connect, or it expects TLS',
  fix: tls
    ? 'Put `use_ssl=false` into the address of a server on this machine, or name the port that speaks TLS.'
    : 'Check the port; put `use_ssl=true` into the address when the server is behind TLS.',
});
const untrusted: Say = () => ({
  text: 'the certificate of the server is not trusted',
  fix: 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.',
});

/** Codes of Node and OpenSSL, anywhere in the chain of causes, and what they mean to the user. */
const connectionFaults: readonly (readonly [RegExp, Say])[] = [
  [
    /^ECONNREFUSED$/,
    () => ({ text: 'the connection was refused', fix: 'Check the host and the port, and whether the server is running.' }),
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, ({ host }) => ({ text: `the name ${host} was not found`, fix: 'Check the host.' })],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/,
    () => ({ text: 'the network does not lead there', fix: 'Check the host, the port and the firewall.' }),
  ],
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE)$/, untrusted],
  [/^CERT_HAS_EXPIRED$/, () => ({ text: 'the certificate of the server has expired', fix: 'Renew the certificate of the server.' })],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    ({ host }) => ({ text: `the certificate of the server is not for ${host}`, fix: 'Use the name that the certificate was made for.' }),
  ],
  [/^(ERR_SSL_\w+|EPROTO|ERR_HTTP2_ERROR)$/, withoutTls],
];

/** What the server answers with its status, where the status itself says enough. */
const statusFaults: Partial<Record<Code, readonly [FaultCode, Say]>> = {
  [Code.Unauthenticated]: [
    'ENGINE_CONNECT',
    ({ token }) =>
      token === undefined
        ? { text: 'the server asks for a token, and the address has none', fix: 'Put `token=…` into the address.' }
        : { text: 'the server does not accept the token', fix: 'Check the token in the address.' },
  ],
  [Code.PermissionDenied]: [
    'ENGINE_CONNECT',
    () => ({ text: 'the server does not allow this user in', fix: 'Check the token and the user in the address.' }),
  ],
  [Code.Unimplemented]: [
    'ENGINE_CONNECT',
    (_, { rawMessage }) => ({
      text: `what answers there is not Spark Connect 4: ${rawMessage}`,
      fix: 'Check the port, and that Spark is 4.0 or later.',
    }),
  ],
  [Code.ResourceExhausted]: [
    'ENGINE_RESOURCES',
    ({ maxMessageBytes }, { rawMessage }) => ({
      text: `a message is larger than allowed, ${maxMessageBytes} bytes here: ${rawMessage}`,
      fix: 'Put a larger `grpc_max_message_size` into the address, or keep single values smaller.',
    }),
  ],
};

const lostSession = 'Run again: a new session is opened. What the old one had in memory is gone.';

/** Error classes of Spark and Delta that mean more than a refused statement. The first that matches wins. */
const classFaults: readonly (readonly [RegExp, FaultCode, string, string?])[] = [
  [/^OPERATION_CANCELED/, 'INTERRUPTED', 'the run was interrupted'],
  [/^INVALID_HANDLE\.SESSION_CHANGED/, 'ENGINE_CONNECT', 'the Spark server was restarted, and the session is gone with it', lostSession],
  [/^INVALID_HANDLE\.SESSION_/, 'ENGINE_CONNECT', 'the Spark server has ended the session', lostSession],
  [/^INVALID_HANDLE\.OPERATION_/, 'ENGINE_CONNECT', 'the Spark server no longer knows the running statement', lostSession],
  [/^INVALID_CURSOR/, 'ENGINE_CONNECT', 'the Spark server no longer has the rest of the answer', lostSession],
  [
    /^DELTA_CONCURRENT_|^DELTA_METADATA_CHANGED|^DELTA_PROTOCOL_CHANGED|^CONCURRENT_/,
    'ENGINE_CONFLICT',
    'another writer changed the table meanwhile',
  ],
];

/** Words of errors that have no class, with what to say in their place, if anything. */
const messageFaults: readonly (readonly [RegExp, FaultCode, string?])[] = [
  [/stopped SparkContext|SparkContext (?:was|has been) (?:stopped|shut ?down)/, 'ENGINE_CONNECT', 'the Spark server is shutting down'],
  [/OutOfMemoryError|Java heap space|spark\.driver\.maxResultSize/, 'ENGINE_RESOURCES'],
  [/No space left on device/, 'ENGINE_RESOURCES'],
];

/** Turns an error of the transport, or one that Spark gave, into a fault. The message holds no token. */
export function toFault(error: unknown, circumstances: Circumstances): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof SparkError) return fromSpark(error, circumstances);
  if (!(error instanceof ConnectError)) return new Fault('BUG', `the client of Spark failed: ${String(error)}`, { cause: error });
  const { address, statement } = circumstances;
  const [code, say] = statusFaults[error.code] ?? ['ENGINE_CONNECT', sayConnection(error)];
  const { text, fix } = say(address, error);
  const details = { cause: error, ...(statement === undefined ? {} : { statement }), ...(fix === undefined ? {} : { fix }) };
  return new Fault(code, `Spark at ${placeOf(address)}: ${withoutSecrets(text, address)}`, details);
}

function sayConnection(error: ConnectError): Say {
  for (const code of codesOf(error)) {
    const found = connectionFaults.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return () => ({ text: `the connection failed: ${error.rawMessage}` });
}

function fromSpark(error: SparkError, { address, statement }: Circumstances): Fault {
  const details = { cause: error, ...(statement === undefined ? {} : { statement }) };
  for (const [pattern, code, text, fix] of classFaults) {
    if (!error.causes.some(({ errorClass }) => errorClass !== undefined && pattern.test(errorClass))) continue;
    return new Fault(code, text, fix === undefined ? details : { ...details, fix });
  }
  const found = messageFaults.find(([pattern]) => error.causes.some(({ message, javaClass }) => pattern.test(`${javaClass}: ${message}`)));
  const [, code, text] = found ?? [undefined, 'ENGINE_REJECTED' as const, undefined];
  return new Fault(code, text ?? `spark: ${withoutSecrets(error.message, address)}`, details);
}

/** Node's codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one: unknown = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth += 1) {
    const { code, errors } = one as NodeJS.ErrnoException & { errors?: unknown };
    if (typeof code === 'string') codes.push(code);
    // Node tries all addresses of a name, and throws the errors together.
    if (Array.isArray(errors)) codes.push(...errors.flatMap(codesOf));
  }
  return codes;
}

function withoutSecrets(text: string, { token, headers }: SparkAddress): string {
  return [token, ...Object.values(headers)]
    .filter((secret) => secret !== undefined && secret.length > 3)
    .reduce<string>((said, secret) => said.replaceAll(secret as string, '***'), text);
}
