/** What a plan would do, column by column and in one line. */
import { counted, formatCount } from '../core/record/numbers.ts';
import type { RunColumn, RunRecord } from '../core/record/run-record.ts';
import { leastOfGroup, namesOf } from './groups.ts';
import { effectsOf, pathText } from './summary.ts';
import { cutMiddle } from './terminal-width.ts';
import { flow, table } from './text-layout.ts';
import type { Page } from './text-page.ts';
import { visible } from './visible.ts';

export type Section = (record: RunRecord, page: Page) => string[];

const indent = '  ';
/** Lines of columns; the rest is counted. */
const shown = 40;

/** A bold title above indented lines; nothing without lines. */
export function titled(title: string, lines: readonly string[], { colors, width }: Page): string[] {
  return lines.length === 0 ? [] : [...flow(title, width).map(colors.bold), ...lines.map((line) => indent + line)];
}

export function typesText(column: RunColumn): string {
  return `${column.source_type ?? '(absent)'} → ${column.target_type}`;
}

type Mark = '+' | '^' | '~' | '-' | ' ';

const meanings: Readonly<Record<Exclude<Mark, ' '>, string>> = {
  '+': 'added to the table',
  '^': 'widened',
  '~': 'cast',
  '-': 'not in the source',
};

/** What happens to a column. Additions and widenings are known by the reason of the statement that makes them. */
function markOf(column: RunColumn, changes: ReadonlySet<string>): Mark {
  if (changes.has('target.create') || changes.has(`SA102 ${column.path}`)) return '+';
  if (changes.has(`SA103 ${column.path}`)) return '^';
  if (column.source === null) return '-';
  return column.source_type === column.target_type ? ' ' : '~';
}

/** Every column of the target with its cast, in the order of the table; columns of which the same is to be said share a line. */
export const plannedColumns: Section = ({ columns, schema_changes: changes, verb }, page) => {
  if (verb !== 'plan') return [];
  const because = new Set(changes.flatMap((change) => change.because));
  const cells = columns.map((column) => {
    const mark = markOf(column, because);
    return { name: pathText(column.path), rest: [mark, mark === '-' ? column.target_type : typesText(column), effectsText(column, mark)] };
  });
  const rows = columnRows(cells).map(({ name, rest: [mark = ' ', types = '', effects = ''] }) => [
    mark,
    name,
    cutMiddle(visible(types), 34),
    effects,
  ]);
  const legend = (Object.keys(meanings) as (keyof typeof meanings)[]).filter((mark) => cells.some(({ rest }) => rest[0] === mark));
  return titled(
    'Columns',
    [
      ...table(rows.slice(0, shown), page.width - 2),
      ...(rows.length > shown ? [`… and ${formatCount(rows.length - shown)} more lines`] : []),
      ...flow(legend.map((mark) => `${mark} ${meanings[mark]}`).join('   '), page.width - 2).map(page.colors.dim),
    ],
    page,
  );
};

interface ColumnRow {
  readonly name: string;
  readonly rest: readonly string[];
}

/** Columns of which the same is to be said, from a certain number on, in one row with their first names. */
export function columnRows(rows: readonly ColumnRow[]): ColumnRow[] {
  const alike = new Map<string, ColumnRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.rest);
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [row]);
    else known.push(row);
  }
  return rows.flatMap((row): ColumnRow[] => {
    const all = alike.get(JSON.stringify(row.rest)) ?? [];
    if (all.length < leastOfGroup) return [{ ...row, name: cutMiddle(visible(row.name), 30) }];
    const names = all.map(({ name }) => name);
    return all[0] === row ? [{ ...row, name: namesOf(names, 26) }] : [];
  });
}

function effectsText(column: RunColumn, mark: Mark): string {
  const effects = effectsOf(column).map(({ label, count }) => `${formatCount(count)} ${label}`);
  const filling = mark === '-' ? [column.rule === 'missing-to-default' ? 'default' : 'NULL'] : [];
  return [...filling, ...effects].join(', ');
}

/** `Plan: 1 column to add, 4 to cast; 6 rows to insert, 3 to update, 2 to quarantine.` What is none is left out. */
export const planLine: Section = ({ verb, exit, columns, schema_changes: changes, counts }, page) => {
  if (verb !== 'plan' || exit !== 0) return [];
  const because = new Set(changes.flatMap((change) => change.because));
  const marks = columns.map((column) => markOf(column, because));
  const count = (mark: Mark): number => marks.filter((one) => one === mark).length;
  const ofColumns = listed('column', [
    [count('+'), 'to add'],
    [count('^'), 'to widen'],
    [count('~'), 'to cast'],
  ]);
  const ofRows = listed('row', [
    [counts.inserted, 'to insert'],
    [counts.updated, 'to update'],
    [counts.deleted, 'to delete'],
    [counts.unchanged, 'unchanged'],
    [counts.quarantined, 'to quarantine'],
  ]);
  return flow(`Plan: ${ofColumns}; ${ofRows}.`, page.width).map(page.colors.bold);
};

/** `6 rows to insert, 3 to update`; `no rows` when all are none. */
function listed(noun: string, parts: readonly (readonly [number, string])[]): string {
  const some = parts.filter(([count]) => Number(count) > 0);
  const [first, ...others] = some;
  if (first === undefined) return `no ${noun}s`;
  return [`${counted(first[0], noun)} ${first[1]}`, ...others.map(([count, what]) => `${formatCount(count)} ${what}`)].join(', ');
}
