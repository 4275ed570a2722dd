/** A strict little reader of the XML that reports may use: elements, attributes, the five entities. Throws at whatever is not well-formed. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

function unescaped(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`a lone ampersand in ${text}`);
  if (text.includes(']]>')) throw new Error('an end of CDATA outside of it');
  return text.replace(/&\w+;/g, (entity) => entities[entity] ?? entity);
}

const tag = /^<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>$/;

export function parseXml(xml: string): Element {
  const [declaration = '', ...rest] = xml.split('\n');
  if (declaration !== '<?xml version="1.0" encoding="UTF-8"?>') throw new Error(`no declaration: ${declaration}`);
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const part of rest.join('\n').split(/(<[^>]*>)/)) {
    const top = open.at(-1) as Element;
    if (!part.startsWith('<')) {
      top.text += unescaped(part);
      continue;
    }
    const match = tag.exec(part);
    if (match === null) throw new Error(`no tag: ${part}`);
    const [, closes, name = '', written = '', empty] = match;
    if (closes === '/') {
      if (open.pop()?.name !== name) throw new Error(`${name} is closed where ${top.name} is open`);
      continue;
    }
    const pairs = [...written.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescaped(value)] as const);
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`an attribute twice in ${part}`);
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
    top.children.push(element);
    if (empty !== '/') open.push(element);
  }
  const [only, ...others] = root.children;
  if (open.length !== 1 || only === undefined || others.length > 0 || root.text.trim() !== '') throw new Error('no single root');
  return only;
}
