/** Findings that say the same of many columns, taken together: a file that lost 300 columns is one thing that happened, not 300. */
import type { Finding } from '../core/record/finding.ts';
import { counted, formatCount } from '../core/record/numbers.ts';
import { subjectOf } from './summary.ts';
import { columnsOf, cutMiddle } from './terminal-width.ts';
import { visible } from './visible.ts';

/** From this many on, equal findings are one group. */
export const leastOfGroup = 6;

export interface Group {
  /** The first of them, which speaks for all. */
  readonly finding: Finding;
  /** All of them, the first among them; one for a finding that stands alone. */
  readonly members: readonly [Finding, ...Finding[]];
}

/** Groups in the order of their first members. Only findings on columns are ever grouped. */
export function groupFindings(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const [i, finding] of findings.entries()) {
    const key = finding.path === null ? `alone ${i}` : keyOf(finding);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [finding]);
    else known.push(finding);
  }
  const order = new Map(findings.map((finding, i) => [finding, i]));
  return [...groups.values()]
    .flatMap((members): Group[] =>
      members.length >= leastOfGroup ? [{ finding: members[0], members }] : members.map((finding) => ({ finding, members: [finding] })),
    )
    .sort((a, b) => (order.get(a.finding) ?? 0) - (order.get(b.finding) ?? 0));
}

function keyOf({ code, reason, severity, outcome, expected, actual, ignored }: Finding): string {
  return JSON.stringify([code, reason, severity, outcome, code === 'SA104' ? null : [expected, actual], ignored]);
}

/** What all members have in common, or undefined. */
export function commonOf({ members }: Group, text: (finding: Finding) => string): string | undefined {
  const first = text(members[0]);
  return members.every((finding) => text(finding) === first) ? first : undefined;
}

/** `c1, c2, c3 and 297 more`: as many names as fit in `room` columns, one at least. Nothing of them is obeyed by a terminal. */
export function namesOf(all: readonly string[], room: number): string {
  const names = all.map((name) => cutMiddle(visible(name), 20));
  let fitting = 1;
  while (fitting < names.length && columnsOf(names.slice(0, fitting + 1).join(', ')) <= room) fitting += 1;
  const more = names.length - fitting;
  return `${names.slice(0, fitting).join(', ')}${more === 0 ? '' : ` and ${formatCount(more)} more`}`;
}

export const findingNames = (members: readonly Finding[], room: number): string => namesOf(members.map(subjectOf), room);

/** `12,480 records each`, or `3 to 12,480 records each`; empty when they count nothing. */
export function countsOf(members: readonly Finding[]): string {
  const counts = members.map(({ count }) => Number(count));
  const fewest = counts.reduce((a, b) => Math.min(a, b));
  const most = counts.reduce((a, b) => Math.max(a, b));
  if (most === 0) return '';
  return fewest === most ? `${counted(most, 'record')} each` : `${formatCount(fewest)} to ${counted(most, 'record')} each`;
}
