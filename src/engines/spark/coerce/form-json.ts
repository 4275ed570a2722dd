/** Values that arrive as JSON tokens, exactly as written, objects and arrays encoded. The kind of a token shows in its first character. */
import { literal } from '../quote.ts';
import { decodedString, fromEncoded, hasWholePairs, jsonKey, plainJson } from './json-tokens.ts';
import type { NestedType, Split } from './nested.ts';
import { elementPath, fieldPath, isNested, listReading, mapReading, structReading, valuePath } from './nested.ts';
import { leafReading, partSite } from './policy-sql.ts';
import type { Leaf, NotePlace, Reading, Site, World } from './reading.ts';
import { caseSql, member, seldom, structureCode } from './reading.ts';
import type { CoerceContext, ScalarSql, SqlNote } from './sql-coercion.ts';
import { isNullToken, isNumeric, keepsBlanks, textLeaf } from './text-leaf.ts';
import { ident } from '../quote.ts';

const isString = (t: string): string => `startswith(${t}, '"')`;
const isComposite = (t: string): string => `(startswith(${t}, '{') OR startswith(${t}, '['))`;
const isNumber = (t: string): string => `(${t} >= '-' AND ${t} < ':')`;

/** Texts out of JSON strings. */
const inJson = (context: CoerceContext): CoerceContext => ({ ...context, json: true });

export function jsonReading(site: Site): Reading {
  const { to } = site;
  if (isNested(to)) return nestedJson(site, to);
  return leafReading(to.kind === 'json' ? jsonToJson(site) : jsonLeaf(site), site);
}

/** Conditions under which a token is null: a listed one as a string, as a number or boolean as written, and `null` itself. */
function nullBranches(t: string, site: Site): readonly (readonly [string, string])[] {
  const isNull = isNullString(t, site);
  const bare = site.rule.nullValues.filter((value) => /^(?:-?[0-9]|true$|false$)/.test(value));
  return [
    ...(isNull === undefined ? [] : [[`${isString(t)} AND ${isNull}`, 'NULL'] as const]),
    ...(bare.length === 0 ? [] : [[`${t} IN (${bare.map(literal).join(', ')})`, 'NULL'] as const]),
    [`${t} = 'null'`, 'NULL'],
  ];
}

/** A string token as it is usually written is compared without being unquoted; only escapes and outer blanks need that. */
function isNullString(t: string, { rule, to }: Site): string | undefined {
  const decoded = isNullToken(`(${decodedString(t)})`, rule, to);
  if (decoded === undefined) return undefined;
  const plain = `${t} IN (${rule.nullValues.map((value) => literal(JSON.stringify(value))).join(', ')})`;
  // The blank is the only one that may stand in a string without being escaped.
  const odd = [`contains(${t}, '\\\\')`, ...(keepsBlanks(rule, to) ? [] : [`${t} < '"!'`, `endswith(${t}, ' "')`])].join(' OR ');
  return `(${plain} OR ((${odd}) AND ${decoded}))`;
}

type Group = 'string' | 'boolean' | 'number' | 'other';

const temporal: ReadonlySet<string> = new Set(['date', 'time', 'timestamp', 'timestamptz']);

const groupOf = (kind: string): Group => {
  if (kind === 'string' || kind === 'boolean') return kind;
  return isNumeric(kind) || temporal.has(kind) ? 'number' : 'other';
};

interface Use {
  readonly text: string;
  readonly number: string;
}

/** For each kind of target, which law a token goes by. An undefined answer refuses the token. */
const laws: Record<Group, (t: string, use: Use) => string> = {
  string: (t, { text }) => `CASE WHEN ${isComposite(t)} THEN NULL ELSE ${text} END`,
  boolean: (t, { text }) => `CASE WHEN ${t} = 'true' THEN true WHEN ${t} = 'false' THEN false WHEN ${isString(t)} THEN ${text} END`,
  number: (t, { text, number }) => `CASE WHEN ${isNumber(t)} THEN ${number} WHEN ${isString(t)} THEN ${text} END`,
  other: (t, { text }) => `CASE WHEN ${isString(t)} THEN ${text} END`,
};

const structure = (t: string): readonly [string, string] => [isComposite(t), literal(structureCode)];

const reasons: Record<Group, (t: string, use: Use) => string> = {
  string: (t, { text }) => caseSql([structure(t)], text),
  boolean: (t, { text }) => caseSql([structure(t), [isString(t), text]], `'invalid_value'`),
  number: (t, { text, number }) => caseSql([structure(t), [isNumber(t), number], [isString(t), text]], `'invalid_value'`),
  other: (t, { text }) => caseSql([structure(t), [isString(t), text]], `'invalid_value'`),
};

