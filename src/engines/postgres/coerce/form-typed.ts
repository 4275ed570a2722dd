/** Values that arrive typed, from tables and queries. */
import type { Field, LogicalType, TypeOf } from '../../../core/model/type.ts';
import { sameType } from '../../../core/model/type.ts';
import { trimBlanks } from './blanks.ts';
import { jsonReading } from './form-json.ts';
import { textReading } from './form-text.ts';
import { fromJson } from './json-form.ts';
import type { Part, Split } from './nested.ts';
import { elementPath, fieldPath, isNested, listReading, neverShaped, structReading, valuePath } from './nested.ts';
import { mapReading } from './nested-map.ts';
import { inheritedRule, leafReading, partSite } from './policy-sql.ts';
import type { Leaf, Reading, Site } from './reading.ts';
import { structureCode } from './reading.ts';
import { isScalar, nullOf } from './sql-type.ts';
import { textLeaf } from './text-leaf.ts';
import { typedLeaf } from './typed-leaf.ts';

export function typedReading(site: Site, from: LogicalType): Reading {
  const { to } = site;
  if (from.kind === 'string' || (from.kind === 'unknown' && isNested(to))) return castFirst(textReading(site), (t) => `CAST(${t} AS text)`);
  if (from.kind === 'json') return castFirst(jsonReading(site), tokenText);
  if (isNested(from) && isNested(to)) return takenOver(site, from) ? leafReading(typedLeaf(from, site), site) : nestedTyped(site, from);
  if (isNested(to)) return neverShaped(site, split(from));
  if (isNested(from)) return leafReading(unfit(site, from), site);
  return leafReading(typedLeaf(from, site), site);
}

/** A reading of what `cast` makes of the value. */
function castFirst(inner: Reading, cast: (t: string) => string): Reading {
  return {
    ...inner,
    prep: (t) => inner.prep(cast(t)),
    strict: (t, p) => inner.strict(cast(t), p),
    settle: (t) => inner.settle(cast(t)),
    relaxed: (t, p) => inner.relaxed(cast(t), p),
    rejects: (t, p) => inner.rejects(cast(t), p),
    issues: (t, p) => inner.issues(cast(t), p),
    notes: () => [],
  };
}

/** A JSON value of a table, json or jsonb: its token, without blanks around it, goes the way of JSON. */
const tokenText = (t: string): string => trimBlanks(`CAST(${t} AS text)`);

/** Arrays of equal types whose elements no rule concerns are taken over without a look inside. */
function takenOver({ rule, to, world, inside }: Site, from: LogicalType): boolean {
  if (inside || from.kind !== 'list' || !sameType(from, to) || !isScalar(from.element)) return false;
  const mayChangeText = from.element.kind === 'string' && (rule.trim === 'always' || from.element.length !== undefined);
  return world.nested.size === 0 && !mayChangeText;
}

/**
 * A composite value, an array or jsonb, all as json. NULL is told by the json: a composite of nothing but NULLs IS NULL itself.
 * An array of several dimensions has arrays for elements.
 */
const split = (from: LogicalType): Split => ({
  prep: (t) => `nullif(CAST(to_json(${t}) AS text), 'null') COLLATE "C"`,
  fits: (p) => (from.kind === 'list' && isScalar(from.element) ? `${p} NOT LIKE '[[%'` : 'true'),
  open: (p) => `CAST(${p} AS json)`,
  shown: (p) => p,
});

/** A nested value for a scalar. */
function unfit(site: Site, from: LogicalType): Leaf {
  return {
    prep: (t) => split(from).prep(t),
    strict: () => nullOf(site.to),
    reason: () => `'${structureCode}'`,
    shown: (_t, p) => p,
  };
}

function nestedTyped(site: Site, from: LogicalType): Reading {
  const { to, world } = site;
  const part = (type: LogicalType, path: string, target: LogicalType): Part => ({
    reading: world.read({ form: 'typed', type }, partSite(site, path, target)),
    take: (json) => fromJson(type, json),
  });
  if (from.kind === 'struct' && to.kind === 'struct') {
    return structReading(
      site,
      split(from),
      to.fields.map((field) => ({ field, part: fieldPart(from, field, (type) => part(type, fieldPath(site.path, field), field.type)) })),
    );
  }
  if (from.kind === 'list' && to.kind === 'list') {
    return listReading({ ...site, to }, split(from), part(from.element, elementPath(site.path), to.element));
  }
  if (from.kind === 'map' && to.kind === 'map') {
    const rule = { ...inheritedRule(world.inherited), nullValues: [] };
    return mapReading(site, split(from), {
      key: keyLeaf(from.key, { to: to.key, rule, world }),
      keyType: to.key,
      value: part(from.value, valuePath(site.path), to.value),
      valueType: to.value,
    });
  }
  return neverShaped(site, split(from));
}

/** Keys come as text out of json, whatever their type. */
function keyLeaf(from: LogicalType, place: Pick<Site, 'to' | 'rule' | 'world'>): Leaf {
  if (from.kind === 'string') return textLeaf(place);
  const leaf = typedLeaf(from, place);
  const typed = (t: string): string => fromJson(from, `to_json(${t})`);
  return { ...leaf, prep: (t) => leaf.prep(typed(t)), strict: (t, p) => leaf.strict(typed(t), p) };
}

/** Fields are found by their exact names; one that the source lacks is NULL. */
function fieldPart(from: TypeOf<'struct'>, field: Field, part: (type: LogicalType) => Part): Part | undefined {
  const source = from.fields.find((other) => other.name === field.name);
  return source && part(source.type);
}
