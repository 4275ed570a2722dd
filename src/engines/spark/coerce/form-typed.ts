/** Values that arrive typed, from Parquet files and tables. */
import type { Field, LogicalType, TypeOf } from '../../../core/model/type.ts';
import { sameType } from '../../../core/model/type.ts';
import { trimBlanks } from './blanks.ts';
import { jsonReading } from './form-json.ts';
import { textReading } from './form-text.ts';
import { encodedJson } from './json-tokens.ts';
import type { Split } from './nested.ts';
import { elementPath, fieldPath, isNested, listReading, mapReading, neverShaped, structReading, valuePath } from './nested.ts';
import { inheritedRule, leafReading, partSite } from './policy-sql.ts';
import type { Leaf, Reading, Site } from './reading.ts';
import { structureCode } from './reading.ts';
import { nullOf } from './sql-type.ts';
import { textLeaf } from './text-leaf.ts';
import { canonicalText, typedLeaf } from './typed-leaf.ts';

export function typedReading(site: Site, from: LogicalType): Reading {
  if (from.kind === 'string' || (from.kind === 'unknown' && isNested(site.to))) return textReading(site);
  if (from.kind === 'json') return typedJson(site);
  if (isNested(from) && isNested(site.to) && !(sameType(from, site.to) && keepsAll(site, from))) return nestedTyped(site, from);
  if (isNested(site.to) && !isNested(from)) return neverShaped(site, split(from));
  if (isNested(from) && !isNested(site.to)) return leafReading(unfit(site, from), site);
  return leafReading(typedLeaf(from, site), site);
}

/** Whether values of a nested type can be taken over without a look inside: no rule concerns their parts, no text in them can be refused. */
function keepsAll({ rule, world }: Site, type: LogicalType): boolean {
  const mayChangeText = world.context.nul || rule.trim === 'always';
  return world.nested.size === 0 && !(mayChangeText && holdsText(type)) && !holdsSizedText(type);
}

const anyPart = (type: LogicalType, test: (part: LogicalType) => boolean): boolean =>
  test(type) || parts(type).some((part) => anyPart(part, test));

function parts(type: LogicalType): readonly LogicalType[] {
  if (type.kind === 'struct') return type.fields.map((field) => field.type);
  if (type.kind === 'list') return [type.element];
  return type.kind === 'map' ? [type.key, type.value] : [];
}

const holdsText = (type: LogicalType): boolean => anyPart(type, (part) => part.kind === 'string');
const holdsSizedText = (type: LogicalType): boolean => anyPart(type, (part) => part.kind === 'string' && part.length !== undefined);

const split = (from: LogicalType): Split => ({
  prep: (t) => t,
  plain: true,
  fits: undefined,
  open: (t) => (from.kind === 'map' ? `map_entries(${t})` : t),
  shown: (t) => canonicalText(from, t),
});

/** A nested value for a scalar. */
function unfit(site: Site, from: LogicalType): Leaf {
  return {
    prep: (t) => t,
    plain: true,
    strict: () => nullOf(site.to),
    reason: () => `'${structureCode}'`,
    shown: (_t, p) => canonicalText(from, p),
  };
}

function nestedTyped(site: Site, from: LogicalType): Reading {
  const { to, world } = site;
  if (from.kind === 'struct' && to.kind === 'struct') {
    return structReading(
      site,
      split(from),
      to.fields.map((field) => ({ field, reading: fieldReading(site, from, field) })),
    );
  }
  if (from.kind === 'list' && to.kind === 'list') {
    const element = partSite(site, elementPath(site.path), to.element);
    return listReading(site, split(from), world.read({ form: 'typed', type: from.element }, element));
  }
  if (from.kind === 'map' && to.kind === 'map') {
    const rule = { ...inheritedRule(world.inherited), nullValues: [] };
    const key = { to: to.key, rule, world };
    const value = partSite(site, valuePath(site.path), to.value);
    return mapReading(site, split(from), {
      key: from.key.kind === 'string' ? textLeaf(key) : typedLeaf(from.key, key),
      keyType: to.key,
      value: world.read({ form: 'typed', type: from.value }, value),
    });
  }
  return neverShaped(site, split(from));
}

/** Fields are found by their exact names; one that the source lacks is NULL. */
function fieldReading(site: Site, from: TypeOf<'struct'>, field: Field): Reading | undefined {
  const source = from.fields.find((other) => other.name === field.name);
  return source && site.world.read({ form: 'typed', type: source.type }, partSite(site, fieldPath(site.path, field), field.type));
}

/**
 * A JSON value as JSON text, of a VARIANT by `to_json`, since a cast drops the quotes of strings: its token goes the way of JSON, nested values the
 * way of JSON text.
 */
function typedJson(site: Site): Reading {
  const text = (t: string): string => trimBlanks(`CAST(${t} AS STRING)`);
  const isNull = (t: string): string => `nullif(${text(t)}, 'null')`;
  if (isNested(site.to) || site.to.kind === 'json') return castFirst(textReading(site), isNull);
  return castFirst(jsonReading(site), (t) => `CASE WHEN ${text(t)} RLIKE '^[\\\\[{]' THEN ${encodedJson(text(t))} ELSE ${isNull(t)} END`);
}

/** A reading of what `cast` makes of the value; its prepared value is all that is looked at later. */
function castFirst(inner: Reading, cast: (t: string) => string): Reading {
  const of =
    (use: (t: string, p: string) => string) =>
    (t: string, p: string): string =>
      use(`(${cast(t)})`, p);
  return {
    prep: (t) => inner.prep(`(${cast(t)})`),
    plain: false,
    strict: of(inner.strict),
    strictEach: (list) => inner.strictEach(`transform(${list}, sc -> ${cast('sc')})`),
    settleEach: (list) => inner.settleEach(`transform(${list}, sc -> ${cast('sc')})`),
    rejecting: inner.rejecting,
    relaxed: of(inner.relaxed),
    rejects: of(inner.rejects),
    issues: of(inner.issues),
    notes: () => [],
  };
}
