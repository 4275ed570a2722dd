/** What is stored in the place of values that a rule has altered, for the examples of a run. */
import type { Session } from './driver.ts';
import { ident } from './quote.ts';
import { fateTable, stageTable } from './stage-columns.ts';
import type { Staged } from './stage.ts';

/** A value of a staged row, and what became of it. */
export interface ValueFate {
  readonly path: string | null;
  readonly outcome: string;
  readonly row: number;
}

const replacing = new Set(['altered', 'defaulted']);

/**
 * The stored text of each value that stands in a column of its own and whose row is loaded; of the others nothing. `someLost` says whether
 * rows are left out that staging has not refused. One query, and none when nothing was replaced.
 */
export async function storedTexts<F extends ValueFate>(
  session: Session,
  { staged, someLost }: { readonly staged: Staged; readonly someLost: boolean },
  fates: readonly F[],
): Promise<ReadonlyMap<F, string | null>> {
  const columns = new Map(staged.layout.columns.map(({ planned, name }) => [planned.target.name, name]));
  const mine = fates.filter(({ path, outcome }) => replacing.has(outcome) && path !== null && columns.has(path));
  if (mine.length === 0) return new Map();
  const names = [...new Set(mine.flatMap(({ path }) => (path === null ? [] : (columns.get(path) ?? []))))];
  const rows = await session.rows(
    `SELECT rowid AS r, ${names.map((name) => `${ident(name)}::VARCHAR AS ${ident(name)}`).join(', ')} FROM ${stageTable} ` +
      `WHERE NOT reject ${someLost ? `AND rowid NOT IN (SELECT "row" FROM ${fateTable})` : ''} AND rowid IN (${[...new Set(mine.map(({ row }) => row))].join(', ')})`,
  );
  const byRow = new Map(rows.map((row) => [Number(row['r']), row]));
  return new Map(
    mine.flatMap((fate) => {
      const row = byRow.get(fate.row);
      const name = fate.path === null ? undefined : columns.get(fate.path);
      return row === undefined || name === undefined ? [] : [[fate, row[name] as string | null] as const];
    }),
  );
}
