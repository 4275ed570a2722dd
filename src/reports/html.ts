import { kindByCode } from '../core/divergences/catalogue.ts';
import { reasonOf } from '../core/divergences/reasons.ts';
import { countToJson } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { explainUrl } from './links.ts';
import { nestedFields } from './nested-fields.ts';
import type { Report } from './report.ts';
import { sinceRun } from './since-run.ts';
import { inertJson } from './visible.ts';

/**
 * One self-contained file: the page built from ui/, with the record in it. It asks nothing of the network. The page is loaded when a report is
 * made, so that no other use of the command has to read it.
 */
export const html: Report<Promise<string>> = {
  extension: 'html',
  mediaType: 'text/html',
  render: async (record, { previous }) => {
    const { pageHead, pageTail } = await import('./page.ts');
    const since = previous == null ? previous : sinceRun(record, previous);
    const data = { record, ...wordsFor(record), fields: fieldsOf(record), ...(since === undefined ? {} : { since }) };
    return `${pageHead}${embeddable(data)}${pageTail}`;
  },
};

/** The words of the catalogue for the codes and reasons of the record, and where more is said of them, so that the page can explain them. */
function wordsFor({ findings }: RunRecord) {
  const kinds = new Map<string, { title: string; summary: string; why: string; fix: string; url: string }>();
  const reasons = new Map<string, string>();
  for (const finding of findings) {
    const kind = kindByCode(finding.code);
    if (kind !== undefined) {
      const { title, summary, why, fix } = kind;
      kinds.set(kind.code, { title, summary, why, fix, url: explainUrl(kind.code) });
    }
    const reason = finding.reason === null ? undefined : reasonOf(finding.reason);
    if (reason !== undefined && finding.reason !== null) reasons.set(finding.reason, reason.meaning);
  }
  return { kinds: Object.fromEntries(kinds), reasons: Object.fromEntries(reasons) };
}

/** The parts of nested columns, by the position of their column. */
function fieldsOf({ columns }: RunRecord) {
  return columns.flatMap((column, i) => {
    const fields = nestedFields(column);
    return fields.length === 0 ? [] : [[i, fields] as const];
  });
}

/** JSON that can stand inside a script element: no `<`, `>` or `&`, so that no data can end the element or open a comment. */
function embeddable(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' || typeof part === 'bigint' ? countToJson(part) : part,
  );
  return inertJson(text).replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
