import type { Finding } from '../../src/core/record/finding.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import type { NestedField } from '../../src/reports/nested-fields.ts';
import type { SinceRun } from '../../src/reports/since-run.ts';
import { sortFindings } from '../../src/reports/summary.ts';
import { type ColumnItem, schemaTree } from './schema-tree.ts';

/** Words of the catalogue for the codes that occur in the record. */
export interface KindWords {
  readonly title: string;
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
  /** Where the code is explained at length. */
  readonly url?: string;
}

/** What is embedded in the page. */
export interface Embedded {
  readonly record: RunRecord;
  readonly kinds: Readonly<Record<string, KindWords>>;
  readonly reasons: Readonly<Record<string, string>>;
  /** The parts of nested columns, by the position of their column. */
  readonly fields?: readonly (readonly [column: number, fields: readonly NestedField[]])[];
  /** What differs from the run before; null for a first run, absent when nobody has looked. */
  readonly since?: SinceRun | null;
}

/** The record with what the page looks up again and again. */
export interface PageData extends Embedded {
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly items: readonly ColumnItem[];
  readonly itemOf: ReadonlyMap<string, ColumnItem>;
  /** Fingerprints of findings that the run before did not have. */
  readonly fresh: ReadonlySet<string>;
  /** What a finding counted in the run before, where that differs. */
  readonly countBefore: ReadonlyMap<string, number | string>;
}

export function preparePage(embedded: Embedded): PageData {
  const findings = sortFindings(embedded.record.findings);
  const items = schemaTree(embedded.record.columns, findings, new Map(embedded.fields ?? []));
  return {
    ...embedded,
    findings,
    items,
    itemOf: new Map(items.map((item) => [item.path, item])),
    fresh: new Set(embedded.since?.fresh ?? []),
    countBefore: new Map(embedded.since?.counted ?? []),
  };
}

/** The words for a code; undefined for one that this version does not know. */
export function wordsOf(page: Pick<PageData, 'kinds'>, code: string): KindWords | undefined {
  return Object.hasOwn(page.kinds, code) ? page.kinds[code] : undefined;
}

/** Reads what the report has embedded. Null when the page was built but holds no record. */
export function readEmbedded(text: string): Embedded | null {
  return text.trim() === '' ? null : (JSON.parse(text) as Embedded);
}
