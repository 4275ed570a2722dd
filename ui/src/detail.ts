import type { PageData } from './page-data.ts';
import { columnDetail } from './column-detail.ts';
import { fill, h } from './dom.ts';
import { findingDetail } from './finding-detail.ts';
import type { Store } from './store.ts';

export interface Detail {
  readonly element: HTMLElement;
  /** Brings it into view; by key also moves the focus there. */
  readonly open: (byKey: boolean) => void;
}

/** The page of the chosen finding, or of the chosen column. */
export function detailOf(page: PageData, store: Store): Detail {
  const body = h('div', { class: 'detail-body' });
  const element = h('aside', { class: 'card detail', 'aria-label': 'Details', tabindex: 0, id: 'detail' }, body);
  const show = () => {
    const { finding, column } = store.choice();
    const item = column === null ? undefined : page.itemOf.get(column);
    if (finding !== null) fill(body, findingDetail(finding, page, store));
    else if (item !== undefined) fill(body, columnDetail(item, page, store));
    else fill(body, h('p', { class: 'muted' }, 'Choose a finding or a column to see its examples, counts and the line that settles it.'));
    element.scrollTo(0, 0);
  };
  store.watch((choice, before) => {
    if (choice.finding !== before.finding || choice.column !== before.column) show();
  });
  show();
  return {
    element,
    open: (byKey) => {
      const { top } = element.getBoundingClientRect();
      if (top > window.innerHeight * 0.75 || top < 0) element.scrollIntoView({ block: 'start' });
      if (byKey) element.focus({ preventScroll: true });
    },
  };
}
