import { formatCount, formatShare } from '../../src/core/record/numbers.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { h, svg } from './dom.ts';

/** A destination of the rows that were read. */
export interface Stream {
  readonly name: string;
  readonly count: number;
  readonly className: string;
}

const slot = 46;
const leastWidth = 2;

/** Where the rows went. Rows of a run that loaded nothing are shown as not loaded. */
export function streamsOf(record: RunRecord): Stream[] {
  const { counts } = record;
  const n = (count: number | string) => Number(count);
  const parts: Stream[] = [
    { name: 'inserted', count: n(counts.inserted), className: 'inserted' },
    { name: 'updated', count: n(counts.updated), className: 'updated' },
    { name: 'unchanged', count: n(counts.unchanged), className: 'unchanged' },
  ];
  const detailed = parts.reduce((sum, part) => sum + part.count, 0) === n(counts.loaded);
  const loaded = detailed ? parts : [{ name: 'loaded', count: n(counts.loaded), className: 'inserted' }];
  const rest = n(counts.read) - n(counts.loaded) - n(counts.quarantined) - n(counts.superseded);
  return [
    ...loaded,
    { name: 'quarantined', count: n(counts.quarantined), className: 'quarantined' },
    { name: 'superseded', count: n(counts.superseded), className: 'superseded' },
    { name: 'not loaded', count: Math.max(0, rest), className: 'stopped' },
  ].filter((stream) => stream.count > 0);
}

/** Rows read = loaded + quarantined + superseded, as a picture and as a sum. */
export function accountingOf(record: RunRecord): HTMLElement {
  const read = Number(record.counts.read);
  const streams = streamsOf(record);
  return h(
    'section',
    { class: 'card accounting', 'aria-labelledby': 'h-accounting' },
    h('h2', { id: 'h-accounting' }, 'Where the rows went'),
    read === 0 ? h('p', { class: 'muted' }, 'No row was read.') : picture(read, streams),
    h('p', { class: 'sum' }, sumOf(record)),
  );
}

function sumOf({ counts }: RunRecord): string {
  const sum = Number(counts.loaded) + Number(counts.quarantined) + Number(counts.superseded);
  const terms = `${formatCount(counts.loaded)} loaded + ${formatCount(counts.quarantined)} quarantined + ${formatCount(counts.superseded)} superseded`;
  return sum === Number(counts.read) ? `${formatCount(counts.read)} read = ${terms} ✓` : `${formatCount(counts.read)} read, ${terms}`;
}

function picture(read: number, streams: readonly Stream[]): HTMLElement {
  const height = Math.max(1, streams.length) * slot;
  return h(
    'div',
    { class: 'streams' },
    h('div', { class: 'stream-source' }, h('strong', {}, formatCount(read)), h('span', {}, 'read')),
    ribbons(streams, read, height),
    h(
      'ul',
      { class: 'stream-targets' },
      streams.map((stream) =>
        h(
          'li',
          { class: stream.className },
          h('strong', {}, formatCount(stream.count)),
          h('span', {}, ` ${stream.name} `),
          h('span', { class: 'muted' }, formatShare(stream.count / read)),
        ),
      ),
    ),
  );
}

/** Bands from the bar of all rows to the slots of the streams, as wide as their share. */
function ribbons(streams: readonly Stream[], read: number, height: number): SVGElement {
  const room = height - 16;
  const widths = streams.map((stream) => Math.max(leastWidth, (stream.count / read) * room));
  const scale = room / widths.reduce((sum, width) => sum + width, 0);
  let left = 8;
  const bands = streams.map((stream, i) => {
    const thick = (widths[i] ?? 0) * scale;
    const start = left;
    left += thick;
    const end = Math.min(thick, slot - 10);
    const top = i * slot + (slot - end) / 2;
    const d = `M0 ${start} C50 ${start} 50 ${top} 100 ${top} L100 ${top + end} C50 ${top + end} 50 ${start + thick} 0 ${start + thick} Z`;
    return svg('path', { d, class: `band ${stream.className}` });
  });
  const view = svg('svg', { viewBox: `0 0 100 ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...bands);
  view.style.height = `${height}px`;
  return view;
}
