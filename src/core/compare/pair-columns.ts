/** Which source column feeds which target column, by the names alone. */
import type { Divergence } from '../divergences/divergence.ts';
import type { NameIndex } from './name-index.ts';
import { indexNames } from './name-index.ts';
import { isBlank, nameKey } from '../model/name.ts';
import { isJsonPath, parseJsonPath } from '../model/path.ts';

/** A target column, and the other names under which a source may bring it. */
export interface WantedColumn {
  readonly name: string;
  /** In order; an entry that starts with `$.` or `$[` is a JSON path. */
  readonly from: readonly string[];
  /** Whether nothing can fill it when it is missing: NOT NULL and no default. */
  readonly required?: boolean;
}

export interface Pair {
  readonly target: string;
  /** Index of the source column; null when there is none, when several claim the target, or when only a JSON path is left. */
  readonly source: number | null;
  /** The first JSON path of `from`, when no column was found by name. Whether it leads anywhere is for the data to say. */
  readonly jsonPath?: string;
  readonly how: 'exact' | 'variant' | 'from' | 'missing' | 'collision';
}

export interface Pairing {
  /** One per target, in the order of the targets. */
  readonly pairs: readonly Pair[];
  /** Indexes of the source columns that feed nothing, in order; columns of a collision are not among them. */
  readonly extras: readonly number[];
  /** By target, then the extra columns by position. */
  readonly divergences: readonly Divergence[];
}

type Hit =
  | { readonly how: 'exact' | 'variant'; readonly source: number }
  | { readonly how: 'collision'; readonly sources: readonly number[] };

interface Found {
  readonly pair: Pair;
  /** Source columns of a collision. */
  readonly claimants: readonly number[];
  readonly divergences: readonly Divergence[];
}

/**
 * Pairs the columns of one file with the columns of a target, under the law of names: the exact name after NFC wins; else a single name
 * that is equal after trimming and case folding; several of these, or the exact name twice, are a collision and an error. Only then, or
 * beside it to find a second hit, come the names in `from`, each by the same law; hits on two columns are a collision too.
 *
 * A column with the exact name of one target is never taken for a variant of another. A nameless column feeds nothing.
 *
 * @throws Fault CONFIG_INVALID when a JSON path in `from` is malformed.
 */
export function pairColumns(sourceNames: readonly string[], targets: readonly WantedColumn[]): Pairing {
  const index = indexNames(
    sourceNames,
    targets.map((target) => target.name),
  );
  const found = settleSharedVariants(
    targets.map((target) => findSource(index, target)),
    index,
    targets,
  );
  const used = new Set(found.flatMap(({ pair, claimants }) => (pair.source === null ? claimants : [pair.source])));
  const extras = sourceNames.map((_, source) => source).filter((source) => !used.has(source));
  const extra = new Set(extras);
  const ofTargets = found.flatMap(({ pair, divergences }) => [...divergences, ...variantsBeside(index, pair, extra)]);
  const partlyRead = pathRoots(found.map(({ pair }) => pair));
  return {
    pairs: found.map(({ pair }) => pair),
    extras,
    divergences: [...ofTargets, ...extras.map((source) => extraColumn(sourceNames[source] as string, source, partlyRead))],
  };
}

function findSource(index: NameIndex, target: WantedColumn): Found {
  const names = target.from.filter((name) => !isJsonPath(name));
  const own = hitOf(index, target.name);
  const others = names.map((name) => hitOf(index, name)).filter((hit) => own === undefined || !isOfAnother(index, target, hit));
  const all = [own, ...others].filter((hit) => hit !== undefined);
  const claimants = ascending(all.flatMap((hit) => (hit.how === 'collision' ? hit.sources : [hit.source])));
  const collides = own?.how === 'collision' || all.some((hit) => hit.how === 'collision') || claimants.length > 1;
  if (collides) return collision(index, target, claimants);
  if (claimants.length === 0) return notFound(target);
  return single(index, target, { own, all });
}

/** The one source column that was hit, maybe by several of the names; the surest way counts. */
function single(index: NameIndex, target: WantedColumn, hits: { readonly own: Hit | undefined; readonly all: readonly Hit[] }): Found {
  const { own, all } = hits;
  const exact = all.find((hit) => hit.how === 'exact');
  const hit = exact ?? all[0];
  if (hit === undefined || hit.how === 'collision') return notFound(target);
  const pair: Pair = { target: target.name, source: hit.source, how: hit === own ? hit.how : 'from' };
  if (hit.how === 'exact') return { pair, claimants: [], divergences: [] };
  return { pair, claimants: [], divergences: [nameVariant(target, index.names[hit.source] as string)] };
}

/** One name looked up. A variant that is the exact name of some target belongs to that one. */
function hitOf(index: NameIndex, name: string): Hit | undefined {
  const exact = index.exactly(name);
  const alike = index.alike(name).filter((source) => !index.isTargetName(source));
  if (exact.length > 1) return { how: 'collision', sources: ascending([...exact, ...alike]) };
  if (exact.length === 1) return { how: 'exact', source: exact[0] as number };
  if (alike.length > 1) return { how: 'collision', sources: alike };
  return alike.length === 1 ? { how: 'variant', source: alike[0] as number } : undefined;
}

