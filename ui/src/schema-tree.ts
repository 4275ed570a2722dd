/** The schema as a tree: the columns of the target with their parts, and after them what only the source has. */
import type { Finding } from '../../src/core/record/finding.ts';
import type { Severity } from '../../src/core/model/severity.ts';
import type { RunColumn } from '../../src/core/record/run-record.ts';
import type { NestedField } from '../../src/reports/nested-fields.ts';

/** A line of the tree. */
export interface ColumnItem {
  readonly path: string;
  /** The path below its parent in the tree. */
  readonly label: string;
  readonly depth: number;
  readonly parent: string | null;
  readonly hasChildren: boolean;
  /** Type in the target; null for what only the source has. */
  readonly type: string | null;
  /** Null for a part of a column, and for what the target lacks. */
  readonly column: RunColumn | null;
  readonly findings: readonly Finding[];
  /** Findings on it and on everything inside it that nobody has accepted, by severity. */
  readonly marks: Readonly<Record<Severity, number>>;
  readonly worst: Severity | null;
}

interface Node {
  readonly path: string;
  readonly parent: Node | null;
  readonly type: string | null;
  readonly column: RunColumn | null;
  readonly findings: readonly Finding[];
  readonly children: Node[];
  readonly marks: Record<Severity, number>;
}

const keyKinds = new Set(['duplicate_key', 'null_key', 'key_not_unique']);

/** Parents are looked for behind so many dots and brackets of a path, from its end; a name may hold more. */
const deepest = 100;

/**
 * The tree as a list, every node after its parent. `fields` holds the parts of nested columns by the position of their column. A path hangs
 * below the longest listed path that it continues with `.` or `[]`; a name with a dot of its own hangs below nothing.
 */
export function schemaTree(
  columns: readonly RunColumn[],
  findings: readonly Finding[],
  fields: ReadonlyMap<number, readonly NestedField[]> = new Map(),
): ColumnItem[] {
  const byPath = findingsByPath(findings, new Set(columns.map((column) => column.path)));
  const known = new Map<string, Node>();
  const roots: Node[] = [];
  const add = (path: string, type: string | null, column: RunColumn | null): void => {
    if (known.has(path)) return;
    const parent = parentOf(path, known);
    const marks = { error: 0, warning: 0, remark: 0 };
    const node: Node = { path, parent, type, column, findings: byPath.get(path) ?? [], children: [], marks };
    known.set(path, node);
    (parent?.children ?? roots).push(node);
  };
  for (const [i, column] of columns.entries()) {
    add(column.path, column.target_type, column);
    for (const [path, type] of fields.get(i) ?? []) add(path, type, null);
  }
  for (const path of byPath.keys()) add(path, null, null);
  for (const node of known.values()) countMarks(node);
  return roots.flatMap((node) => flatten(node, 0));
}

function countMarks(node: Node): void {
  for (const { severity, ignored } of node.findings) {
    if (ignored !== null) continue;
    for (let at: Node | null = node; at !== null; at = at.parent) at.marks[severity] += 1;
  }
}

function flatten(node: Node, depth: number): ColumnItem[] {
  const { path, parent, type, column, findings, marks, children } = node;
  const label = parent === null ? path : path.slice(parent.path.length).replace(/^\./, '');
  const worst = (['error', 'warning', 'remark'] as const).find((severity) => marks[severity] > 0) ?? null;
  const item: ColumnItem = {
    path,
    label,
    depth,
    parent: parent?.path ?? null,
    hasChildren: children.length > 0,
    type,
    column,
    findings,
    marks,
    worst,
  };
  return [item, ...children.flatMap((child) => flatten(child, depth + 1))];
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

function parentOf(path: string, known: ReadonlyMap<string, Node>): Node | null {
  let tries = 0;
  for (let end = path.length - 1; end > 0 && tries < deepest; end -= 1) {
    if (path[end] !== '.' && !path.startsWith('[]', end)) continue;
    tries += 1;
    const parent = known.get(path.slice(0, end));
    if (parent !== undefined) return parent;
  }
  return null;
}

/** What the tree shows: nothing inside a closed node; with a search only what fits, and what it hangs below. */
export function visibleItems(
  items: readonly ColumnItem[],
  { closed, query, onlyMarked }: { readonly closed: ReadonlySet<string>; readonly query: string; readonly onlyMarked: boolean },
): readonly ColumnItem[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '' && !onlyMarked) return closed.size === 0 ? items : withoutClosed(items, closed);
  const byPath = new Map(items.map((item) => [item.path, item]));
  const shown = new Set<ColumnItem>();
  for (const item of items) {
    const fits = (wanted === '' || item.path.toLowerCase().includes(wanted)) && (!onlyMarked || item.findings.length > 0);
    if (!fits) continue;
    for (let at: ColumnItem | undefined = item; at !== undefined; at = at.parent === null ? undefined : byPath.get(at.parent))
      shown.add(at);
  }
  return items.filter((item) => shown.has(item));
}

function withoutClosed(items: readonly ColumnItem[], closed: ReadonlySet<string>): readonly ColumnItem[] {
  let hiddenBelow = Number.POSITIVE_INFINITY;
  return items.filter((item) => {
    if (item.depth > hiddenBelow) return false;
    hiddenBelow = closed.has(item.path) ? item.depth : Number.POSITIVE_INFINITY;
    return true;
  });
}
