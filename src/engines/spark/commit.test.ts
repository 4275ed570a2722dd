import { describe, expect, it } from 'vitest';
import { runOf } from './commit.ts';

describe('runOf', () => {
  it('reads the id of the run that a version bears', () => {
    expect(runOf('{"schemalign_run":"01a2-b"}')).toBe('01a2-b');
  });

  it.each([null, undefined, 7, '', 'nightly job', '{"schemalign_run":', '{"other":"01a2-b"}'])('knows none in %j', (text) => {
    expect(runOf(text)).toBeUndefined();
  });
});