function jsonLeaf(site: Site): Leaf {
  const { to, rule, world } = site;
  const context = inJson(world.context);
  const group = groupOf(to.kind);
  const law = (p: string, number: boolean): ScalarSql => world.scalar(to)(p, { to, rule, context, number });
  type PartOf = (sql: ScalarSql) => string | undefined;
  const both = (p: string, part: PartOf, keep: (p: string, render: (x: string) => string) => string): Use => ({
    text: keep(p, (x) => part(law(x, false)) ?? 'NULL'),
    number: group === 'number' ? keep(p, (x) => part(law(x, true)) ?? 'NULL') : 'NULL',
  });
  const rare = (p: string, render: (x: string) => string): string => seldom(site, p, render);
  const use = (table: typeof laws, part: PartOf) => (t: string, p: string) => table[group](t, both(p, part, rare));
  const samples = [law('x', false), ...(group === 'number' ? [law('x', true)] : [])];
  const near = (part: 'round' | 'truncate'): Leaf['round'] =>
    samples.every((sample) => sample[part] === undefined) ? undefined : use(laws, (sql) => sql[part]);
  return {
    prep: (t) => caseSql([...nullBranches(t, site), [isString(t), decodedString(t)]], t),
    plain: false,
    strict: (t, p) =>
      laws[group](
        t,
        both(
          p,
          (sql) => sql.value,
          (x, render) => render(x),
        ),
      ),
    reason: use(reasons, (sql) => sql.reason),
    round: near('round'),
    truncate: near('truncate'),
    shown: (t, p) => `CASE WHEN ${isComposite(t)} THEN ${plainJson(t)} ELSE ${p} END`,
    notes: (place, path) => jsonNotes(place, path, to.kind),
  };
}

/** Values that arrived as another kind of token than the target's. */
function jsonNotes({ t, p, s }: NotePlace, path: string, kind: string): readonly SqlNote[] {
  const note = (from: string, test: string): SqlNote => ({
    code: 'type_mismatch',
    path,
    from,
    // Never NULL: where there is a value, there is a token.
    when: `(${s} IS NOT NULL AND ${test})`,
    value: p,
  });
  if (isNumeric(kind) || kind === 'boolean') return [note('string', isString(t))];
  if (kind !== 'string') return [];
  return [note('number', isNumber(t)), note('boolean', `${t} IN ('true', 'false')`)];
}

/** Any token is a JSON value, kept as it is written. */
function jsonToJson(site: Site): Leaf {
  return {
    prep: (t) => caseSql([...nullBranches(t, site), [isComposite(t), plainJson(t)]], t),
    plain: false,
    strict: (_t, p) => `CASE WHEN ${hasWholePairs(p)} THEN ${p} END`,
    reason: () => `'invalid_value'`,
    shown: (_t, p) => p,
  };
}

function nestedJson(site: Site, to: NestedType): Reading {
  return jsonParts(site, to, {
    prep: (t) => caseSql(nullBranches(t, site), t),
    plain: false,
    fits: (t) => `(startswith(${t}, '${to.kind === 'list' ? '[' : '{'}') AND ${hasWholePairs(t)})`,
    open: (t) => openJson(to, t),
    shown: (t) => caseSql([[isComposite(t), plainJson(t)]], t),
    notes: (place) => fieldNotes(site, to, place),
  });
}

/** Text of a scalar token. */
const bareText = (t: string): string => `CASE WHEN ${isString(t)} THEN ${decodedString(t)} ELSE ${t} END`;

/** A nested value from JSON text, whose parts are tokens. */
export function jsonParts(site: Site, to: NestedType, split: Split): Reading {
  const { world } = site;
  const part = (path: string, type: Site['to']): Reading => world.read({ form: 'json' }, partSite(site, path, type));
  if (to.kind === 'struct') {
    const fields = to.fields.map((field) => ({ field, reading: part(fieldPath(site.path, field), field.type) }));
    return structReading(site, { ...split, slot: jsonKey }, fields);
  }
  if (to.kind === 'list') return listReading(site, split, part(elementPath(site.path), to.element));
  return mapReading(site, split, { key: keyLeaf(to.key, world), keyType: to.key, value: part(valuePath(site.path), to.value) });
}

/** A key is a string token, read as text. */
function keyLeaf(to: Site['to'], world: World): Leaf {
  const leaf = textLeaf({ to, rule: { ...world.inherited, nullValues: [] }, world: { ...world, context: inJson(world.context) } });
  return { ...leaf, prep: decodedString, plain: false };
}

/** Takes encoded JSON text of the right shape apart: parts are tokens, and NULL where they are missing or null. */
export function openJson(to: NestedType, encoded: string): string {
  if (to.kind === 'list') return fromEncoded(encoded, 'ARRAY<STRING>');
  if (to.kind === 'map') return `map_entries(${fromEncoded(encoded, 'MAP<STRING, STRING>')})`;
  // A struct without fields has none to be read.
  const names = to.fields.length === 0 ? ['""'] : to.fields.map((field) => jsonKey(field.name));
  return fromEncoded(encoded, `STRUCT<${names.map((name) => `${ident(name)}: STRING`).join(', ')}>`);
}

/** Remarks on the leaves of structs in structs; those inside lists and maps are left out. */
function fieldNotes(site: Site, to: NestedType, place: NotePlace): readonly SqlNote[] {
  if (to.kind !== 'struct') return [];
  return to.fields.flatMap((field) => {
    const path = fieldPath(site.path, field);
    const key = jsonKey(field.name);
    const t = member(fromEncoded(place.p, `STRUCT<${ident(key)}: STRING>`), key);
    const s = member(place.s, field.name);
    if (isNested(field.type)) return fieldNotes({ ...site, path }, field.type, { t, p: t, s });
    return jsonNotes({ t, p: t, s }, path, field.type.kind).map((note) => ({ ...note, value: bareText(t) }));
  });
}
