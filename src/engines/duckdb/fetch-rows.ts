/** Reads some rows of the source again, for what the staging table does not keep of them. */
import type { Session } from './driver.ts';
import { literal } from './quote.ts';
import { keptTable } from './stage-columns.ts';
import type { Staged } from './stage.ts';
import type { StagedUnit } from './stage-build.ts';

/** Texts of `expressions` over the columns of `texts`, by staged row. */
export async function fetchRows(
  session: Session,
  staged: Staged,
  rows: readonly number[],
  expressions: (unit: StagedUnit) => readonly string[],
): Promise<ReadonlyMap<number, readonly (string | null)[]>> {
  const found = new Map<number, readonly (string | null)[]>();
  for (const unit of staged.units) {
    const wanted = rows.filter((row) => row >= unit.firstRow && row < unit.firstRow + unit.rows).map((row) => row - unit.firstRow);
    if (wanted.length === 0) continue;
    const select = expressions(unit).map((expression, i) => `(${expression})::VARCHAR AS x${i}`);
    for (const row of await session.rows(fetchSql(unit, wanted, select))) {
      const texts = select.map((_, i) => row[`x${i}`] as string | null);
      found.set(unit.firstRow + Number(row['n']), texts);
    }
  }
  return found;
}

/** Texts of `expressions`, digits as they are written, of rows that were flagged. JSON only. */
export async function fetchKept(
  session: Session,
  staged: Staged,
  rows: readonly number[],
  expressions: readonly string[],
): Promise<ReadonlyMap<number, readonly (string | null)[]>> {
  const found = new Map<number, readonly (string | null)[]>();
  const select = expressions.map((expression, i) => `(${expression})::VARCHAR AS x${i}`).join(', ');
  for (const unit of staged.units.filter(isJson)) {
    const wanted = rows.filter((row) => row >= unit.firstRow && row < unit.firstRow + unit.rows);
    if (wanted.length === 0) continue;
    const { sql, raw } = unit.exact();
    const from = `FROM ${keptTable} WHERE "row" IN (${wanted.map((row) => `${row}::BIGINT`).join(', ')})`;
    for (const row of await session.rows(`SELECT "row", ${select} FROM (${sql.texts(raw.again(unit.kept, from))})`)) {
      found.set(
        Number(row['row']),
        expressions.map((_, i) => row[`x${i}`] as string | null),
      );
    }
  }
  return found;
}

/** Whether the source is JSON, whose records are picked before they are taken apart: that is the dear part. */
export const isJson = (unit: StagedUnit): boolean => unit.raw.malformed !== undefined;

/** The unit's records with their raw values and texts. */
export const textsOf = ({ sql, raw, from, file }: StagedUnit): string => sql.texts(raw.sql({ from: from(), file }));

function fetchSql(unit: StagedUnit, wanted: readonly number[], select: readonly string[]): string {
  if (!isJson(unit)) return `SELECT n, ${select.join(', ')} FROM (${numbered(`(${textsOf(unit)})`, wanted)})`;
  const places = [...new Set(wanted)].toSorted((a, b) => a - b);
  const { sql, raw } = unit.exact();
  const picked = sql.texts(raw.sql({ from: `(SELECT * EXCLUDE (n) FROM (${numbered(unit.from(), wanted)}))`, file: unit.file }));
  const place = `([${places.join(', ')}]::BIGINT[])[n + 1]`;
  return `SELECT ${place} AS n, ${select.join(', ')} FROM (SELECT row_number() OVER () - 1 AS n, * FROM (${picked}))`;
}

/** The wanted rows, in their order, with their number in `n`. */
function numbered(from: string, wanted: readonly number[]): string {
  const list = `[${wanted.map((row) => literal(String(row))).join(', ')}]`;
  return (
    `SELECT * FROM (SELECT row_number() OVER () - 1 AS n, * FROM (SELECT * FROM ${from} LIMIT ${Math.max(...wanted) + 1})) ` +
    `WHERE n::VARCHAR IN (SELECT unnest(${list}))`
  );
}
