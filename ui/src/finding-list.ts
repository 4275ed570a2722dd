import type { Finding } from '../../src/core/record/finding.ts';
import { counted, formatCount } from '../../src/core/record/numbers.ts';
import { sizeOf, subjectOf } from '../../src/reports/summary.ts';
import { inputValue } from './column-list.ts';
import { briefly, type Child, fill, h } from './dom.ts';
import { filterFindings } from './filter-findings.ts';
import type { PageData } from './page-data.ts';
import type { Choice, Store } from './store.ts';
import { type Row, virtualList } from './virtual-list.ts';
import { severityMark } from './words.ts';

/** The findings, worst first, with filters by severity, kind, words, column, and whether the run before had them. */
export function findingListOf(page: PageData, store: Store, open: (byKey: boolean) => void): HTMLElement {
  const status = h('p', { class: 'status', 'aria-live': 'polite' });
  const list = virtualList<Finding>({
    id: 'findings',
    label: 'Findings',
    rowHeight: 58,
    row: (finding) => findingRow(finding, page),
    choose: (finding) => store.choose({ finding }),
    open,
  });
  let shown: readonly Finding[] = [];
  const show = (choice: Choice) => {
    shown = filterFindings(page, choice);
    fill(status, ...statusOf(shown.length, page, choice, store));
    list.show(shown, choice.finding === null ? -1 : shown.indexOf(choice.finding));
  };
  store.watch((choice, before) => {
    if (filterOf(choice) !== filterOf(before)) show(choice);
    else if (choice.finding !== before.finding) list.show(shown, choice.finding === null ? -1 : shown.indexOf(choice.finding));
  });
  show(store.choice());
  return h(
    'section',
    { class: 'card findings', 'aria-labelledby': 'h-findings', id: 'findings-section' },
    h('div', { class: 'card-head' }, h('h2', { id: 'h-findings' }, 'Findings'), severityChips(page, store)),
    h('div', { class: 'tools' }, searchOf(store), kindSelect(page, store), freshOnly(page, store)),
    status,
    list.element,
  );
}

const filterOf = ({ severity, kind, query, column, onlyFresh }: Choice) => JSON.stringify([severity, kind, query, column, onlyFresh]);

function statusOf(count: number, page: PageData, choice: Choice, store: Store): readonly Child[] {
  if (page.findings.length === 0) return ['Nothing diverged.'];
  const text =
    count === page.findings.length
      ? `${counted(count, 'finding')}, worst first`
      : `${formatCount(count)} of ${counted(page.findings.length, 'finding')}`;
  if (choice.column === null) return [text];
  return [
    `${text} in `,
    choice.column === '' ? '(no name)' : briefly(choice.column),
    ' ',
    h('button', { type: 'button', class: 'quiet', onclick: () => store.choose({ column: null }) }, 'Show all'),
  ];
}

function severityChips(page: PageData, store: Store): HTMLElement {
  const chips = (['all', 'error', 'warning', 'remark'] as const).map((severity) => {
    const count = severity === 'all' ? page.findings.length : page.findings.filter((finding) => finding.severity === severity).length;
    const chip = h(
      'button',
      {
        type: 'button',
        class: `chip ${severity}`,
        'aria-pressed': 'false',
        disabled: count === 0 && severity !== 'all',
        onclick: () => store.choose({ severity }),
      },
      severity === 'all' ? 'all' : `${severity}s`,
      h('span', { class: 'count' }, formatCount(count)),
    );
    return { severity, chip };
  });
  const press = (choice: Choice) => {
    for (const { severity, chip } of chips) chip.setAttribute('aria-pressed', String(severity === choice.severity));
  };
  store.watch(press);
  press(store.choice());
  return h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': 'Severity' },
    chips.map(({ chip }) => chip),
  );
}

function searchOf(store: Store): HTMLElement {
  return h('input', {
    type: 'search',
    id: 'find-finding',
    placeholder: 'Search column, value, file…  ( / )',
    'aria-label': 'Search the findings',
    oninput: (event) => store.choose({ query: inputValue(event) }),
  });
}

function kindSelect(page: PageData, store: Store): HTMLElement {
  const kinds = [...new Set(page.findings.map((finding) => `${finding.code} ${finding.name}`))].sort();
  return h(
    'select',
    { 'aria-label': 'Kind', onchange: (event) => store.choose({ kind: inputValue(event) }) },
    h('option', { value: '' }, 'every kind'),
    kinds.map((kind) => h('option', { value: kind.split(' ')[0] ?? '' }, briefly(kind).textContent)),
  );
}

function freshOnly(page: PageData, store: Store): HTMLElement | null {
  if (page.since == null) return null;
  const input = h('input', {
    type: 'checkbox',
    onchange: (event) => store.choose({ onlyFresh: (event.target as HTMLInputElement).checked }),
  });
  store.watch(({ onlyFresh }) => {
    input.checked = onlyFresh;
  });
  return h('label', { class: 'check' }, input, `new (${formatCount(page.fresh.size)})`);
}

function findingRow(finding: Finding, page: PageData): Row {
  const subject = subjectOf(finding);
  return {
    className: `finding${finding.ignored === null ? '' : ' accepted'}`,
    content: [
      severityMark(finding.severity),
      h(
        'span',
        { class: 'what' },
        h('code', {}, briefly(finding.code)),
        ' ',
        h('span', { class: 'kind' }, briefly(finding.name)),
        ' ',
        subject === '' ? null : briefly(subject, 'path'),
      ),
      h('span', { class: 'size' }, sizeOf(finding)),
      h(
        'span',
        { class: 'consequence' },
        finding.ignored === null ? null : h('span', { class: 'tag' }, 'accepted'),
        page.fresh.has(finding.fingerprint) ? h('span', { class: 'tag new' }, 'new') : null,
        briefly(finding.consequence),
      ),
    ],
  };
}
