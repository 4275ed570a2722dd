/** What a load would do to the target, counted without writing. */
import type { Applied } from '../../run/engine.ts';
import { sqlType } from './coerce/sql-type.ts';
import { batchSql } from './fates.ts';
import { changedSql, isSameContent, keyJoinSql, type LoadContext, partitionEffects, scopeSql, targetSql } from './load.ts';
import { ident } from './quote.ts';

export async function predictLoad(context: LoadContext, exists: boolean): Promise<Applied> {
  const { session, plan, fates } = context;
  const loaded = Number((await session.one(`SELECT count(*) AS n FROM ${batchSql(fates)}`))['n']);
  const inserted: Applied = { inserted: loaded, updated: 0, unchanged: 0, deleted: 0, partitions: [], wrote: loaded > 0 };
  if (!exists || plan.mode === 'append') return inserted;
  if (plan.mode === 'merge') return predictMerge(context);
  const partitions = await partitionEffects(context);
  if (await isSameContent(context, columnsToBe(context))) return { ...inserted, inserted: 0, unchanged: loaded, partitions, wrote: false };
  const row = await session.one(`SELECT count(*) AS n FROM ${targetSql(plan)} WHERE ${scopeSql(context)}`);
  return { ...inserted, deleted: Number(row['n']), partitions, wrote: true };
}

/** The columns of the target under the planned changes, which no statement has made yet. */
function columnsToBe({ plan, layout }: LoadContext): readonly string[] {
  const changes = new Map(plan.changes.map(({ column, change }) => [column, change]));
  return layout.columns.map(({ planned: { target } }) => {
    const change = changes.get(target.name);
    if (change === undefined) return ident(target.name);
    return `CAST(${change === 'add_column' ? 'NULL' : ident(target.name)} AS ${sqlType(target.type)})`;
  });
}

async function predictMerge(context: LoadContext): Promise<Applied> {
  const { session, plan, fates } = context;
  const added = new Set(
    plan.changes.flatMap((change) => (change.change === 'add_column' && change.column !== null ? [change.column] : [])),
  );
  const changed = changedSql(context, added);
  const row = await session.one(
    `SELECT count(*) FILTER (t.rowid IS NULL) AS inserted, count(*) FILTER (t.rowid IS NOT NULL AND (${changed})) AS updated, ` +
      `count(*) FILTER (t.rowid IS NOT NULL AND NOT (${changed})) AS unchanged ` +
      `FROM (SELECT * FROM ${batchSql(fates)}) s LEFT JOIN ${targetSql(plan)} t ON ${keyJoinSql(context)}`,
  );
  const [inserted, updated, unchanged] = [Number(row['inserted']), Number(row['updated']), Number(row['unchanged'])];
  return { inserted, updated, unchanged, deleted: 0, partitions: [], wrote: inserted + updated > 0 };
}
