/** Refusals for safety: nothing is wrong with a single value, but the load as a whole would do harm. */
import { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { Effects, PartitionEffect } from './effects.ts';
import { type Draft, ruleOfPath } from './draft.ts';
import { maskedPartition } from './mask.ts';

export interface Guards {
  readonly drafts: readonly Draft[];
  readonly refusal: Fault | null;
}

interface Request {
  readonly job: Job;
  readonly plan: Plan;
  readonly effects: Effects;
  readonly partitions: readonly PartitionEffect[];
}

/** What a run that writes nothing has to fear. */
export const noGuards: Guards = { drafts: [], refusal: null };

export function guardDrafts(request: Request): Guards {
  const found = [emptyGuard(request), shrinkGuard(request), budgetGuard(request)];
  return {
    drafts: found.flatMap((guard) => guard.drafts),
    refusal: found.map((guard) => guard.refusal).find((refusal) => refusal !== null) ?? null,
  };
}

function emptyGuard({ job, effects }: Request): Guards {
  if (effects.read > 0 || effects.broken.length > 0) return noGuards;
  const draft = { name: 'empty_source', path: null, count: 0 } as const;
  const options = job.mode === 'replace' ? job.replace : job.mode === 'overwrite-partition' ? job.partition : undefined;
  if (options === undefined)
    return { drafts: [{ ...draft, severity: 'remark', outcome: 'none', consequence: 'there is nothing to load' }], refusal: null };
  if (options.allowEmpty)
    return {
      drafts: [{ ...draft, severity: 'warning', outcome: 'none', consequence: 'the rows in scope are removed, as allow_empty says' }],
      refusal: null,
    };
  return {
    drafts: [{ ...draft, severity: 'error', outcome: 'failed', consequence: 'the load is refused: it would empty the target' }],
    refusal: new Fault('GUARD_EMPTY', 'the source holds no rows'),
  };
}

/** A partition, or the whole table, may not lose more than the allowed share of its rows. */
function shrinkGuard({ job, plan, effects, partitions }: Request): Guards {
  if (effects.read === 0 || partitions.length === 0) return noGuards;
  const { maxShrink } = plan.mode === 'replace' ? job.replace : (job.partition ?? job.replace);
  const shrunk = partitions.filter(({ before, after }) => before > 0 && after < before && (before - after) / before > maxShrink);
  if (shrunk.length === 0) return noGuards;
  const told = shrunk.slice(0, 5).map((partition) => {
    const { values, before, after } = maskedPartition(partition, job);
    const name = Object.entries(values)
      .map(([column, value]) => `${column}=${value ?? 'NULL'}`)
      .join('/');
    return `${name === '' ? job.target.table : name} would go from ${before.toLocaleString('en-US')} to ${after.toLocaleString('en-US')} rows`;
  });
  return { drafts: [], refusal: new Fault('GUARD_SHRINK', `${told.join('; ')}; max_shrink allows a loss of ${maxShrink * 100} %`) };
}

function budgetGuard({ job, effects }: Request): Guards {
  const nulled = new Map<string, number>();
  for (const issue of effects.issues) {
    if (issue.outcome === 'nulled' && issue.path !== null) nulled.set(issue.path, (nulled.get(issue.path) ?? 0) + issue.records);
  }
  const over = [...nulled].flatMap(([path, count]) => {
    const budget = ruleOfPath(job, path).nullBudget;
    return budget !== undefined && count / effects.read > budget ? [{ path, count, budget }] : [];
  });
  const [first] = over;
  if (first === undefined) return noGuards;
  const percent = (share: number): string => `${(share * 100).toFixed(2).replace(/\.?0+$/, '')} %`;
  return {
    drafts: over.map(({ path, count, budget }) => ({
      name: 'null_budget',
      severity: 'error',
      path,
      count,
      outcome: 'failed',
      consequence: `${percent(count / effects.read)} of the records would become NULL; the budget is ${percent(budget)}`,
    })),
    refusal: new Fault(
      'NULL_BUDGET',
      `${first.count.toLocaleString('en-US')} values of ${first.path} would become NULL, which is more than the budget of ${percent(first.budget)}`,
    ),
  };
}
