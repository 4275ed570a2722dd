import { Fault } from '../core/fault.ts';
import { findPath } from '../core/model/path.ts';
import type { Job } from '../core/model/policy.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { Schema } from '../core/model/schema.ts';

/**
 * Every column that the configuration names must be in the target.
 * @throws Fault CONFIG_INVALID, CONFIG_UNKNOWN_COLUMN, TARGET_INCOMPATIBLE
 */
export function checkTarget(job: Job, target: Schema): void {
  const names = target.columns.map((column) => column.name);
  const there = `it has: ${names.slice(0, 40).join(', ')}${names.length > 40 ? ', …' : ''}`;
  checkMode(job);
  checkNamed(job, { what: 'key', wanted: job.mode === 'merge' ? job.key : [], fix: 'Mend the key.' }, { names, there });
  checkNamed(job, { what: 'partition', wanted: job.partition?.columns ?? [], fix: 'Mend partition.columns.' }, { names, there });
  const { orderBy } = job.merge;
  if (job.mode === 'merge' && orderBy !== undefined && !names.includes(orderBy)) {
    throw new Fault('CONFIG_UNKNOWN_COLUMN', `merge.order_by names the column ${orderBy}, which is not in the target; ${there}`);
  }
  for (const path of job.columns.keys()) {
    if (path === '_rescued' || findPath(target, path) !== undefined) continue;
    const file = job.origin === undefined ? {} : { place: { file: job.origin.file } };
    throw new Fault(
      'CONFIG_UNKNOWN_COLUMN',
      `a rule names the column ${path}, which is not in the target ${job.target.table}; ${there}`,
      file,
    );
  }
}

/**
 * A source of which nothing can be stored is the wrong one.
 * @throws Fault TARGET_INCOMPATIBLE
 */
export function checkCommon({ columns, partition }: Plan, read: number): void {
  if (read === 0) return;
  if (columns.every((column) => column.sources.every((source) => source === null))) {
    throw new Fault('TARGET_INCOMPATIBLE', 'source and target have no column in common');
  }
  const lost = columns.find(
    (column) => column.partition && column.fallback === 'null' && column.sources.every((source) => source === null),
  );
  if (partition?.values === 'present' && lost)
    throw new Fault('TARGET_INCOMPATIBLE', `the partition column ${lost.target.name} is not in the source`);
}

function checkMode(job: Job): void {
  if (job.mode === 'merge' && job.key.length === 0) {
    throw new Fault('CONFIG_INVALID', 'the mode merge needs a key', { fix: 'Name the key columns: --key id, or key: [id].' });
  }
  if (job.mode === 'overwrite-partition' && (job.partition?.columns.length ?? 0) === 0) {
    throw new Fault('CONFIG_INVALID', 'the mode overwrite-partition needs partition.columns', {
      fix: 'Write partition: { columns: [dt], values: present }.',
    });
  }
}

interface Named {
  readonly what: string;
  readonly wanted: readonly string[];
  readonly fix: string;
}

function checkNamed(job: Job, { what, wanted, fix }: Named, { names, there }: { names: readonly string[]; there: string }): void {
  for (const name of wanted) {
    if (names.includes(name)) continue;
    throw new Fault('TARGET_INCOMPATIBLE', `the ${what} column ${name} is not in the target ${job.target.table}; ${there}`, { fix });
  }
}
