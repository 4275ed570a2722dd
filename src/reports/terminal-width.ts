/** Ranges of code points that take two columns of a terminal: East Asian wide and full-width characters, and emoji. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115e],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26f2, 0x26f5],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x2753, 0x2757],
  [0x2795, 0x2797],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f7e0, 0x1f7eb],
  [0x1f90c, 0x1faff],
  [0x20000, 0x3fffd],
];

const combining = /^[\p{Mn}\p{Me}]$/u;

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (combining.test(character)) return 0;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Columns that a text takes on a terminal. The text holds no control characters (`visible`). */
export function columnsOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let sum = 0;
  for (const character of text) sum += widthOf(character);
  return sum;
}

/** A text of at most `width` columns: itself, or cut with `…` as its last column. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let sum = 0;
  let kept = '';
  for (const character of text) {
    const next = widthOf(character);
    if (sum + next > width - 1) break;
    sum += next;
    kept += character;
  }
  return `${kept}…`;
}

/** A text cut in its middle to at most `width` columns, so that both ends stay: good for paths and long names. */
export function cutMiddle(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const tail = [...text].reverse().join('');
  const back = Math.floor((width - 1) / 2);
  const front = cut(text, width - back);
  const end = cut(tail, back + 1).slice(0, -1);
  return front + [...end].reverse().join('');
}

/** A text followed by blanks up to `width` columns; or preceded by them for `end`. */
export function pad(text: string, width: number, align: 'start' | 'end' = 'start'): string {
  const blanks = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return align === 'start' ? text + blanks : blanks + text;
}
