import { expect, it } from 'vitest';
import { Fault } from '../core/fault.ts';
import { retried } from './retry.ts';

const conflict = (): Fault => new Fault('ENGINE_CONFLICT', 'deadlock detected');

it('begins anew after a conflict, and knows its last attempt', async () => {
  const seen: boolean[] = [];
  const answer = await retried(async (isLast) => {
    seen.push(isLast);
    if (seen.length < 3) throw conflict();
    return 'done';
  });
  expect([answer, seen]).toEqual(['done', [false, false, false]]);
});

it('gives up after four attempts with the conflict', async () => {
  const seen: boolean[] = [];
  await expect(
    retried(async (isLast) => {
      seen.push(isLast);
      throw conflict();
    }),
  ).rejects.toThrow('deadlock detected');
  expect(seen).toEqual([false, false, false, true]);
});

it('does nothing twice for any other fault, nor when it was interrupted', async () => {
  let calls = 0;
  const work = (fault: Fault) => async (): Promise<never> => {
    calls += 1;
    throw fault;
  };
  await expect(retried(work(new Fault('TARGET_INCOMPATIBLE', 'no')))).rejects.toThrow('no');
  await expect(retried(work(conflict()), AbortSignal.abort())).rejects.toThrow('deadlock');
  expect(calls).toBe(2);
});
