import { kindByCode } from '../core/divergences/catalogue.ts';
import { reasonOf } from '../core/divergences/reasons.ts';
import { countToJson } from '../core/record/numbers.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { pageHead, pageTail } from './page.ts';
import type { Report } from './report.ts';
import { inertJson } from './visible.ts';

/** One self-contained file: the page built from ui/, with the record in it. It asks nothing of the network. */
export const html: Report = {
  extension: 'html',
  mediaType: 'text/html',
  render: (record) => `${pageHead}${embeddable({ record, ...wordsFor(record) })}${pageTail}`,
};

/** The words of the catalogue for the codes and reasons of the record, so that the page can explain them. */
function wordsFor({ findings }: RunRecord) {
  const kinds = new Map<string, { title: string; summary: string; why: string; fix: string }>();
  const reasons = new Map<string, string>();
  for (const finding of findings) {
    const kind = kindByCode(finding.code);
    if (kind !== undefined) kinds.set(kind.code, { title: kind.title, summary: kind.summary, why: kind.why, fix: kind.fix });
    const reason = finding.reason === null ? undefined : reasonOf(finding.reason);
    if (reason !== undefined && finding.reason !== null) reasons.set(finding.reason, reason.meaning);
  }
  return { kinds: Object.fromEntries(kinds), reasons: Object.fromEntries(reasons) };
}

/** JSON that can stand inside a script element: no `<`, `>` or `&`, so that no data can end the element or open a comment. */
function embeddable(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' || typeof part === 'bigint' ? countToJson(part) : part,
  );
  return inertJson(text).replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
