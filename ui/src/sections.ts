import { counted, formatCount } from '../../src/core/record/numbers.ts';
import type { RunCheck, RunRecord } from '../../src/core/record/run-record.ts';
import { formatDuration, formatSize } from '../../src/reports/measures.ts';
import { partitionName } from '../../src/reports/summary.ts';
import { atLength, briefly, type Child, data, h } from './dom.ts';
import { factsOf, preOf, tableOf } from './facts.ts';

/** Rows that a table begins with. */
const first = 100;
/** Rows that are added when more are asked for. */
const step = 1000;

function card(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { class: `card ${id}`, 'aria-labelledby': `h-${id}` }, h('h2', { id: `h-${id}` }, title), ...children);
}

interface LongTable {
  readonly head: readonly string[];
  readonly className?: string;
  readonly count: number;
  /** The rows from one to before another. */
  readonly rows: (from: number, to: number) => readonly (readonly Child[])[];
}

/** A table that begins with its first rows and grows when more are asked for. */
function longTable({ head, className, count, rows }: LongTable): Child {
  const options = className === undefined ? {} : { className };
  const table = tableOf({ ...options, head, rows: rows(0, first) });
  if (count <= first) return table;
  let shown = first;
  const button = h('button', { type: 'button', class: 'quiet', onclick: () => grow() });
  const say = () => {
    button.textContent = `Show ${formatCount(Math.min(step, count - shown))} more of ${formatCount(count - shown)}`;
    if (shown >= count) button.remove();
  };
  const grow = () => {
    const more = tableOf({ head, rows: rows(shown, Math.min(count, shown + step)) });
    table.querySelector('tbody')?.append(...more.querySelectorAll('tbody tr'));
    shown = Math.min(count, shown + step);
    say();
  };
  say();
  return [table, button];
}

/** Rows before and after, for every touched partition. */
export function partitionsOf({ partitions, verb }: RunRecord): HTMLElement | null {
  if (partitions.length === 0) return null;
  const most = partitions.reduce((largest, { before, after }) => Math.max(largest, Number(before), Number(after)), 1);
  const bar = (count: number, className: string) => {
    const element = h('span', { class: className });
    element.style.width = `${(Number(count) / most) * 100}%`;
    return element;
  };
  return card(
    'partitions',
    verb === 'plan' ? 'Partitions, as they would be' : 'Partitions',
    h(
      'p',
      { class: 'key-line' },
      h('span', { class: 'key before', 'aria-hidden': 'true' }),
      'before ',
      h('span', { class: 'key after', 'aria-hidden': 'true' }),
      'after',
    ),
    longTable({
      className: 'bars',
      head: ['partition', 'before#', 'after#', 'change#', 'rows'],
      count: partitions.length,
      rows: (from, to) =>
        partitions
          .slice(from, to)
          .map(({ values, before, after }) => [
            Object.keys(values).length === 0 ? 'the whole table' : briefly(partitionName(values)),
            formatCount(before),
            formatCount(after),
            changeOf(Number(after) - Number(before)),
            h('span', { class: 'pair', 'aria-hidden': 'true' }, bar(before, 'before'), bar(after, 'after')),
          ]),
    }),
  );
}

function changeOf(change: number): Child {
  if (change === 0) return h('span', { class: 'muted' }, '=');
  return h('span', { class: change < 0 ? 'bad' : '' }, `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`);
}

/** The checks after the load, the failing ones first. */
export function checksOf({ verify }: RunRecord): HTMLElement | null {
  if (verify.checks.length === 0) return null;
  const { checks } = verify;
  const failed = checks.filter(({ ok }) => !ok);
  const passed = checks.filter(({ ok }) => ok);
  const verdict =
    failed.length === 0
      ? `✓ ${counted(passed.length, 'check')} passed`
      : `✗ ${formatCount(failed.length)} of ${counted(checks.length, 'check')} failed`;
  return card(
    'checks',
    'Verify',
    h('p', { class: failed.length === 0 ? 'good' : 'bad' }, verdict),
    failed.length === 0 ? null : checkTable(failed),
    passed.length === 0
      ? null
      : h('details', {}, h('summary', {}, `What was checked and is right (${formatCount(passed.length)})`), checkTable(passed)),
  );
}

