/** Control characters (C0, DEL, C1), direction marks and overrides, invisible spaces, and halves of surrogate pairs. */
const unseen = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu;
const escapes: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Text that a terminal or a reader cannot be fooled by: one line, every character that does not show itself written as `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(unseen, (char) => escapes.get(char) ?? `\\u{${(char.codePointAt(0) as number).toString(16)}}`);
}
