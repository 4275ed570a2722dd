import type { ColumnRule, Job } from '../model/policy.ts';
import type { Column } from '../model/schema.ts';

/** The rule of a target column: its own, else the job's default; kept from making NULL what must not be NULL. */
export function ruleFor(job: Job, column: Column): ColumnRule {
  const rule = job.columns.get(column.name) ?? job.defaultRule;
  const mustBeThere = !column.nullable || isKey(job, column.name);
  if (!mustBeThere) return rule;
  const hasDefault = rule.default !== undefined || column.default !== undefined;
  const wouldBeNull = rule.onInvalid === 'null' || (rule.onInvalid === 'default' && !hasDefault);
  return wouldBeNull ? { ...rule, onInvalid: 'error' } : rule;
}

export function isKey(job: Job, name: string): boolean {
  return job.mode === 'merge' && job.key.includes(name);
}

/** Rules below a column: `address.city`, `items[].price`, where the column is `address` or `items`. */
export function nestedRules(job: Job, column: string): ReadonlyMap<string, ColumnRule> {
  const found = new Map<string, ColumnRule>();
  for (const [path, rule] of job.columns) {
    if (path.startsWith(`${column}.`) || path.startsWith(`${column}[]`)) found.set(path, rule);
  }
  return found;
}
