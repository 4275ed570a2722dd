import type { Example, Finding } from '../core/record/finding.ts';
import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { commonOf, countsOf, findingNames, type Group, groupFindings } from './groups.ts';
import { isActive, placeOf, sizeOf, sortFindings, subjectOf, tallyOf, typesOf } from './summary.ts';
import { columnsOf, cut, cutMiddle, pad } from './terminal-width.ts';
import { flow, spread } from './text-layout.ts';
import { marks, type Page } from './text-page.ts';
import { visible } from './visible.ts';

/** Findings shown in full; the rest is summed up by kind. */
const shown = 20;
const indent = '    ';

/** A heading and a block for each finding, worst first; then those that are ignored, a line or two each. */
export function findingLines(record: RunRecord, page: Page, most = shown): string[][] {
  if (record.findings.length === 0) return [[`${page.colors.bold('Findings')}  none`]];
  const sorted = sortFindings(record.findings);
  const groups = groupFindings(sorted.filter(isActive));
  const rest = groups.slice(most).flatMap(({ members }) => members);
  return [
    flow(`Findings  ${tallyOf(record)}`, page.width).map((line) => line.replace(/^Findings/, page.colors.bold)),
    ...groups.slice(0, most).map((group) => (group.members.length === 1 ? blockOf(group.finding, page) : groupBlock(group, page))),
    ...(rest.length === 0 ? [] : [restLines(rest, page)]),
    ...ignoredLines(
      sorted.filter((finding) => !isActive(finding)),
      page,
    ),
  ];
}

function blockOf(finding: Finding, page: Page): string[] {
  const inner = (text: string) => flow(text, page.width, indent);
  return [
    ...headingOf(finding, { subject: visible(subjectOf(finding)), size: sizeOf(finding) }, page),
    ...(typesOf(finding) === '' ? [] : inner(visible(typesOf(finding)))),
    ...exampleLines(finding.examples, page),
    ...fileLines(finding, page),
    ...inner(visible(finding.consequence)),
    ...fixLines(finding, page),
  ];
}

/** Many columns with the same fault: their first names, what they share, and the first of them as an example. */
function groupBlock(group: Group, page: Page): string[] {
  const { finding, members } = group;
  const inner = (text: string) => flow(text, page.width, indent);
  const size = `${formatCount(members.length)} columns`;
  const consequence = commonOf(group, (one) => one.consequence);
  const types = commonOf(group, typesOf);
  const yaml = commonOf(group, (one) => one.fix?.yaml ?? '');
  const subject = visible(subjectOf(finding));
  return [
    ...headingOf(finding, { subject: findingNames(members, 40), size }, page),
    ...(types === undefined || types === '' ? [] : inner(visible(types))),
    ...inner(countsOf(members)),
    ...exampleLines(finding.examples.slice(0, 1), page),
    ...fileLines(finding, page),
    ...inner(consequence === undefined ? `${cutMiddle(subject, 40)}: ${visible(finding.consequence)}` : visible(consequence)),
    ...(yaml === undefined || yaml === '' ? [] : fixLines(finding, page)),
  ];
}

/** What somebody has decided to accept: shown, so that it can be decided again, and never in the way. */
function ignoredLines(ignored: readonly Finding[], page: Page): string[][] {
  const lines = groupFindings(ignored)
    .slice(0, shown)
    .flatMap(({ finding, members }) => {
      const alone = members.length === 1;
      const subject = alone ? cutMiddle(visible(subjectOf(finding)), 40) : findingNames(members, 40);
      const size = alone ? sizeOf(finding) : `${formatCount(members.length)} columns`;
      const what = `  ${marks.remark} ${finding.code} ${visible(finding.name)}  ${subject}`;
      return [spread(what, size, page.width).trimEnd(), ...flow(reasonText(finding), page.width, indent).map(page.colors.dim)];
    });
  return lines.length === 0 ? [] : [[`${page.colors.bold('Ignored')}  ${counted(ignored.length, 'finding')}`, ...lines]];
}

function reasonText({ ignored, config }: Finding): string {
  const until = ignored?.until == null ? 'no last day' : `until ${visible(ignored.until)}`;
  const place = config == null ? '' : ` (${visible(config.file)}:${config.line})`;
  return `${until}: ${visible(ignored?.reason ?? '')}${place}`;
}

function headingOf(finding: Finding, what: { readonly subject: string; readonly size: string }, { colors, width }: Page): string[] {
  const paint = { error: colors.red, warning: colors.yellow, remark: colors.cyan }[finding.severity];
  const lead = `${marks[finding.severity]} ${finding.severity} ${finding.code}`;
  const kind = visible(finding.name) + (finding.reason === null ? '' : ` (${visible(finding.reason)})`);
  const { subject, size } = what;
  const room = width - columnsOf(lead) - columnsOf(kind) - columnsOf(size) - 5;
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
  if (value === null) return masked ? '(masked)' : 'NULL';
  const tail = masked ? '" (masked)' : '"';
  return `"${cut(visible(value), room - 1 - tail.length)}${tail}`;
}

/** The lines of YAML that settle it and where they belong; without any, the line of configuration that was followed. */
function fixLines({ fix, config, outcome }: Finding, { width, colors }: Page): string[] {
  const line = config == null ? '' : `${visible(config.file)}:${config.line}`;
  if (fix === null || fix.yaml === '') {
    if (line === '' || outcome === 'none' || outcome === 'failed') return [];
    return [colors.dim(`${indent}${cutMiddle(`rule: ${line}`, width - indent.length)}`)];
  }
  const [first = '', ...others] = fix.yaml.split('\n').flatMap((text) => flow(visible(text), width - indent.length - 5));
  const place = [line, visible(fix.pointer ?? '')].filter((part) => part !== '').join(' ');
  const room = width - indent.length - 5 - columnsOf(first) - 2;
  const beside = others.length === 0 && columnsOf(place) > 0 && columnsOf(place) + 3 <= room ? `  at ${place}` : '';
  const below = place !== '' && beside === '' ? [`${indent}     ${cutMiddle(`at ${place}`, width - indent.length - 5)}`] : [];
  return [
    `${indent}${colors.green('fix:')} ${colors.green(first)}${colors.dim(beside)}`,
    ...others.map((text) => `${indent}     ${colors.green(text)}`),
    ...below.map((text) => colors.dim(text)),
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
