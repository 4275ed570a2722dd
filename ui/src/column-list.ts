import type { ColumnItem, PageData } from './page-data.ts';
import { effectBar } from './effect-bar.ts';
import { data, h } from './dom.ts';
import { severityMark } from './words.ts';
import type { Choice, Store } from './store.ts';
import { virtualList } from './virtual-list.ts';
import { formatCount } from '../../src/core/record/numbers.ts';

/** The schema at the left: every column with its type, what happened to its values, and a mark when there are findings. */
export function columnListOf(page: PageData, store: Store): HTMLElement {
  const total = h('span', { class: 'muted' });
  const list = virtualList<ColumnItem>({
    id: 'columns',
    label: 'Columns',
    rowHeight: 34,
    row: columnRow,
    choose: (item) => store.choose({ column: item.path, finding: null }),
  });
  const show = (choice: Choice) => {
    const items = page.items.filter((item) => matches(item, choice));
    total.textContent =
      items.length === page.items.length ? formatCount(items.length) : `${formatCount(items.length)} of ${formatCount(page.items.length)}`;
    shown = items;
    list.show(
      shown,
      shown.findIndex((item) => item.path === choice.column),
    );
  };
  let shown: readonly ColumnItem[] = [];
  store.watch((choice, before) => {
    if (choice.columnQuery !== before.columnQuery || choice.onlyMarked !== before.onlyMarked) show(choice);
    else if (choice.column !== before.column)
      list.show(
        shown,
        shown.findIndex((item) => item.path === choice.column),
      );
  });
  show(store.choice());
  return h(
    'nav',
    { class: 'card columns', 'aria-labelledby': 'h-columns' },
    h('div', { class: 'card-head' }, h('h2', { id: 'h-columns' }, 'Columns ', total)),
    h(
      'div',
      { class: 'tools' },
      h('input', {
        type: 'search',
        placeholder: 'Find a column',
        'aria-label': 'Find a column',
        oninput: (event) => store.choose({ columnQuery: inputValue(event) }),
      }),
      h(
        'label',
        { class: 'check' },
        h('input', { type: 'checkbox', onchange: (event) => store.choose({ onlyMarked: (event.target as HTMLInputElement).checked }) }),
        'with findings',
      ),
    ),
    list.element,
  );
}

export const inputValue = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

function matches(item: ColumnItem, { columnQuery, onlyMarked }: Choice): boolean {
  return (!onlyMarked || item.findings.length > 0) && item.path.toLowerCase().includes(columnQuery.trim().toLowerCase());
}

function columnRow(item: ColumnItem) {
  const { column } = item;
  const name = h('span', { class: 'name' }, item.path === '' ? h('i', {}, '(no name)') : data(item.label));
  name.style.paddingInlineStart = `${Math.min(item.depth, 8) * 14}px`;
  return {
    className: column === null ? 'column only-source' : 'column',
    content: [
      item.worst === null ? h('span', { class: 'mark none' }) : severityMark(item.worst),
      name,
      column === null ? h('span', { class: 'type' }, 'not in target') : h('span', { class: 'type' }, data(column.target_type)),
      column === null ? h('span', { class: 'bar' }) : effectBar(column),
    ],
  };
}
