/**
 * Escapes in JSON text that PostgreSQL cannot turn into characters. The type json keeps any text, but taking it apart reads the escapes of
 * all its strings, and raises on `\u0000` and on half a surrogate pair.
 */
import { literal } from '../quote.ts';

/** Stands for U+0000 where a source has no mark of its own. A text that holds it already is refused as if it held U+0000. */
export const ownNulMark = '\uf8ffnul\uf8ff';

/** Put before a text that cannot be read for its half surrogate pair. */
export const halfPair = (nulMark: string): string => `${nulMark}\uf8ffhalf\uf8ff`;

/** The text with every `\\` made something else, so that each backslash left begins an escape. No JSON text holds U+0001 itself. */
const pairless = (t: string): string => `replace(${t}, ${literal('\\\\')}, ${literal('\x01')})`;

const mayHold = (t: string, start: string): string => `strpos(${t}, ${literal(start)}) > 0`;

/** JSON text with `\u0000` made the mark, in strings and in keys. */
export function withNulMark(t: string, nulMark: string): string {
  const marked = `replace(${pairless(t)}, ${literal('\\u0000')}, ${literal(nulMark)})`;
  const restored = `replace(${marked}, ${literal('\x01')}, ${literal('\\\\')})`;
  return `CASE WHEN ${mayHold(t, '\\u0000')} THEN ${restored} ELSE ${t} END`;
}

const pair = literal('\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}');
const half = literal('\\\\u[dD][89a-fA-F]');

/** Boolean: no escape stands for half a surrogate pair. */
export const hasWholePairs = (t: string): string =>
  `CASE WHEN ${mayHold(t, '\\u')} THEN regexp_replace(${pairless(t)}, ${pair}, '', 'g') !~ ${half} ELSE true END`;
