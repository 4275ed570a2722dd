/** Structs, lists and maps: taken apart, read part by part, and built anew. */
import type { Field, LogicalType, TypeOf } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { anyRejected, fallback, issueSql, joinRejecting, leafReading, noIssues, ownRejecting, settled } from './policy-sql.ts';
import type { Leaf, NotePlace, Reading, Rejecting, Site } from './reading.ts';
import { caseSql, member, pack, structureCode } from './reading.ts';
import type { SqlNote } from './sql-coercion.ts';
import { nullOf } from './sql-type.ts';

/** How a value of some form is taken apart. All functions get a prepared, non-null value. */
export interface Split {
  readonly prep: (t: string) => string;
  readonly plain: boolean;
  /** Boolean: the value has the outer shape of the target; undefined when that is certain. */
  readonly fits: ((t: string) => string) | undefined;
  /** A struct of the parts; a list of them; for maps a list of STRUCT<key, value>. */
  readonly open: (t: string) => string;
  /** The value as text for people. */
  readonly shown: (t: string) => string;
  /** The name of a field among the parts of an opened struct; its own name unless said otherwise. */
  readonly slot?: (name: string) => string;
  readonly notes?: (place: NotePlace) => readonly SqlNote[];
}

export interface FieldPart {
  readonly field: Field;
  /** How the field is read, or undefined when the source has no such field. */
  readonly reading: Reading | undefined;
}

/** Pipelines over a list of prepared values. */
interface Pipelines {
  /** To a list of STRUCT<v, n>, as in `Reading.strictEach`. */
  readonly strict: (ready: string) => string;
  /** To a list of STRUCT<q, f, v, i>: the prepared value, whether it has the shape, and if so its value and issues under the policies. */
  readonly settle: (ready: string) => string;
  readonly rejecting: readonly Rejecting[];
}

/** The parts of a prepared value of the right shape; NULL otherwise. */
const opened = ({ fits, open }: Split, p: string, use: (parts: string) => string = (parts) => parts): string =>
  fits === undefined ? use(open(p)) : `CASE WHEN ${fits(p)} THEN ${use(open(p))} END`;

/** What the three shapes have in common. */
function shaped(site: Site, split: Split, pipelines: Pipelines): Reading {
  const { each } = site.world;
  const rejecting = joinRejecting([split.fits === undefined ? 'none' : ownRejecting(site), ...pipelines.rejecting]);
  const ready = (list: string): string => (split.plain ? list : each(list, split.prep));
  const fault = (p: string): string =>
    settled(fallback(site), `array(${issueSql(site, { code: literal(structureCode), value: split.shown(p) })})`);
  const settleReady = (list: string): string =>
    each(pipelines.settle(list), (e) =>
      caseSql(
        [
          [`${member(e, 'q')} IS NULL`, settled(nullOf(site.to), noIssues)],
          [`NOT ${member(e, 'f')}`, fault(member(e, 'q'))],
        ],
        settled(member(e, 'v'), member(e, 'i')),
      ),
    );
  const part = (p: string, name: string): string => member(`${settleReady(`array(${p})`)}[0]`, name);
  return {
    prep: split.prep,
    plain: split.plain,
    strict: (_t, p) => member(`${pipelines.strict(`array(${p})`)}[0]`, 'v'),
    strictEach: (list) => pipelines.strict(ready(list)),
    settleEach: (list) => settleReady(ready(list)),
    rejecting,
    relaxed: (_t, p) => (rejecting === 'always' ? nullOf(site.to) : part(p, 'v')),
    rejects: (_t, p) => ({ none: 'false', never: 'false', always: 'true', some: anyRejected(part(p, 'i')) })[rejecting],
    issues: (_t, p) => part(p, 'i'),
    notes: (place) => split.notes?.(place) ?? [],
  };
}

const prepared = (reading: Reading, t: string): string => (reading.plain ? t : reading.prep(t));
const isThere = (value: string): string => `(${value} IS NOT NULL)`;

