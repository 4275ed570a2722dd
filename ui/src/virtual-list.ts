import { fill, h } from './dom.ts';

export interface VirtualList<T> {
  readonly element: HTMLElement;
  /** Shows other items; `active` is the index of the chosen one or -1. */
  readonly show: (items: readonly T[], active: number) => void;
}

export interface VirtualListOptions<T> {
  readonly id: string;
  readonly label: string;
  /** Height of every row in CSS pixels. */
  readonly rowHeight: number;
  readonly row: (item: T) => { readonly className: string; readonly content: readonly (Node | string)[] };
  readonly choose: (item: T) => void;
}

/** Rows beyond the edges of the window, so that scrolling shows no gaps. */
const margin = 8;
/** Rows that go on paper. */
const printed = 1000;

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

/** A list box of any length that keeps only the rows in view in the document. Arrow keys, Home, End and Page keys move the choice. */
export function virtualList<T>(options: VirtualListOptions<T>): VirtualList<T> {
  const { id, rowHeight } = options;
  const canvas = h('div', { class: 'canvas', role: 'presentation' });
  const element = h('div', { class: 'virtual', id, role: 'listbox', tabindex: 0, 'aria-label': options.label }, canvas);
  let items: readonly T[] = [];
  let active = -1;
  let drawn: readonly [number, number] = [0, 0];

  const draw = (first: number, last: number) => {
    drawn = [first, last];
    fill(
      canvas,
      items.slice(first, last).map((item, i) => rowOf(options, item, { index: first + i, active, count: items.length })),
    );
    if (active >= first && active < last) element.setAttribute('aria-activedescendant', `${id}-${active}`);
    else element.removeAttribute('aria-activedescendant');
  };
  const redraw = (force: boolean) => {
    const [first, last] = rowsInView(element.scrollTop, element.clientHeight || 800, rowHeight, items.length);
    if (force || first < drawn[0] || last > drawn[1]) draw(first, last);
  };

  element.addEventListener('scroll', () => redraw(false), { passive: true });
  element.addEventListener('keydown', (event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight) - 1);
    const next = rowAfterKey(event.key, active, items.length, page);
    if (next === undefined) return;
    event.preventDefault();
    const item = items[next];
    if (item !== undefined) options.choose(item);
  });
  window.addEventListener('resize', () => redraw(true));
  window.addEventListener('beforeprint', () => draw(0, Math.min(items.length, printed)));
  window.addEventListener('afterprint', () => redraw(true));
  return {
    element,
    show: (next, index) => {
      if (next !== items) element.scrollTop = 0;
      items = next;
      active = index;
      canvas.style.height = `${items.length * rowHeight}px`;
      if (active >= 0) reveal(element, active * rowHeight, rowHeight);
      redraw(true);
    },
  };
}

interface Place {
  readonly index: number;
  readonly active: number;
  readonly count: number;
}

function rowOf<T>({ id, rowHeight, row, choose }: VirtualListOptions<T>, item: T, { index, active, count }: Place): HTMLElement {
  const { className, content } = row(item);
  const element = h(
    'div',
    {
      class: `row ${className}`,
      id: `${id}-${index}`,
      role: 'option',
      'aria-selected': index === active ? 'true' : 'false',
      'aria-setsize': count,
      'aria-posinset': index + 1,
      onclick: () => choose(item),
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
