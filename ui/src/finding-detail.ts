import type { Finding } from '../../src/core/record/finding.ts';
import { formatCount } from '../../src/core/record/numbers.ts';
import { sizeOf, subjectOf, typesOf } from '../../src/reports/summary.ts';
import { columnFacts } from './column-detail.ts';
import { atLength, briefly, h } from './dom.ts';
import { factsOf } from './facts.ts';
import { type PageData, wordsOf } from './page-data.ts';
import { samplesOf } from './samples.ts';
import { fixOf } from './settle.ts';
import type { Store } from './store.ts';
import { codeLink, severityMark } from './words.ts';

/** Everything about one finding. */
export function findingDetail(finding: Finding, page: PageData, store: Store): HTMLElement {
  const words = wordsOf(page, finding.code);
  const item = finding.path === null ? undefined : page.itemOf.get(finding.path);
  return h(
    'div',
    {},
    h('p', { class: 'over' }, severityMark(finding.severity, true), codeLink(finding.code, words?.url), briefly(finding.name)),
    h('h3', {}, finding.path === null ? (words?.title ?? briefly(finding.name)) : atLength(subjectOf(finding), 'path')),
    finding.path === null || words === undefined ? null : h('p', {}, words.title, '.'),
    h('p', { class: 'effect' }, atLength(finding.consequence)),
    findingFacts(finding, page),
    samplesOf([finding], page.record),
    fixOf(finding),
    words === undefined
      ? null
      : h(
          'details',
          { class: 'why' },
          h('summary', {}, 'Why it matters, and what to do'),
          [words.summary, words.why, words.fix].map((text) => h('p', {}, text)),
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

/** Count, types, reason and origin of a finding. */
export function findingFacts(finding: Finding, page: PageData): HTMLElement {
  const types = typesOf(finding);
  return factsOf([
    ['Count', sizeOf(finding)],
    ['Last run', lastRunOf(finding, page)],
    ['Types', types === '' ? null : h('code', {}, atLength(types))],
    ['Reason', reasonOf(finding, page)],
    ['Accepted', finding.ignored === null ? null : acceptedText(finding.ignored)],
    ['First seen', finding.first_seen === null ? null : briefly(finding.first_seen)],
    ['Files', filesOf(finding)],
  ]);
}

function lastRunOf({ fingerprint }: Finding, { since, fresh, countBefore }: PageData): string | null {
  if (since == null) return null;
  if (fresh.has(fingerprint)) return 'did not have it: it is new';
  const before = countBefore.get(fingerprint);
  return before === undefined ? 'had it too, as often' : `had it too, ${formatCount(before)} times`;
}

function reasonOf({ reason }: Finding, { reasons }: PageData): HTMLElement | null {
  if (reason === null) return null;
  const meaning = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return h('span', {}, h('code', {}, atLength(reason)), meaning === undefined ? null : ` ${meaning}`);
}

function filesOf({ files }: Finding): HTMLElement | null {
  if (files.length === 0) return null;
  const few = files.slice(0, 5).map((file) => h('div', {}, atLength(file)));
  return h('div', {}, few, files.length > 5 ? `and ${formatCount(files.length - 5)} more` : null);
}

function acceptedText({ reason, until }: NonNullable<Finding['ignored']>): HTMLElement {
  return h('span', {}, atLength(reason), until === null ? null : [' (until ', briefly(until), ')']);
}
