import { setTimeout as sleep } from 'node:timers/promises';
import { fromBinary } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { Fault } from '../../../core/fault.ts';
import { placeOf, type SparkAddress } from './address.ts';
import { toFault } from './faults.ts';
import { ErrorInfoSchema, type ErrorDetailsResponse, SparkConnectService } from './messages.ts';
import { reach } from './reach.ts';
import { type SparkCause, SparkError } from './spark-error.ts';

type Service = Client<typeof SparkConnectService>;

/** The fields that every request of a session begins with. */
export interface Head {
  readonly sessionId: string;
  readonly userContext: { readonly userId: string; readonly userName: string };
  readonly clientType: string;
  /** Once known: a server that was started anew refuses it, where it would else begin an empty session. */
  readonly clientObservedServerSideSessionId?: string;
}

/** The connection of one session. */
export interface Wire {
  readonly address: SparkAddress;
  readonly service: Service;
  readonly head: () => Head;
  /** Notes the session at the server. @throws Fault ENGINE_CONNECT when it is another than before */
  readonly observe: (serverSideSessionId: string) => void;
  /** Makes a call that may be made again when the connection breaks. */
  readonly ask: <T>(call: (service: Service) => Promise<T>, statement?: string) => Promise<T>;
  /** What a failed call means: Spark's own words are fetched. */
  readonly explain: (error: unknown, statement?: string) => Promise<Fault>;
  /** Looks whether a server that may be Spark answers at all. @throws Fault ENGINE_CONNECT */
  readonly reach: () => Promise<void>;
  /** Closes the connection; the next call opens a new one. What is running is broken off here, and goes on at the server. */
  readonly disconnect: () => void;
}

/** Waits before a broken connection is tried again, in ms: about 12 s in all. */
export const retryWaits: readonly number[] = [50, 200, 800, 2000, 3000, 6000];
const connectLimitMs = 20_000;
// Finds dead connections; Spark's server takes more than one in five minutes for an attack.
const pingIntervalMs = 360_000;

export interface WireOptions {
  readonly sessionId: string;
  readonly clientType: string;
  readonly ca?: string;
}

/** Prepares the connection; it is opened with the first call. */
export function openWire(address: SparkAddress, options: WireOptions): Wire {
  const url = `${address.tls ? 'https' : 'http'}://${placeOf(address)}`;
  const sessionManager = new Http2SessionManager(url, { pingIntervalMs }, options.ca === undefined ? {} : { ca: options.ca });
  const transport = createGrpcTransport({
    baseUrl: url,
    sessionManager,
    interceptors: [withHeaders(address)],
    readMaxBytes: address.maxMessageBytes,
    writeMaxBytes: address.maxMessageBytes,
  });
  const service = createClient(SparkConnectService, transport);
  const userId = address.userId ?? '';
  let observed: string | undefined;
  const head = (): Head => ({
    sessionId: options.sessionId,
    userContext: { userId, userName: userId },
    clientType: options.clientType,
    ...(observed === undefined ? {} : { clientObservedServerSideSessionId: observed }),
  });
  const explain = (error: unknown, statement?: string): Promise<Fault> => explainError({ address, service, head }, error, statement);
  return {
    address,
    service,
    head,
    explain,
    observe: (id) => {
      if (id === '') return;
      if (observed !== undefined && observed !== id) throw sessionChanged();
      observed = id;
    },
    ask: async (call, statement) => {
      for (const wait of observed === undefined ? [undefined] : [...retryWaits.slice(0, 4), undefined]) {
        try {
          return await call(service);
        } catch (error) {
          if (wait === undefined || !isBroken(error)) throw await explain(error, statement);
          await sleep(wait);
        }
      }
      throw new Fault('BUG', 'a call ended without an answer');
    },
    reach: () =>
      reach(url, options.ca).catch((error: unknown) => {
        throw toFault(error, { address });
      }),
    disconnect: () => sessionManager.abort(new ConnectError('the connection was given up', Code.Unavailable)),
  };
}

