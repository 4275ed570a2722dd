import type { Finding } from '../core/record/finding.ts';
import type { Severity } from '../core/model/severity.ts';
import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { codeMarkdown as code, escapeMarkdown as plain } from './escape-markdown.ts';
import { cutText } from './finding-lines.ts';
import { countsOf, findingNames, groupFindings } from './groups.ts';
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
  sortRecords,
  subjectOf,
  tallyOf,
  type Tone,
  typesOf,
  verdictOf,
  verdictOfAll,
} from './summary.ts';

/** Rows of a table, most first; the rest is counted. */
const rowsTried = [50, 25, 12, 6, 3, 1] as const;
/** Characters that a comment may have; GitHub takes 65,536. What is more is cut by listing less. */
const largest = 60_000;
/** Characters of a text in a cell. */
const longest = 120;

const toneMarks: Record<Tone, string> = { good: '✅', warn: '⚠️', bad: '❌', idle: 'ℹ️' };
const severityMarks: Record<Severity, string> = { error: '❌ error', warning: '⚠️ warning', remark: 'ℹ️ remark' };

export const markdown: Report = {
  extension: 'md',
  mediaType: 'text/markdown',
  render: (record) => fitting((shown) => wholeOf(record, shown)),
  renderAll: (records) => fitting((shown) => allOf(records, shown)),
};

/** The longest of the tries that a comment can hold; else the shortest, cut. */
function fitting(write: (shown: number) => string): string {
  let text = '';
  for (const shown of rowsTried) {
    text = write(shown);
    if (text.length <= largest) return text;
  }
  const end = text.lastIndexOf('\n', largest);
  return `${text.slice(0, end < 0 ? largest : end)}\n\n… and more, which a comment cannot hold\n`;
}

function wholeOf(record: RunRecord, shown: number): string {
  return `${[head(record), ...sections.map((section) => section(record, shown))].filter((text) => text !== '').join('\n\n')}\n`;
}

