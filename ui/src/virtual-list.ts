import { type Child, fill, h } from './dom.ts';

export interface VirtualList<T> {
  readonly element: HTMLElement;
  /** Shows other items; `active` is the index of the chosen one or -1. */
  readonly show: (items: readonly T[], active: number) => void;
}

export interface Row {
  readonly className: string;
  readonly content: readonly Child[];
  /** Further attributes, such as the level in a tree. */
  readonly attributes?: Readonly<Record<string, string | number | null>>;
}

export interface VirtualListOptions<T> {
  readonly id: string;
  readonly label: string;
  /** Height of every row in CSS pixels. */
  readonly rowHeight: number;
  /** Rows of a tree say their level; those of a list their position. */
  readonly role?: 'listbox' | 'tree';
  readonly row: (item: T) => Row;
  readonly choose: (item: T) => void;
  /** Enter goes to what is shown of the chosen item; a click has shown it where it can be seen. */
  readonly open?: (byKey: boolean) => void;
  /** A key that does not move; true when it was used. */
  readonly key?: (key: string, item: T) => boolean;
}

/** Rows beyond the edges of the window, so that scrolling shows no gaps. */
const margin = 8;

/** The rows, from the first to before the last, that a window of `height` pixels at `top` shows, with a margin. */
export function rowsInView(top: number, height: number, rowHeight: number, count: number): readonly [number, number] {
  return [Math.max(0, Math.floor(top / rowHeight) - margin), Math.min(count, Math.ceil((top + height) / rowHeight) + margin)];
}

/** Where a key leads from the chosen row; undefined for a key that does not move. */
export function rowAfterKey(key: string, active: number, count: number, page: number): number | undefined {
  const steps = new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
    ['PageDown', page],
    ['PageUp', -page],
    ['Home', -count],
    ['End', count],
  ]);
  const step = steps.get(key);
  return step === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, active + step));
}

/** A list box or tree of any length that keeps only the rows in view in the document. Arrow keys, Home, End and Page keys move the choice. */
export function virtualList<T>(options: VirtualListOptions<T>): VirtualList<T> {
  const { id, rowHeight, role = 'listbox' } = options;
  const canvas = h('div', { class: 'canvas', role: 'presentation' });
  const element = h('div', { class: 'virtual', id, role, tabindex: 0, 'aria-label': options.label }, canvas);
  let items: readonly T[] = [];
  let active = -1;
  let drawn: readonly [number, number] = [0, 0];

  const redraw = (force: boolean) => {
    const [first, last] = rowsInView(element.scrollTop, element.clientHeight || 800, rowHeight, items.length);
    if (!force && first >= drawn[0] && last <= drawn[1]) return;
    drawn = [first, last];
    fill(
      canvas,
      items.slice(first, last).map((item, i) => rowOf(options, item, { index: first + i, active, count: items.length })),
    );
    if (active >= first && active < last) element.setAttribute('aria-activedescendant', `${id}-${active}`);
    else element.removeAttribute('aria-activedescendant');
  };

  element.addEventListener('scroll', () => redraw(false), { passive: true });
  element.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight) - 1);
    const next = rowAfterKey(event.key, active, items.length, page);
    if (used(options, event.key, { active: items[active], next: next === undefined ? undefined : items[next] })) event.preventDefault();
  });
  new ResizeObserver(() => redraw(true)).observe(element);
  return {
    element,
    show: (next, index) => {
      if (next !== items) element.scrollTop = 0;
      items = next;
      active = index;
      // A list without items is none, for those who hear it.
      element.setAttribute('role', items.length === 0 ? 'group' : role);
      canvas.style.height = `${items.length * rowHeight}px`;
      if (active >= 0) reveal(element, active * rowHeight, rowHeight);
      redraw(true);
    },
  };
}

function used<T>(
  { choose, open, key: further }: VirtualListOptions<T>,
  key: string,
  at: Readonly<Record<'active' | 'next', T | undefined>>,
): boolean {
  if (at.next !== undefined) choose(at.next);
  else if (at.active === undefined) return false;
  else if (key === 'Enter' && open !== undefined) open(true);
  else return further?.(key, at.active) ?? false;
  return true;
}

interface Place {
  readonly index: number;
  readonly active: number;
  readonly count: number;
}

function rowOf<T>(options: VirtualListOptions<T>, item: T, { index, active, count }: Place): HTMLElement {
  const { id, rowHeight, row, choose, open, role } = options;
  const { className, content, attributes = {} } = row(item);
  const element = h(
    'div',
    {
      class: `row ${className}`,
      id: `${id}-${index}`,
      role: role === 'tree' ? 'treeitem' : 'option',
      'aria-selected': index === active ? 'true' : 'false',
      'aria-setsize': role === 'tree' ? null : count,
      'aria-posinset': role === 'tree' ? null : index + 1,
      ...attributes,
      onclick: () => {
        choose(item);
        open?.(false);
      },
    },
    ...content,
  );
  element.style.top = `${index * rowHeight}px`;
  element.style.height = `${rowHeight}px`;
  return element;
}

/** Scrolls a row into view, by as little as it takes. */
function reveal(element: HTMLElement, top: number, height: number): void {
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
}
