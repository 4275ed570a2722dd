/** Flagged rows: what is kept of them in the staging pass, and their faults, named afterwards. */
import { invariant } from '../../core/fault.ts';
import { issueType } from './coerce/policy-sql.ts';
import type { Session } from './driver.ts';
import { typedLevel } from './raw-levels.ts';
import type { StagedUnit, StageRequest } from './stage-build.ts';
import { flaggedTable, type KeptColumn, keptTable, stageTable } from './stage-columns.ts';
import type { Unit } from './stage-units.ts';

/** The column in which each group keeps its flagged rows: one for all texts, one for each kind of typed record. */
export async function keptColumns({ session, plan }: StageRequest, units: readonly Unit[]): Promise<ReadonlyMap<number, KeptColumn>> {
  const types = new Map<string, KeptColumn>();
  const columns = new Map<number, KeptColumn>();
  for (const { group, file, from } of units) {
    const shape = plan.groups[group];
    invariant(shape, 'a unit belongs to a group');
    if (columns.has(group)) continue;
    let type = 'VARCHAR[]';
    if (shape.form === 'typed') {
      const raw = typedLevel({ group: shape, numberMark: '', used: new Set(), exactText: new Set() });
      type = String((await session.one(`DESCRIBE SELECT ${raw.keep} AS kept FROM (${raw.sql({ from: from(), file })})`))['column_type']);
    }
    const column = types.get(type) ?? { name: `kept${types.size}`, type };
    types.set(type, column);
    columns.set(group, column);
  }
  return columns;
}

/**
 * What is wrong with the flagged rows, worked out from what was kept of them. They are few and far between: put side by side first,
 * the expressions that name their faults cost little, where in the staging pass they would run for every batch of rows.
 */
export async function keepFlagged(session: Session, units: readonly StagedUnit[], kept: readonly KeptColumn[]): Promise<void> {
  const names = kept.map((column) => column.name);
  const any = names.length === 0 ? 'false' : names.map((name) => `${name} IS NOT NULL`).join(' OR ');
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${keptTable} AS SELECT rowid AS "row", ${['file', ...names].join(', ')} FROM ${stageTable} WHERE ${any}`,
  );
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${flaggedTable} ("row" BIGINT, file UINTEGER, reject BOOLEAN, issues ${issueType}[], raw VARCHAR)`,
  );
  for (const unit of units) {
    const rows = `FROM ${keptTable} WHERE "row" >= ${unit.firstRow} AND "row" < ${unit.firstRow + unit.rows}`;
    if ((await session.rows(`SELECT 1 ${rows} LIMIT 1`)).length > 0)
      await session.run(`INSERT INTO ${flaggedTable} ${unit.sql.flagged(unit.kept, rows)}`);
  }
}
