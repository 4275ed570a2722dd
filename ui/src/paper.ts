/** What goes on paper in the place of lists that scroll and of a detail that has to be chosen: the findings in full, and the columns. */
import type { Finding } from '../../src/core/record/finding.ts';
import { counted, formatCount } from '../../src/core/record/numbers.ts';
import { subjectOf } from '../../src/reports/summary.ts';
import { briefly, h } from './dom.ts';
import { partsOf } from './effect-bar.ts';
import { tableOf } from './facts.ts';
import { findingFacts } from './finding-detail.ts';
import { type PageData, wordsOf } from './page-data.ts';
import { samplesOf } from './samples.ts';
import type { ColumnItem } from './schema-tree.ts';
import { fixOf } from './settle.ts';
import { severityMark } from './words.ts';

/** Findings printed in full; the number of the others is said. */
const fullFindings = 200;
/** Columns printed, those with findings first. */
const printedColumns = 500;

/** Puts the paper version into the page while it is printed, and takes it out afterwards. */
export function printOn(root: HTMLElement, page: PageData): void {
  let paper: HTMLElement | null = null;
  let folded: readonly HTMLDetailsElement[] = [];
  const set = (isPrinting: boolean) => {
    if (isPrinting === (paper !== null)) return;
    paper?.remove();
    paper = isPrinting ? paperOf(page) : null;
    if (paper !== null) root.querySelector('main')?.before(paper);
    if (isPrinting) folded = [...root.querySelectorAll<HTMLDetailsElement>('.since details:not([open])')];
    for (const details of folded) details.open = isPrinting;
  };
  window.addEventListener('beforeprint', () => set(true));
  window.addEventListener('afterprint', () => set(false));
  const media = window.matchMedia('print');
  media.addEventListener('change', () => set(media.matches));
  set(media.matches);
}

function paperOf(page: PageData): HTMLElement {
  const { findings, items } = page;
  return h(
    'div',
    { class: 'paper' },
    h('h2', {}, counted(findings.length, 'finding')),
    findings.length === 0 ? h('p', {}, 'Nothing diverged.') : null,
    findings.slice(0, fullFindings).map((finding) => printedFinding(finding, page)),
    findings.length > fullFindings ? h('p', {}, `and ${formatCount(findings.length - fullFindings)} more, in the JSON of the run`) : null,
    h('h2', {}, counted(items.length, 'column')),
    columnsTable(items),
    items.length > printedColumns ? h('p', {}, `and ${formatCount(items.length - printedColumns)} more, in the JSON of the run`) : null,
  );
}

function printedFinding(finding: Finding, page: PageData): HTMLElement {
  const words = wordsOf(page, finding.code);
  const few = { ...finding, examples: finding.examples.slice(0, 5) };
  return h(
    'section',
    { class: 'printed' },
    h(
      'h3',
      {},
      severityMark(finding.severity, true),
      ' ',
      h('code', {}, briefly(finding.code)),
      ' ',
      briefly(finding.name),
      ' ',
      briefly(subjectOf(finding), 'path'),
    ),
    h('p', {}, briefly(finding.consequence), words === undefined ? null : ` (${words.title}.)`),
    findingFacts(finding, page),
    samplesOf([few], page.record),
    fixOf(finding),
  );
}

function columnsTable(items: readonly ColumnItem[]): HTMLElement {
  const marked = items.filter((item) => item.findings.length > 0);
  const others = items.filter((item) => item.findings.length === 0);
  return tableOf({
    head: ['column', 'source', 'target', 'cast', 'values'],
    rows: [...marked, ...others].slice(0, printedColumns).map(({ path, type, column }) => [
      path === '' ? '(no name)' : briefly(path),
      column === null ? '' : briefly(column.source === null ? 'absent' : `${column.source} ${column.source_type ?? ''}`),
      type === null ? 'not in target' : briefly(type),
      column === null ? '' : briefly(column.rule),
      column === null
        ? ''
        : partsOf(column)
            .map(({ name, count }) => `${formatCount(count)} ${name}`)
            .join(', '),
    ]),
  });
}
