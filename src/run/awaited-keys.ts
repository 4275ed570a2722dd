/** JSON keys that the looked-at records do not have, but that later ones may. */
import { pairColumns } from '../core/compare/pair-columns.ts';
import type { Job } from '../core/model/policy.ts';
import { parseJsonPath } from '../core/model/path.ts';
import type { Schema } from '../core/model/schema.ts';
import type { SourceGroup } from '../core/plan/plan.ts';

/**
 * The groups with a column for every target column that no known key feeds, where more keys may turn up: it is not known to be missing.
 * A column that is fed under another name gets none, for the two would collide.
 */
export function withAwaitedKeys(groups: readonly SourceGroup[], target: Schema, job: Job): readonly SourceGroup[] {
  const wanted = target.columns.map(({ name }) => ({ name, from: job.columns.get(name)?.from ?? [] }));
  return groups.map((group) => {
    if (group.form !== 'json' || group.complete) return group;
    const known = group.columns.map((column) => column.name);
    const open = pairColumns(known, wanted).pairs.filter((pair) => pair.source === null && pair.how !== 'collision');
    const names = open.flatMap((pair) => (pair.jsonPath === undefined ? [pair.target] : rootOf(pair.jsonPath)));
    const more = [...new Set(names)].filter((name) => !known.includes(name));
    return { ...group, columns: [...group.columns, ...more.map((name) => ({ name }))] };
  });
}

/** The key that a path starts from. */
function rootOf(path: string): readonly string[] {
  const [root] = parseJsonPath(path);
  return root?.kind === 'field' ? [root.name] : [];
}
