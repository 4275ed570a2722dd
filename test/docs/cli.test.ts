import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { verbs } from '../../src/cli/verbs.ts';
import { fence, table, wrapped } from './markdown.ts';

async function helpOf(...argv: readonly string[]): Promise<string> {
  let out = '';
  const write = (text: string) => {
    out += text;
  };
  const exit = await main([...argv, '--help'], {
    stdout: { write, columns: 110 },
    stderr: { write },
    env: {},
    cwd: '/',
    signal: new AbortController().signal,
    clock: () => 0,
  });
  expect(exit).toBe(0);
  return out.trim();
}

const exitCodes: readonly (readonly string[])[] = [
  ['0', 'done'],
  ['1', 'findings: a load that exits 1 has changed nothing; `plan` exits 1 whenever the load would fail; `verify` on any mismatch'],
  ['2', 'usage, configuration, environment, or a thing that the engine cannot do'],
  ['3', 'refused for safety: a saved plan out of date, a shrink or empty guard, a null budget; wins over 1'],
  ['70', 'a bug of ours'],
  ['130', 'stopped at once by a second Ctrl-C; the first one stops the run, leaves the old state and exits 2'],
];

async function cliReference(): Promise<string> {
  const sections: string[] = [];
  for (const { name } of verbs) sections.push(`## ${name}\n\n${fence('', await helpOf(name))}`);
  return `${[
    '# The command',
    "<!-- Generated from the command's own help by test/docs/cli.test.ts. -->",
    fence('', await helpOf()),
    '## Exit codes',
    table(['code', 'meaning'], exitCodes),
    wrapped(
      'Colours follow `NO_COLOR` and `FORCE_COLOR`, and are off when the output is no terminal. Progress is shown on a terminal only. ' +
        '`SCHEMALIGN_DEBUG=1` adds the stack to a fault.',
    ),
    ...sections,
  ].join('\n\n')}\n`;
}

test('docs/reference/cli.md says what the help says', async () => {
  await expect(await cliReference()).toMatchFileSnapshot('../../docs/reference/cli.md');
});
