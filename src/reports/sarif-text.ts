/** Texts and places as SARIF wants them. */
import type { PhysicalLocation } from 'sarif';
import type { Place } from './summary.ts';
import { visible } from './visible.ts';

/**
 * A text that means itself: brackets would be links (3.11.6 of the standard), braces would be placeholders (3.11.5), so the former are
 * escaped and the latter doubled. Line ends of our own stay; whatever else is not seen is written out.
 */
export function sarifText(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      visible(line)
        .replace(/[\\[\]]/g, '\\$&')
        .replace(/[{}]/g, '$&$&'),
    )
    .join('\n');
}

/** A line of a file. Relative files start at the root of the sources, as consumers understand it. */
export function physicalLocation({ file, line, column }: Place): PhysicalLocation {
  const region = line === null ? {} : { region: { startLine: line, ...(column === null ? {} : { startColumn: column }) } };
  return { artifactLocation: artifactOf(file), ...region };
}

function artifactOf(file: string): NonNullable<PhysicalLocation['artifactLocation']> {
  const path = file.replaceAll('\\', '/');
  const isDrive = /^[A-Za-z]:\//.test(path);
  const uri = path.split('/').map(encodePart).join('/');
  if (isDrive) return { uri: `file:///${uri.replace('%3A', ':')}` };
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri: uri.replace(/^\.\//, ''), uriBaseId: '%SRCROOT%' };
}

/** Half a surrogate pair has no bytes that could be encoded. */
const encodePart = (part: string): string =>
  encodeURIComponent(part.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'));
