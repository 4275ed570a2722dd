import { readFileSync } from 'node:fs';

/** The version of the package, read from its package.json two folders up, both in `src` and in `dist`. */
export function toolVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
