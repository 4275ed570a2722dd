/** What stands where something else was expected, in words, and what to write instead. */
import { isMap, isScalar, isSeq, type Node, type Scalar } from './yaml.ts';
import { usesEnvironment } from './environment.ts';
import { redactUrl } from './redact.ts';
import type { Shape } from './shape.ts';

/** Nothing, or the word null. */
export const isNull = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

/** Nothing at all behind the colon. */
export const isBlank = (node: Node | null): boolean => isNull(node) && (!isScalar(node) || (node.source ?? '') === '');

const longest = 40;

/** `"ignore"`, `null`, `a list`; never a value of the environment and never a password. */
export function inWords(node: Node | null): string {
  if (isBlank(node)) return 'nothing';
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node)) return 'something else';
  const written = writtenText(node);
  if (usesEnvironment(written)) return `the value of ${written.match(/\$\{env:[^}]*\}/)?.[0] ?? 'a variable'}`;
  const shown = [...redactUrl(written)];
  const short = shown.length > longest ? `${shown.slice(0, longest).join('')}…` : shown.join('');
  return typeof node.value === 'string' ? JSON.stringify(short) : short;
}

function writtenText(node: Scalar): string {
  return node.source ?? String(node.value);
}

interface Advice {
  readonly when: (node: Scalar, shape: Shape) => boolean;
  readonly say: (node: Scalar, key: string) => string;
}

const mayBeWord = (shape: Shape): boolean => shape.kind === 'text' || (shape.kind === 'choice' && shape.values.includes('null'));

/** The first that fits is said. */
const advices: readonly Advice[] = [
  { when: (node, shape) => node.value === null && mayBeWord(shape), say: () => 'for the word, write "null" in quotes' },
  { when: (node) => node.value === null, say: () => 'to leave a key unset, remove its line' },
  { when: (_, shape) => shape.kind === 'list', say: (node, key) => `write ${key}: [${redactUrl(writtenText(node))}]` },
  {
    when: (node, shape) => shape.kind === 'flag' && /^(yes|no|on|off)$/i.test(writtenText(node)),
    say: () => 'yes, no, on and off are texts in YAML 1.2',
  },
  { when: (node, shape) => shape.kind === 'number' && /^[\d.]+%$/.test(writtenText(node)), say: () => 'write a share: 50 % is 0.5' },
  {
    when: (node, shape) => shape.kind === 'number' && typeof node.value === 'string' && node.type !== 'PLAIN',
    say: () => 'write the number without quotes',
  },
];

/** What to write instead of a value, where the slip is a known one. */
export function adviceForValue(node: Node | null, shape: Shape, pointer: string): string | undefined {
  if (!isScalar(node) || isBlank(node)) return undefined;
  const key = pointer.split('/').at(-1) ?? '';
  return advices.find((advice) => advice.when(node, shape))?.say(node, key);
}
