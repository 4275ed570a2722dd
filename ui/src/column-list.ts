import { formatCount } from '../../src/core/record/numbers.ts';
import { briefly, h } from './dom.ts';
import { effectBar } from './effect-bar.ts';
import type { PageData } from './page-data.ts';
import { type ColumnItem, visibleItems } from './schema-tree.ts';
import type { Choice, Store } from './store.ts';
import { type Row, virtualList } from './virtual-list.ts';
import { severityMarks } from './words.ts';

/** The schema at the left: every column with its parts, their types, what happened to the values, and the marks of the findings. */
export function columnListOf(page: PageData, store: Store, open: (byKey: boolean) => void): HTMLElement {
  const total = h('span', { class: 'muted', 'aria-live': 'polite' });
  const list = virtualList<ColumnItem>({
    id: 'columns',
    label: 'Schema',
    role: 'tree',
    rowHeight: 34,
    row: (item) => columnRow(item, store),
    choose: (item) => store.choose({ column: item.path, finding: null }),
    open,
    key: (key, item) => treeKey(key, item, store),
  });
  let shown: readonly ColumnItem[] = [];
  const mark = (choice: Choice) =>
    list.show(
      shown,
      shown.findIndex((item) => item.path === choice.column),
    );
  const show = (choice: Choice) => {
    shown = visibleItems(page.items, { closed: choice.closed, query: choice.columnQuery, onlyMarked: choice.onlyMarked });
    total.textContent =
      shown.length === page.items.length ? formatCount(shown.length) : `${formatCount(shown.length)} of ${formatCount(page.items.length)}`;
    mark(choice);
  };
  store.watch((choice, before) => {
    if (choice.columnQuery !== before.columnQuery || choice.onlyMarked !== before.onlyMarked || choice.closed !== before.closed)
      show(choice);
    else if (choice.column !== before.column) mark(choice);
  });
  show(store.choice());
  return h(
    'nav',
    { class: 'card columns', 'aria-labelledby': 'h-columns' },
    h('div', { class: 'card-head' }, h('h2', { id: 'h-columns' }, 'Schema '), total),
    h('div', { class: 'tools' }, searchOf(store), markedOnly(store)),
    list.element,
  );
}

function searchOf(store: Store): HTMLElement {
  return h('input', {
    type: 'search',
    placeholder: 'Find a column',
    'aria-label': 'Find a column',
    oninput: (event) => store.choose({ columnQuery: inputValue(event) }),
  });
}

function markedOnly(store: Store): HTMLElement {
  const toggle = (event: Event) => store.choose({ onlyMarked: (event.target as HTMLInputElement).checked });
  return h('label', { class: 'check' }, h('input', { type: 'checkbox', onchange: toggle }), 'with findings');
}

export const inputValue = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

/** Left closes a node or goes to the one around it, right opens it, as trees do everywhere. */
function treeKey(key: string, item: ColumnItem, store: Store): boolean {
  const { closed } = store.choice();
  const isOpen = item.hasChildren && !closed.has(item.path);
  if (key === 'ArrowRight' && item.hasChildren && !isOpen) store.choose({ closed: without(closed, item.path) });
  else if (key === 'ArrowLeft' && isOpen) store.choose({ closed: new Set([...closed, item.path]) });
  else if (key === 'ArrowLeft' && item.parent !== null) store.choose({ column: item.parent, finding: null });
  else return false;
  return true;
}

const without = (closed: ReadonlySet<string>, path: string): ReadonlySet<string> => new Set([...closed].filter((one) => one !== path));

function columnRow(item: ColumnItem, store: Store): Row {
  const { closed } = store.choice();
  const name = h('span', { class: 'name' }, item.path === '' ? h('i', {}, '(no name)') : briefly(item.label));
  const row = h('span', { class: 'branch' }, h('span', { class: 'twig' }, twistie(item, store)), name);
  row.style.paddingInlineStart = `${Math.min(item.depth, 8) * 15}px`;
  return {
    className: item.type === null ? 'column only-source' : 'column',
    attributes: {
      'aria-level': item.depth + 1,
      'aria-expanded': item.hasChildren ? String(!closed.has(item.path)) : null,
    },
    content: [
      row,
      h('span', { class: 'type' }, item.type === null ? 'not in target' : briefly(item.type)),
      item.column === null ? h('span', { class: 'bar none' }) : effectBar(item.column),
      severityMarks(item.marks),
    ],
  };
}

/** Opens and closes a node by pointer; by keyboard the arrow keys do. */
function twistie(item: ColumnItem, store: Store): HTMLElement | null {
  if (!item.hasChildren) return null;
  const { closed } = store.choice();
  const isClosed = closed.has(item.path);
  return h(
    'span',
    {
      class: 'twistie',
      'aria-hidden': 'true',
      onclick: (event) => {
        event.stopPropagation();
        store.choose({ closed: isClosed ? without(closed, item.path) : new Set([...closed, item.path]) });
      },
    },
    isClosed ? '▸' : '▾',
  );
}
