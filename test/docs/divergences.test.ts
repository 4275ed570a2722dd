import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/core/divergences/catalogue.ts';
import { divergenceIndex, divergencePage } from './divergence-pages.ts';

const folder = '../../docs/reference/divergences';

test.each(catalogue.map((kind) => [kind.code, kind] as const))(
  'docs/reference/divergences/%s.md says what the catalogue says',
  async (code, kind) => {
    await expect(divergencePage(kind)).toMatchFileSnapshot(`${folder}/${code}.md`);
  },
);

test('docs/reference/divergences/README.md lists them all', async () => {
  await expect(divergenceIndex()).toMatchFileSnapshot(`${folder}/README.md`);
});

test('no page is left of a kind that is gone', () => {
  const pages = readdirSync(new URL(folder, import.meta.url));
  expect(pages.sort()).toEqual(['README.md', ...catalogue.map((kind) => `${kind.code}.md`)].sort());
});
