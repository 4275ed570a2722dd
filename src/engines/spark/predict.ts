/** What a load would do to the target, counted without writing. */
import type { Applied } from '../../run/engine.ts';
import { batchSql } from './fates.ts';
import {
  changedSql,
  isSameContent,
  keyJoinSql,
  type LoadContext,
  partitionEffects,
  partitionValues,
  scopeSql,
  targetName,
} from './load.ts';
import { comparable } from './stage-columns.ts';

export async function predictLoad(context: LoadContext): Promise<Applied> {
  const { plan, loaded, table } = context;
  const inserted: Applied = { inserted: loaded, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: loaded > 0 };
  if (table === undefined || plan.mode === 'append') return inserted;
  if (plan.mode === 'merge') return predictMerge(context);
  const partitions = await partitionEffects(context);
  const deleted = partitions.reduce((sum, { before }) => sum + before, 0);
  const isSame =
    deleted === loaded && (await isSameContent(context, scopeSql(context, await partitionValues(context)), columnsToBe(context)));
  return isSame
    ? { ...inserted, inserted: 0, unchanged: loaded, partitions, wrote: false }
    : { ...inserted, deleted, partitions, wrote: true };
}

/** The columns of the target under the planned changes, which no statement has made yet. */
function columnsToBe({ plan, layout }: LoadContext): readonly string[] {
  const changes = new Map(plan.changes.map(({ column, change }) => [column, change]));
  return layout.columns.map((column) => {
    const change = changes.get(column.planned.target.name);
    if (change === undefined) return comparable(column, `t.${targetName(column)}`);
    return comparable(column, `CAST(${change === 'add_column' ? 'NULL' : `t.${targetName(column)}`} AS ${column.type})`);
  });
}

async function predictMerge(context: LoadContext): Promise<Applied> {
  const { session, plan, target, fates } = context;
  const added = new Set(
    plan.changes.flatMap((change) => (change.change === 'add_column' && change.column !== null ? [change.column] : [])),
  );
  const changed = changedSql(context, added);
  const row = await session.one(
    `SELECT count_if(there IS NULL) AS inserted, count_if(there AND differs) AS updated, count_if(there AND NOT differs) AS unchanged FROM (` +
      `SELECT t.there AS there, (${changed}) AS differs FROM ${batchSql(fates)} LEFT JOIN (SELECT *, true AS there FROM ${target}) t ON ${keyJoinSql(context)})`,
  );
  const [inserted, updated, unchanged] = [Number(row['inserted']), Number(row['updated']), Number(row['unchanged'])];
  return { inserted, updated, unchanged, deleted: 0, partitions: [], wrote: inserted + updated > 0 };
}