/** A struct from named parts. */
export function structReading(site: Site, split: Split, fields: readonly FieldPart[]): Reading {
  const { each } = site.world;
  const present = fields.flatMap(({ field, reading }, i) => (reading === undefined ? [] : [{ field, reading, slot: `p${i}` }]));
  const fallible = present.filter(({ reading }) => reading.rejecting !== 'none');
  const raw = (e: string, field: Field): string => member(member(e, 'f'), split.slot?.(field.name) ?? field.name);
  // A struct without members cannot be packed.
  const slots = (value: (part: (typeof present)[number]) => string): string =>
    present.length === 0 ? 'NULL' : pack(present.map((part) => [part.slot, value(part)] as const));
  const rebuilt = (value: (slot: string, reading: Reading, field: Field) => string): string =>
    pack(
      fields.map(
        ({ field, reading }, i) => [field.name, reading === undefined ? nullOf(field.type) : value(`p${i}`, reading, field)] as const,
      ),
    );
  const strict = (list: string): string => {
    const lost = (e: string): string =>
      fallible
        .map(({ field, slot }) => ` AND (${member(member(e, 's'), field.name)} IS NOT NULL OR ${member(member(e, 'p'), slot)} IS NULL)`)
        .join('');
    return each(
      list,
      (p) => pack({ n: isThere(p), f: opened(split, p) }),
      (e) => pack({ n: member(e, 'n'), f: member(e, 'f'), p: slots(({ field, reading }) => prepared(reading, raw(e, field))) }),
      (e) =>
        pack({
          n: member(e, 'n'),
          f: isThere(member(e, 'f')),
          p: member(e, 'p'),
          s: rebuilt((slot, reading, field) => reading.strict(raw(e, field), member(member(e, 'p'), slot))),
        }),
      (e) => pack({ v: `CASE WHEN ${member(e, 'f')}${lost(e)} THEN ${member(e, 's')} END`, n: member(e, 'n') }),
    );
  };
  const settle = (list: string): string => {
    const done = (e: string, slot: string, name: string): string => member(member(member(e, 'c'), slot), name);
    const issues = (e: string): string =>
      fallible.length === 0 ? noIssues : `concat(${fallible.map(({ slot }) => done(e, slot, 'i')).join(', ')})`;
    return each(
      list,
      (p) => pack({ q: p, f: opened(split, p) }),
      (e) =>
        pack({
          q: member(e, 'q'),
          f: isThere(member(e, 'f')),
          c: slots(({ field, reading }) => `${reading.settleEach(`array(${raw(e, field)})`)}[0]`),
        }),
      (e) => pack({ q: member(e, 'q'), f: member(e, 'f'), v: rebuilt((slot) => done(e, slot, 'v')), i: issues(e) }),
    );
  };
  return shaped(site, split, { strict, settle, rejecting: present.map(({ reading }) => reading.rejecting) });
}

/** A list from a list of parts. */
export function listReading(site: Site, split: Split, element: Reading): Reading {
  const { each } = site.world;
  const allOf = (list: string, name: string): string => each(list, (part) => member(part, name));
  const strict = (list: string): string =>
    each(
      list,
      (p) => pack({ n: isThere(p), r: opened(split, p, element.strictEach) }),
      (e) => pack({ v: unlessLost(site, element, member(e, 'r'), allOf(member(e, 'r'), 'v')), n: member(e, 'n') }),
    );
  const settle = (list: string): string =>
    each(
      list,
      (p) => pack({ q: p, r: opened(split, p, element.settleEach) }),
      (e) =>
        pack({
          q: member(e, 'q'),
          f: isThere(member(e, 'r')),
          v: allOf(member(e, 'r'), 'v'),
          i: element.rejecting === 'none' ? noIssues : `flatten(${allOf(member(e, 'r'), 'i')})`,
        }),
    );
  return shaped(site, split, { strict, settle, rejecting: [element.rejecting] });
}

/** `value`, or NULL when one of the parts that were there was refused. */
function unlessLost(site: Site, part: Reading, parts: string, value: string): string {
  if (part.rejecting === 'none') return value;
  const lost = site.world.each(parts, (e) => `(${member(e, 'v')} IS NULL AND ${member(e, 'n')})`);
  return `CASE WHEN array_contains(${lost}, true) THEN NULL ELSE ${value} END`;
}

