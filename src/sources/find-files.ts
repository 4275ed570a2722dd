/** Finds the files of a source: one file, the files of a folder, or those that a pattern names. */
import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { Fault } from '../core/fault.ts';
import type { FileSource, SourceFormat } from '../core/model/policy.ts';
import { fitsFormat, formatOfName } from './file-format.ts';
import { type GlobPath, isPattern, parseGlob, type Segment } from './glob.ts';
import { nearest } from './nearest.ts';
import { type FoundFile, isMissing, readFault } from './read-bytes.ts';

export type { FoundFile } from './read-bytes.ts';

/**
 * The files of a source in the order of their paths, by code unit.
 *
 * A path that exists is that file or folder, whatever characters it holds. A folder stands for all regular files below it, except
 * names that start with `_` or `.`; of these, the files with an extension of the format (of any known format when none is named), or,
 * when there are none, those without a known extension. Anything else is a pattern; there only names that start with a dot are hidden.
 *
 * @throws SOURCE_NOT_FOUND, SOURCE_NO_MATCH for a pattern or folder without files, SOURCE_UNREADABLE for what is no readable file.
 */
export async function findFiles(source: FileSource): Promise<readonly FoundFile[]> {
  const base = resolve(source.base ?? '.');
  const absolute = resolve(base, source.path);
  const stats = source.path === '' ? undefined : await statOf(absolute, source.path);
  if (stats === undefined) return await matching(source, base);
  if (stats.isDirectory()) return await filesOfFolder(source, absolute);
  const file = { path: shown(source.path), absolute };
  await checkFile(file, stats);
  return [file];
}

/** Windows writes paths with backslashes; elsewhere they are part of names. */
const shown = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path);
const byCodeUnit = (a: FoundFile, b: FoundFile): number => (a.path < b.path ? -1 : Number(a.path > b.path));

async function statOf(absolute: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat(absolute);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readFault(error, path);
  }
}

const kinds: readonly { readonly is: (stats: Stats) => boolean; readonly name: string }[] = [
  { is: (stats) => stats.isSocket(), name: 'a socket' },
  { is: (stats) => stats.isFIFO(), name: 'a pipe' },
  { is: (stats) => stats.isCharacterDevice() || stats.isBlockDevice(), name: 'a device' },
  { is: (stats) => stats.isDirectory(), name: 'a folder' },
];

/** @throws SOURCE_UNREADABLE */
async function checkFile(file: FoundFile, stats: Stats): Promise<void> {
  const kind = kinds.find(({ is }) => is(stats))?.name;
  if (kind !== undefined) {
    const fix = 'Write the data to a file first.';
    throw new Fault('SOURCE_UNREADABLE', `${JSON.stringify(file.path)} is ${kind}, not a file`, { place: { file: file.path }, fix });
  }
  try {
    await access(file.absolute, constants.R_OK);
  } catch (error) {
    throw readFault(error, file.path);
  }
}

async function filesOfFolder(source: FileSource, folder: string): Promise<readonly FoundFile[]> {
  const start = shown(source.path).replace(/(?<=.)\/+$/u, '');
  const all = await walk({ path: start, absolute: folder }, (name) => !/^[._]/u.test(name), new Set());
  const files = restricted(all, source.format).toSorted(byCodeUnit);
  if (files.length > 0) return files;
  const what =
    all.length === 0
      ? 'holds no files'
      : `holds no ${source.format ?? 'data'} files, only others such as ${JSON.stringify(basename(all[0]!.absolute))}`;
  throw new Fault('SOURCE_NO_MATCH', `the folder ${JSON.stringify(source.path)} ${what}`, { place: { file: source.path } });
}

function restricted(files: readonly FoundFile[], format: SourceFormat | undefined): readonly FoundFile[] {
  const fitting = files.filter(({ path }) => (format === undefined ? formatOfName(path) !== undefined : fitsFormat(path, format)));
  return fitting.length > 0 ? fitting : files.filter(({ path }) => formatOfName(path) === undefined);
}

const below = (parent: FoundFile, name: string): FoundFile => ({
  path: parent.path === '' ? name : `${parent.path.replace(/\/$/u, '')}/${name}`,
  absolute: join(parent.absolute, name),
});

async function entriesOf(folder: FoundFile): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder.absolute, { withFileTypes: true });
  } catch (error) {
    throw readFault(error, folder.path);
  }
}

/** All regular files below a folder whose own name and folders' names are wanted. Links are followed, circles once. */
async function walk(folder: FoundFile, wanted: (name: string) => boolean, seen: Set<string>): Promise<readonly FoundFile[]> {
  const real = await realpath(folder.absolute);
  if (seen.has(real)) return [];
  seen.add(real);
  const found: FoundFile[] = [];
  for (const entry of await entriesOf(folder)) {
    if (!wanted(entry.name)) continue;
    const next = below(folder, entry.name);
    const stats = await linkedStats(next, entry);
    if (stats.isDirectory()) found.push(...(await walk(next, wanted, seen)));
    else if (stats.isFile()) found.push(await readable(next));
  }
  return found;
}

async function readable(file: FoundFile): Promise<FoundFile> {
  try {
    await access(file.absolute, constants.R_OK);
    return file;
  } catch (error) {
    throw readFault(error, file.path);
  }
}

