import { expect, test } from 'vitest';
import { type FaultKind, faults } from '../../src/core/fault.ts';
import { code, table, wrapped } from './markdown.ts';

const exits: Readonly<Record<FaultKind['exit'], string>> = {
  2: 'Exit 2: usage, configuration, environment, or a thing that the engine cannot do',
  3: 'Exit 3: refused for safety',
  70: 'Exit 70: a bug',
};

function faultsReference(): string {
  const sections = ([2, 3, 70] as const).map((exit) => {
    const rows = Object.entries<FaultKind>(faults)
      .filter(([, fault]) => fault.exit === exit)
      .map(([name, fault]) => [code(name), fault.title, fault.retry ? 'yes' : 'no', fault.fix]);
    return `## ${exits[exit]}\n\n${table(['code', 'meaning', 'may succeed again', 'what to do'], rows)}`;
  });
  return `${[
    '# Faults',
    '<!-- Generated from src/core/fault.ts by test/docs/faults.test.ts. -->',
    wrapped(
      'A fault keeps a run from going on. It is thrown by the library as `Fault` with `code`, `exit`, `retry`, `place` and `fix`; the command prints ' +
        '`error[CODE]`, the place where there is one, and what to do. Data that does not fit is no fault but a [divergence](divergences/README.md), ' +
        'and stands in the report. A message may give better advice than the general one below. With `--json` the fault is one JSON ' +
        'document, `{ "schema": "fault-1", "code", "message", "fix", "place" }`, on standard output.',
    ),
    ...sections,
  ].join('\n\n')}\n`;
}

test('docs/reference/faults.md says what the list of faults says', async () => {
  await expect(faultsReference()).toMatchFileSnapshot('../../docs/reference/faults.md');
});
