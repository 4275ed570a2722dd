/** What is chosen stands in the address of the page, so that a link leads to a finding or a column. */
import type { PageData } from './page-data.ts';
import type { Choice, Store } from './store.ts';

/** Addresses longer than this are not made: browsers and mail cut them. */
const longest = 2000;
/** Characters of a fingerprint that tell findings apart. */
const enough = 16;

/** The fragment for a choice; empty for the first view. */
export function fragmentOf({ finding, column }: Pick<Choice, 'finding' | 'column'>): string {
  const fragment =
    finding !== null
      ? `finding=${encodeURIComponent(wellFormed(finding.fingerprint).slice(0, enough))}`
      : column !== null
        ? `column=${encodeURIComponent(wellFormed(column))}`
        : '';
  return fragment.length > longest ? '' : fragment;
}

/** Half characters cannot stand in an address. */
const wellFormed = (text: string): string =>
  text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

/** What a fragment means; nothing when it names nothing that is there. */
export function choiceOf(fragment: string, page: PageData): Partial<Choice> {
  const [, kind, text = ''] = /^#?(finding|column)=(.*)$/s.exec(fragment) ?? [];
  const name = decoded(text);
  if (kind === 'column') return page.itemOf.has(name) ? { column: name, finding: null } : {};
  const finding = kind === undefined || name === '' ? undefined : page.findings.find(({ fingerprint }) => fingerprint.startsWith(name));
  return finding === undefined ? {} : { finding };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Keeps the address and the choice in step. */
export function followAddress(page: PageData, store: Store): void {
  store.choose(choiceOf(location.hash, page));
  window.addEventListener('hashchange', () => store.choose(choiceOf(location.hash, page)));
  store.watch((choice, before) => {
    if (choice.finding === before.finding && choice.column === before.column) return;
    history.replaceState(null, '', `#${fragmentOf(choice)}`);
  });
}
