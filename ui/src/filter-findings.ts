import type { Finding } from '../../src/core/record/finding.ts';
import type { PageData } from './page-data.ts';
import type { Choice } from './store.ts';

/** The findings that the choice lets through, in their order. A column stands for itself and everything nested in it. */
export function filterFindings(page: Pick<PageData, 'findings' | 'items' | 'itemOf' | 'fresh'>, choice: Choice): readonly Finding[] {
  const { severity, kind, query, column, onlyFresh } = choice;
  const words = wordsIn(query);
  const within = column === null ? null : findingsWithin(page, column);
  if (severity === 'all' && kind === '' && words.length === 0 && within === null && !onlyFresh) return page.findings;
  return page.findings.filter(
    (finding) =>
      (severity === 'all' || finding.severity === severity) &&
      (kind === '' || finding.code === kind) &&
      (!onlyFresh || page.fresh.has(finding.fingerprint)) &&
      (within === null || within.has(finding)) &&
      words.every((word) => textOf(finding).includes(word)),
  );
}

/** The words of a search, all of which must occur. */
export function wordsIn(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

function findingsWithin({ items, itemOf }: Pick<PageData, 'items' | 'itemOf'>, column: string): ReadonlySet<Finding> {
  const start = itemOf.get(column);
  if (start === undefined) return new Set();
  const first = items.indexOf(start);
  const found = new Set(start.findings);
  for (const item of items.slice(first + 1)) {
    if (item.depth <= start.depth) break;
    for (const finding of item.findings) found.add(finding);
  }
  return found;
}

const texts = new WeakMap<Finding, string>();

function textOf(finding: Finding): string {
  const known = texts.get(finding);
  if (known !== undefined) return known;
  const { code, name, reason, path, expected, actual, consequence, files, examples } = finding;
  const parts = [
    code,
    name,
    reason,
    path,
    expected,
    actual,
    consequence,
    ...files,
    ...examples.flatMap((example) => [example.value, example.file]),
  ];
  const text = parts
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase();
  texts.set(finding, text);
  return text;
}
