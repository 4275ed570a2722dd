import { Fault } from '../core/fault.ts';

/** One thing that is wrong in a configuration file. Lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  /** JSON pointer of the value or key concerned; empty for the file as a whole. */
  readonly pointer: string;
  /** What was expected and what was found; never holds a secret. */
  readonly message: string;
  /** What to write instead, where that is known. */
  readonly fix?: string;
}

const listed = 10;

/** A configuration that cannot be used: a `CONFIG_INVALID` fault that carries every problem of the file, in order of place. */
export class ConfigFault extends Fault {
  readonly file: string;
  readonly problems: readonly Problem[];

  constructor(file: string, found: readonly Problem[]) {
    const problems = inOrder(found);
    const first = problems[0] ?? { line: 1, column: 1, pointer: '', message: 'the file is wrong' };
    const fix = problems.length === 1 ? first.fix : undefined;
    super('CONFIG_INVALID', messageOf(file, first, problems), {
      place: { file, line: first.line, column: first.column },
      ...(fix === undefined ? {} : { fix }),
    });
    this.file = file;
    this.problems = problems;
  }
}

/** By place, each place and message once: an alias shows one mistake as often as it is used. */
function inOrder(found: readonly Problem[]): readonly Problem[] {
  const sorted = found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const seen = new Set<string>();
  return sorted.filter((problem) => {
    const mark = `${problem.line}:${problem.column}:${problem.message}`;
    return seen.has(mark) ? false : seen.add(mark);
  });
}

function messageOf(file: string, first: Problem, problems: readonly Problem[]): string {
  const others = problems.slice(1, listed).map((problem) => `\n${file}:${problem.line}:${problem.column}: ${sentence(problem)}`);
  const more = problems.length > listed ? `\nand ${problems.length - listed} more` : '';
  return sentence(first) + others.join('') + more;
}

/** The problem in one line: pointer, what is wrong, and what to write. */
function sentence(problem: Problem): string {
  const where = problem.pointer === '' ? '' : `${problem.pointer}: `;
  const fix = problem.fix === undefined ? '' : ` (${problem.fix})`;
  return `${where}${problem.message}${fix}`;
}

/** The JSON pointer of a member. https://www.rfc-editor.org/rfc/rfc6901 */
export function pointerTo(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
