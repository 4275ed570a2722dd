import './styles/index.css';
import { verdictOf } from '../../src/reports/summary.ts';
import { visible } from '../../src/reports/visible.ts';
import { accountingOf } from './accounting.ts';
import { followAddress } from './address.ts';
import { columnListOf } from './column-list.ts';
import { detailOf } from './detail.ts';
import { fill, h } from './dom.ts';
import { findingListOf } from './finding-list.ts';
import { headerOf } from './header.ts';
import { type Embedded, preparePage, readEmbedded } from './page-data.ts';
import { printOn } from './paper.ts';
import { quarantineCardOf } from './quarantine-card.ts';
import { checksOf, filesOf, notesOf, partitionsOf, runFactsOf, schemaChangesOf } from './sections.ts';
import { sinceCardOf } from './since-card.ts';
import { createStore, nothingChosen, type Store } from './store.ts';

function mount(root: HTMLElement, embedded: Embedded): void {
  const page = preparePage(embedded);
  const { record } = page;
  const store = createStore({ ...nothingChosen, finding: page.findings[0] ?? null });
  const detail = detailOf(page, store);
  document.title = `${verdictOf(record).word} ${visible(record.job).slice(0, 200)} · Schemalign`;
  fill(
    root,
    h('a', { class: 'skip', href: '#findings' }, 'Skip to the findings'),
    headerOf(record),
    h(
      'main',
      {},
      h('div', { class: 'explorer' }, columnListOf(page, store, detail.open), findingListOf(page, store, detail.open), detail.element),
      h('div', { class: 'pair-of-cards' }, accountingOf(record), sinceCardOf(page, store)),
      quarantineCardOf(page, store, detail.open),
      h(
        'div',
        { class: 'cards' },
        partitionsOf(record),
        schemaChangesOf(record),
        checksOf(record),
        filesOf(record),
        notesOf(record),
        runFactsOf(record),
      ),
    ),
  );
  followAddress(page, store);
  printOn(root, page);
  addShortcuts(store);
}

/** `/` goes to the search of the findings, Escape lifts the column filter. */
function addShortcuts(store: Store): void {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === '/') {
      event.preventDefault();
      document.getElementById('find-finding')?.focus();
    }
    if (event.key === 'Escape') leaveDetail(store);
  });
}

/** From the detail back to the findings; elsewhere the filter by column is lifted. */
function leaveDetail(store: Store): void {
  const isInside = document.activeElement?.closest('#detail') !== null;
  if (isInside) document.getElementById('findings')?.focus();
  else if (store.choice().column !== null) store.choose({ column: null });
}

const root = document.getElementById('page');
const embedded = readEmbedded(document.getElementById('run-data')?.textContent ?? '');
if (root !== null && embedded !== null) mount(root, embedded);
else if (root !== null) fill(root, h('p', { class: 'empty' }, 'This page holds no run record.'));
