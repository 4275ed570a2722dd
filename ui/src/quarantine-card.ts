import { counted, formatCount } from '../../src/core/record/numbers.ts';
import { placeOf } from '../../src/reports/summary.ts';
import { inputValue } from './column-list.ts';
import { briefly, h } from './dom.ts';
import { preOf } from './facts.ts';
import type { PageData } from './page-data.ts';
import {
  entriesOf,
  everyEntry,
  filterEntries,
  type QuarantineEntry,
  type QuarantineFilter,
  quarantineSql,
  recordsByReason,
} from './quarantine.ts';
import type { Store } from './store.ts';
import { type Row, virtualList } from './virtual-list.ts';
import { copyButton } from './words.ts';

/** Values that a filter offers. */
const choices = 200;
/** Reasons drawn as bars. */
const bars = 12;

/** The records set aside: how many for which reason, and examples to be filtered by reason, column and file. Null when there are none. */
export function quarantineCardOf(page: PageData, store: Store, open: (byKey: boolean) => void): HTMLElement | null {
  const entries = entriesOf(page.findings);
  if (entries.length === 0) return null;
  const { record } = page;
  let filter = everyEntry;
  let chosen: QuarantineEntry | null = null;
  const status = h('p', { class: 'status', 'aria-live': 'polite' });
  const list = virtualList<QuarantineEntry>({
    id: 'quarantine',
    label: 'Quarantined values',
    rowHeight: 46,
    row: entryRow,
    choose: (entry) => {
      chosen = entry;
      list.show(shown, shown.indexOf(entry));
      store.choose({ finding: entry.finding });
    },
    open,
  });
  let shown: readonly QuarantineEntry[] = [];
  const show = (change: Partial<QuarantineFilter>) => {
    filter = { ...filter, ...change };
    shown = filterEntries(entries, filter);
    status.textContent = `${formatCount(shown.length)} of ${counted(entries.length, 'example')}`;
    list.show(shown, chosen === null ? -1 : shown.indexOf(chosen));
  };
  const controls = controlsOf(entries, show);
  show({});
  return h(
    'section',
    { class: 'card quarantine', 'aria-labelledby': 'h-quarantine' },
    h('h2', { id: 'h-quarantine' }, 'Quarantine'),
    h('p', { class: 'muted' }, summaryOf(page)),
    h(
      'div',
      { class: 'quarantine-body' },
      reasonBars(page, (reason) => controls.reason(reason)),
      h('div', { class: 'quarantine-list' }, h('div', { class: 'tools' }, controls.elements), status, list.element),
    ),
    record.verb === 'load' && record.committed
      ? h(
          'details',
          {},
          h('summary', {}, 'The whole records'),
          h('p', {}, 'They are kept as they came, beside the target:'),
          h('div', { class: 'line' }, preOf(quarantineSql(record)), copyButton(quarantineSql(record), 'the statement')),
        )
      : null,
  );
}

function summaryOf({ record, findings }: PageData): string {
  const kept = findings.reduce((sum, { outcome, examples }) => sum + (outcome === 'quarantined' ? examples.length : 0), 0);
  const examples = kept === 0 ? '' : ` Examples of the values that were refused: ${formatCount(kept)}.`;
  if (record.verb === 'load' && !record.committed) return `Nothing was set aside, as nothing was loaded; this would have been.${examples}`;
  const records = counted(record.counts.quarantined, 'record');
  return `${records} ${record.verb === 'plan' ? 'would be set aside' : 'set aside in quarantine'}.${examples}`;
}

/** A bar per reason; choosing one filters the list. */
function reasonBars({ findings }: PageData, choose: (reason: string) => void): HTMLElement {
  const reasons = recordsByReason(findings);
  const largest = Math.max(1, ...reasons.map(([, count]) => count));
  return h(
    'ul',
    { class: 'reasons', 'aria-label': 'Records by reason' },
    reasons.slice(0, bars).map(([reason, count]) => {
      const bar = h('span', { class: 'part refused' });
      bar.style.width = `${(count / largest) * 100}%`;
      return h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'link', onclick: () => choose(reason) },
          h('span', { class: 'name' }, briefly(reason)),
          h('span', { class: 'num' }, formatCount(count)),
          h('span', { class: 'track', 'aria-hidden': 'true' }, bar),
        ),
      );
    }),
    reasons.length > bars ? h('li', { class: 'muted small' }, `and ${formatCount(reasons.length - bars)} more`) : null,
  );
}

type Facet = 'reason' | 'column' | 'file';

/** The values of a facet, by name; of very many those with the most entries. */
function choicesOf(entries: readonly QuarantineEntry[], facet: Facet): { readonly values: readonly string[]; readonly more: number } {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry[facet], (counts.get(entry[facet]) ?? 0) + 1);
  const values = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, choices)
    .map(([value]) => value);
  return { values: values.sort(), more: counts.size - values.length };
}

function controlsOf(entries: readonly QuarantineEntry[], show: (change: Partial<QuarantineFilter>) => void) {
  const select = (facet: Facet, every: string) => {
    const { values, more } = choicesOf(entries, facet);
    const element = h(
      'select',
      {
        'aria-label': `Filter by ${facet}`,
        onchange: (event) => show({ [facet]: inputValue(event) === '' ? null : (values[Number(inputValue(event))] ?? null) }),
      },
      h('option', { value: '' }, every),
      values.map((value, i) => h('option', { value: i }, value === '' ? '(none)' : briefly(value).textContent)),
      more === 0 ? null : h('option', { disabled: true }, `and ${formatCount(more)} more: use the search`),
    );
    return { element, values };
  };
  const reason = select('reason', 'every reason');
  const search = h('input', {
    type: 'search',
    placeholder: 'Search value, place…',
    'aria-label': 'Search the quarantine',
    oninput: (event) => show({ query: inputValue(event) }),
  });
  return {
    elements: [search, reason.element, select('column', 'every column').element, select('file', 'every file').element],
    /** Chooses a reason as if by its list. */
    reason: (value: string) => {
      reason.element.value = String(reason.values.indexOf(value));
      show({ reason: value });
    },
  };
}

function entryRow({ finding, example, reason, column }: QuarantineEntry): Row {
  const value = valueText(example);
  return {
    className: 'entry',
    content: [
      value,
      h('span', { class: 'where' }, column === '' ? '' : briefly(column, 'path'), column === '' ? '' : ' '),
      h('span', { class: 'kind' }, h('code', {}, briefly(finding.code)), ' ', briefly(reason)),
      h('span', { class: 'where place' }, example === null ? '' : briefly(placeOf(example))),
    ],
  };
}

function valueText(example: QuarantineEntry['example']): HTMLElement {
  if (example === null) return h('i', { class: 'value' }, 'no example kept');
  if (example.value === null) return h('i', { class: 'value' }, example.masked ? '(masked)' : 'NULL');
  return h('code', { class: 'value' }, briefly(example.value));
}
