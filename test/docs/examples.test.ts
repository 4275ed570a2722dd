import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/core/divergences/catalogue.ts';
import { runExample } from './example-run.ts';

describe('the worked example of every divergence', () => {
  it.each(catalogue.map((kind) => [kind.code, kind] as const))('%s is found as its page says', async (code, kind) => {
    const said = await runExample(kind);
    const { path, reason, count } = kind.example.found;
    const found = said.findings.map((finding) => ({
      code: finding.code,
      path: finding.path,
      reason: finding.reason,
      count: finding.count,
    }));
    expect(found, said.err).toContainEqual({ code, path, reason, count });
  });
});
