import { columnKeys } from './column-keys.ts';
import { didYouMean } from './did-you-mean.ts';
import { auditKeys, connectionKeys, mergeKeys, ownJobKeys, partitionKeys, rootKeys, sourceKeys, targetKeys } from './file-keys.ts';
import type { Key } from './shape.ts';

/** Where each key belongs, nearest home first: for keys that stand in the wrong place. */
const owners: readonly { readonly place: string; readonly keys: readonly Key[] }[] = [
  { place: 'a job or `defaults`', keys: ownJobKeys },
  { place: 'a column rule', keys: columnKeys },
  { place: '`source`', keys: sourceKeys },
  { place: '`target`', keys: targetKeys },
  { place: '`merge`', keys: mergeKeys },
  { place: '`partition`', keys: partitionKeys },
  { place: 'a connection', keys: connectionKeys },
  { place: '`audit`', keys: auditKeys },
  { place: 'the top level', keys: rootKeys },
];

/** What to do about a key that is not known where it stands. */
export function adviceForKey(name: string, known: readonly Key[]): string {
  if (name === '<<') return 'merge keys are not part of YAML 1.2: use `defaults`';
  const owner = owners.find((each) => each.keys.some((key) => key.name === name));
  if (owner !== undefined) return `it is a key of ${owner.place}`;
  const names = known.map((key) => key.name);
  const near = didYouMean(name, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.length > 12 ? 'the keys known here are in docs/reference/configuration.md' : `known here: ${names.join(', ')}`;
}
