/** Values that arrive as JSON tokens, exactly as written: text or json. The kind of a token shows in its first character. */
import { literal } from '../quote.ts';
import { hasWholePairs, halfPair, ownNulMark, withNulMark } from './json-escapes.ts';
import { caseSql } from './levels.ts';
import type { NestedType, Part, Split } from './nested.ts';
import { elementPath, fieldPath, isNested, listReading, structReading, valuePath } from './nested.ts';
import { mapReading } from './nested-map.ts';
import { leafReading, partSite } from './policy-sql.ts';
import type { Leaf, NotePlace, Reading, Site } from './reading.ts';
import { structureCode } from './reading.ts';
import type { CoerceContext, ScalarSql, SqlNote } from './sql-coercion.ts';
import { isNullToken, isNumeric, shownText, textLeaf } from './text-leaf.ts';

const isString = (t: string): string => `${t} LIKE '"%'`;
const isComposite = (t: string): string => `(${t} LIKE '{%' OR ${t} LIKE '[%')`;
const isNumber = (t: string): string => `((${t} COLLATE "C") >= '-' AND (${t} COLLATE "C") < ':')`;

const backslash = literal('\\');

/** U+0000 is written as an escape in JSON, so any source may hold it. */
const marking = (context: CoerceContext): CoerceContext & { readonly nulMark: string } => ({
  ...context,
  nulMark: context.nulMark ?? ownNulMark,
});

/** Text of a string token. */
function decoded(t: string, context: CoerceContext): string {
  const { nulMark } = marking(context);
  const read = `CAST(${withNulMark(t, nulMark)} AS json) #>> '{}'`;
  const escaped = `CASE WHEN ${hasWholePairs(t)} THEN ${read} ELSE ${literal(halfPair(nulMark))} || ${t} END`;
  return `CASE WHEN strpos(${t}, ${backslash}) > 0 THEN ${escaped} ELSE substr(${t}, 2, length(${t}) - 2) END`;
}

export function jsonReading(site: Site): Reading {
  const { to } = site;
  if (isNested(to)) return nestedJson(site, to);
  return leafReading(to.kind === 'json' ? jsonToJson(site) : jsonLeaf(site), site);
}

/** The token as text: parts of nested values are text already. */
const tokenOf = (site: Site, t: string): string => (site.inside ? t : `CAST(${t} AS text)`);

/** Conditions under which a token is null: a listed one as a string, as a number or boolean as written, and `null` itself. */
function nullBranches(t: string, site: Site): readonly (readonly [string, string])[] {
  const isNull = isNullString(t, site);
  const bare = site.rule.nullValues.filter((value) => /^(?:-?[0-9]|true$|false$)/.test(value) && !value.includes('\0'));
  return [
    ...(isNull === undefined ? [] : [[`${isString(t)} AND ${isNull}`, 'NULL'] as const]),
    ...(bare.length === 0 ? [] : [[`${t} IN (${bare.map(literal).join(', ')})`, 'NULL'] as const]),
    [`${t} = 'null'`, 'NULL'],
  ];
}

/** A string token as it is usually written is compared without being unquoted; only escapes and outer blanks need that. */
function isNullString(t: string, { rule, to, world }: Site): string | undefined {
  const test = isNullToken(`(${decoded(t, world.context)})`, rule, to);
  if (test === undefined) return undefined;
  const plain = `${t} IN (${rule.nullValues.map((value) => literal(JSON.stringify(value))).join(', ')})`;
  const edges = rule.trim === 'never' ? '' : ` OR (${t} COLLATE "C") < '"!' OR (right(${t}, 2) COLLATE "C") < '!'`;
  return `(${plain} OR ((strpos(${t}, ${backslash}) > 0${edges}) AND ${test}))`;
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
  const context = marking(world.context);
  const group = groupOf(to.kind);
  const law = (p: string, number: boolean): ScalarSql => world.scalar(to)(p, { to, rule, context, number });
  const both = (p: string, part: (sql: ScalarSql) => string | undefined): Use => ({
    text: part(law(p, false)) ?? 'NULL',
    number: group === 'number' ? (part(law(p, true)) ?? 'NULL') : 'NULL',
  });
  const use = (table: typeof laws, part: (sql: ScalarSql) => string | undefined) => (t: string, p: string) =>
    table[group](tokenOf(site, t), both(p, part));
  const samples = [law('x', false), ...(group === 'number' ? [law('x', true)] : [])];
  const near = (part: 'round' | 'truncate'): Leaf['round'] =>
    samples.every((sample) => sample[part] === undefined) ? undefined : use(laws, (sql) => sql[part]);
  return {
    prep: (raw) => {
      const t = tokenOf(site, raw);
      return `(${caseSql([...nullBranches(t, site), [isString(t), decoded(t, context)]], t)}) COLLATE "C"`;
    },
    strict: use(laws, (sql) => sql.value),
    reason: use(reasons, (sql) => sql.reason),
    round: near('round'),
    truncate: near('truncate'),
    shown: (_t, p) => shownText(p, context),
    notes: (place, path) => jsonNotes({ ...place, t: tokenOf(site, place.t) }, path, to.kind),
  };
}

