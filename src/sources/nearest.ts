/** Finds the names that somebody may have meant. */

/** Up to `most` of the names that are close to the wanted one, closest first; letter case counts little. */
export function nearest(wanted: string, names: readonly string[], most = 3): readonly string[] {
  const target = wanted.toLowerCase();
  const limit = Math.max(2, Math.floor(target.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, distance: editDistance(target, name.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Insertions, deletions and replacements that turn one text into the other; more than `limit` once it is beyond. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > limit) return limit + 1;
    row = next;
  }
  return row[b.length]!;
}
