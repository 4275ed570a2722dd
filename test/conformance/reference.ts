/** docs/reference/coercions.md: the corpus as tables, beside what the cast of an engine makes of the same values. */
import { printType } from '../../src/core/model/type-text.ts';
import { canonical, type PlainValue } from '../harness/case-value.ts';
import { type Expected, type Fault, type Group, type Row, targets } from './corpus.ts';
import { caseTypeOf } from './verdict.ts';

/** What an engine's own cast gave, by row id: a value, NULL, or undefined when it has no such cast. */
export type PlainCasts = ReadonlyMap<string, PlainValue | undefined>;

type Contrast = 'same' | 'refuses' | 'takes' | 'changes' | 'none';

/** What was measured on one engine. */
export interface Compared {
  /** Name and version. */
  readonly engine: string;
  /** What stands for its own cast. */
  readonly cast: string;
  readonly casts: PlainCasts;
}

export function coercionsReference(groups: readonly Group[], engines: readonly Compared[]): string {
  const sections = targets.map((target) => sectionOf(target, groups, engines));
  return `${[head(groups, engines), ...engines.map((engine) => summary(groups, engine)), ...sections].join('\n\n')}\n`;
}

const bold = 'measured; **bold** where that is another value, or a value where the law refuses, or NULL where the law has a value.';

function head(groups: readonly Group[], engines: readonly Compared[]): string {
  const legend = engines.map(({ engine, cast }) => `- **${engine}**: what ${cast} gives there, ${bold}`);
  return `# Coercions

The coercion law as data: what becomes of a value on its way into each type, on every engine and in every session time zone.
The ${groups.flatMap(({ rows }) => rows).length} rows are those of the conformance suite, test/conformance/coercions; their results come from the law, from standards and from exact
arithmetic, not from a run. This page is generated from them.

- **given**: the text, the JSON token or the typed value, with control characters and rare blanks as escapes.
- **result**: the stored value; or the refusal, with its reason and the path inside of a nested value \`v\`. A value *altered* was rounded or cut by a rule,
  which is reported. What becomes of a refused value is up to the column's policy.
${legend.join('\n')}`;
}

const contrasts: readonly (readonly [Contrast, string])[] = [
  ['same', 'as the law'],
  ['changes', 'another value'],
  ['takes', 'takes what the law refuses'],
  ['refuses', 'refuses what the law takes'],
  ['none', 'no such cast'],
];

function summary(groups: readonly Group[], { engine, casts }: Compared): string {
  const lines = targets.map((target) => {
    const of = groups.filter((group) => group.target === target);
    const rows = of.flatMap((group) => group.rows.map((row) => ({ row, contrast: contrastOf(group, row, casts) })));
    const refusals = rows.filter(({ row }) => row.expected.kind === 'refused').length;
    const counts = contrasts.map(([contrast]) => rows.filter((one) => one.contrast === contrast).length);
    return `| [${target}](#${target}) | ${[rows.length, refusals, ...counts].join(' | ')} |`;
  });
  const headings = ['target', 'rows', 'refusals', ...contrasts.map(([, words]) => `${engine}: ${words}`)];
  return [`| ${headings.join(' | ')} |`, `|---|${'--:|'.repeat(headings.length - 1)}`, ...lines].join('\n');
}

function sectionOf(target: string, groups: readonly Group[], engines: readonly Compared[]): string {
  const parts = groups.filter((group) => group.target === target).map((group) => groupText(group, engines));
  return `## ${target}\n\n${parts.join('\n\n')}`;
}

function groupText(group: Group, engines: readonly Compared[]): string {
  const from =
    group.from.form === 'typed' ? `${code(printType(group.from.type))} values` : { text: 'text', json: 'JSON tokens' }[group.from.form];
  const rules = Object.entries(group.written).map(([key, value]) => code(`${key}: ${JSON.stringify(value)}`));
  const noted = group.rows.some(({ note }) => note !== undefined);
  const headings = ['given', 'result', ...engines.map(({ engine }) => engine), ...(noted ? ['note'] : [])];
  const lines = group.rows.map((row) => {
    const casts = engines.map((engine) => castText(group, row, engine.casts));
    const cells = [shown(row.given), resultText(row.expected), ...casts, ...(noted ? [cell(row.note ?? '')] : [])];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `### ${target(group)}\n`,
    `${[`From ${from} into ${code(printType(group.to))}`, ...rules].join(', ')}. Source: ${group.source}.\n`,
    `| ${headings.join(' | ')} |`,
    `|${'---|'.repeat(headings.length)}`,
    ...lines,
  ].join('\n');
}

const target = ({ target, name }: Group): string => (name.startsWith(target) ? name : `${target}: ${name}`);

const words: Readonly<Record<string, string>> = { invalid_value: 'invalid', lossy_value: 'lossy', ambiguous_format: 'ambiguous format' };

function faultText({ code: full, path }: Fault): string {
  const [kind = '', reason] = full.split(':');
  return `${words[kind]}${reason === undefined ? '' : `, ${reason}`}${path === 'v' ? '' : `, at ${code(path)}`}`;
}

function resultText(expected: Expected): string {
  if (expected.kind === 'refused') return expected.faults.map(faultText).join('; ');
  return `${shown(expected.value)}${expected.kind === 'altered' ? ' altered' : ''}`;
}

function castText(group: Group, row: Row, casts: PlainCasts): string {
  const contrast = contrastOf(group, row, casts);
  if (contrast === 'none') return 'no such cast';
  const text = shown(casts.get(row.id) ?? null);
  return contrast === 'same' ? text : `**${text}**`;
}

function contrastOf(group: Group, { id, expected }: Row, casts: PlainCasts): Contrast {
  const given = casts.get(id);
  if (given === undefined) return 'none';
  const type = caseTypeOf(group.to);
  if (expected.kind === 'refused') return given === null ? 'same' : 'takes';
  if (JSON.stringify(canonical(type, given)) === JSON.stringify(canonical(type, expected.value))) return 'same';
  return given === null ? 'refuses' : 'changes';
}

/** A value as code; NULL as a word. */
function shown(value: PlainValue): string {
  if (value === null) return 'NULL';
  return code(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const named: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\v': '\\v', '\f': '\\f', '\0': '\\0' };
const strange = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const escaped = (char: string): string => named[char] ?? `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, '0')}`;

/** Inline code in a table cell; quoted where blanks at its ends would be lost. */
function code(text: string): string {
  const visible = text.replace(strange, escaped);
  const edged = visible === '' || /^ | $| {2}/.test(visible) ? `"${visible}"` : visible;
  const fence = edged.includes('`') ? '``' : '`';
  return `${fence}${cell(edged)}${fence}`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
