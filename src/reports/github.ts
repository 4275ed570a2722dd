/** Annotations of GitHub Actions: workflow commands, to be printed in a step. */
import type { Severity } from '../core/model/severity.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { cutText, detailLines, titleOf, verdictLine } from './finding-lines.ts';
import { countsOf, findingNames, type Group, groupFindings } from './groups.ts';
import type { Report } from './report.ts';
import { figuresOf, isActive, jobPlace, locationOf, type Place, sortFindings, tallyOf } from './summary.ts';
import { visible } from './visible.ts';

export const github: Report = {
  extension: 'txt',
  mediaType: 'text/plain',
  render: (record) => document([record]),
  renderAll: document,
};

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', remark: 'notice' };
const order: readonly Severity[] = ['error', 'warning', 'remark'];

/**
 * GitHub keeps few annotations of one step, so the worst of all jobs come first, and columns with the same fault share one. What is ignored
 * is counted in the lines at the end.
 */
function document(records: readonly RunRecord[]): string {
  const groups = records.flatMap((record) =>
    groupFindings(sortFindings(record.findings).filter(isActive)).map((group) => ({ group, record })),
  );
  const sorted = groups.toSorted((a, b) => order.indexOf(a.group.finding.severity) - order.indexOf(b.group.finding.severity));
  const lines = [...records.flatMap(ofFault), ...sorted.map(({ group, record }) => ofGroup(group, record)), ...records.map(lastLine)];
  return `${lines.join('\n')}\n`;
}

function ofFault(record: RunRecord): string[] {
  const { fault } = record;
  if (fault === null) return [];
  return [
    annotation('error', { ...jobPlace(record), title: fault.code }, [verdictLine(record), `fix: ${cutText(visible(fault.fix), 500)}`]),
  ];
}

function ofGroup({ finding, members }: Group, record: RunRecord): string {
  const title = `${titleOf(finding)} in ${cutText(visible(record.job), 60)}`;
  const several =
    members.length === 1 ? [] : [`${members.length} columns: ${findingNames(members, 120)}; ${countsOf(members)}; the first of them:`];
  return annotation(commands[finding.severity], { ...locationOf(finding, record), title }, [...several, ...detailLines(finding)]);
}

/** No command: a line of the log. */
function lastLine(record: RunRecord): string {
  const figures = figuresOf(record).map(({ label, count }) => `${count} ${label}`);
  const tally = tallyOf(record);
  return inert(`schemalign ${verdictLine(record)} ${figures.join(', ')}; findings: ${tally === '' ? 'none' : tally}`);
}

function annotation(
  command: string,
  { file, line, column, title }: Place & { readonly title: string },
  message: readonly string[],
): string {
  const properties = [
    `file=${property(visible(file))}`,
    ...(line === null ? [] : [`line=${line}`]),
    ...(column === null ? [] : [`col=${column}`]),
    `title=${property(title)}`,
  ];
  return `::${command} ${properties.join(',')}::${data(message.join('\n'))}`;
}

/** Escapes of the message of a command. https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The same for a property, where colons and commas separate. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/**
 * Text for the log of a step in which no command stands: the runner obeys `::command` where a line begins with it, and the older `##[command]`
 * wherever it stands. Both are written with the escape of their middle character, which JSON reads as the same text.
 */
export function inert(text: string): string {
  return text.replace(/^([^\S\n]*:):/gm, '$1\\u003a').replaceAll('##[', '#\\u0023[');
}
