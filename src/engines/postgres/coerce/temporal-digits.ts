/** Texts of digits at fixed places, recognised without a pattern. */
import { literal } from '../quote.ts';

/** Whether a mark between digits can stand in a LIKE pattern and in brackets as itself. */
export const isPlainMark = (mark: string): boolean => /^[ !"#$&'()*+,./:;<=>?@A-Za-z{|}~-]$/.test(mark);

/**
 * Boolean: `x` has exactly the form of `shape`, in which `_` is a digit and any other character, digits too, stands for itself.
 *
 * LIKE puts the marks in their places, further LIKEs leave no mark elsewhere, and what is left must be digits. The casts make something
 * else of other texts: `2024-01-02 -5:00:00` is an offset, and hours may be 24 and seconds 60. An anchored pattern would cost twice as
 * much; the search for a wrong character is the dearest part, so it comes last.
 */
export function digitsIn(x: string, shape: string, more: readonly string[] = []): string {
  const marks = [...new Set(shape.replaceAll(/[_0-9]/g, ''))];
  const few = marks.map((mark) => `${x} NOT LIKE ${literal(`%${[...shape].filter((sign) => sign === mark).join('%')}%${mark}%`)}`);
  const others = marks.filter((mark) => mark !== '-').join('');
  const wrong = `[^0-9${others}${marks.includes('-') ? '-' : ''}]`;
  return [`${x} LIKE ${literal(shape)}`, ...more, ...few, `${x} !~ ${literal(wrong)}`].join(' AND ');
}