/** What an entry is, links followed. @throws SOURCE_UNREADABLE for a link that leads nowhere: it stands for data that is missing. */
async function linkedStats(file: FoundFile, entry: Dirent): Promise<Pick<Stats, 'isFile' | 'isDirectory'>> {
  if (!entry.isSymbolicLink()) return entry;
  const stats = await statOf(file.absolute, file.path);
  if (stats !== undefined) return stats;
  throw danglingLink(file);
}

const danglingLink = (file: FoundFile): Fault =>
  new Fault('SOURCE_UNREADABLE', `the link ${JSON.stringify(file.path)} leads nowhere`, { place: { file: file.path } });

async function isLink(file: FoundFile): Promise<boolean> {
  return await lstat(file.absolute).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

async function matching(source: FileSource, base: string): Promise<readonly FoundFile[]> {
  if (isAddress(source.path)) {
    const fix = 'Download it first, and name the file.';
    throw new Fault('SOURCE_NOT_FOUND', `${JSON.stringify(source.path)} is an address, and only files are read`, { fix });
  }
  if (!isPattern(source.path)) {
    const named = { path: shown(source.path), absolute: resolve(base, source.path) };
    throw (await isLink(named)) ? danglingLink(named) : await notFound(source.path, base);
  }
  return await matchingPattern(source, base);
}

const isAddress = (path: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(path);

async function matchingPattern(source: FileSource, base: string): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>();
  const folders: string[] = [];
  for (const glob of parseGlob(shown(source.path))) {
    for (const match of await expand(glob, base)) {
      const stats = await statOf(match.absolute, match.path);
      if (stats?.isFile()) found.set(match.absolute, await readable(match));
      else if (stats?.isDirectory()) folders.push(match.path);
      else if (stats === undefined && (await isLink(match))) throw danglingLink(match);
    }
  }
  if (found.size > 0) return [...found.values()].toSorted(byCodeUnit);
  throw await noMatch(source.path, base, folders);
}

/** Follows a pattern level by level. */
async function expand(glob: GlobPath, base: string): Promise<readonly FoundFile[]> {
  let places: readonly FoundFile[] = [{ path: glob.rooted ? '/' : '', absolute: glob.rooted ? '/' : base }];
  for (const segment of glob.segments) {
    const next = new Map<string, FoundFile>();
    for (const place of places) for (const found of await step(place, segment)) next.set(found.absolute + found.path, found);
    places = [...next.values()];
  }
  return places.filter(({ path }) => path !== '' && path !== '/');
}

async function step(place: FoundFile, segment: Segment): Promise<readonly FoundFile[]> {
  if (segment === 'any-depth') return [place, ...(await foldersBelow(place, new Set()))];
  if ('name' in segment) return [below(place, segment.name)];
  const entries = await entriesIfFolder(place);
  return entries
    .filter(({ name }) => (segment.hidden || !name.startsWith('.')) && segment.pattern.test(name))
    .map(({ name }) => below(place, name));
}

async function entriesIfFolder(place: FoundFile): Promise<readonly Dirent[]> {
  const stats = await statOf(place.absolute, place.path);
  return stats?.isDirectory() ? await entriesOf(place) : [];
}

async function foldersBelow(place: FoundFile, seen: Set<string>): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const entry of await entriesIfFolder(place)) {
    if (entry.name.startsWith('.') || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
    const next = below(place, entry.name);
    const stats = await statOf(next.absolute, next.path);
    if (!stats?.isDirectory()) continue;
    const real = await realpath(next.absolute);
    if (seen.has(real)) continue;
    seen.add(real);
    found.push(next, ...(await foldersBelow(next, seen)));
  }
  return found;
}

async function notFound(path: string, base: string): Promise<Fault> {
  if (path === '') return new Fault('SOURCE_NOT_FOUND', 'the path of the source is empty');
  const where = isAbsolute(path) ? '' : ` (looked in ${base})`;
  return new Fault('SOURCE_NOT_FOUND', `${JSON.stringify(path)} does not exist${where}`, adviceFor(path, await namesNear(path, base)));
}

async function noMatch(path: string, base: string, folders: readonly string[]): Promise<Fault> {
  const message = `no file matches ${JSON.stringify(path)}`;
  if (folders.length === 0) return new Fault('SOURCE_NO_MATCH', message, adviceFor(path, await namesNear(path, base)));
  const fix = `Add ${JSON.stringify('/**')} to read the files in them.`;
  return new Fault('SOURCE_NO_MATCH', `${message}, only folders such as ${JSON.stringify(folders[0])}`, { place: { file: path }, fix });
}

function adviceFor(path: string, names: readonly string[]): { place: { file: string }; fix?: string } {
  const place = { file: path };
  return names.length === 0 ? { place } : { place, fix: `Near it there is ${names.map((name) => JSON.stringify(name)).join(', ')}.` };
}

/** Names beside a path that does not exist which resemble it. */
async function namesNear(path: string, base: string): Promise<readonly string[]> {
  try {
    const names = await readdir(dirname(resolve(base, path)));
    return nearest(basename(path), names);
  } catch {
    return [];
  }
}
