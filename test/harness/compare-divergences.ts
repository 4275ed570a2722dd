/** Listed divergences against the findings of a run, by CONVENTIONS.md, "Fields". */
import type { ExpectedDivergence } from './case-file.ts';
import { sameTypeText } from './case-type.ts';
import type { Difference, RecordFacts } from './outcome.ts';

type FindingFacts = RecordFacts['findings'][number];

/** Kinds of which nothing may be reported beyond what is listed. */
const closedKinds = new Set(['invalid_value', 'lossy_value', 'malformed_record', 'duplicate_key', 'null_key']);

const show = (value: unknown): string => JSON.stringify(value);

/** Every listed divergence that is not reported as listed, and every finding of a closed kind that is not listed. */
export function compareDivergences(listed: readonly ExpectedDivergence[], findings: readonly FindingFacts[]): Difference[] {
  const further = findings.filter(({ name }) => closedKinds.has(name)).filter((finding) => !listed.some((one) => selects(one, finding)));
  return [
    ...listed.flatMap((one, i) => compareOne(`divergences[${i}]`, one, findings)),
    ...further.map((finding) => ({ field: 'divergences', expected: 'no further finding of this kind', came: describe(finding) })),
  ];
}

type Selector = 'column' | 'reason' | 'kind';

const selectors: Readonly<Record<Selector, (one: ExpectedDivergence, finding: FindingFacts) => boolean>> = {
  column: ({ column }, { path }) => column === undefined || column === path,
  reason: ({ reason }, finding) => reason === undefined || reason === finding.reason,
  kind: ({ kind }, { name }) => [kind].flat().includes(name),
};
const selectorNames = Object.keys(selectors) as Selector[];

function selects(one: ExpectedDivergence, finding: FindingFacts, but?: Selector): boolean {
  return selectorNames.every((name) => name === but || selectors[name](one, finding));
}

function compareOne(field: string, one: ExpectedDivergence, findings: readonly FindingFacts[]): Difference[] {
  const selected = findings.filter((finding) => selects(one, finding));
  if (selected.length === 0) return [notReported(field, one, findings)];
  const placed = selected.filter(({ position }) => position === one.position);
  const found = one.position === undefined || placed.length === 0 ? selected : placed;
  return Object.entries(comparisons).flatMap(([name, compare]) =>
    compare(one, found).map((difference) => ({ ...difference, field: `${field}.${name}${difference.field}` })),
  );
}

/** Names the selector that kept the divergence from being found: the one without which something is found. */
function notReported(field: string, one: ExpectedDivergence, findings: readonly FindingFacts[]): Difference {
  const given = selectorNames.filter((name) => one[name] !== undefined);
  const culprit = given.find((name) => findings.some((finding) => selects(one, finding, name))) ?? 'kind';
  const near = findings.filter((finding) => selects(one, finding, culprit));
  return {
    field: `${field}.${culprit}`,
    expected: show(one),
    came: near.length === 0 ? 'not reported' : `not reported; near: ${near.map(describe).join('; ')}`,
  };
}

type Compare = (one: ExpectedDivergence, found: readonly FindingFacts[]) => Difference[];

const equal = (expected: unknown, came: readonly unknown[]): Difference[] =>
  expected === undefined || came.includes(expected) ? [] : [{ field: '', expected: show(expected), came: came.map(show).join(' | ') }];

const sum = (values: readonly (number | null)[]): number => values.reduce<number>((total, value) => total + Number(value ?? 0), 0);

function typeText(expected: string | undefined, kinds: readonly string[], came: readonly (string | null)[]): Difference[] {
  // The names of a name divergence are texts, even where one of them is spelt like a type.
  const names = kinds.some((kind) => kind.startsWith('name_'));
  const same = (text: string | null) =>
    text === expected || (!names && text !== null && expected !== undefined && sameTypeText(expected, text));
  return expected === undefined || came.some(same) ? [] : equal(expected, came);
}

const comparisons: Readonly<Record<string, Compare>> = {
  position: ({ position }, found) =>
    equal(
      position,
      found.map((finding) => finding.position),
    ),
  from: ({ kind, from }, found) =>
    typeText(
      from,
      [kind].flat(),
      found.map((finding) => finding.actual),
    ),
  to: ({ kind, to }, found) =>
    typeText(
      to,
      [kind].flat(),
      found.map((finding) => finding.expected),
    ),
  count: ({ count }, found) => equal(count, [sum(found.map((finding) => finding.count))]),
  rows: ({ rows }, found) => equal(rows, [sum(found.map((finding) => finding.rows))]),
  files: ({ files }, found) => compareFiles(files, new Set(found.flatMap((finding) => finding.files))),
  examples: ({ examples }, found) =>
    compareExamples(
      examples,
      found.flatMap((finding) => finding.examples),
    ),
};

function compareFiles(files: readonly string[] | undefined, came: ReadonlySet<string>): Difference[] {
  if (files === undefined) return [];
  const missing = files.flatMap((file, i) => (came.has(file) ? [] : [{ field: `[${i}]`, expected: show(file), came: show([...came]) }]));
  const further = [...came].filter((file) => !files.includes(file));
  return [...missing, ...further.map((file) => ({ field: '', expected: 'no further file', came: show(file) }))];
}

function compareExamples(examples: ExpectedDivergence['examples'], came: FindingFacts['examples']): Difference[] {
  const shown = () => show(came.map(({ value, line }) => (line === null ? value : `${value} (line ${line})`)));
  const reported = (example: string | null) => {
    const line = /^line (\d+)$/.exec(example ?? '')?.[1];
    return came.some((one) => one.value === example || (line !== undefined && one.line === Number(line)));
  };
  return (examples ?? []).flatMap((example, i) => (reported(example) ? [] : [{ field: `[${i}]`, expected: show(example), came: shown() }]));
}

function describe({ name, path, reason, count, actual, expected }: FindingFacts): string {
  return `${name} of ${show(path)}, reason ${reason}, count ${count}, from ${show(actual)} to ${show(expected)}`;
}
