import { counted, formatCount } from '../../src/core/record/numbers.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { formatDuration, formatSize } from '../../src/reports/measures.ts';
import { partitionName } from '../../src/reports/summary.ts';
import { type Child, data, h } from './dom.ts';

/** Rows of a table on the page; the JSON holds them all. */
const shown = 200;

function card(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { class: `card ${id}`, 'aria-labelledby': `h-${id}` }, h('h2', { id: `h-${id}` }, title), ...children);
}

const more = (total: number) => (total > shown ? h('p', { class: 'muted' }, `and ${formatCount(total - shown)} more`) : null);

/** Rows before and after, for every touched partition. */
export function partitionsOf({ partitions, verb }: RunRecord): HTMLElement | null {
  if (partitions.length === 0) return null;
  const most = Math.max(1, ...partitions.map(({ before, after }) => Math.max(Number(before), Number(after))));
  const bar = (count: number, className: string) => {
    const element = h('span', { class: className });
    element.style.width = `${(Number(count) / most) * 100}%`;
    return element;
  };
  return card(
    'partitions',
    verb === 'plan' ? 'Partitions, as they would be' : 'Partitions',
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'partition'),
            h('th', { scope: 'col', class: 'num' }, 'before'),
            h('th', { scope: 'col', class: 'num' }, 'after'),
            h('th', { scope: 'col', class: 'wide' }, 'rows'),
          ),
        ),
        h(
          'tbody',
          {},
          partitions
            .slice(0, shown)
            .map(({ values, before, after }) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, data(partitionName(values))),
                h('td', { class: 'num' }, formatCount(before)),
                h('td', { class: 'num' }, formatCount(after)),
                h('td', {}, h('span', { class: 'pair', 'aria-hidden': 'true' }, bar(before, 'before'), bar(after, 'after'))),
              ),
            ),
        ),
      ),
    ),
    more(partitions.length),
  );
}

/** The checks after the load, the failing ones first. */
export function checksOf({ verify }: RunRecord): HTMLElement | null {
  if (verify.checks.length === 0) return null;
  const checks = [...verify.checks].sort((a, b) => Number(a.ok) - Number(b.ok));
  const failing = checks.filter((check) => !check.ok).length;
  const verdict =
    failing === 0
      ? `✓ ${counted(checks.length, 'check')} passed`
      : `✗ ${formatCount(failing)} of ${counted(checks.length, 'check')} failed`;
  return card(
    'checks',
    'Verify',
    h('p', { class: failing === 0 ? 'good' : 'bad' }, verdict),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['', 'check', 'expected', 'found'].map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        h(
          'tbody',
          {},
          checks
            .slice(0, shown)
            .map(({ name, path, expected, actual, ok }) =>
              h(
                'tr',
                { class: ok ? '' : 'bad' },
                h('td', {}, ok ? '✓' : '✗', h('span', { class: 'unseen' }, ok ? 'passed' : 'failed')),
                h('th', { scope: 'row' }, data(name), path === null ? null : [' ', h('code', {}, data(path))]),
                h('td', {}, data(expected)),
                h('td', {}, data(actual)),
              ),
            ),
        ),
      ),
    ),
    more(checks.length),
  );
}

export function schemaChangesOf({ schema_changes, committed }: RunRecord): HTMLElement | null {
  if (schema_changes.length === 0) return null;
  return card(
    'ddl',
    committed ? 'Schema changes' : 'Schema changes that would be made',
    schema_changes.map(({ ddl, because }) => [
      h(
        'pre',
        {},
        ddl.split('\n').map((line, i) => [i === 0 ? '' : '\n', data(line)]),
      ),
      because.length === 0 ? null : h('p', { class: 'muted small' }, 'because of ', data(because.join(', '))),
    ]),
  );
}

export function notesOf({ notes }: RunRecord): HTMLElement | null {
  return notes.length === 0
    ? null
    : card(
        'notes',
        'Notes',
        h(
          'ul',
          {},
          notes.map((note) => h('li', {}, data(note))),
        ),
      );
}

export function filesOf({ source }: RunRecord): HTMLElement | null {
  if (source.files.length === 0) return null;
  return card(
    'files',
    'Files',
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', { scope: 'col' }, 'file'),
            h('th', { scope: 'col', class: 'num' }, 'size'),
            h('th', { scope: 'col', class: 'num' }, 'records'),
          ),
        ),
        h(
          'tbody',
          {},
          source.files
            .slice(0, shown)
            .map((file) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row', title: `sha256 ${file.sha256}` }, data(file.path)),
                h('td', { class: 'num' }, formatSize(Number(file.size))),
                h('td', { class: 'num' }, file.skipped_by_run === null ? formatCount(file.read) : 'skipped'),
              ),
            ),
        ),
      ),
    ),
    more(source.files.length),
  );
}

/** Where the time went, and everything that names the run. */
export function runFactsOf(record: RunRecord): HTMLElement {
  const total = Math.max(
    1,
    record.phases.reduce((sum, { ms }) => sum + ms, 0),
  );
  const rows: readonly (readonly [string, string | null])[] = [
    ['Run', record.run_id],
    ['Target', `${record.target.engine} ${record.target.url}`],
    ['Table', record.target.table],
    ['Mode', record.mode],
    ['Version', [record.target.version_before, record.target.version_after].filter((version) => version !== null).join(' → ') || null],
    ['Evidence', `${counted(record.evidence.rows, 'row')} examined${record.evidence.sampled ? ', a sample' : ', all of them'}`],
    ['Plan', record.plan_hash],
    ['Source', record.source.fingerprint],
    ['Exit', String(record.exit)],
    ['Started', record.started_at],
    ['Finished', record.finished_at],
    ['Schemalign', record.tool_version],
  ];
  return card(
    'run',
    'Run',
    record.phases.length === 0
      ? null
      : h(
          'ul',
          { class: 'phases' },
          record.phases.map(({ name, ms }) => {
            const bar = h('span', { class: 'phase-bar', 'aria-hidden': 'true' });
            bar.style.width = `${(ms / total) * 100}%`;
            return h(
              'li',
              {},
              h('span', { class: 'phase-name' }, data(name)),
              h('span', { class: 'track' }, bar),
              h('span', { class: 'num' }, formatDuration(ms)),
            );
          }),
        ),
    h(
      'dl',
      { class: 'facts' },
      rows.flatMap(([name, value]) => (value === null || value === '' ? [] : [h('dt', {}, name), h('dd', {}, data(value))])),
    ),
  );
}
