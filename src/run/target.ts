import { Fault } from '../core/fault.ts';
import { findPath } from '../core/model/path.ts';
import type { Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';

/**
 * Every column that the configuration names must be in the target.
 * @throws Fault CONFIG_UNKNOWN_COLUMN, TARGET_INCOMPATIBLE
 */
export function checkTarget(job: Job, target: Schema): void {
  const names = target.columns.map((column) => column.name);
  const has = (name: string): boolean => names.includes(name);
  const there = `it has: ${names.slice(0, 40).join(', ')}${names.length > 40 ? ', …' : ''}`;
  if (job.mode === 'merge' && job.key.length === 0) throw new Fault('CONFIG_INVALID', 'the mode merge needs a key', { fix: 'Name the key columns: --key id, or key: [id].' });
  for (const name of job.mode === 'merge' ? job.key : []) {
    if (!has(name)) throw new Fault('TARGET_INCOMPATIBLE', `the key column ${name} is not in the target ${job.target.table}; ${there}`, { fix: 'Mend the key.' });
  }
  for (const name of job.partition?.columns ?? []) {
    if (!has(name)) throw new Fault('TARGET_INCOMPATIBLE', `the partition column ${name} is not in the target ${job.target.table}; ${there}`, { fix: 'Mend partition.columns.' });
  }
  if (job.mode === 'overwrite-partition' && (job.partition?.columns.length ?? 0) === 0) {
    throw new Fault('CONFIG_INVALID', 'the mode overwrite-partition needs partition.columns', { fix: 'Write partition: { columns: [dt], values: present }.' });
  }
  if (job.mode === 'merge' && job.merge.orderBy !== undefined && !has(job.merge.orderBy)) {
    throw new Fault('CONFIG_UNKNOWN_COLUMN', `merge.order_by names the column ${job.merge.orderBy}, which is not in the target; ${there}`);
  }
  for (const path of job.columns.keys()) {
    if (path === '_rescued' || findPath(target, path) !== undefined) continue;
    const file = job.origin === undefined ? {} : { place: { file: job.origin.file } };
    throw new Fault('CONFIG_UNKNOWN_COLUMN', `a rule names the column ${path}, which is not in the target ${job.target.table}; ${there}`, file);
  }
}
