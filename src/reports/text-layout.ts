import { columnsOf, cut, pad } from './terminal-width.ts';

/** The words of a text in lines of at most `width` columns, each after `indent`; a word that is too long is broken. */
export function flow(text: string, width: number, indent = ''): string[] {
  const room = Math.max(8, width - indent.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => pieces(long, room))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && columnsOf(longer) > room) {
      lines.push(indent + line);
      line = word;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, indent + line];
}

function pieces(word: string, room: number): string[] {
  if (columnsOf(word) <= room) return [word];
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (columnsOf(part + character) > room) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

/** Two texts on one line, the second at the right edge; the first is cut when there is no room. */
export function spread(left: string, right: string, width: number): string {
  const room = width - columnsOf(right) - 2;
  return `${pad(cut(left, room), room)}  ${right}`;
}

/** Rows of cells in columns as wide as their widest cell, the last column cut at `width`. */
export function table(rows: readonly (readonly string[])[], width: number, alignEnd: readonly number[] = []): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => columnsOf(row[i] ?? ''))));
  return rows.map((row) => {
    const cells = row.map((cell, i) => pad(cell, widths[i] ?? 0, alignEnd.includes(i) ? 'end' : 'start'));
    return cut(cells.join('  ').trimEnd(), width);
  });
}