function sessionChanged(): SparkError {
  return new SparkError([{ message: 'the server has another session of that name', errorClass: 'INVALID_HANDLE.SESSION_CHANGED' }]);
}

/** How long a first answer may take. */
export const connectTimeout = (): { readonly timeoutMs: number } => ({ timeoutMs: connectLimitMs });

function withHeaders({ token, headers }: SparkAddress): Interceptor {
  return (next) => (request) => {
    if (token !== undefined) request.header.set('authorization', `Bearer ${token}`);
    for (const [key, value] of Object.entries(headers)) request.header.set(key, value);
    return next(request);
  };
}

const brokenCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.Aborted,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
  Code.DeadlineExceeded,
]);

/** Whether the connection failed, and not the statement: then the server has sent no details. */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectError && error.details.length === 0 && brokenCodes.has(error.code);
}

interface Asking {
  readonly address: SparkAddress;
  readonly service: Service;
  readonly head: () => Head;
}

async function explainError(asking: Asking, error: unknown, statement?: string): Promise<Fault> {
  const { address } = asking;
  const info = error instanceof ConnectError ? infoOf(error) : undefined;
  if (!(error instanceof ConnectError) || info === undefined) return toFault(error, { address, statement });
  const fetched = await fetchCauses(asking, info['errorId']);
  const own: SparkCause = {
    message: error.rawMessage,
    ...(info['errorClass'] === undefined ? {} : { errorClass: info['errorClass'] }),
    ...(info['sqlState'] === undefined ? {} : { sqlState: info['sqlState'] }),
    javaClass: info['reason'] ?? '',
  };
  const spark = fetched ?? new SparkError([own], { parameters: parametersOf(info['messageParameters']) });
  return toFault(spark, { address, statement });
}

function infoOf(error: ConnectError): Record<string, string> | undefined {
  for (const detail of error.details) {
    if (!('type' in detail) || detail.type !== 'google.rpc.ErrorInfo') continue;
    const { reason, metadata } = fromBinary(ErrorInfoSchema, detail.value);
    return { ...metadata, reason };
  }
  return undefined;
}

function parametersOf(json: string | undefined): Record<string, string> {
  try {
    return json === undefined ? {} : (JSON.parse(json) as Record<string, string>);
  } catch {
    return {}; // Cut off by the limit on headers.
  }
}

/** The whole chain of causes; undefined when the server cannot say, as after the end of the session. */
async function fetchCauses({ service, head }: Asking, errorId: string | undefined): Promise<SparkError | undefined> {
  if (errorId === undefined) return undefined;
  try {
    return toSparkError(await service.fetchErrorDetails({ ...head(), errorId }, { timeoutMs: 10_000 }));
  } catch {
    return undefined;
  }
}

function toSparkError({ rootErrorIdx, errors }: ErrorDetailsResponse): SparkError | undefined {
  const chain: SparkCause[] = [];
  const seen = new Set<number>();
  let thrown: ErrorDetailsResponse['errors'][number]['sparkThrowable'];
  for (let at = rootErrorIdx; at !== undefined && !seen.has(at); at = errors[at]?.causeIdx) {
    const one = errors[at];
    if (one === undefined) break;
    seen.add(at);
    thrown ??= one.sparkThrowable;
    const { errorClass, sqlState } = one.sparkThrowable ?? {};
    chain.push({
      message: one.message,
      javaClass: one.errorTypeHierarchy[0] ?? '',
      ...(errorClass === undefined ? {} : { errorClass }),
      ...(sqlState === undefined ? {} : { sqlState }),
    });
  }
  if (chain.length === 0) return undefined;
  return new SparkError(chain, { parameters: thrown?.messageParameters ?? {}, fragment: thrown?.queryContexts[0]?.fragment });
}
