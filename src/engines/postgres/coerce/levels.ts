/** Pieces of SQL that compute something once and use it several times, and tests that cannot raise. */
import { literal } from '../quote.ts';

/**
 * A scalar subquery over one named value: `(SELECT <use(name)> FROM (SELECT <value> AS name OFFSET 0) q)`. `OFFSET 0` keeps the
 * planner from pulling the subquery up, which would write `value` once for every use. It costs about 0.3 µs, so it is for the rarer ways.
 */
export function once(value: string, use: (name: string) => string): string {
  const name = fresh();
  return `(SELECT ${use(name)} FROM (SELECT ${value} AS ${name} OFFSET 0) AS ${fresh()})`;
}

/** The same for several values, level by level; each level sees the columns of those before it. */
export function inLevels(levels: readonly Columns[], use: string): string {
  const from = levels.reduce((inner, columns, i) => {
    const list = columns.map(([name, sql]) => `${sql} AS ${name}`).join(', ');
    return i === 0 ? `(SELECT ${list} OFFSET 0) AS ${fresh()}` : `(SELECT *, ${list} FROM ${inner} OFFSET 0) AS ${fresh()}`;
  }, '');
  return `(SELECT ${use} FROM ${from})`;
}

/** Named expressions. */
export type Columns = readonly (readonly [name: string, sql: string])[];

let last = 0;

/** A name that no column of a table or a staging level has. Names differ within a coercion; two coercions may have the same. */
export function fresh(): string {
  last += 1;
  return `sa_${last}`;
}

/** Begins a coercion: the same coercion is always the same SQL. */
export function restartNames(): void {
  last = 0;
}

/** Boolean: a cast of the text `x` to the type would not raise. It tells nothing about the law: the casts take far more. */
export const castable = (x: string, type: string): string => `pg_input_is_valid(${x}, ${literal(type)})`;

/** The cast, or NULL where it would raise. */
export const tryCast = (x: string, type: string): string => `CASE WHEN ${castable(x, type)} THEN CAST(${x} AS ${type}) END`;

/** A `CASE` that needs no branch when there is none. */
export function caseSql(branches: readonly (readonly [when: string, then: string])[], otherwise: string): string {
  if (branches.length === 0) return otherwise;
  return `CASE ${branches.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ')} ELSE ${otherwise} END`;
}
