import { formatCount, formatShare } from '../../src/core/record/numbers.ts';
import type { RunColumn } from '../../src/core/record/run-record.ts';
import { sizeOf } from '../../src/reports/summary.ts';
import { atLength, briefly, h } from './dom.ts';
import { partsOf } from './effect-bar.ts';
import { factsOf } from './facts.ts';
import { type PageData, wordsOf } from './page-data.ts';
import { samplesOf } from './samples.ts';
import type { ColumnItem } from './schema-tree.ts';
import { fixesOf } from './settle.ts';
import type { Store } from './store.ts';
import { codeLink, severityMark } from './words.ts';

/** Findings listed on the page of a column; the list in the middle has them all. */
const most = 50;

/** The page of a column: both types, the cast, what became of the values, samples, findings and the lines that settle them. */
export function columnDetail(item: ColumnItem, page: PageData, store: Store): HTMLElement {
  return h(
    'div',
    {},
    h('p', { class: 'over' }, item.parent === null ? 'Column' : 'Part of a column'),
    h('h3', {}, item.path === '' ? h('i', {}, '(no name)') : atLength(item.path, 'path')),
    item.column === null ? partFacts(item) : columnFacts(item.column),
    changeOf(item, page),
    samplesOf(item.findings, page.record),
    fixesOf(item.findings),
    item.findings.length === 0 ? h('p', { class: 'muted' }, 'No finding concerns this column.') : h('h4', {}, 'Findings'),
    h(
      'ul',
      { class: 'links' },
      item.findings
        .slice(0, most)
        .map((finding) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', class: 'link', onclick: () => store.choose({ finding }) },
              severityMark(finding.severity),
              briefly(finding.consequence === '' ? finding.name : finding.consequence),
              h('span', { class: 'muted' }, ` ${sizeOf(finding)}`),
            ),
            codeLink(finding.code, wordsOf(page, finding.code)?.url),
          ),
        ),
    ),
    item.findings.length > most ? h('p', { class: 'muted' }, `and ${formatCount(item.findings.length - most)} more`) : null,
  );
}

function partFacts({ type }: ColumnItem): HTMLElement {
  if (type === null) return h('p', {}, 'The target has no such column.');
  return factsOf([['Target', h('code', {}, atLength(type))]]);
}

/** How the types differ from those of the run before. */
function changeOf({ path }: ColumnItem, { since }: PageData): HTMLElement | null {
  const change = since?.columns.find((one) => one.path === path);
  if (change === undefined) return null;
  if (change.before === null) return h('p', { class: 'changed' }, 'The run before did not have this column.');
  return h('p', { class: 'changed' }, 'In the run before: ', h('code', {}, atLength(change.before)));
}

/** Types, cast, and the distribution of what became of the values. */
export function columnFacts(column: RunColumn): HTMLElement {
  return h(
    'div',
    { class: 'column-counts' },
    factsOf([
      [
        'Source',
        column.source === null ? 'absent' : h('span', {}, atLength(column.source), ' ', h('code', {}, atLength(column.source_type ?? ''))),
      ],
      ['Target', h('code', {}, atLength(column.target_type))],
      ['Cast', h('code', {}, atLength(column.rule))],
    ]),
    distributionOf(column),
  );
}

const meanings = {
  fit: 'fit as they are',
  altered: 'altered by a rule',
  defaulted: 'took the default',
  nulled: 'became NULL',
  refused: 'refused',
} as const;

/** A bar per outcome, as long as its share of the values. */
function distributionOf(column: RunColumn): HTMLElement {
  const parts = partsOf(column);
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  if (total === 0) return h('p', { class: 'muted small' }, 'No value of it was counted.');
  return h(
    'ul',
    { class: 'distribution', 'aria-label': 'What became of the values' },
    parts.map(({ name, count }) => {
      const bar = h('span', { class: `part ${name}` });
      bar.style.width = `${(count / total) * 100}%`;
      return h(
        'li',
        {},
        h('span', { class: 'name' }, meanings[name]),
        h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
        h('span', { class: 'num' }, formatCount(count), ' ', h('span', { class: 'muted' }, formatShare(count / total))),
      );
    }),
    Number(column.invalid) + Number(column.lossy) === 0
      ? null
      : h(
          'li',
          { class: 'muted small why-refused' },
          `${formatCount(column.invalid)} invalid, ${formatCount(column.lossy)} would lose something`,
        ),
  );
}
