import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGuide } from './guide-run.ts';
import { firstLie, stepsOf, wordsOf } from './guide-text.ts';

const root = resolve(import.meta.dirname, '../..');
const guides = ['README.md', ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`)];

describe('the guides', () => {
  it.each(guides)('%s says what comes', async (name) => {
    const steps = stepsOf(readFileSync(join(root, name), 'utf8'));
    const came = await runGuide(steps);
    for (const { step, output, lie } of came) {
      const what = step.kind === 'command' ? step.argv.join(' ') : step.kind;
      expect(lie, `${name}:${step.line} ${what}\nThis came:\n${output}`).toBeUndefined();
    }
  });
});

describe('the reading of guides', () => {
  it('takes commands with what they print and their exit code', () => {
    const text = "```console\n$ schemalign plan 'a b.csv' x.duckdb  # look first\nfirst\n…\n$ echo $?\n1\n$ schemalign load\n```\n";
    expect(stepsOf(text)).toEqual([
      { kind: 'command', line: 1, argv: ['schemalign', 'plan', 'a b.csv', 'x.duckdb'], shown: ['first', '…'], exit: 1 },
      { kind: 'command', line: 1, argv: ['schemalign', 'load'], shown: [], exit: 0 },
    ]);
  });

  it('takes files, queries and programs that are marked, and nothing that is not', () => {
    const text =
      '<!-- file: a.csv -->\n```csv\nid\n1\n```\n\n```sql\nSELECT 1\n```\n\n<!-- sql: w.duckdb -->\n```sql\nSELECT 2\n```\n\n```text\n2\n```\n';
    expect(stepsOf(text)).toEqual([
      { kind: 'file', line: 1, name: 'a.csv', text: 'id\n1' },
      { kind: 'sql', line: 11, database: 'w.duckdb', sql: 'SELECT 2', shown: ['2'] },
    ]);
  });

  it('splits words as a shell does', () => {
    expect(wordsOf(`schemalign load --rule 'amount.decimal=,' --rule "a b"=c`)).toEqual([
      'schemalign',
      'load',
      '--rule',
      'amount.decimal=,',
      '--rule',
      'a b=c',
    ]);
  });

  it.each([
    [['a', 'b'], 'a\nb\n', undefined],
    [['a', '…'], 'a\nb\nc\n', undefined],
    [['a', '… 2 more lines', 'd'], 'a\nb\nc\nd', undefined],
    [['run … ended'], 'run 17 ended', undefined],
    [[], 'anything', undefined],
    [['a'], 'a\nb', '(and then) b'],
    [['a', 'c'], 'a\nb\nc', 'c'],
    [['a.c'], 'abc', 'a.c'],
  ] as const)('%j of %j is a lie at %j', (shown, real, lie) => {
    expect(firstLie(shown, real)).toBe(lie);
  });
});