/**
 * Whether a hit is the column of another target's own name. Beside a column of one's own it is no rival: `a: {from: [b]}` with
 * targets a and b.
 */
function isOfAnother(index: NameIndex, target: WantedColumn, hit: Hit | undefined): boolean {
  if (hit === undefined || hit.how !== 'exact') return false;
  return index.isTargetName(hit.source) && nameKey(index.names[hit.source] as string) !== nameKey(target.name);
}

/** Two targets that both take one source column for a variant of their own name: picking either would be a guess. */
function settleSharedVariants(found: readonly Found[], index: NameIndex, targets: readonly WantedColumn[]): readonly Found[] {
  const takers = new Map<number, number>();
  for (const { pair } of found) {
    if (pair.how === 'variant' && pair.source !== null) takers.set(pair.source, (takers.get(pair.source) ?? 0) + 1);
  }
  return found.map((one, i) => {
    const { source, how } = one.pair;
    const shared = how === 'variant' && source !== null && (takers.get(source) ?? 0) > 1;
    return shared ? collision(index, targets[i] as WantedColumn, [source]) : one;
  });
}

function ascending(sources: readonly number[]): readonly number[] {
  return [...new Set(sources)].sort((a, b) => a - b);
}

function notFound(target: WantedColumn): Found {
  const jsonPath = target.from.find(isJsonPath);
  if (jsonPath !== undefined) return { pair: { target: target.name, source: null, jsonPath, how: 'from' }, claimants: [], divergences: [] };
  return { pair: { target: target.name, source: null, how: 'missing' }, claimants: [], divergences: [missingColumn(target)] };
}

/** The finding of a target column that the source does not bring. */
export function missingColumn(target: WantedColumn): Divergence {
  const required = target.required === true;
  return {
    kind: 'missing_column',
    path: target.name,
    severity: required ? 'error' : 'warning',
    expected: target.name,
    actual: null,
    detail: required
      ? `${quoted(target.name)} is absent from the source, must not be NULL and has no default`
      : `${quoted(target.name)} is absent from the source`,
  };
}

function nameVariant(target: WantedColumn, name: string): Divergence {
  return {
    kind: 'name_variant',
    path: target.name,
    severity: 'warning',
    expected: target.name,
    actual: name,
    names: [name],
    detail: `the source writes ${quoted(name)} for ${quoted(target.name)}`,
  };
}

function collision(index: NameIndex, target: WantedColumn, claimants: readonly number[]): Found {
  const names = claimants.map((source) => index.names[source] as string);
  const positions = claimants.map((source) => source + 1).join(', ');
  const divergence: Divergence = {
    kind: 'name_collision',
    path: target.name,
    severity: 'error',
    expected: target.name,
    actual: names.join(', '),
    names,
    ...position(claimants[0]),
    detail:
      claimants.length > 1
        ? `source columns ${positions} (${names.map(quoted).join(', ')}) all claim ${quoted(target.name)}`
        : `source column ${positions} (${names.map(quoted).join(', ')}) could be ${quoted(target.name)} and another column of the target`,
  };
  return { pair: { target: target.name, source: null, how: 'collision' }, claimants, divergences: [divergence] };
}

/** A warning when columns stand beside the exact one that differ from it only in case or blanks, and nothing else wants them. */
function variantsBeside(index: NameIndex, pair: Pair, extras: ReadonlySet<number>): readonly Divergence[] {
  if (pair.how !== 'exact' || pair.source === null) return [];
  const variants = index.alike(pair.target).filter((source) => extras.has(source));
  if (variants.length === 0) return [];
  const names = ascending([pair.source, ...variants]).map((source) => index.names[source] as string);
  return [
    {
      kind: 'name_collision',
      path: pair.target,
      severity: 'warning',
      expected: pair.target,
      actual: names.join(', '),
      names,
      ...position(variants[0]),
      detail:
        `${quoted(pair.target)} is taken from the column of exactly that name; ` +
        `${variants.map((source) => quoted(index.names[source] as string)).join(', ')} beside it ` +
        `${variants.length === 1 ? 'is' : 'are'} ignored`,
    },
  ];
}

function extraColumn(name: string, source: number, partlyRead: ReadonlyMap<string, string>): Divergence {
  const blank = isBlank(name);
  const jsonPath = blank ? undefined : partlyRead.get(nameKey(name));
  const subject = blank ? `source column ${source + 1} has no name and` : `${quoted(name)}`;
  return {
    kind: 'extra_column',
    path: blank ? '' : name,
    severity: jsonPath === undefined ? 'warning' : 'remark',
    expected: null,
    actual: null,
    ...position(source),
    names: [name],
    detail:
      jsonPath === undefined
        ? `${subject} has no place in the target`
        : `${subject} has no place in the target; ${jsonPath} is read from it`,
  };
}

/** The top-level names that JSON paths start from, with the path. */
function pathRoots(pairs: readonly Pair[]): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  for (const { jsonPath } of pairs) {
    const root = jsonPath === undefined ? undefined : parseJsonPath(jsonPath)[0];
    if (jsonPath !== undefined && root?.kind === 'field') roots.set(nameKey(root.name), jsonPath);
  }
  return roots;
}

const position = (source: number | undefined): { readonly position?: number } => (source === undefined ? {} : { position: source + 1 });

function quoted(name: string): string {
  return `"${name}"`;
}