/** Values that arrived as another kind of token than the target's. */
function jsonNotes({ t, p, s }: NotePlace, path: string, kind: string): readonly SqlNote[] {
  const note = (from: string, test: string): SqlNote => ({
    code: 'type_mismatch',
    path,
    from,
    when: `CASE WHEN ${s} IS NOT NULL THEN coalesce(${test}, false) ELSE false END`,
    value: p,
  });
  if (isNumeric(kind) || kind === 'boolean') return [note('string', isString(t))];
  if (kind !== 'string') return [];
  return [note('number', isNumber(t)), note('boolean', `${t} IN ('true', 'false')`)];
}

/** Any token is a JSON value, kept as it is written. Inside of a jsonb value it must be one that jsonb can hold. */
function jsonToJson(site: Site): Leaf {
  const { to, rule, world, inside } = site;
  const context = inside ? { ...marking(world.context), jsonb: true } : world.context;
  const law = (p: string): ScalarSql => world.scalar(to)(p, { to, rule, context, number: false });
  return {
    prep: (raw) => {
      const t = tokenOf(site, raw);
      return `(${caseSql(nullBranches(t, site), t)}) COLLATE "C"`;
    },
    strict: (_t, p) => law(p).value,
    reason: (_t, p) => law(p).reason,
    shown: (_t, p) => shownText(p, context),
  };
}

function nestedJson(site: Site, to: NestedType): Reading {
  return jsonParts(site, to, {
    prep: (raw) => {
      const t = tokenOf(site, raw);
      return `(${caseSql(nullBranches(t, site), t)}) COLLATE "C"`;
    },
    fits: (t) => `(${t} LIKE '${to.kind === 'list' ? '[' : '{'}%' AND ${hasWholePairs(t)})`,
    json: (t) => t,
    // A structure fault shows the token: a string with its quotes.
    shown: (t) => shownText(t, site.world.context),
    notes: (place) => fieldNotes(site, to, place),
  });
}

/** Text of a token: that of a string, else the token itself. */
const bareText = (t: string, context: CoerceContext): string => `CASE WHEN ${isString(t)} THEN ${decoded(t, context)} ELSE ${t} END`;

/** JSON text of a prepared value instead of `open`. */
type TextSplit = Omit<Split, 'open'> & { readonly json: (p: string) => string };

/** A nested value from JSON text, whose parts are tokens. */
export function jsonParts(site: Site, to: NestedType, { json, ...rest }: TextSplit): Reading {
  const { world } = site;
  const { nulMark } = marking(world.context);
  const split: Split = { ...rest, open: (p) => `CAST(${withNulMark(json(p), nulMark)} AS json)` };
  const part = (path: string, type: Site['to']): Part => ({
    reading: world.read({ form: 'json' }, partSite(site, path, type)),
    take: (piece) => `CAST(${piece} AS text)`,
  });
  if (to.kind === 'struct') {
    const fields = to.fields.map((field) => ({ field, part: part(fieldPath(site.path, field), field.type) }));
    return structReading(site, split, fields);
  }
  if (to.kind === 'list') return listReading({ ...site, to }, split, part(elementPath(site.path), to.element));
  const rule = { ...world.inherited, nullValues: [] };
  return mapReading(site, split, {
    key: textLeaf({ to: to.key, rule, world: { ...world, context: marking(world.context) } }),
    keyType: to.key,
    value: part(valuePath(site.path), to.value),
    valueType: to.value,
  });
}

/** Remarks on the leaves of structs in structs; those inside lists and maps are left out. */
function fieldNotes(site: Site, to: NestedType, place: NotePlace): readonly SqlNote[] {
  if (to.kind !== 'struct') return [];
  const { nulMark } = marking(site.world.context);
  const notes = (fields: typeof to.fields, path: string, at: { readonly json: string; readonly s: string }): readonly SqlNote[] =>
    fields.flatMap((field) => {
      const name = literal(field.name);
      const below = { json: `(${at.json} -> ${name})`, s: `(${at.s} -> ${name})` };
      const inner = `${path}.${field.name}`;
      if (field.type.kind === 'struct') return notes(field.type.fields, inner, below);
      if (isNested(field.type)) return [];
      const t = `CAST(${below.json} AS text)`;
      const guard = (sql: string): string => `CASE WHEN ${place.s} IS NOT NULL THEN ${sql} END`;
      const s = `nullif(CAST(${below.s} AS text), 'null')`;
      return jsonNotes({ t: guard(t), p: t, s }, inner, field.type.kind).map((note) => ({
        ...note,
        value: bareText(t, site.world.context),
      }));
    });
  return notes(to.fields, site.path, { json: `CAST(${withNulMark(place.p, nulMark)} AS json)`, s: place.s });
}