/** A line for each job, the worst first, and the findings of those that have any, folded away. */
function allOf(records: readonly RunRecord[], shown: number): string {
  const { word, tone, sentence } = verdictOfAll(records);
  const sorted = sortRecords(records);
  const rows = sorted
    .slice(0, Math.max(shown, 25))
    .map((record) => [
      `${toneMarks[verdictOf(record).tone]} ${code(short(record.job))}`,
      plain(short(verdictOf(record).sentence.replace(/:$/, '.'))),
      formatCount(record.counts.read),
      formatCount(record.counts.loaded),
      formatCount(record.counts.quarantined),
      record.fault === null ? tallyOf(record) || 'none' : code(record.fault.code),
    ]);
  const told = sorted.filter((record) => record.findings.length > 0 || record.fault !== null);
  const parts = [
    `## ${toneMarks[tone]} ${word}`,
    sentence,
    [
      ...grid(['job', 'verdict', 'read', 'would load', 'would quarantine', 'findings'], rows),
      ...more(records.length, Math.max(shown, 25)),
    ].join('\n'),
    ...told.slice(0, shown).map((record) => {
      const body = [head(record), findings(record, shown)].join('\n\n').replace(/^#/gm, '##');
      return `<details><summary>${code(short(record.job))}: ${tallyOf(record) === '' ? 'stopped' : tallyOf(record)}</summary>\n\n${body}\n\n</details>`;
    }),
    ...(told.length > shown ? [`… and ${formatCount(told.length - shown)} more jobs with findings`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

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

type Section = (record: RunRecord, shown: number) => string;

const findings: Section = (record, shown) => {
  if (record.findings.length === 0) return '### Findings\n\nnone';
  const groups = groupFindings(sortFindings(record.findings));
  const rows = groups
    .slice(0, shown)
    .map(({ finding, members }) => [
      severityMarks[finding.severity] + (finding.ignored === null ? '' : ' (ignored)'),
      `${code(finding.code)} ${plain(finding.name)}${finding.reason === null ? '' : ` (${plain(finding.reason)})`}`,
      members.length > 1 ? code(findingNames(members, 60)) : finding.path === null ? '' : code(short(subjectOf(finding))),
      members.length > 1 ? `${formatCount(members.length)} columns, ${countsOf(members)}` : plain(sizeOf(finding)),
      whatOf(finding),
      examplesOf(finding),
      fixOf(finding),
    ]);
  return [
    `### Findings: ${tallyOf(record)}`,
    '',
    ...grid(['', 'kind', 'column', 'count', 'what happened', 'examples', 'fix'], rows),
    ...more(
      groups.slice(0, shown).reduce((rest, { members }) => rest - members.length, record.findings.length),
      0,
    ),
  ].join('\n');
};

/** The lines that settle it, and the line of configuration where they belong or which was followed. */
function fixOf({ fix, config }: Finding): string {
  const yaml = fix === null ? [] : fix.yaml.split('\n').filter((line) => line !== '');
  const place = config == null ? [] : [plain(short(`${config.file}:${config.line}`))];
  return [...yaml.map((line) => code(short(line))), ...place].join('<br>');
}

function whatOf(finding: Finding): string {
  const types = typesOf(finding);
  return [types === '' ? '' : code(short(types)), plain(cutText(finding.consequence, 300))].filter((part) => part !== '').join('<br>');
}

function examplesOf({ examples }: Finding): string {
  return examples
    .slice(0, 3)
    .map((example) => {
      const value = example.value === null ? (example.masked ? '' : 'NULL') : code(short(example.value));
      return `${value}${example.masked ? ' (masked)' : ''} ${plain(short(placeOf(example)))}`.trim();
    })
    .join('<br>');
}

const columns: Section = (record, shown) => {
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
  return titled('Columns', ['column', 'source', 'target', 'fit', 'did not'], { rows, total: changed.length, shown });
};

const partitions: Section = ({ partitions: list }, shown) => {
  const rows = list
    .slice(0, shown)
    .map(({ values, before, after }) => [code(short(partitionName(values))), formatCount(before), formatCount(after)]);
  return titled('Partitions', ['partition', 'rows before', 'rows after'], { rows, total: list.length, shown });
};

const schemaChanges: Section = ({ schema_changes, committed }, shown) => {
  const rows = schema_changes
    .slice(0, shown)
    .map(({ ddl, because }) => [ddl.split('\n').map(code).join('<br>'), because.map(plain).join(', ')]);
  return titled(committed ? 'Schema changes' : 'Schema changes that would be made', ['statement', 'because of'], {
    rows,
    total: schema_changes.length,
    shown,
  });
};

const checks: Section = ({ verify }, shown) => {
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
  return titled(title, ['check', 'column', 'expected', 'found'], { rows, total: failing.length, shown });
};

const notes: Section = (record) =>
  record.notes.length === 0 ? '' : `### Notes\n\n${record.notes.map((note) => `- ${plain(note)}`).join('\n')}`;

const runFacts: Section = (record) => {
  const phases = record.phases.map(({ name, ms }) => `${plain(name)} ${formatDuration(ms)}`).join(', ');
  const target = `${plain(record.target.engine)} ${code(short(record.target.url))}`;
  return `Run ${code(record.run_id)}, ${target}, exit ${record.exit}${phases === '' ? '' : `; ${phases}`}`;
};

const sections: readonly Section[] = [findings, columns, partitions, schemaChanges, checks, notes, runFacts];

interface Rows {
  readonly rows: readonly (readonly string[])[];
  readonly total: number;
  readonly shown: number;
}

function titled(title: string, names: readonly string[], { rows, total, shown }: Rows): string {
  return rows.length === 0 ? '' : [`### ${title}`, '', ...grid(names, rows), ...more(total, shown)].join('\n');
}

function grid(names: readonly string[], rows: readonly (readonly string[])[], rule = '---'): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(names), line(names.map(() => rule)), ...rows.map(line)];
}

const more = (total: number, shown: number) => (total > shown ? ['', `… and ${formatCount(total - shown)} more`] : []);

function short(text: string): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}
