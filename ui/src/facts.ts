import { type Child, h, lines } from './dom.ts';

export type Fact = readonly [name: string, value: Child];

/** Names and values as a description list; facts without a value are left out. */
export function factsOf(facts: readonly Fact[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)])),
  );
}

export interface TableOptions {
  readonly className?: string;
  readonly caption?: string;
  /** Names of the columns; one that ends with `#` is aligned as numbers. */
  readonly head: readonly string[];
  /** Cells of each row; the first names the row. */
  readonly rows: readonly (readonly Child[])[];
}

/** A table that scrolls sideways by itself where it is too wide. */
export function tableOf({ className = '', caption, head, rows }: TableOptions): HTMLElement {
  const isNumber = head.map((name) => name.endsWith('#'));
  const cell = (value: Child, i: number) => {
    const attributes = { class: isNumber[i] === true ? 'num' : '' };
    return i === 0 ? h('th', { ...attributes, scope: 'row' }, value) : h('td', attributes, value);
  };
  const table = h(
    'table',
    { class: className },
    caption === undefined ? null : h('caption', {}, caption),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head.map((name, i) => h('th', { scope: 'col', class: isNumber[i] === true ? 'num' : '' }, name.replace(/#$/, ''))),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((row) => h('tr', {}, row.map(cell))),
    ),
  );
  return sideways(table, caption ?? head.join(', ').replaceAll('#', ''));
}

/** Room that scrolls sideways. Only while it is too narrow can the focus go there, so that a keyboard can scroll it. */
function sideways(content: HTMLElement, label: string): HTMLElement {
  const room = h('div', { class: 'scroll' }, content);
  new ResizeObserver(() => {
    const isNarrow = room.scrollWidth > room.clientWidth + 1;
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', label],
    ] as const) {
      if (isNarrow) room.setAttribute(name, value);
      else room.removeAttribute(name);
    }
  }).observe(room);
  return room;
}

/** A text of several lines as it stands. */
export function preOf(text: string): HTMLElement {
  return h('pre', {}, lines(text));
}
