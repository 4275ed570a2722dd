/** The reference pages of the divergences, from the catalogue. */
import { catalogue } from '../../src/core/divergences/catalogue.ts';
import { stepsOf } from '../../src/core/divergences/example-text.ts';
import type { DivergenceKind } from '../../src/core/divergences/kind.ts';
import { reasons } from '../../src/core/divergences/reasons.ts';
import { suggestFix } from '../../src/core/divergences/suggest-fix.ts';
import { code, fence, table, wrapped } from './markdown.ts';

const note = '<!-- Generated from src/core/divergences by test/docs/divergences.test.ts. -->';

export function divergencePage(kind: DivergenceKind): string {
  const { example } = kind;
  const yaml = suggestFix(kind.name, example.found.reason, example.found.path ?? '');
  return `${[
    `# ${kind.code} ${kind.name}`,
    note,
    `**${kind.title}.**`,
    wrapped(kind.summary),
    '## Why it matters',
    wrapped(kind.why),
    '## What happens',
    wrapped(kind.consequence),
    '## What to do',
    wrapped(kind.fix),
    ...(yaml === '' ? [] : ['In `schemalign.yaml`, for example:', fence('yaml', yaml)]),
    '## Example',
    `The file ${code(example.file)}`,
    fence('', example.source),
    'lands in',
    fence('sql', example.target),
    ...(example.rules === null ? ['under the built-in rules, by'] : ['under the keys of the job', fence('yaml', example.rules), 'by']),
    fence('', stepsOf(example).join('\n')),
    wrapped(`and is found as ${kind.code}: ${example.found.says}.`),
    'All divergences: [index](README.md).',
  ].join('\n\n')}\n`;
}

const chapters: readonly (readonly [string, string])[] = [
  ['SA1', 'Structure: the two schemas differ'],
  ['SA2', 'Values: a value does not fit its column'],
  ['SA3', 'Records, files, keys and partitions'],
  ['SA4', 'After the load: the target is not as it should be'],
  ['SA5', 'The rules themselves'],
];

export function divergenceIndex(): string {
  const sections = chapters.map(([start, title]) => {
    const rows = catalogue
      .filter((kind) => kind.code.startsWith(start))
      .map((kind) => [`[${kind.code}](${kind.code}.md)`, code(kind.name), kind.title]);
    return `## ${title}\n\n${table(['code', 'name', 'meaning'], rows)}`;
  });
  const whys = Object.entries(reasons).map(([name, reason]) => [code(name), reason.meaning, reason.fix === '' ? '' : code(reason.fix)]);
  return `${[
    '# Divergences',
    note,
    wrapped(
      'Every way in which source and target can disagree has a code that never changes. `schemalign explain CODE` prints the same page. ' +
        'Severity is error (stops a load), warning (a row or value was refused, altered, defaulted or ignored, or the structure differs) ' +
        'or remark. The policy `error` makes a finding an error.',
    ),
    ...sections,
    '## Reasons',
    'What lies behind a finding, where its kind alone does not say, with a line of configuration that settles it.',
    table(['reason', 'meaning', 'for example'], whys),
  ].join('\n\n')}\n`;
}
