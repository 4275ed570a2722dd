import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationSchema } from './json-schema.ts';

const exampleText = readFileSync(new URL('../../test/cli/config-example.yaml', import.meta.url), 'utf8');
const validate = new Ajv({ allowUnionTypes: true, strict: true }).compile(configurationSchema());

test('the published file is the one that the tables make', async () => {
  await expect(`${JSON.stringify(configurationSchema(), null, 2)}\n`).toMatchFileSnapshot('../../schema/schemalign.schema.json');
});

test('the example is right', () => {
  expect(validate(parse(exampleText)), JSON.stringify(validate.errors)).toBe(true);
});

test.each([
  ['an unknown key', { version: 1, jbos: {} }],
  ['an unknown policy', { version: 1, defaults: { on_invalid: 'ignore' } }],
  ['no version', { jobs: {} }],
  ['another version', { version: 2 }],
  ['from on a job', { version: 1, defaults: { from: ['a'] } }],
  ['a share beyond 1', { version: 1, defaults: { null_budget: 5 } }],
  ['a text for a list', { version: 1, jobs: { a: { key: 'id' } } }],
  ['a connection without address', { version: 1, connections: { wh: {} } }],
  ['the policy null without quotes', { version: 1, defaults: { on_invalid: null } }],
])('refuses %s', (_, document) => {
  expect(validate(document)).toBe(false);
});
