/** Values before and after: what stands in the source, and what became of it. */
import type { Example, Finding, Outcome } from '../../src/core/record/finding.ts';
import { formatCount } from '../../src/core/record/numbers.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { placeOf } from '../../src/reports/summary.ts';
import { visible } from '../../src/reports/visible.ts';
import { atLength, type Child, data, h } from './dom.ts';
import { tableOf } from './facts.ts';

/** Rows of a table of samples. */
const most = 100;
/** Characters of a place that are shown. */
const longestPlace = 36;

interface Fate {
  readonly text: string;
  readonly planned: string;
}

/** What became of a value, where the record does not hold what is stored; and what would have, where nothing was written. */
const fates: Readonly<Record<Outcome, Fate>> = {
  failed: { text: 'refused', planned: 'refused' },
  quarantined: { text: 'in quarantine', planned: 'would go into quarantine' },
  nulled: { text: 'NULL', planned: 'would be NULL' },
  defaulted: { text: 'the default', planned: 'would be the default' },
  altered: { text: 'altered by the rule', planned: 'would be altered' },
  ignored: { text: 'not stored', planned: 'would not be stored' },
  none: { text: 'stored', planned: 'would be stored' },
};

/** Before and after of the examples of findings; null when there are none. */
export function samplesOf(findings: readonly Finding[], record: RunRecord): HTMLElement | null {
  const samples = findings.flatMap((finding) => finding.examples.map((example) => ({ finding, example })));
  if (samples.length === 0) return null;
  const table = tableOf({
    className: 'examples',
    caption: 'Values, before and after',
    head: ['in the source', 'in the target', 'where'],
    rows: samples.slice(0, most).map(({ finding, example }) => [sourceValue(example), afterOf(finding, example, record), whereOf(example)]),
  });
  return samples.length <= most
    ? table
    : h('div', {}, table, h('p', { class: 'muted small' }, `and ${formatCount(samples.length - most)} more examples`));
}

/** Where it stands; of a long path the end, with the whole for those who point at it. */
function whereOf(example: Example): Child {
  const place = placeOf(example);
  if (place.length <= longestPlace) return h('span', { class: 'where' }, data(place));
  return h('span', { class: 'where', title: visible(place) }, data(`…${place.slice(1 - longestPlace).replace(/^[\udc00-\udfff]/, '')}`));
}

/** The value as it stands in the source. */
function sourceValue({ value, masked }: Example): Child {
  if (masked && value === null) return h('i', {}, '(masked)');
  const shown = value === null ? h('i', {}, 'NULL') : h('code', { class: 'value' }, atLength(value));
  return masked ? [shown, h('span', { class: 'muted' }, ' (masked)')] : shown;
}

function afterOf({ outcome }: Finding, { stored }: Example, { verb, committed }: RunRecord): Child {
  if (stored !== undefined && stored !== null) return h('code', { class: 'value' }, atLength(stored));
  const { text, planned } = fates[outcome] ?? fates.none;
  return h('i', {}, verb === 'plan' || !committed ? planned : text);
}
