import { formatCount } from '../../src/core/record/numbers.ts';
import type { RunColumn } from '../../src/core/record/run-record.ts';
import { h } from './dom.ts';

/** A part of the values of a column. */
export interface Part {
  readonly name: 'fit' | 'altered' | 'defaulted' | 'nulled' | 'refused';
  readonly count: number;
}

/** What became of the values: each counted once. Refused are those that did not fit and that no rule settled. */
export function partsOf(column: RunColumn): Part[] {
  const [ok, invalid, lossy, nulled, defaulted, altered] = (['ok', 'invalid', 'lossy', 'nulled', 'defaulted', 'altered'] as const).map(
    (key) => Number(column[key]),
  ) as [number, number, number, number, number, number];
  const refused = Math.max(0, invalid + lossy - nulled - defaulted - altered);
  const parts: Part[] = [
    { name: 'fit', count: ok },
    { name: 'altered', count: altered },
    { name: 'defaulted', count: defaulted },
    { name: 'nulled', count: nulled },
    { name: 'refused', count: refused },
  ];
  return parts.filter((part) => part.count > 0);
}

/** The parts as a bar; a part that exists is never thinner than two pixels. */
export function effectBar(column: RunColumn): HTMLElement {
  const parts = partsOf(column);
  const label = parts.map(({ name, count }) => `${formatCount(count)} ${name}`).join(', ') || 'no values';
  return h(
    'span',
    { class: 'bar', role: 'img', 'aria-label': label, title: label },
    parts.map(({ name, count }) => {
      const part = h('span', { class: `part ${name}` });
      part.style.flexGrow = String(count);
      return part;
    }),
  );
}
