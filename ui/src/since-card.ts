/** What changed since the run before. */
import { formatCount } from '../../src/core/record/numbers.ts';
import type { ColumnChange, GoneFinding, SinceRun } from '../../src/reports/since-run.ts';
import { figuresOf, verdictOf } from '../../src/reports/summary.ts';
import { briefly, type Child, h } from './dom.ts';
import { tableOf } from './facts.ts';
import { type PageData, wordsOf } from './page-data.ts';
import type { Store } from './store.ts';
import { codeLink, severityMark } from './words.ts';

/** Entries of a list; the audit tables have them all. */
const most = 30;
/** Columns that are shown without being asked for. */
const few = 6;

/** Null when nobody has looked for a run before. */
export function sinceCardOf(page: PageData, store: Store): HTMLElement | null {
  const { since } = page;
  if (since === undefined) return null;
  return h(
    'section',
    { class: 'card since', 'aria-labelledby': 'h-since' },
    h('h2', { id: 'h-since' }, 'Since the last run'),
    since === null ? h('p', { class: 'muted' }, 'No earlier run of this job has left a record.') : changesOf(since, page, store),
  );
}

function changesOf(since: SinceRun, page: PageData, store: Store): Child {
  const { record } = page;
  const when = since.started_at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
  return [
    h(
      'p',
      { class: 'muted small' },
      briefly(when),
      ` · ${since.word} → ${verdictOf(record).word} · `,
      h('code', {}, briefly(since.run_id.slice(0, 8))),
    ),
    tableOf({
      className: 'deltas',
      head: ['count', 'last run#', 'this run#', 'change#'],
      rows: figuresOf(record).map(({ label, count }) => {
        const before = since.counts[label] ?? 0;
        return [label, formatCount(before), formatCount(count), deltaOf(Number(count) - Number(before))];
      }),
    }),
    findingChanges(since, page, store),
    goneList(since.gone, page),
    columnChanges(since.columns, page, store),
  ];
}

function deltaOf(delta: number): Child {
  if (delta === 0) return h('span', { class: 'muted' }, '=');
  return `${delta > 0 ? '+' : '−'}${formatCount(Math.abs(delta))}`;
}

function findingChanges({ gone, counted: recounted }: SinceRun, { fresh, findings }: PageData, store: Store): HTMLElement {
  const parts = [
    `${formatCount(fresh.size)} new`,
    `${formatCount(gone.length)} gone`,
    `${formatCount(recounted.length)} with another count`,
    `${formatCount(Math.max(0, findings.length - fresh.size - recounted.length))} as before`,
  ];
  const show = () => {
    store.choose({ onlyFresh: true, severity: 'all', kind: '', column: null });
    document.getElementById('findings')?.focus();
  };
  return h(
    'p',
    { class: 'finding-changes' },
    `Findings: ${parts.join(', ')}. `,
    fresh.size === 0 ? null : h('button', { type: 'button', class: 'quiet', onclick: show }, 'Show the new ones'),
  );
}

function goneList(gone: readonly GoneFinding[], page: PageData): Child {
  if (gone.length === 0) return null;
  return h(
    'details',
    {},
    h('summary', {}, `What is gone (${formatCount(gone.length)})`),
    h(
      'ul',
      { class: 'links' },
      gone
        .slice(0, most)
        .map(({ severity, code, name, path, count }) =>
          h(
            'li',
            {},
            severityMark(severity),
            codeLink(code, wordsOf(page, code)?.url),
            ' ',
            briefly(path ?? name),
            h('span', { class: 'muted' }, ` ${formatCount(count)}`),
          ),
        ),
    ),
    gone.length > most ? h('p', { class: 'muted' }, `and ${formatCount(gone.length - most)} more`) : null,
  );
}

const changeWords: Readonly<Record<ColumnChange['change'], string>> = { added: 'new', removed: 'gone', retyped: 'other types' };

function columnChanges(columns: readonly ColumnChange[], page: PageData, store: Store): Child {
  if (columns.length === 0) return null;
  const nameOf = (path: string) =>
    page.itemOf.has(path)
      ? h('button', { type: 'button', class: 'inline', onclick: () => store.choose({ column: path, finding: null }) }, briefly(path))
      : briefly(path);
  return h(
    'details',
    columns.length > few ? {} : { open: true },
    h('summary', {}, `Columns that changed (${formatCount(columns.length)})`),
    tableOf({
      head: ['column', 'how', 'before', 'now'],
      rows: columns
        .slice(0, most)
        .map(({ path, change, before, after }) => [nameOf(path), changeWords[change], briefly(before ?? '–'), briefly(after ?? '–')]),
    }),
    columns.length > most ? h('p', { class: 'muted' }, `and ${formatCount(columns.length - most)} more`) : null,
  );
}
