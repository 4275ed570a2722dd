import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { formatDuration } from './measures.ts';
import { effectsOf, partitionName, pathText } from './summary.ts';
import { columnRows, planLine, plannedColumns, type Section, titled, typesText } from './text-plan.ts';
import { cutMiddle } from './terminal-width.ts';
import { flow, table } from './text-layout.ts';
import type { Page } from './text-page.ts';
import { visible } from './visible.ts';

/** Rows of a section; the rest is counted. */
const shown = 30;

/** Everything after the findings, in the order of interest; empty sections are left out. */
export function sectionLines(record: RunRecord, page: Page): string[][] {
  return sections.map((section) => section(record, page)).filter((lines) => lines.length > 0);
}

const changedColumns: Section = ({ columns, committed, verb }, page) => {
  if (verb === 'plan') return [];
  const changed = columns.filter((column) => effectsOf(column).length > 0);
  const cells = changed.map((column) => ({
    name: pathText(column.path),
    rest: [
      typesText(column),
      effectsOf(column)
        .map(({ label, count }) => `${formatCount(count)} ${label}`)
        .join(', '),
    ],
  }));
  const all = columnRows(cells);
  const rows = all.slice(0, shown).map(({ name, rest: [types = '', effects = ''] }) => [name, cutMiddle(visible(types), 32), effects]);
  const title = committed ? 'Columns whose values were changed or refused' : 'Columns whose values would be changed or refused';
  return titled(title, [...table(rows, page.width - 2), ...more(all.length)], page);
};

const partitions: Section = ({ partitions: list, verb }, page) => {
  const rows = list
    .slice(0, shown)
    .map(({ values, before, after }) => [
      cutMiddle(visible(partitionName(values)), 40),
      formatCount(before),
      '→',
      formatCount(after),
      signed(Number(after) - Number(before)),
    ]);
  const title = verb === 'plan' ? 'Partitions, as they would be' : 'Partitions, rows before and after';
  return titled(title, [...table(rows, page.width - 2, [1, 3]), ...more(list.length)], page);
};

const signed = (difference: number) => (difference === 0 ? '(same)' : `(${difference > 0 ? '+' : ''}${formatCount(difference)})`);

const schemaChanges: Section = ({ schema_changes, verb, committed }, page) => {
  const lines = schema_changes.flatMap(({ ddl, because }) => [
    ...ddl.split('\n').flatMap((line) => flow(visible(line), page.width - 4)),
    ...(because.length === 0 ? [] : flow(`because of ${because.map(visible).join(', ')}`, page.width - 4, '  ')),
  ]);
  return titled(verb === 'plan' || !committed ? 'Schema changes that would be made' : 'Schema changes', lines, page);
};

const checks: Section = ({ verify }, page) => {
  if (verify.checks.length === 0) return [];
  const failing = verify.checks.filter((check) => !check.ok);
  const all = counted(verify.checks.length, 'check');
  const summary = failing.length === 0 ? `✓ ${all} passed` : `✗ ${formatCount(failing.length)} of ${all} failed`;
  const lines = failing.slice(0, shown).flatMap(({ name, path, expected, actual }) => {
    const where = path === null ? '' : ` ${cutMiddle(visible(pathText(path)), 40)}`;
    return flow(`✗ ${visible(name)}${where}: expected ${visible(expected)}, found ${visible(actual)}`, page.width - 2);
  });
  return titled('Verify', [summary, ...lines, ...more(failing.length)], page);
};

const notes: Section = (record, page) =>
  titled(
    'Notes',
    record.notes.flatMap((note) => flow(`· ${visible(note)}`, page.width - 2)),
    page,
  );

/** A blank at which no line is broken. */
const joint = '\u00a0';

const runFacts: Section = (record, page) => {
  const total = record.phases.reduce((sum, { ms }) => sum + ms, 0);
  // A phase and its time stay on one line.
  const phases = record.phases.map(({ name, ms }) => `${visible(name)} ${formatDuration(ms)}`.replaceAll(' ', joint));
  const time = phases.length === 0 ? '' : `, in ${formatDuration(total)}`;
  const evidence = `${counted(record.evidence.rows, 'row')} examined${record.evidence.sampled ? ', a sample' : ', all of them'}${time}`;
  return titled(
    'Run',
    [
      ...flow(
        `${visible(record.run_id)}, ${visible(record.target.engine)} ${visible(record.target.url)}, exit ${record.exit}`,
        page.width - 2,
      ),
      ...flow(evidence, page.width - 2),
      ...flow(phases.join(' · '), page.width - 2).map((line) => line.replaceAll(joint, ' ')),
    ],
    page,
  );
};

const sections: readonly Section[] = [plannedColumns, changedColumns, partitions, schemaChanges, checks, notes, planLine, runFacts];

const more = (length: number) => (length > shown ? [`… and ${formatCount(length - shown)} more`] : []);