/**
 * A map from a list of keys and values. A key that does not fit, or two keys that become one, are faults of the map itself:
 * an entry without a key cannot be stored.
 */
export function mapReading(
  site: Site,
  split: Split,
  parts: { readonly key: Leaf; readonly keyType: LogicalType; readonly value: Reading },
): Reading {
  const { each } = site.world;
  const { value } = parts;
  const key = leafReading(parts.key, {
    ...site,
    to: parts.keyType,
    rule: { ...site.rule, onLossy: 'invalid' },
    defaultSql: site.defaultSql && nullOf(parts.keyType),
  });
  const allOf = (list: string, name: string): string => each(list, (part) => member(part, name));
  const build = (e: string): string => `map_from_arrays(${allOf(member(e, 'k'), 'v')}, ${allOf(member(e, 'r'), 'v')})`;
  const hasLostKey = (e: string): string => `array_contains(transform(${member(e, 'k')}, sk -> sk.v IS NULL), true)`;
  const hasEqualKeys = (e: string): string => `size(array_distinct(${allOf(member(e, 'k'), 'v')})) < size(${member(e, 'k')})`;
  const strict = (list: string): string =>
    each(
      list,
      (p) => pack({ n: isThere(p), o: opened(split, p) }),
      (e) =>
        pack({ n: member(e, 'n'), k: key.strictEach(allOf(member(e, 'o'), 'key')), r: value.strictEach(allOf(member(e, 'o'), 'value')) }),
      (e) => {
        const sound = `${member(e, 'k')} IS NOT NULL AND NOT ${hasLostKey(e)} AND NOT ${hasEqualKeys(e)}`;
        return pack({ v: `CASE WHEN ${sound} THEN ${unlessLost(site, value, member(e, 'r'), build(e))} END`, n: member(e, 'n') });
      },
    );
  const settle = (list: string): string =>
    each(
      list,
      (p) => pack({ q: p, o: opened(split, p) }),
      (e) =>
        pack({ q: member(e, 'q'), k: key.settleEach(allOf(member(e, 'o'), 'key')), r: value.settleEach(allOf(member(e, 'o'), 'value')) }),
      (e) => {
        const inner = `flatten(${allOf(member(e, 'r'), 'i')})`;
        const equal = `array(${issueSql(site, { code: `'invalid_value:duplicate_key_in_object'`, value: split.shown(member(e, 'q')) })})`;
        return pack({
          q: member(e, 'q'),
          f: isThere(member(e, 'k')),
          v: caseSql([[`${hasLostKey(e)} OR ${hasEqualKeys(e)}`, fallback(site)]], build(e)),
          i: caseSql(
            [
              [hasLostKey(e), `concat(flatten(${allOf(member(e, 'k'), 'i')}), ${inner})`],
              [hasEqualKeys(e), `concat(${equal}, ${inner})`],
            ],
            inner,
          ),
        });
      },
    );
  return shaped(site, split, { strict, settle, rejecting: [value.rejecting, ownRejecting(site)] });
}

/** A value whose outer shape can never be that of the target. */
export function neverShaped(site: Site, split: Split): Reading {
  const { each } = site.world;
  return shaped(
    site,
    { ...split, fits: () => 'false' },
    {
      strict: (list) => each(list, (p) => pack({ v: nullOf(site.to), n: isThere(p) })),
      settle: (list) => each(list, (p) => pack({ q: p, f: 'false', v: nullOf(site.to), i: noIssues })),
      rejecting: [],
    },
  );
}

export const elementPath = (path: string): string => `${path}[]`;
export const valuePath = (path: string): string => `${path}.*`;
export const fieldPath = (path: string, field: Field): string => `${path}.${field.name}`;

/** Types that are taken apart. */
export type NestedType = TypeOf<'struct' | 'list' | 'map'>;
export const isNested = (type: LogicalType): type is NestedType => type.kind === 'struct' || type.kind === 'list' || type.kind === 'map';
