import './styles/index.css';
import { verdictOf } from '../../src/reports/summary.ts';
import { visible } from '../../src/reports/visible.ts';
import { accountingOf } from './accounting.ts';
import { columnListOf } from './column-list.ts';
import { detailOf } from './detail.ts';
import { fill, h } from './dom.ts';
import { findingListOf } from './finding-list.ts';
import { headerOf } from './header.ts';
import { type Embedded, preparePage, readEmbedded } from './page-data.ts';
import { checksOf, filesOf, notesOf, partitionsOf, runFactsOf, schemaChangesOf } from './sections.ts';
import { createStore, type Store } from './store.ts';

function mount(root: HTMLElement, embedded: Embedded): void {
  const page = preparePage(embedded);
  const { record } = page;
  const store = createStore({
    severity: 'all',
    kind: '',
    query: '',
    column: null,
    finding: page.findings[0] ?? null,
    columnQuery: '',
    onlyMarked: false,
  });
  document.title = `${verdictOf(record).word} ${visible(record.job)} · Schemalign`;
  fill(
    root,
    h('a', { class: 'skip', href: '#findings' }, 'Skip to the findings'),
    headerOf(record),
    h(
      'main',
      {},
      h('div', { class: 'explorer' }, columnListOf(page, store), findingListOf(page, store), detailOf(page, store)),
      h(
        'div',
        { class: 'cards' },
        accountingOf(record),
        partitionsOf(record),
        schemaChangesOf(record),
        checksOf(record),
        filesOf(record),
        notesOf(record),
        runFactsOf(record),
      ),
    ),
  );
  window.dispatchEvent(new Event('resize'));
  addShortcuts(store);
}

/** `/` goes to the search of the findings, Escape lifts the column filter. */
function addShortcuts(store: Store): void {
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === '/' && !typing) {
      event.preventDefault();
      document.getElementById('find-finding')?.focus();
    }
    if (event.key === 'Escape' && !typing && store.choice().column !== null) store.choose({ column: null });
  });
}

const root = document.getElementById('page');
const embedded = readEmbedded(document.getElementById('run-data')?.textContent ?? '');
if (root !== null && embedded !== null) mount(root, embedded);
else if (root !== null) fill(root, h('p', { class: 'empty' }, 'This page holds no run record.'));
