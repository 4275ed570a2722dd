/** Structural differences, for people and programs. */
import type { FailOn } from '../core/model/policy.ts';
import { kindOf } from '../core/divergences/catalogue.ts';
import type { Divergence } from '../core/divergences/divergence.ts';
import type { Severity } from '../core/model/severity.ts';
import { formatCount } from '../core/record/numbers.ts';
import { leastOfGroup, namesOf } from '../reports/groups.ts';
import { flow } from '../reports/text-layout.ts';
import { inertJson, visible } from '../reports/visible.ts';
import { exitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { colorOn, widthOf } from './terminal.ts';

export interface Differences {
  readonly left: string;
  readonly right: string;
  readonly divergences: readonly Divergence[];
  readonly exit: number;
}

const order: readonly Severity[] = ['error', 'warning', 'remark'];
const colors: Readonly<Record<Severity, string>> = { error: '\x1b[31m', warning: '\x1b[33m', remark: '\x1b[36m' };

/** 1 when a difference is as severe as the level. */
export function exitOf(divergences: readonly Divergence[], level: FailOn): number {
  const failing = level === 'never' ? [] : level === 'warning' ? ['error', 'warning'] : ['error'];
  return divergences.some((each) => failing.includes(each.severity)) ? exitCode.findings : exitCode.done;
}

/** The verdict, then one line per difference, the worst first; many columns with the same one share a line. Ends with a line end. */
export function divergenceText({ left, right, divergences }: Differences, io: Io): string {
  const color = colorOn(io.stdout, io.env);
  const width = Math.min(100, Math.max(40, widthOf(io.stdout)));
  const sorted = divergences.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  const lines = alike(sorted).flatMap((group) => linesOf(group, { color, width }));
  return `${[verdict(left, right, divergences), ...lines].join('\n')}\n`;
}

type Alike = readonly [Divergence, ...Divergence[]];

/** Differences of one kind, severity and pair of types, from a certain number on, in the order of their first. */
function alike(divergences: readonly Divergence[]): readonly Alike[] {
  const groups = new Map<string, [Divergence, ...Divergence[]]>();
  for (const each of divergences) {
    const key = JSON.stringify([each.kind, each.severity, each.expected, each.actual]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [each]);
    else known.push(each);
  }
  return [...groups.values()].flatMap((group): readonly Alike[] => (group.length < leastOfGroup ? group.map((each) => [each]) : [group]));
}

function verdict(left: string, right: string, divergences: readonly Divergence[]): string {
  const pair = `${visible(left)} and ${visible(right)}`;
  if (divergences.length === 0) return `${pair}: no differences`;
  const counts = order.map((severity) => ({ severity, count: divergences.filter((each) => each.severity === severity).length }));
  return `${pair}: ${counts
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? '' : 's'}`)
    .join(', ')}`;
}

const indent = ' '.repeat(11);

function linesOf([each, ...others]: Alike, { color, width }: { readonly color: boolean; readonly width: number }): readonly string[] {
  const label = each.severity.padEnd(7);
  const painted = color ? `${colors[each.severity]}${label}\x1b[0m` : label;
  const paths = [each, ...others].map(({ path }) => path);
  const subject = others.length === 0 ? visible(each.path) : `${namesOf(paths, 40)} (${formatCount(paths.length)} columns)`;
  const detail = others.length === 0 ? visible(each.detail) : `for example ${visible(each.detail)}`;
  const text = `${kindOf(each.kind).code} ${each.kind}${subject === '' ? '' : ` ${subject}`}: ${detail}`;
  const types = each.expected === null || each.actual === null ? '' : `expected ${visible(each.expected)}, found ${visible(each.actual)}`;
  const [first = '', ...rest] = [...flow(text, width, indent), ...(types === '' ? [] : flow(types, width, indent))];
  return [`  ${painted}  ${first.slice(indent.length)}`, ...rest];
}

/** The same as one JSON document. Ends with a line end. */
export function divergenceJson(
  schema: string,
  { left, right, divergences, exit }: Differences,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const listed = divergences.map(({ kind, ...each }) => ({ code: kindOf(kind).code, name: kind, ...each }));
  return `${inertJson(JSON.stringify({ schema, source: left, target: right, exit, divergences: listed, ...more }, null, 2))}\n`;
}
