import { Fault, type FaultCode, type FaultKind, faults } from '../fault.ts';
import { catalogue, findKind } from './catalogue.ts';
import { stepsOf } from './example-text.ts';
import type { DivergenceKind } from './kind.ts';
import { reasonOf, reasons } from './reasons.ts';
import { retired } from './retired.ts';
import { suggestFix } from './suggest-fix.ts';
import { wrap } from './wrap.ts';

const pageWidth = 88;

/**
 * The page of a divergence (code `SA201` or name `invalid_value`), of a reason (`scale`) or of a fault (`GUARD_SHRINK`), as plain text
 * without a final line end. Case does not matter. Throws the fault `NOT_FOUND`, with the names that come closest.
 */
export function explainText(codeOrName: string): string {
  const asked = codeOrName.trim();
  const kind = findKind(asked);
  if (kind !== undefined) return pageOfKind(kind);
  const reason = asked.toLowerCase().replaceAll('-', '_');
  if (reasonOf(reason) !== undefined) return pageOfReason(reason);
  const fault = asked.toUpperCase().replaceAll('-', '_');
  if (Object.hasOwn(faults, fault)) return pageOfFault(fault as FaultCode);
  const old = retired.find((entry) => entry.code === asked.toUpperCase());
  if (old !== undefined) return `${old.code} ${old.name}\n\nThis code is retired. ${old.insteadOf}`;
  throw new Fault('NOT_FOUND', `there is no code or name ${JSON.stringify(shortened(asked))}`, { fix: alternatives(asked) });
}

function pageOfKind(kind: DivergenceKind): string {
  const { example } = kind;
  const yaml = suggestFix(kind.name, example.found.reason, example.found.path ?? '');
  return [
    `${kind.code} ${kind.name}`,
    kind.title,
    ...section('What it is', kind.summary),
    ...section('Why it matters', kind.why),
    ...section('What happens', kind.consequence),
    ...section('What to do', kind.fix),
    ...(yaml === '' ? [] : ['', 'In schemalign.yaml, for example', ...block(yaml)]),
    '',
    'Example',
    `  ${example.file}`,
    ...block(example.source),
    '  lands in',
    ...block(example.target),
    ...(example.rules === null ? [] : ['  under', ...block(example.rules)]),
    ...(example.commands === undefined ? [] : ['  by', ...block(stepsOf(example).join('\n'))]),
    '  and is found as',
    ...wrap(`${kind.code} ${kind.name}: ${example.found.says}`, pageWidth, '    '),
  ].join('\n');
}

function pageOfReason(name: string): string {
  const reason = reasonOf(name);
  return [
    name,
    ...section('What it is', reason?.meaning ?? ''),
    ...(reason === undefined || reason.fix === ''
      ? section('What to do', 'No configuration settles this: fetch or write the file again.')
      : ['', 'In schemalign.yaml, for example', ...block(reason.fix)]),
  ].join('\n');
}

function pageOfFault(code: FaultCode): string {
  const fault: FaultKind = faults[code];
  const again = fault.retry
    ? 'The same command may succeed when it is run again.'
    : 'The same command will fail again until the cause is mended.';
  return [
    code,
    fault.title,
    ...section('What happens', `The command stops with exit code ${fault.exit} (${exitMeaning[fault.exit]}). ${again}`),
    ...section('What to do', fault.fix),
  ].join('\n');
}

const exitMeaning: Record<FaultKind['exit'], string> = {
  2: 'usage, configuration or environment',
  3: 'refused for safety',
  70: 'a bug in Schemalign',
};

const section = (heading: string, text: string): string[] => ['', heading, ...wrap(text, pageWidth, '  ')];

const block = (text: string): string[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`));

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function alternatives(asked: string): string {
  const names = [...catalogue.flatMap((kind) => [kind.code, kind.name]), ...Object.keys(reasons), ...Object.keys(faults)];
  const near = names
    .map((name) => ({ name, distance: distance(asked.toLowerCase().slice(0, 60), name.toLowerCase()) }))
    .filter(({ name, distance: far }) => far <= 2 || far * 3 <= name.length)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3);
  if (near.length > 0) return `Did you mean ${near.map(({ name }) => name).join(' or ')}?`;
  return `Codes run from ${catalogue[0]?.code} to ${catalogue.at(-1)?.code}; a fault's code stands in brackets in its message.`;
}

/** Levenshtein distance: the least number of single-character edits that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(least(swap, least(row[j] ?? 0, next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function least(a: number, b: number): number {
  if (a < b) return a;
  return b;
}
