import type { Example, Finding } from '../core/record/finding.ts';
import { counted } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { placeOf, sizeOf, sortFindings, subjectOf, tallyOf, typesOf } from './summary.ts';
import { columnsOf, cut, cutMiddle, pad } from './terminal-width.ts';
import { flow, spread } from './text-layout.ts';
import { marks, type Page } from './text-page.ts';
import { visible } from './visible.ts';

/** Findings shown in full; the rest is summed up by kind. */
const shown = 20;
const indent = '    ';

/** A heading and a block for each finding, worst first. */
export function findingLines(record: RunRecord, page: Page): string[][] {
  if (record.findings.length === 0) return [[`${page.colors.bold('Findings')}  none`]];
  const sorted = sortFindings(record.findings);
  const rest = sorted.slice(shown);
  return [
    flow(`Findings  ${tallyOf(record)}`, page.width).map((line) => line.replace(/^Findings/, page.colors.bold)),
    ...sorted.slice(0, shown).map((finding) => blockOf(finding, page)),
    ...(rest.length === 0 ? [] : [restLines(rest, page)]),
  ];
}

function blockOf(finding: Finding, page: Page): string[] {
  const { colors, width } = page;
  const inner = (text: string) => flow(text, width, indent);
  return [
    ...headingOf(finding, page),
    ...(typesOf(finding) === '' ? [] : inner(visible(typesOf(finding)))),
    ...exampleLines(finding.examples, page),
    ...fileLines(finding, page),
    ...inner(visible(finding.consequence)),
    ...(finding.ignored === null ? [] : inner(acceptedText(finding.ignored)).map((line) => colors.dim(line))),
    ...fixLines(finding, page),
  ];
}

function headingOf(finding: Finding, { colors, width }: Page): string[] {
  const paint = { error: colors.red, warning: colors.yellow, remark: colors.cyan }[finding.severity];
  const lead = `${marks[finding.severity]} ${finding.severity} ${finding.code}`;
  const kind = visible(finding.name) + (finding.reason === null ? '' : ` (${visible(finding.reason)})`);
  const size = sizeOf(finding);
  const room = width - columnsOf(lead) - columnsOf(kind) - columnsOf(size) - 5;
  const subject = visible(subjectOf(finding));
  if (room >= Math.min(16, columnsOf(subject))) {
    const line = spread(`${lead} ${kind}  ${cutMiddle(subject, room)}`, size, width).trimEnd();
    return [paint(colors.bold(line.slice(0, lead.length))) + line.slice(lead.length)];
  }
  const first = cut(`${lead} ${kind}`, width);
  const rest = [...flow(cutMiddle(subject, width * 2), width, indent), ...flow(size, width, indent)];
  return [paint(colors.bold(first.slice(0, lead.length))) + first.slice(lead.length), ...rest];
}

function exampleLines(examples: readonly Example[], { width, colors }: Page): string[] {
  const places = examples.map((example) => cutMiddle(visible(placeOf(example)), Math.floor(width / 2)));
  const widest = Math.max(0, ...places.map(columnsOf));
  return examples.map((example, i) => {
    const place = pad(places[i] ?? '', widest);
    const room = width - indent.length - widest - 2;
    return `${indent}${colors.cyan(place)}${widest === 0 ? '' : '  '}${valueText(example, room)}`.trimEnd();
  });
}

/** The files concerned, where no example names one. */
function fileLines({ examples, files }: Finding, { width }: Page): string[] {
  if (files.length === 0 || examples.some((example) => example.file !== null)) return [];
  const few = files.slice(0, 3).map((file) => cutMiddle(visible(file), width - 12));
  return flow(`in ${few.join(', ')}${files.length > 3 ? ` and ${counted(files.length - 3, 'more file')}` : ''}`, width, indent);
}

/** The value in quotes, NULL without them; what was masked says so. */
function valueText({ value, masked }: Example, room: number): string {
  if (value === null) return 'NULL';
  const tail = masked ? '" (masked)' : '"';
  return `"${cut(visible(value), room - 1 - tail.length)}${tail}`;
}

function acceptedText({ reason, until }: NonNullable<Finding['ignored']>): string {
  return `accepted${until === null ? '' : ` until ${visible(until)}`}: ${visible(reason)}`;
}

function fixLines({ fix }: Finding, { width, colors }: Page): string[] {
  if (fix === null || fix.yaml === '') return [];
  const yaml = fix.yaml.split('\n').flatMap((line) => flow(visible(line), width - indent.length - 5));
  const place = fix.pointer === null ? '' : visible(fix.pointer);
  const [first = '', ...others] = yaml;
  const room = width - indent.length - 5 - columnsOf(first) - 2;
  const beside = others.length === 0 && columnsOf(place) > 0 && columnsOf(place) + 3 <= room ? `  at ${place}` : '';
  const below = place !== '' && beside === '' ? [`${indent}     ${cutMiddle(`at ${place}`, width - indent.length - 5)}`] : [];
  return [
    `${indent}${colors.green('fix:')} ${colors.green(first)}${colors.dim(beside)}`,
    ...others.map((line) => `${indent}     ${colors.green(line)}`),
    ...below.map((line) => colors.dim(line)),
  ];
}

function restLines(rest: readonly Finding[], { width }: Page): string[] {
  const kinds = new Map<string, number>();
  for (const { code, name } of rest) kinds.set(`${code} ${name}`, (kinds.get(`${code} ${name}`) ?? 0) + 1);
  const list = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, count]) => `${visible(kind)} ${counted(count, 'time')}`);
  return [
    `… and ${counted(rest.length, 'more', 'more')}`,
    ...flow(`${list.join(', ')}; all of them with --format json or html`, width, indent),
  ];
}
