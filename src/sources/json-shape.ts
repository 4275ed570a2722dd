/** Tells how the records of a JSON text follow each other, from its head. */
import type { JsonShape } from './source-file.ts';

/** JSON whitespace around a line. */
const blanks = /^[ \t\r]+|[ \t\r]+$/gu;

/**
 * `[` opens an array. Otherwise there is one object a line if the first line that is not blank is an object by itself, and so is one
 * more: broken lines among them do not make a file of lines one broken document.
 *
 * @param head the first text of the file
 * @param whole whether that is the whole file; otherwise its last line may be cut and is passed over
 */
export function jsonShape(head: string, whole: boolean): JsonShape {
  if (/^[ \t\r\n]*\[/u.test(head)) return 'array';
  const lines = head.split('\n').map((line) => line.replace(blanks, ''));
  if (!whole) lines.pop();
  const filled = lines.filter((line) => line !== '');
  const [first, ...others] = filled;
  return first !== undefined && isObject(first) && others.some(isObject) ? 'lines' : 'objects';
}

function isObject(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
