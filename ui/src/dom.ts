/** The only place where elements are made. Text goes in as text nodes; there is no way to pass markup. */
import { formatCount } from '../../src/core/record/numbers.ts';
import { visibleParts } from '../../src/reports/visible.ts';

export type Child = Node | string | null | false | readonly Child[];

type Attributes = Readonly<Record<string, string | number | boolean | null | ((event: Event) => void)>>;

/** An element. `on…` keys are listeners; true is an empty attribute; null and false leave one out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes, children);
  return element;
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(element, attributes, children);
  return element;
}

function apply(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === false) continue;
    if (typeof child === 'string' || child instanceof Node) element.append(child);
    else append(element, child as readonly Child[]);
  }
}

/** Text from data: kept apart from its surroundings in direction, with hidden characters written out and set off. */
export function data(text: string, className = ''): HTMLElement {
  const parts = visibleParts(text).map((part) =>
    part.escaped ? h('span', { class: 'esc', title: 'a character that cannot be seen' }, part.text) : part.text,
  );
  return h('bdi', { class: `data ${className}`.trim() }, ...parts);
}

/** Characters of a text that are shown in a row, where it is cut off at the edge anyway. */
const brief = 160;
/** Characters of a text that are shown at once where there is room. */
const long = 2000;

/** The beginning of a text from data, for rows. */
export function briefly(text: string, className = ''): HTMLElement {
  return text.length <= brief ? data(text, className) : data(`${whole(text.slice(0, brief))}…`, className);
}

/** A text from data as a whole; of a very long one the beginning, and the rest when it is asked for. */
export function atLength(text: string, className = ''): HTMLElement {
  if (text.length <= long) return data(text, className);
  const room = h('span', {});
  const more = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => fill(room, data(text, className)) },
    `Show all ${formatCount(text.length)} characters`,
  );
  fill(room, data(`${whole(text.slice(0, long))}…`, className), ' ', more);
  return room;
}

/** The lines of a text from data, for elements that keep white space. */
export function lines(text: string): readonly Child[] {
  return text.split('\n').map((line, i) => [i === 0 ? '' : '\n', data(line)]);
}

/** Without half a character at the end. */
const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** Puts other children in place of the present ones. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}
