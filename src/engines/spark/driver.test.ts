import { describe, expect, it } from 'vitest';
import { hostMark, mayLive, ownerOf, ownName } from './driver.ts';

describe('the owner of what a run leaves', () => {
  it('is told by the name', () => {
    const owner = ownerOf(ownName('stage'));
    expect(owner).toMatchObject({ host: hostMark(), pid: process.pid });
    expect(Math.abs((owner?.since ?? 0) - Date.now() / 1000)).toBeLessThan(5);
  });

  it('is nobody for names of others', () => {
    expect(ownerOf('schemalign_stage')).toBeUndefined();
    expect(ownerOf('orders')).toBeUndefined();
  });

  it('lives while its process does; of other machines a day long', () => {
    const now = Math.floor(Date.now() / 1000);
    expect(mayLive({ host: hostMark(), pid: process.ppid, since: 0 })).toBe(true);
    // The largest number of a process that Linux gives is 2^22.
    expect(mayLive({ host: hostMark(), pid: 2 ** 22 + 1, since: now })).toBe(false);
    expect(mayLive({ host: 'elsewher', pid: 1, since: now - 3600 })).toBe(true);
    expect(mayLive({ host: 'elsewher', pid: 1, since: now - 90_000 })).toBe(false);
  });
});
