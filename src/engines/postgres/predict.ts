/** What a load would do to the target, counted without writing. */
import type { Applied } from '../../run/engine.ts';
import { batchSql, typeOf } from './fates.ts';
import { changedSql, isSameContent, keyJoinSql, type LoadContext, partitionEffects, scopeSql, targetName } from './load.ts';
import { comparable } from './stage-columns.ts';

export async function predictLoad(context: LoadContext, exists: boolean): Promise<Applied> {
  const { session, plan, target, loaded } = context;
  const inserted: Applied = { inserted: loaded, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: loaded > 0 };
  if (!exists || plan.mode === 'append') return inserted;
  if (plan.mode === 'merge') return predictMerge(context);
  const partitions = await partitionEffects(context);
  if (await isSameContent(context, columnsToBe(context))) return { ...inserted, inserted: 0, unchanged: loaded, partitions, wrote: false };
  const row = await session.one(`SELECT count(*) AS n FROM ${target} t WHERE ${scopeSql(context, 't')}`);
  return { ...inserted, deleted: Number(row['n']), partitions, wrote: true };
}

/** The columns of the target under the planned changes, which no statement has made yet. */
function columnsToBe({ plan, layout }: LoadContext): readonly string[] {
  const changes = new Map(plan.changes.map(({ column, change }) => [column, change]));
  return layout.columns.map((column) => {
    const change = changes.get(column.planned.target.name);
    if (change === undefined) return comparable(column, `t.${targetName(column)}`);
    return comparable(column, `CAST(${change === 'add_column' ? 'NULL' : `t.${targetName(column)}`} AS ${typeOf(column)})`);
  });
}

async function predictMerge(context: LoadContext): Promise<Applied> {
  const { session, plan, target, fates } = context;
  const added = new Set(
    plan.changes.flatMap((change) => (change.change === 'add_column' && change.column !== null ? [change.column] : [])),
  );
  const changed = changedSql(context, added);
  const row = await session.one(
    `SELECT count(*) FILTER (WHERE t.ctid IS NULL) AS inserted, count(*) FILTER (WHERE t.ctid IS NOT NULL AND (${changed})) AS updated, ` +
      `count(*) FILTER (WHERE t.ctid IS NOT NULL AND NOT (${changed})) AS unchanged ` +
      `FROM ${batchSql(fates)} LEFT JOIN ${target} t ON ${keyJoinSql(context)}`,
  );
  const [inserted, updated, unchanged] = [Number(row['inserted']), Number(row['updated']), Number(row['unchanged'])];
  return { inserted, updated, unchanged, deleted: 0, partitions: [], wrote: inserted + updated > 0 };
}