function checkTable(checks: readonly RunCheck[]): Child {
  return longTable({
    head: ['check', 'expected', 'found', 'right'],
    count: checks.length,
    rows: (from, to) =>
      checks
        .slice(from, to)
        .map(({ name, path, expected, actual, ok }) => [
          [briefly(name), path === null ? null : [' ', h('code', {}, briefly(path))]],
          atLength(expected),
          h('span', { class: ok ? '' : 'bad' }, atLength(actual)),
          h('span', { class: ok ? 'good' : 'bad' }, ok ? '✓' : '✗', h('span', { class: 'unseen' }, ok ? 'passed' : 'failed')),
        ]),
  });
}

export function schemaChangesOf({ schema_changes, committed }: RunRecord): HTMLElement | null {
  if (schema_changes.length === 0) return null;
  return card(
    'ddl',
    committed ? 'Schema changes' : 'Schema changes that would be made',
    schema_changes.map(({ ddl, because }) => [
      preOf(ddl),
      because.length === 0 ? null : h('p', { class: 'muted small' }, 'because of ', data(because.join(', '))),
    ]),
  );
}

export function notesOf({ notes }: RunRecord): HTMLElement | null {
  if (notes.length === 0) return null;
  return card(
    'notes',
    'Notes',
    h(
      'ul',
      {},
      notes.map((note) => h('li', {}, atLength(note))),
    ),
  );
}

export function filesOf({ source }: RunRecord): HTMLElement | null {
  const { files } = source;
  if (files.length === 0) return null;
  return card(
    'files',
    'Files',
    longTable({
      head: ['file', 'size#', 'records#'],
      count: files.length,
      rows: (from, to) =>
        files
          .slice(from, to)
          .map(({ path, size, sha256, read, skipped_by_run }) => [
            h('span', { title: `sha256 ${sha256}` }, atLength(path)),
            formatSize(Number(size)),
            skipped_by_run === null ? formatCount(read) : 'skipped',
          ]),
    }),
  );
}

/** Where the time went, and everything that names the run. */
export function runFactsOf(record: RunRecord): HTMLElement {
  const { target, evidence } = record;
  const version = [target.version_before, target.version_after].filter((one) => one !== null).join(' → ');
  const facts: readonly (readonly [string, string])[] = [
    ['Run', record.run_id],
    ['Configuration', record.config == null ? '' : `${record.config.file}:${record.config.line}`],
    ['Target', `${target.engine} ${target.url}`],
    ['Table', target.table],
    ['Mode', record.mode],
    ['Version', version],
    ['Evidence', `${counted(evidence.rows, 'row')} examined${evidence.sampled ? ', a sample' : ', all of them'}`],
    ['Plan', record.plan_hash],
    ['Source', record.source.fingerprint],
    ['Exit', String(record.exit)],
    ['Started', record.started_at],
    ['Finished', record.finished_at ?? ''],
    ['Schemalign', record.tool_version],
  ];
  return card('run', 'Run', phasesOf(record), factsOf(facts.map(([name, value]) => [name, value === '' ? null : atLength(value)])));
}

function phasesOf({ phases }: RunRecord): HTMLElement | null {
  if (phases.length === 0) return null;
  const total = Math.max(
    1,
    phases.reduce((sum, { ms }) => sum + ms, 0),
  );
  return h(
    'ul',
    { class: 'phases', 'aria-label': 'Where the time went' },
    phases.map(({ name, ms }) => {
      const bar = h('span', { class: 'phase-bar' });
      bar.style.width = `${(ms / total) * 100}%`;
      return h(
        'li',
        {},
        h('span', { class: 'phase-name' }, briefly(name)),
        h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
        h('span', { class: 'num' }, formatDuration(ms)),
      );
    }),
  );
}
