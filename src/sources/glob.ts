/**
 * Patterns over file names: `*`, `?`, `[a-c]`, `[!a]`, `{a,b}`, and `**` for any number of folders. A backslash makes the next
 * character ordinary. As in a shell, a leading dot must be named. We expand patterns ourselves, because a name is never a pattern to
 * an engine.
 */
import { Fault } from '../core/fault.ts';

/** One level of a path: a plain name, a pattern for names, or any number of folders. */
export type Segment = { readonly name: string } | { readonly pattern: RegExp; readonly hidden: boolean } | 'any-depth';

export interface GlobPath {
  readonly rooted: boolean;
  readonly segments: readonly Segment[];
}

const mostAlternatives = 1000;

/** Whether a path holds a character that means something in patterns. */
export function isPattern(path: string): boolean {
  return /[*?[{]/u.test(path);
}

/** The paths a pattern stands for, one for each choice of its braces. @throws SOURCE_NO_MATCH when there are too many. */
export function parseGlob(pattern: string): readonly GlobPath[] {
  return expandBraces(pattern).map((path) => ({
    rooted: path.startsWith('/'),
    segments: path
      .split('/')
      .filter((part) => part !== '')
      .map(segmentOf),
  }));
}

function segmentOf(part: string): Segment {
  if (part === '**') return 'any-depth';
  return isPattern(part.replace(/\\./gsu, '')) ? { pattern: patternOf(part), hidden: part.startsWith('.') } : { name: unescaped(part) };
}

const unescaped = (text: string): string => text.replace(/\\(.)/gsu, '$1');

function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const brace = firstBrace(next);
    if (brace === undefined) done.push(next);
    else for (const choice of brace.choices.toReversed()) open.push(brace.before + choice + brace.after);
    if (done.length + open.length > mostAlternatives) {
      throw new Fault('SOURCE_NO_MATCH', `the pattern ${JSON.stringify(pattern)} has more than ${mostAlternatives} alternatives`);
    }
  }
  return done;
}

interface Brace {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first pair of braces with a comma in it; others are ordinary characters. */
function firstBrace(text: string): Brace | undefined {
  for (const { index } of text.matchAll(/(?<=(?<!\\)(?:\\\\)*)\{/gu)) {
    const brace = braceAt(text, index);
    if (brace !== undefined) return brace;
  }
  return undefined;
}

function braceAt(text: string, start: number): Brace | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === ',' && depth === 1) {
      choices.push(text.slice(from, at));
      from = at + 1;
    }
    if (depth === 0)
      return choices.length === 0
        ? undefined
        : { before: text.slice(0, start), choices: [...choices, text.slice(from, at)], after: text.slice(at + 1) };
  }
  return undefined;
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
const quotedInSet = (text: string): string => text.replace(/[\\^\]-]/gu, '\\$&');

/** A regular expression over whole names. A bracket that never closes is an ordinary character. */
function patternOf(part: string): RegExp {
  const piece = /\\(?<escaped>.)|(?<stars>\*+)|(?<one>\?)|\[(?<not>[!^]?)(?<set>\]?[^\]]*)\]|(?<other>.)/gsu;
  const source = [...part.matchAll(piece)].map(({ groups = {} }) => {
    if (groups.stars !== undefined) return '.*';
    if (groups.one !== undefined) return '.';
    if (groups.set !== undefined) return setOf(groups.not !== '', groups.set);
    return quoted(groups.escaped ?? groups.other ?? '');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}

function setOf(negated: boolean, set: string): string {
  const parts = [...set.matchAll(/(?<from>\\?.)-(?<to>\\?.)|(?<single>\\?.)/gsu)].flatMap(({ groups = {} }) => {
    const { from, to, single } = groups;
    if (single !== undefined) return [quotedInSet(unescaped(single))];
    const [low, high] = [unescaped(from ?? ''), unescaped(to ?? '')];
    return low.codePointAt(0)! <= high.codePointAt(0)! ? [`${quotedInSet(low)}-${quotedInSet(high)}`] : [];
  });
  if (parts.length === 0) return negated ? '.' : '(?!)';
  return `[${negated ? '^' : ''}${parts.join('')}]`;
}
