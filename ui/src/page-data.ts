import type { Finding } from '../../src/core/record/finding.ts';
import type { Severity } from '../../src/core/model/severity.ts';
import type { RunColumn, RunRecord } from '../../src/core/record/run-record.ts';
import { sortFindings } from '../../src/reports/summary.ts';

/** Words of the catalogue for the codes that occur in the record. */
export interface KindWords {
  readonly title: string;
  readonly summary: string;
  readonly why: string;
  readonly fix: string;
}

/** What is embedded in the page. */
export interface Embedded {
  readonly record: RunRecord;
  readonly kinds: Readonly<Record<string, KindWords>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** A line of the column list: a target column, or a column that only the source has. */
export interface ColumnItem {
  readonly path: string;
  /** The path below its parent in the list. */
  readonly label: string;
  readonly depth: number;
  /** Null for a column that the target lacks. */
  readonly column: RunColumn | null;
  readonly findings: readonly Finding[];
  readonly worst: Severity | null;
}

/** The record with what the page looks up again and again. */
export interface PageData extends Embedded {
  readonly findings: readonly Finding[];
  readonly items: readonly ColumnItem[];
  readonly itemOf: ReadonlyMap<string, ColumnItem>;
}

const keyKinds = new Set(['duplicate_key', 'null_key', 'key_not_unique']);

export function preparePage(embedded: Embedded): PageData {
  const findings = sortFindings(embedded.record.findings);
  const byPath = findingsByPath(findings, new Set(embedded.record.columns.map((column) => column.path)));
  const items = columnItems(embedded.record.columns, byPath);
  return { ...embedded, findings, items, itemOf: new Map(items.map((item) => [item.path, item])) };
}

function findingsByPath(findings: readonly Finding[], known: ReadonlySet<string>): Map<string, Finding[]> {
  const byPath = new Map<string, Finding[]>();
  for (const finding of findings) {
    for (const path of pathsOf(finding, known)) {
      const list = byPath.get(path);
      if (list === undefined) byPath.set(path, [finding]);
      else list.push(finding);
    }
  }
  return byPath;
}

/** The columns that a finding concerns; key findings name several, joined by commas. */
function pathsOf({ path, name }: Finding, known: ReadonlySet<string>): readonly string[] {
  if (path === null) return [];
  return keyKinds.has(name) && !known.has(path) ? path.split(',') : [path];
}

/** Target columns in their order, then what only the source has. */
function columnItems(columns: readonly RunColumn[], byPath: ReadonlyMap<string, readonly Finding[]>): ColumnItem[] {
  const known = new Map<string, number>();
  const item = (path: string, column: RunColumn | null): ColumnItem => {
    const parent = parentOf(path, known);
    const depth = parent === null ? 0 : (known.get(parent) ?? 0) + 1;
    known.set(path, depth);
    const label = parent === null ? path : path.slice(parent.length).replace(/^\./, '');
    const findings = byPath.get(path) ?? [];
    return { path, label, depth, column, findings, worst: worstOf(findings) };
  };
  const items = columns.map((column) => item(column.path, column));
  for (const path of byPath.keys()) if (!known.has(path)) items.push({ ...item(path, null), label: path, depth: 0 });
  return items;
}

/** The longest listed path that the path continues with `.` or `[]`. A name with a dot of its own has no listed parent. */
function parentOf(path: string, known: ReadonlyMap<string, number>): string | null {
  for (let end = path.length - 1; end > 0; end -= 1) {
    const rest = path[end];
    if ((rest === '.' || path.startsWith('[]', end)) && known.has(path.slice(0, end))) return path.slice(0, end);
  }
  return null;
}

const rank: Record<Severity, number> = { error: 2, warning: 1, remark: 0 };

function worstOf(findings: readonly Finding[]): Severity | null {
  const active = findings.filter((finding) => finding.ignored === null);
  return active.reduce<Severity | null>((worst, { severity }) => (worst === null || rank[severity] > rank[worst] ? severity : worst), null);
}

/** Reads what the report has embedded. Null when the page was built but holds no record. */
export function readEmbedded(text: string): Embedded | null {
  return text.trim() === '' ? null : (JSON.parse(text) as Embedded);
}
