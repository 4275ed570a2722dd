// Whether what was built from a set of sources is newer than all of them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const filesOf = (path) => {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
};

/** True when `stamp` exists and no file below `sources` changed since it was written. */
export function isFresh(stamp, sources) {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return sources.flatMap(filesOf).every((file) => statSync(file).mtimeMs <= built);
}
