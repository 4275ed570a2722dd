/** What to say when the table of a load is not there. */
import { redactUrl } from '../config/redact.ts';
import { Fault } from '../core/fault.ts';
import type { SourceGroup } from '../core/plan/plan.ts';
import { namedOnce } from './changes.ts';
import type { Engine } from './engine.ts';
import type { Run } from './run.ts';
import type { SourceRead } from './source.ts';

/** With the statement that would make the table, from the first records of the source. */
export async function missingTarget(run: Run, read: SourceRead, groups: readonly SourceGroup[]): Promise<Fault> {
  const { job, engine } = run;
  const { schema } = await engine.infer(read.input, groups, 10_000);
  const keyed = { ...schema, columns: namedOnce(schema.columns) };
  const place = engine.isMissing === true ? `the database ${redactUrl(engine.url)} does not exist` : await tablesThere(engine);
  const missing = `the table ${job.target.table} does not exist (${place})`;
  if (keyed.columns.length === 0) return new Fault('TARGET_MISSING', `${missing}, and the source has no columns to make it from`);
  const ddl = engine.changeSql(job.target.table, { change: 'create_table', column: null, from: null, to: null, because: [] }, keyed);
  return new Fault('TARGET_MISSING', `${missing}. From the first records of the source it could be:\n\n${ddl};`, {
    fix: 'Run this statement, or pass --create (target.create: true) to have the table made from all rows in the same transaction.',
  });
}

async function tablesThere(engine: Engine): Promise<string> {
  const tables = await engine.tables();
  return tables.length === 0 ? 'the database has no tables' : `the database has: ${tables.slice(0, 20).join(', ')}`;
}
