/** What a guide says that can be held against reality: files, commands with their output, queries with their rows, programs. */
export type Step =
  | { readonly kind: 'file'; readonly line: number; readonly name: string; readonly text: string }
  | {
      readonly kind: 'command';
      readonly line: number;
      readonly argv: readonly string[];
      readonly shown: readonly string[];
      readonly exit: number;
    }
  | {
      readonly kind: 'sql';
      readonly line: number;
      readonly database: string;
      readonly sql: string;
      readonly shown: readonly string[] | undefined;
    }
  | {
      readonly kind: 'program';
      readonly line: number;
      readonly name: string;
      readonly text: string;
      readonly shown: readonly string[] | undefined;
    };

interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The comment right before the block: `file: orders.csv`. */
  readonly mark: readonly [string, string] | undefined;
}

/**
 * Steps of a Markdown text, in order. A block ```console runs; `<!-- file: NAME -->` before a block makes the file, `<!-- sql: DATABASE -->` runs its
 * statements, `<!-- program: NAME -->` its TypeScript; a block ```text after these two is what they print. Other blocks are for the eye.
 */
export function stepsOf(markdown: string): readonly Step[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap((block, i): readonly Step[] => {
    const { line, text, mark: [what, name = ''] = [] } = block;
    const next = blocks[i + 1];
    const shown = next?.language === 'text' && next.mark === undefined ? next.text.split('\n') : undefined;
    if (what === 'file') return [{ kind: 'file', line, name, text }];
    if (what === 'sql') return [{ kind: 'sql', line, database: name, sql: text, shown }];
    if (what === 'program') return [{ kind: 'program', line, name, text, shown }];
    return block.language === 'console' ? commandsOf(block) : [];
  });
}

function blocksOf(markdown: string): readonly Block[] {
  const found: Block[] = [];
  for (const match of markdown.matchAll(/(?:^<!-- (file|sql|program): (.+?) -->\n+)?^```(\w*)\n(.*?)^```$/gms)) {
    const [, what, name = '', language = '', text = ''] = match;
    const line = markdown.slice(0, match.index).split('\n').length;
    found.push({ line, language, text: text.replace(/\n$/, ''), mark: what === undefined ? undefined : [what, name] });
  }
  return found;
}

function commandsOf({ line, text }: Block): readonly Step[] {
  const steps: { kind: 'command'; line: number; argv: readonly string[]; shown: string[]; exit: number }[] = [];
  let isStatus = false;
  for (const row of text.split('\n')) {
    const last = steps.at(-1);
    if (row === '$ echo $?') isStatus = true;
    else if (row.startsWith('$ ')) steps.push({ kind: 'command', line, argv: wordsOf(row.slice(2)), shown: [], exit: 0 });
    else if (last === undefined) throw new Error(`line ${line}: output before a command`);
    else if (isStatus) last.exit = Number(row);
    else last.shown.push(row);
    if (!row.startsWith('$ ')) isStatus = false;
  }
  return steps;
}

/** Words of a command line, as a shell splits them: blanks, single and double quotes. A comment at the end is none of them. */
export function wordsOf(command: string): readonly string[] {
  return [...command.replace(/\s+#.*$/, '').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

/**
 * The first line that is shown and did not come, or undefined. `…` alone on a line, or before `more lines`, stands for any number of lines, elsewhere for
 * any text.
 */
export function firstLie(shown: readonly string[], real: string): string | undefined {
  const lines = real
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
  let at = 0;
  let gap = false;
  for (const row of shown.map((line) => line.trimEnd())) {
    if (/^\s*…( \d+ more lines)?$/.test(row)) {
      gap = true;
      continue;
    }
    const pattern = new RegExp(
      `^${row
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')}$`,
    );
    const found = gap ? lines.findIndex((line, i) => i >= at && pattern.test(line)) : pattern.test(lines[at] ?? '') ? at : -1;
    if (found < 0) return row;
    at = found + 1;
    gap = false;
  }
  const rest = lines.slice(at).filter((line) => line !== '');
  return gap || shown.length === 0 || rest.length === 0 ? undefined : `(and then) ${rest[0]}`;
}
