/** Findings on the structure: names, order, missing and extra columns. */
import type { Divergence } from '../core/divergences/divergence.ts';
import type { Job } from '../core/model/policy.ts';
import type { Severity } from '../core/model/severity.ts';
import type { PlannedColumn } from '../core/plan/plan.ts';
import type { Outcome } from '../core/record/finding.ts';
import { type Draft, type FindingsRequest, placed, readOf, typeAt } from './draft.ts';
import type { Effects } from './effects.ts';

/** Names, types and order: found per group, told once. */
export function structureDrafts(request: FindingsRequest): readonly Draft[] {
  const told = new Map<string, { divergence: Divergence; files: number[] }>();
  for (const { divergence, group } of request.divergences) {
    if (divergence.kind === 'missing_column' || divergence.kind === 'extra_column') continue;
    const key = JSON.stringify([divergence.kind, divergence.path, divergence.severity, divergence.actual]);
    const known = told.get(key) ?? { divergence, files: [] };
    known.files.push(...(group === null ? [] : (request.plan.groups[group]?.files ?? [])));
    told.set(key, known);
  }
  return [...told.values()].map(({ divergence, files }) => structureDraft(request, divergence, [...new Set(files)]));
}

function structureDraft({ effects }: FindingsRequest, divergence: Divergence, files: readonly number[]): Draft {
  return {
    name: divergence.kind,
    severity: divergence.severity,
    path: divergence.path === '' ? null : divergence.path,
    expected: divergence.expected,
    actual: divergence.actual,
    ...(divergence.position === undefined ? {} : { position: divergence.position }),
    count: divergence.kind === 'column_order' ? Math.max(1, files.length) : readOf(effects, files),
    files,
    outcome: divergence.severity === 'error' ? 'failed' : 'none',
    consequence: divergence.detail,
    examples: divergence.kind === 'name_collision' ? (divergence.names ?? []).map((value) => placed(value)) : [],
  };
}

/** A target column that a whole file lacks. */
export function missingDrafts(request: FindingsRequest): readonly Draft[] {
  return request.plan.columns.flatMap((column) => {
    const files = filesWithout(request, column);
    return files === null ? [] : [missingDraft(request, column, files)];
  });
}

/** Files that lack a column; null when none does, an empty list for a table or query that lacks it. */
function filesWithout({ job, plan, effects, files: all }: FindingsRequest, column: PlannedColumn): readonly number[] | null {
  const { name } = column.target;
  if (name === '_rescued' && job.onExtra === 'rescue') return null;
  const lacks = (group: number): boolean => column.sources[group] === null && !column.collisions.includes(group);
  // A file without a record or header has no columns that could be compared.
  const lacking = plan.groups.flatMap((group, number) => (lacks(number) ? group.files.filter((file) => !all[file]?.facts.empty) : []));
  const files = [...new Set([...lacking, ...filesNeverHolding(effects, name)])];
  if (files.length > 0) return files;
  return plan.groups.some((group, number) => group.files.length === 0 && lacks(number)) ? [] : null;
}

/** Files none of whose records has the key. */
function filesNeverHolding(effects: Effects | null, path: string): readonly number[] {
  return (effects?.absent ?? [])
    .filter((entry) => entry.path === path && entry.records === readOf(effects, [entry.file]))
    .map((entry) => entry.file);
}

function missingDraft({ effects, target }: FindingsRequest, column: PlannedColumn, files: readonly number[]): Draft {
  const { name, nullable } = column.target;
  const demanded = column.rule.onMissing === 'error';
  const needed = column.key || demanded || (column.fallback === 'null' && !nullable);
  const base = {
    name: 'missing_column',
    path: name,
    expected: typeAt(target, name),
    actual: null,
    files,
    count: files.length === 0 ? (effects?.read ?? 0) : readOf(effects, files),
  } as const;
  if (needed) {
    const why = demanded ? 'the rule demands the column' : 'nothing can fill the column';
    return { ...base, severity: 'error', outcome: 'failed', consequence: `${why}, so the load stops` };
  }
  const filled = column.fallback !== 'null';
  return {
    ...base,
    severity: 'warning',
    outcome: filled ? 'defaulted' : 'none',
    consequence: filled ? 'the default is stored' : 'NULL is stored',
  };
}

const extraOutcome: Readonly<Record<Job['onExtra'], { severity: Severity; outcome: Outcome; consequence: string }>> = {
  ignore: { severity: 'warning', outcome: 'ignored', consequence: 'its values are not loaded' },
  rescue: { severity: 'warning', outcome: 'none', consequence: 'its values are kept in _rescued' },
  add_column: { severity: 'warning', outcome: 'none', consequence: 'the column is added to the target' },
  error: { severity: 'error', outcome: 'failed', consequence: 'the load stops' },
};

export function extraDrafts({ job, plan, effects }: FindingsRequest): readonly Draft[] {
  const known = plan.extras.map((extra, i): Draft => {
    const groups = extra.positions.flatMap((position, number) => (position === null ? [] : [number]));
    const files = groups.flatMap((number) => plan.groups[number]?.files ?? []);
    const position = extra.positions.find((candidate) => candidate !== null);
    const counts = (effects?.extras ?? []).filter((entry) => entry.extra === i);
    const isJson = groups.every((number) => plan.groups[number]?.form === 'json');
    return {
      name: 'extra_column',
      ...extraOutcome[job.onExtra],
      path: extra.name,
      count: counts.reduce((sum, entry) => sum + entry.records, 0),
      files: isJson && effects ? counts.map((entry) => entry.file) : files,
      ...(position == null ? {} : { position: position + 1 }),
    };
  });
  const nested = new Map<string, Draft>();
  for (const { path, file, records } of effects?.unknown ?? []) {
    const before = nested.get(path);
    nested.set(path, {
      name: 'extra_column',
      ...(path.includes('.') && job.onExtra !== 'error' ? extraOutcome.ignore : extraOutcome[job.onExtra]),
      path,
      count: (before?.count ?? 0) + records,
      files: [...(before?.files ?? []), file],
    });
  }
  return [...known, ...nested.values()];
}
