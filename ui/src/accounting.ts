import { counted, formatCount } from '../../src/core/record/numbers.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { visible } from '../../src/reports/visible.ts';
import { h } from './dom.ts';
import { flowOf } from './flow.ts';
import { streamsOf } from './streams.ts';

/** Rows read = loaded + quarantined + superseded, as a picture and as a sum. */
export function accountingOf(record: RunRecord): HTMLElement {
  const read = Number(record.counts.read);
  const title = record.verb === 'plan' ? 'Where the rows would go' : 'Where the rows went';
  return h(
    'section',
    { class: 'card accounting', 'aria-labelledby': 'h-accounting' },
    h('h2', { id: 'h-accounting' }, title),
    read === 0 ? h('p', { class: 'muted' }, 'No row was read.') : flowOf(read, streamsOf(record), labelOf(record)),
    h('p', { class: 'sum' }, sumOf(record)),
  );
}

/** `12,480 read: 12,431 loaded (8,120 inserted, 331 unchanged), 37 quarantined`. */
function labelOf(record: RunRecord): string {
  const parts = streamsOf(record).map(({ name, count, parts: inner }) => {
    const within = inner.map((part) => `${formatCount(part.count)} ${visible(part.name).slice(0, 100)}`).join(', ');
    return `${formatCount(count)} ${name}${within === '' ? '' : ` (${within})`}`;
  });
  return `${formatCount(record.counts.read)} read: ${parts.join(', ')}`;
}

function sumOf({ counts, committed, verb }: RunRecord): string {
  const sum = Number(counts.loaded) + Number(counts.quarantined) + Number(counts.superseded);
  const terms = `${formatCount(counts.loaded)} loaded + ${formatCount(counts.quarantined)} quarantined + ${formatCount(counts.superseded)} superseded`;
  if (sum === Number(counts.read)) return `${formatCount(counts.read)} read = ${terms} ✓`;
  if (verb === 'load' && !committed) return `${counted(counts.read, 'row was', 'rows were')} read, and nothing was changed.`;
  return `${formatCount(counts.read)} read, ${terms}`;
}
