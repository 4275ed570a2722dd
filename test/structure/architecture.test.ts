import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Boundary {
  readonly path: string;
  readonly contract: string;
  readonly imports: readonly string[];
  readonly node: boolean;
  readonly npm: readonly string[];
}

const root = resolve(import.meta.dirname, '../..');
const boundaries = createRequire(import.meta.url)('../../boundaries.cjs') as readonly Boundary[];
const start = '<!-- made from boundaries.cjs by `npm run docs` -->';
const end = '<!-- end of boundaries.cjs -->';

function line({ path, contract, imports, node, npm }: Boundary): string {
  const everything = imports.includes('**');
  const names = [
    ...(everything ? ['everything'] : imports.map((name) => `\`${name}\``)),
    ...(node ? ['node'] : []),
    ...npm.map((name) => `npm \`${name}\``),
  ];
  return `| \`${path}\` | ${contract} | ${names.join(', ') || 'nothing'} |`;
}

describe('ARCHITECTURE.md', () => {
  it('shows the table of boundaries.cjs as it is', async () => {
    const text = readFileSync(resolve(root, 'ARCHITECTURE.md'), 'utf8');
    const [before, rest] = text.split(start);
    const after = rest?.split(end)[1];
    const table = ['| below `src/` | contract | may import |', '|---|---|---|', ...boundaries.map(line)].join('\n');
    await expect(`${before}${start}\n${table}\n${end}${after}`).toMatchFileSnapshot('../../ARCHITECTURE.md');
  });
});
