/** The little XML that reports need, every text of it escaped. https://www.w3.org/TR/xml/ */
import { visible } from './visible.ts';

export type XmlAttributes = Readonly<Record<string, string | number | undefined>>;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Text for content and attributes. Characters that XML 1.0 forbids are written out (`\x00`), so is everything that a reader would not see. */
function escapeXml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** An element on lines of its own. Attributes without a value are left out; an element without children closes itself. */
export function element(name: string, attributes: XmlAttributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>\n${children.map(indented).join('\n')}\n</${name}>`;
}

/** An element that holds lines of text and nothing else: blanks within it are part of the text. */
export function textElement(name: string, attributes: XmlAttributes, lines: readonly string[]): string {
  const whole = element(name, attributes);
  return lines.length === 0 ? whole : `${whole.slice(0, -2)}>${lines.map(escapeXml).join('\n')}</${name}>`;
}

/** The text inside a text element keeps its lines as they are. */
function indented(xml: string): string {
  return `  ${xml.replace(/\n(?=\s*<)/g, '\n  ')}`;
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';
