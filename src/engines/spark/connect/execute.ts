import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../../core/fault.ts';
import type { StatementOptions } from './spark-client.ts';
import type { ExecuteResponse } from './messages.ts';
import type { PlanInit } from './plans.ts';
import { sparkErrorOf } from './spark-error.ts';
import { isBroken, retryWaits, type Wire } from './wire.ts';

export interface Execution {
  readonly plan: PlanInit;
  /** Free of secrets; for the words of a fault. */
  readonly statement: string;
  readonly signal?: AbortSignal | undefined;
  readonly tags: readonly string[];
  readonly silenceMs: number;
  readonly options: StatementOptions;
  /** Takes the farewell to the server, which nobody needs to wait for. */
  readonly later: (work: Promise<unknown>) => void;
}

// Spark hands the stages of a query to threads of their own. Interrupted before the first is handed over, it says that the operation is
// cancelled, and the stage goes on for as long as it takes: nothing it does is kept, but it holds the cores.
const youngestMs = 2000;
const betweenInterruptsMs = 250;
const interruptLimitMs = 20_000;
const byOperation = 3;

/**
 * Runs a plan and gives what the server answers, each response once, also when the stream ends or breaks in between: then the answer is
 * taken up where it was left. Left early, the operation is stopped at the server. @throws Fault
 */
export async function* execute(wire: Wire, execution: Execution): AsyncGenerator<ExecuteResponse> {
  const { statement, options } = execution;
  const signal = options.hold === true ? undefined : execution.signal;
  if (signal?.aborted === true) throw interrupted();
  const progress: Progress = { operationId: options.operationId ?? randomUUID(), last: undefined, isSent: false, isDone: false };
  const interrupts = interruptOn(signal, wire, progress.operationId);
  try {
    yield* streams(wire, execution, progress, interrupts.gaveUp);
  } catch (error) {
    if (interrupts.gaveUp.aborted) throw interrupted(error);
    if (!isBroken(error)) progress.isDone = true;
    throw await wire.explain(error, statement);
  } finally {
    interrupts.end();
    execution.later(release(wire, progress));
  }
}

/** One stream after another, until the answer is complete. */
async function* streams(wire: Wire, execution: Execution, progress: Progress, gaveUp: AbortSignal): AsyncGenerator<ExecuteResponse> {
  for (let failures = 0; !progress.isDone; ) {
    try {
      for await (const response of oneStream(wire, execution, progress, gaveUp)) {
        failures = 0;
        yield response;
      }
    } catch (error) {
      const wait = retryWaits[failures];
      failures += 1;
      if (!isBroken(error) || gaveUp.aborted) throw error;
      if (wait === undefined) throw lost(error, execution.statement);
      await sleep(wait);
    }
  }
}

/** How far an operation has come. */
interface Progress {
  readonly operationId: string;
  /** The id of the last response; undefined before the first, and so before it is known that the server has the request. */
  last: string | undefined;
  /** Whether nothing more comes: the answer is complete, or the server refused the statement. */
  isDone: boolean;
  /** Whether the request has been sent, and the answer must be taken up instead. */
  isSent: boolean;
}

/** One stream: the first, or one that takes the answer up. It may end before the answer does. */
async function* oneStream(wire: Wire, execution: Execution, progress: Progress, gaveUp: AbortSignal): AsyncGenerator<ExecuteResponse> {
  const silence = watchSilence(wire, execution.silenceMs, gaveUp);
  try {
    const stream = progress.isSent ? reattach(wire, execution, progress, silence.signal) : start(wire, execution, progress, silence.signal);
    for await (const response of stream) {
      silence.heard();
      wire.observe(response.serverSideSessionId);
      progress.last = response.responseId;
      if (response.responseType.case === 'resultComplete') progress.isDone = true;
      else yield response;
    }
  } finally {
    silence.end();
  }
}

