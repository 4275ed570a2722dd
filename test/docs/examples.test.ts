import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/core/divergences/catalogue.ts';
import { runExample } from './example-run.ts';

const schema = JSON.parse(readFileSync(new URL('../../schema/run-record.schema.json', import.meta.url), 'utf8')) as object;
const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema);

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
    if (said.document.schema === 'run-1') validate(said.document);
    expect(validate.errors ?? null, 'the record is valid by the published schema').toBeNull();
  });
});
