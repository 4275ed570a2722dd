import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../core/fault.ts';

const attempts = 4;
const firstWaitMs = 100;

/**
 * Does the whole work anew when another transaction came in its way: what was read and counted may no longer hold. The waits grow, and differ
 * by chance, so that two runs do not meet again. The last conflict is thrown.
 */
export async function retried<T>(work: (isLastAttempt: boolean) => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt >= attempts);
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts || signal?.aborted) throw error;
      await sleep(firstWaitMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

export const isConflict = (error: unknown): error is Fault => error instanceof Fault && error.code === 'ENGINE_CONFLICT';
