import type { Finding } from '../core/record/finding.ts';
import type { Severity } from '../core/model/severity.ts';
import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { codeMarkdown as code, escapeMarkdown as plain } from './escape-markdown.ts';
import { formatDuration } from './measures.ts';
import type { Report } from './report.ts';
import {
  effectsOf,
  figuresOf,
  partitionName,
  pathText,
  placeOf,
  sizeOf,
  sortFindings,
  subjectOf,
  tallyOf,
  type Tone,
  typesOf,
  verdictOf,
} from './summary.ts';

/** Rows of a table; job summaries and comments have a size limit. The rest is counted. */
const shown = 50;
/** Characters of a text in a cell. */
const longest = 120;

const toneMarks: Record<Tone, string> = { good: '✅', warn: '⚠️', bad: '❌', idle: 'ℹ️' };
const severityMarks: Record<Severity, string> = { error: '❌ error', warning: '⚠️ warning', remark: 'ℹ️ remark' };

export const markdown: Report = {
  extension: 'md',
  mediaType: 'text/markdown',
  render: (record) => `${[head(record), ...sections.map((section) => section(record))].filter((text) => text !== '').join('\n\n')}\n`,
};

function head(record: RunRecord): string {
  const verdict = verdictOf(record);
  const figures = figuresOf(record);
  const would = record.verb === 'plan' ? ' (would be)' : '';
  return [
    `## ${toneMarks[verdict.tone]} ${verdict.word} ${plain(short(record.job))}`,
    '',
    `${code(short(record.source.description))} → ${code(short(record.target.table))} (${plain(record.mode)})`,
    '',
    plain(verdict.sentence),
    '',
    ...grid(
      figures.map(({ label }) => (label === 'read' ? label : label + would)),
      [figures.map(({ count }) => formatCount(count))],
      '---:',
    ),
    ...(record.fault === null ? [] : ['', `${code(record.fault.code)} ${plain(record.fault.fix)}`]),
  ].join('\n');
}

type Section = (record: RunRecord) => string;

const findings: Section = (record) => {
  if (record.findings.length === 0) return '### Findings\n\nnone';
  const sorted = sortFindings(record.findings);
  const rows = sorted.slice(0, shown).map((finding) => [
    severityMarks[finding.severity] + (finding.ignored === null ? '' : ' (accepted)'),
    `${code(finding.code)} ${plain(finding.name)}${finding.reason === null ? '' : ` (${plain(finding.reason)})`}`,
    finding.path === null ? '' : code(short(subjectOf(finding))),
    plain(sizeOf(finding)),
    whatOf(finding),
    examplesOf(finding),
    finding.fix === null
      ? ''
      : finding.fix.yaml
          .split('\n')
          .filter((line) => line !== '')
          .map(code)
          .join('<br>'),
  ]);
  return [
    `### Findings: ${tallyOf(record)}`,
    '',
    ...grid(['', 'kind', 'column', 'count', 'what happened', 'examples', 'fix'], rows),
    ...more(sorted.length),
  ].join('\n');
};

function whatOf(finding: Finding): string {
  const types = typesOf(finding);
  return [types === '' ? '' : code(short(types)), plain(finding.consequence)].filter((part) => part !== '').join('<br>');
}

function examplesOf({ examples }: Finding): string {
  return examples
    .slice(0, 3)
    .map((example) => {
      const value = example.value === null ? 'NULL' : code(short(example.value));
      return `${value}${example.masked ? ' (masked)' : ''} ${plain(placeOf(example))}`.trimEnd();
    })
    .join('<br>');
}

const columns: Section = (record) => {
  const changed = record.columns.filter((column) => effectsOf(column).length > 0);
  const rows = changed.slice(0, shown).map((column) => [
    code(short(pathText(column.path))),
    code(short(column.source_type ?? '(absent)')),
    code(short(column.target_type)),
    formatCount(column.ok),
    effectsOf(column)
      .map(({ label, count }) => `${formatCount(count)} ${label}`)
      .join(', '),
  ]);
  return titled('Columns', ['column', 'source', 'target', 'fit', 'did not'], rows, changed.length);
};

const partitions: Section = ({ partitions: list }) => {
  const rows = list
    .slice(0, shown)
    .map(({ values, before, after }) => [code(short(partitionName(values))), formatCount(before), formatCount(after)]);
  return titled('Partitions', ['partition', 'rows before', 'rows after'], rows, list.length);
};

const schemaChanges: Section = ({ schema_changes, committed }) => {
  const rows = schema_changes.map(({ ddl, because }) => [ddl.split('\n').map(code).join('<br>'), because.map(plain).join(', ')]);
  return titled(committed ? 'Schema changes' : 'Schema changes that would be made', ['statement', 'because of'], rows, rows.length);
};

const checks: Section = ({ verify }) => {
  if (verify.checks.length === 0) return '';
  const failing = verify.checks.filter((check) => !check.ok);
  if (failing.length === 0) return `### Verify\n\n✅ ${counted(verify.checks.length, 'check')} passed`;
  const rows = failing
    .slice(0, shown)
    .map(({ name, path, expected, actual }) => [
      `❌ ${plain(name)}`,
      path === null ? '' : code(short(pathText(path))),
      code(short(expected)),
      code(short(actual)),
    ]);
  const title = `Verify: ${formatCount(failing.length)} of ${counted(verify.checks.length, 'check')} failed`;
  return titled(title, ['check', 'column', 'expected', 'found'], rows, failing.length);
};

const notes: Section = (record) =>
  record.notes.length === 0 ? '' : `### Notes\n\n${record.notes.map((note) => `- ${plain(note)}`).join('\n')}`;

const runFacts: Section = (record) => {
  const phases = record.phases.map(({ name, ms }) => `${plain(name)} ${formatDuration(ms)}`).join(', ');
  const target = `${plain(record.target.engine)} ${code(short(record.target.url))}`;
  return `Run ${code(record.run_id)}, ${target}, exit ${record.exit}${phases === '' ? '' : `; ${phases}`}`;
};

const sections: readonly Section[] = [findings, columns, partitions, schemaChanges, checks, notes, runFacts];

function titled(title: string, names: readonly string[], rows: readonly (readonly string[])[], total: number): string {
  return rows.length === 0 ? '' : [`### ${title}`, '', ...grid(names, rows), ...more(total)].join('\n');
}

function grid(names: readonly string[], rows: readonly (readonly string[])[], rule = '---'): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(names), line(names.map(() => rule)), ...rows.map(line)];
}

const more = (total: number) => (total > shown ? ['', `… and ${formatCount(total - shown)} more`] : []);

function short(text: string): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
