/** Where the rows of a run went, as a graph: read → loaded, quarantined, superseded → what became of them. */
import type { RunRecord } from '../../src/core/record/run-record.ts';

export interface Stream {
  readonly name: string;
  readonly count: number;
  readonly className: string;
  /** What the rows of this stream became, when that is known of each. */
  readonly parts: readonly Stream[];
}

const n = (count: number | string) => Number(count);

/** Destinations of the rows that were read. Rows of a run that loaded nothing are shown as not loaded. */
export function streamsOf(record: RunRecord): readonly Stream[] {
  const { counts } = record;
  const rest = n(counts.read) - n(counts.loaded) - n(counts.quarantined) - n(counts.superseded);
  const streams: readonly Stream[] = [
    { name: 'loaded', count: n(counts.loaded), className: 'loaded', parts: loadedParts(record) },
    { name: 'quarantined', count: n(counts.quarantined), className: 'quarantined', parts: quarantinedParts(record) },
    { name: 'superseded', count: n(counts.superseded), className: 'superseded', parts: [] },
    { name: 'not loaded', count: Math.max(0, rest), className: 'stopped', parts: [] },
  ];
  return streams.filter(({ count }) => count > 0);
}

function loadedParts({ counts }: RunRecord): readonly Stream[] {
  return complete(n(counts.loaded), [
    { name: 'inserted', count: n(counts.inserted), className: 'inserted', parts: [] },
    { name: 'updated', count: n(counts.updated), className: 'updated', parts: [] },
    { name: 'unchanged', count: n(counts.unchanged), className: 'unchanged', parts: [] },
  ]);
}

/** Rows that each kind has sent into quarantine. A row can have several faults; then the kinds cannot be told apart and are not shown. */
function quarantinedParts({ counts, findings }: RunRecord): readonly Stream[] {
  const byName = new Map<string, number>();
  for (const { outcome, name, count, rows } of findings) {
    if (outcome === 'quarantined') byName.set(name, (byName.get(name) ?? 0) + n(rows ?? count));
  }
  return complete(
    n(counts.quarantined),
    [...byName].map(([name, count]): Stream => ({ name, count, className: 'quarantined', parts: [] })),
  );
}

/** The parts that exist, if they make up the whole; a whole of one part is not taken apart. */
function complete(whole: number, parts: readonly Stream[]): readonly Stream[] {
  const some = parts.filter(({ count }) => count > 0);
  return some.length > 1 && some.reduce((sum, { count }) => sum + count, 0) === whole ? some : [];
}
