/**
 * Characters that a terminal, a browser or an editor would obey or hide instead of showing: controls, marks that change the direction of
 * text, blanks that are not the blank, characters without width, halves of surrogate pairs, tags. Line ends are among them.
 */
const hidden = new RegExp(
  [
    '[\\u0000-\\u001f\\u007f-\\u009f]',
    '[\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0]',
    '[\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufe00-\\ufe0e\\ufeff\\ufff0-\\ufffc\\ufffe\\uffff]',
    '[\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]',
    '[\\ud800-\\udfff]',
    '\\p{Cf}',
  ].join('|'),
  'gu',
);

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const named = short[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** A text from data, made safe to print on one line: every hidden or obeyed character is written out, `\x1b`, `\u202e`. */
export function visible(text: string): string {
  return text.replace(hidden, escaped);
}

/** JSON text with every hidden or obeyed character as an escape, so that it can be printed; it means the same. */
export function inertJson(json: string): string {
  return json.replace(hidden, (character) => (character === '\n' ? character : escapedUnits(character)));
}

const escapedUnits = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/** The same as `visible`, in parts, so that a page can set off what was written out from what stands in the data. */
export function visibleParts(text: string): { readonly text: string; readonly escaped: boolean }[] {
  const parts: { text: string; escaped: boolean }[] = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), escaped: false });
    parts.push({ text: escaped(match[0]), escaped: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), escaped: false });
  return parts;
}
