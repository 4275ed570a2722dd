/** The words of a text in lines of at most `width` characters, each after `indent`. A longer word has a line of its own. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && indent.length + longer.length > width) {
      lines.push(indent + line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== '') lines.push(indent + line);
  return lines;
}
