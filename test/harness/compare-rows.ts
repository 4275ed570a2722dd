/** Rows as multisets, with the nearest partner of a missing row, so that a fault names the value and not only the row. */
import { type CaseType, parseCaseType } from './case-type.ts';
import { type Canonical, canonical } from './case-value.ts';
import type { CaseColumn } from './case-file.ts';
import type { Difference, Rows } from './outcome.ts';

const show = (value: unknown): string => JSON.stringify(value);

/** The differences of two multisets of rows, named below `field`. */
export function compareRows(field: string, columns: readonly CaseColumn[], expected: Rows, came: Rows): Difference[] {
  const types = columns.map((column) => parseCaseType(column.type));
  const missing = expected.map((row, index) => ({ index, row, form: formOf(types, row) }));
  const further = came.map((row) => ({ row, form: formOf(types, row) }));
  removePairs(missing, further);
  const differences = missing.map(({ index, row, form }): Difference => {
    const partner = nearest(form, further);
    if (partner === undefined) return { field: `${field}[${index}]`, expected: show(row), came: 'no such row' };
    further.splice(further.indexOf(partner), 1);
    const place = firstDifference(form, partner.form);
    return { field: `${field}[${index}]${place}`, expected: show(row), came: show(partner.row) };
  });
  return [...differences, ...further.map(({ row }) => ({ field, expected: 'no further row', came: show(row) }))];
}

/** Whether two multisets of rows are the same. */
export function sameRows(columns: readonly CaseColumn[], a: Rows, b: Rows): boolean {
  return compareRows('', columns, a, b).length === 0;
}

function formOf(types: readonly CaseType[], row: Rows[number]): Canonical[] {
  const forms = types.map((type, i) => canonical(type, row[i]));
  return row.length === types.length ? forms : [...forms, `${row.length} values instead of ${types.length}`];
}

interface Formed {
  readonly form: Canonical[];
}

function removePairs(expected: Formed[], came: Formed[]): void {
  for (const entry of [...expected]) {
    const key = show(entry.form);
    const partner = came.findIndex(({ form }) => show(form) === key);
    if (partner < 0) continue;
    came.splice(partner, 1);
    expected.splice(expected.indexOf(entry), 1);
  }
}

function nearest<T extends Formed>(form: Canonical[], candidates: readonly T[]): T | undefined {
  const likeness = (other: Canonical[]) => other.filter((value, i) => show(value) === show(form[i])).length;
  return candidates.toSorted((a, b) => likeness(b.form) - likeness(a.form))[0];
}

/** Path to the first value that differs, `[2][0]`. */
function firstDifference(a: Canonical, b: Canonical): string {
  if (!Array.isArray(a) || !Array.isArray(b)) return '';
  const index = a.findIndex((value, i) => show(value) !== show(b[i]));
  return index < 0 ? '' : `[${index}]${firstDifference(a[index] as Canonical, b[index] ?? null)}`;
}
