/** Structural differences, for people and programs. */
import type { FailOn } from '../core/model/policy.ts';
import { kindOf } from '../core/divergences/catalogue.ts';
import type { Divergence } from '../core/divergences/divergence.ts';
import type { Severity } from '../core/model/severity.ts';
import { inertJson, visible } from '../reports/visible.ts';
import { exitCode } from './exit-code.ts';
import type { Io } from './io.ts';
import { colorOn } from './terminal.ts';

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

/** The verdict, then one line per difference, the worst first. Ends with a line end. */
export function divergenceText({ left, right, divergences }: Differences, io: Io): string {
  const color = colorOn(io.stdout, io.env);
  const sorted = divergences.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return `${[verdict(left, right, divergences), ...sorted.map((each) => line(each, color))].join('\n')}\n`;
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

function line(each: Divergence, color: boolean): string {
  const label = each.severity.padEnd(7);
  const painted = color ? `${colors[each.severity]}${label}\x1b[0m` : label;
  const types =
    each.expected === null || each.actual === null ? '' : `\n           expected ${visible(each.expected)}, found ${visible(each.actual)}`;
  const where = each.path === '' ? '' : ` ${visible(each.path)}`;
  return `  ${painted}  ${kindOf(each.kind).code} ${each.kind}${where}: ${visible(each.detail)}${types}`;
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
