/** The only place where elements are made. Text goes in as text nodes; there is no way to pass markup. */
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

/** Puts other children in place of the present ones. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}
