import type { Example, Finding } from '../../src/core/record/finding.ts';
import { formatCount } from '../../src/core/record/numbers.ts';
import type { RunColumn } from '../../src/core/record/run-record.ts';
import { placeOf, sizeOf, subjectOf, typesOf } from '../../src/reports/summary.ts';
import { data, fill, h } from './dom.ts';
import { effectBar, partsOf } from './effect-bar.ts';
import type { ColumnItem, PageData } from './page-data.ts';
import type { Store } from './store.ts';
import { copyButton, severityMark } from './words.ts';

/** The panel that shows the chosen finding, or the chosen column. */
export function detailOf(page: PageData, store: Store): HTMLElement {
  const body = h('div', { class: 'detail-body', 'aria-live': 'polite' });
  const show = () => {
    const { finding, column } = store.choice();
    const item = column === null ? undefined : page.itemOf.get(column);
    if (finding !== null) fill(body, findingDetail(finding, page, store));
    else if (item !== undefined) fill(body, columnDetail(item, store));
    else fill(body, h('p', { class: 'muted' }, 'Choose a finding or a column to see its examples, counts and the line that settles it.'));
    body.parentElement?.scrollTo(0, 0);
  };
  store.watch((choice, before) => {
    if (choice.finding !== before.finding || choice.column !== before.column) show();
  });
  show();
  return h('aside', { class: 'card detail', 'aria-label': 'Details', tabindex: 0 }, body);
}

function findingDetail(finding: Finding, page: PageData, store: Store): HTMLElement {
  const words = Object.hasOwn(page.kinds, finding.code) ? page.kinds[finding.code] : undefined;
  const types = typesOf(finding);
  const item = finding.path === null ? undefined : page.itemOf.get(finding.path);
  return h(
    'div',
    {},
    h('p', { class: 'over' }, severityMark(finding.severity, true), h('code', {}, finding.code), ' ', data(finding.name)),
    h('h3', {}, finding.path === null ? (words?.title ?? finding.name) : data(subjectOf(finding), 'path')),
    finding.path === null || words === undefined ? null : h('p', {}, words.title, '.'),
    h('p', { class: 'effect' }, data(finding.consequence)),
    facts([
      ['Count', sizeOf(finding) || null],
      ['Types', types === '' ? null : h('code', {}, data(types))],
      ['Reason', reasonOf(finding, page)],
      ['Accepted', finding.ignored === null ? null : acceptedText(finding.ignored)],
      ['First seen', finding.first_seen],
      ['Files', filesOf(finding)],
    ]),
    examplesOf(finding.examples),
    fixOf(finding),
    words === undefined
      ? null
      : h(
          'details',
          {},
          h('summary', {}, 'Why it matters, and what to do'),
          h('p', {}, words.summary),
          h('p', {}, words.why),
          h('p', {}, words.fix),
        ),
    item?.column == null
      ? null
      : h(
          'section',
          { class: 'column-facts' },
          h('h4', {}, 'The column'),
          columnFacts(item.column),
          h(
            'button',
            { type: 'button', class: 'quiet', onclick: () => store.choose({ column: item.path, finding: null }) },
            `All about this column (${formatCount(item.findings.length)})`,
          ),
        ),
  );
}

function reasonOf({ reason }: Finding, { reasons }: PageData): HTMLElement | null {
  if (reason === null) return null;
  const meaning = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return h('span', {}, h('code', {}, data(reason)), meaning === undefined ? null : ` ${meaning}`);
}

function columnDetail(item: ColumnItem, store: Store): HTMLElement {
  return h(
    'div',
    {},
    h('p', { class: 'over' }, 'Column'),
    h('h3', {}, item.path === '' ? h('i', {}, '(no name)') : data(item.path, 'path')),
    item.column === null ? h('p', {}, 'The target has no such column.') : columnFacts(item.column),
    item.findings.length === 0 ? h('p', { class: 'muted' }, 'No finding concerns this column.') : h('h4', {}, 'Findings'),
    h(
      'ul',
      { class: 'links' },
      item.findings
        .slice(0, 50)
        .map((finding) =>
          h(
            'li',
            {},
            h(
              'button',
              { type: 'button', class: 'link', onclick: () => store.choose({ finding }) },
              severityMark(finding.severity),
              h('code', {}, finding.code),
              ' ',
              data(finding.name),
              h('span', { class: 'muted' }, ` ${sizeOf(finding)}`),
            ),
          ),
        ),
    ),
  );
}

function columnFacts(column: RunColumn): HTMLElement {
  const parts = partsOf(column);
  const total = parts.reduce((sum, part) => sum + part.count, 0);
  return h(
    'div',
    { class: 'column-counts' },
    facts([
      [
        'Source',
        column.source === null ? 'absent' : h('span', {}, data(column.source), ' ', h('code', {}, data(column.source_type ?? ''))),
      ],
      ['Target', h('code', {}, data(column.target_type))],
      ['Rule', h('code', {}, data(column.rule))],
    ]),
    effectBar(column),
    h(
      'ul',
      { class: 'legend' },
      parts.map(({ name, count }) =>
        h(
          'li',
          {},
          h('span', { class: `key ${name}`, 'aria-hidden': 'true' }),
          h('strong', {}, formatCount(count)),
          ` ${name}`,
          h('span', { class: 'muted' }, ` of ${formatCount(total)}`),
        ),
      ),
    ),
    h(
      'p',
      { class: 'muted small' },
      (['ok', 'invalid', 'lossy', 'nulled', 'defaulted', 'altered'] as const)
        .map((key) => `${formatCount(column[key])} ${key}`)
        .join(' · '),
    ),
  );
}

function facts(rows: readonly (readonly [string, string | HTMLElement | null])[]): HTMLElement {
  return h(
    'dl',
    { class: 'facts' },
    rows.flatMap(([name, value]) => (value === null ? [] : [h('dt', {}, name), h('dd', {}, value)])),
  );
}

function filesOf({ files }: Finding): HTMLElement | null {
  if (files.length === 0) return null;
  const few = files.slice(0, 5).map((file) => h('div', {}, data(file)));
  return h('div', {}, few, files.length > 5 ? `and ${formatCount(files.length - 5)} more` : null);
}

function acceptedText({ reason, until }: NonNullable<Finding['ignored']>): HTMLElement {
  return h('span', {}, data(reason), until === null ? null : ` (until ${until})`);
}

function examplesOf(examples: readonly Example[]): HTMLElement | null {
  if (examples.length === 0) return null;
  return h(
    'div',
    { class: 'scroll' },
    h(
      'table',
      { class: 'examples' },
      h('caption', {}, 'Examples'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'value'), h('th', { scope: 'col' }, 'where'))),
      h(
        'tbody',
        {},
        examples
          .slice(0, 100)
          .map((example) =>
            h(
              'tr',
              {},
              h(
                'td',
                {},
                example.value === null ? h('i', {}, 'NULL') : h('code', { class: 'value' }, data(example.value)),
                example.masked ? ' (masked)' : null,
              ),
              h('td', { class: 'where' }, data(placeOf(example))),
            ),
          ),
      ),
    ),
  );
}

function fixOf({ fix }: Finding): HTMLElement | null {
  if (fix === null || fix.yaml === '') return null;
  return h(
    'section',
    { class: 'fix' },
    h('h4', {}, 'What settles it'),
    h(
      'pre',
      {},
      fix.yaml.split('\n').map((line, i) => [i === 0 ? '' : '\n', data(line)]),
    ),
    copyButton(fix.yaml),
    fix.pointer === null ? null : h('p', { class: 'muted small' }, 'at ', data(fix.pointer)),
  );
}
