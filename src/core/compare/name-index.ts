import { foldKey, isBlank, nameKey } from '../model/name.ts';

/** The names of a source, to be looked up by the law of names. Indexes are positions from 0, ascending. */
export interface NameIndex {
  readonly names: readonly string[];
  /** Columns of exactly this name after NFC. */
  readonly exactly: (name: string) => readonly number[];
  /** Columns whose name is equal to this one after trimming and case folding but not exactly; none for a blank name. */
  readonly alike: (name: string) => readonly number[];
  /** Whether the column's name is exactly that of some target. */
  readonly isTargetName: (source: number) => boolean;
}

export function indexNames(names: readonly string[], targetNames: readonly string[]): NameIndex {
  const byKey = group(names, nameKey);
  const byFold = group(names, foldKey);
  const targets = new Set(targetNames.map(nameKey));
  const isTargetName = (source: number): boolean => targets.has(nameKey(names[source] as string));
  return {
    names,
    exactly: (name) => (name === '' ? [] : (byKey.get(nameKey(name)) ?? [])),
    alike: (name) =>
      isBlank(name) ? [] : (byFold.get(foldKey(name)) ?? []).filter((source) => nameKey(names[source] as string) !== nameKey(name)),
    isTargetName,
  };
}

function group(names: readonly string[], key: (name: string) => string): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  names.forEach((name, i) => {
    const members = groups.get(key(name));
    if (members === undefined) groups.set(key(name), [i]);
    else members.push(i);
  });
  return groups;
}
