/** The lines of configuration that would settle findings. */
import type { Finding } from '../../src/core/record/finding.ts';
import { visible } from '../../src/reports/visible.ts';
import { data, h } from './dom.ts';
import { preOf } from './facts.ts';
import { copyButton } from './words.ts';

/** The line that would settle a finding, and where it goes; null when none does. */
export function fixOf({ fix, config }: Finding): HTMLElement | null {
  if (fix === null || fix.yaml === '') return null;
  return h(
    'section',
    { class: 'fix' },
    h('h4', {}, 'What settles it'),
    h('div', { class: 'line' }, preOf(fix.yaml), copyButton(fix.yaml, 'the line')),
    placeOfFix(fix.pointer, config ?? null),
  );
}

function placeOfFix(pointer: string | null, config: (Finding['config'] & object) | null): HTMLElement | null {
  if (pointer === null && config === null) return null;
  return h(
    'p',
    { class: 'muted small' },
    'at ',
    pointer === null ? null : data(pointer),
    config === null ? null : [pointer === null ? '' : ', ', data(`${config.file}:${config.line}`)],
  );
}

/** The lines for all findings of a column, each once. */
export function fixesOf(findings: readonly Finding[]): HTMLElement | null {
  const distinct = new Map(
    findings.flatMap((finding) => (finding.fix === null || finding.fix.yaml === '' ? [] : [[finding.fix.yaml, finding] as const])),
  );
  if (distinct.size === 0) return null;
  return h(
    'section',
    { class: 'fix' },
    h('h4', {}, distinct.size === 1 ? 'The line that settles it' : 'The lines that settle it'),
    [...distinct.values()].map(({ fix, config, code }) =>
      h(
        'div',
        { class: 'settles' },
        h('div', { class: 'line' }, preOf(fix?.yaml ?? ''), copyButton(fix?.yaml ?? '', `the line for ${visible(code).slice(0, 40)}`)),
        placeOfFix(fix?.pointer ?? null, config ?? null),
      ),
    ),
  );
}