function start(wire: Wire, { plan, tags, options }: Execution, progress: Progress, signal: AbortSignal): AsyncIterable<ExecuteResponse> {
  progress.isSent = true;
  const reattachable = { requestOption: { case: 'reattachOptions' as const, value: { reattachable: true } } };
  const request = {
    ...wire.head(),
    operationId: progress.operationId,
    plan,
    tags: [...tags, ...(options.tags ?? [])],
    requestOptions: [reattachable],
  };
  return wire.service.executePlan(request, { signal });
}

/** Takes the answer up. When nothing has come yet, and the server does not know the operation, the request never arrived: it is sent anew. */
async function* reattach(wire: Wire, execution: Execution, progress: Progress, signal: AbortSignal): AsyncGenerator<ExecuteResponse> {
  const { operationId, last } = progress;
  try {
    const request = { ...wire.head(), operationId, ...(last === undefined ? {} : { lastResponseId: last }) };
    yield* wire.service.reattachExecute(request, { signal });
  } catch (error) {
    if (last !== undefined || isBroken(error)) throw error;
    const fault = await wire.explain(error, execution.statement);
    if (sparkErrorOf(fault)?.is('INVALID_HANDLE.OPERATION_NOT_FOUND') !== true) throw fault;
    yield* start(wire, execution, progress, signal);
  }
}

/**
 * Gives a connection up that has been silent for too long: the server sends something at least every two minutes, or ends the stream. A
 * firewall may have forgotten the connection without a word to either side.
 */
function watchSilence(wire: Wire, limitMs: number, gaveUp: AbortSignal) {
  const over = new AbortController();
  const begin = (): NodeJS.Timeout => setTimeout(wire.disconnect, limitMs);
  let timer = begin();
  return {
    signal: AbortSignal.any([over.signal, gaveUp]),
    heard: (): void => {
      clearTimeout(timer);
      timer = begin();
    },
    end: (): void => {
      clearTimeout(timer);
      over.abort(new Error('the answer is no longer wanted'));
    },
  };
}

/**
 * Closing a stream does not stop the query, so the server is asked to, again and again: it overlooks what comes before the statement.
 * When the statement does not end in spite of that, the stream is given up.
 */
function interruptOn(signal: AbortSignal | undefined, wire: Wire, operationId: string) {
  const giveUp = new AbortController();
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const ask = (): void => {
      if (performance.now() - started >= youngestMs) void interruptOperation(wire, operationId).catch(() => undefined);
    };
    ask();
    timer = setInterval(ask, betweenInterruptsMs);
    deadline = setTimeout(() => giveUp.abort(new Error('the run was interrupted')), interruptLimitMs);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return {
    gaveUp: giveUp.signal,
    end: (): void => {
      signal?.removeEventListener('abort', begin);
      clearInterval(timer);
      clearTimeout(deadline);
    },
  };
}

function interruptOperation(wire: Wire, operationId: string): Promise<unknown> {
  const request = { ...wire.head(), interruptType: byOperation, interrupt: { case: 'operationId' as const, value: operationId } };
  return wire.service.interrupt(request, { timeoutMs: 5000 });
}

/** Tells the server that it may forget the answer; an operation that is still running is stopped before. */
async function release(wire: Wire, { operationId, isDone }: Progress): Promise<void> {
  if (!isDone) await interruptOperation(wire, operationId).catch(() => undefined);
  const request = { ...wire.head(), operationId, release: { case: 'releaseAll' as const, value: {} } };
  await wire.service.releaseExecute(request, { timeoutMs: 5000 }).catch(() => undefined);
}

function interrupted(cause?: unknown): Fault {
  return new Fault('INTERRUPTED', 'the run was interrupted', cause === undefined ? {} : { cause });
}

function lost(cause: unknown, statement: string): Fault {
  return new Fault(
    'ENGINE_CONNECT',
    'the connection to Spark was lost and could not be made again; whether the statement was carried out is not known',
    {
      cause,
      statement,
      fix: 'Look whether the server still runs, then run again: what the statement did is found out first.',
    },
  );
}
