/** Values that arrive as JSON tokens, exactly as written. The kind of a token shows in its first character. */
import type { LogicalType } from '../../../core/model/type.ts';
import { ident, literal } from '../quote.ts';
import type { NestedType, Split } from './nested.ts';
import { elementPath, fieldPath, isNested, listReading, mapReading, structReading, valuePath } from './nested.ts';
import { leafReading, partSite } from './policy-sql.ts';
import type { Leaf, NotePlace, PartForm, Reading, Site, World } from './reading.ts';
import { caseSql, seldom, structureCode } from './reading.ts';
import type { ScalarSql, SqlNote } from './sql-coercion.ts';
import { sqlType } from './sql-type.ts';
import { isNullToken, isNumeric, keepsBlanks, textLeaf } from './text-leaf.ts';

/** Tests of a token, and its text. */
interface Tokens {
  readonly isString: (t: string) => string;
  readonly isNumber: (t: string) => string;
  /** A string that stands for a number token. */
  readonly isMarked: (t: string) => string;
  /** Text of a string token; the number of a marked one. */
  readonly decoded: (t: string) => string;
  /** Nested JSON text with its numbers as they were written. */
  readonly unmarked: (t: string) => string;
}

const isComposite = (t: string): string => `(${t} >= '{' OR (${t} >= '[' AND ${t} < '\\'))`;

const unquoted = (t: string): string =>
  `CASE WHEN contains(${t}, '\\') THEN json_extract_string(${t}, '$') ELSE substring(${t}, 2, length(${t}) - 2) END`;

const bareNumber = (t: string): string => `(${t} >= '-' AND ${t} < ':')`;

function tokens(mark: string | undefined): Tokens {
  if (mark === undefined) {
    return { isString: (t) => `${t} < '#'`, isNumber: bareNumber, isMarked: () => 'false', decoded: unquoted, unmarked: (t) => t };
  }
  // Compared, not searched: the first bytes settle it for nearly all texts, without a call.
  const [from, beyond] = [`"${mark}`, `"${mark.slice(0, -1)}${String.fromCodePoint((mark.codePointAt(mark.length - 1) as number) + 1)}`];
  const marked = (t: string): string => `(${t} >= ${literal(from)} AND ${t} < ${literal(beyond)})`;
  const skip = [...mark].length + 1;
  const pattern = literal(`"${escapePattern(mark)}([^"]*)"`);
  return {
    isString: (t) => `(${t} < '#' AND NOT ${marked(t)})`,
    isNumber: (t) => `(${bareNumber(t)} OR ${marked(t)})`,
    isMarked: marked,
    decoded: (t) => `CASE WHEN ${marked(t)} THEN substring(${t}, ${skip + 1}, length(${t}) - ${skip + 1}) ELSE ${unquoted(t)} END`,
    unmarked: (t) => `CASE WHEN contains(${t}, ${literal(mark)}) THEN regexp_replace(${t}, ${pattern}, '\\1', 'g') ELSE ${t} END`,
  };
}

/** An RE2 pattern of the text itself. */
const escapePattern = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/gu, (sign) => `\\x{${(sign.codePointAt(0) as number).toString(16)}}`);

export function jsonReading(site: Site, mark: string | undefined): Reading {
  const { to } = site;
  if (isNested(to)) return nestedJson(site, to, mark);
  return leafReading(to.kind === 'json' ? jsonToJson(site, mark) : jsonLeaf(site, mark), site);
}

/** Conditions under which a token is null: a listed one as a string, as a number or boolean as written, and `null` itself. */
function nullBranches(t: string, site: Site, kinds: Tokens): readonly (readonly [string, string])[] {
  const isNull = isNullString(t, site);
  const bare = site.rule.nullValues.filter((value) => /^(?:-?[0-9]|true$|false$)/.test(value));
  return [
    ...(isNull === undefined ? [] : [[`${kinds.isString(t)} AND ${isNull}`, 'NULL'] as const]),
    ...(bare.length === 0 ? [] : [[`${t} IN (${bare.map(literal).join(', ')})`, 'NULL'] as const]),
    [`${t} = 'null'`, 'NULL'],
  ];
}

/**
 * A string token as it is usually written is compared without being unquoted; only escapes and outer blanks need that. The blank is the
 * only one that may stand in a string without being escaped.
 */
function isNullString(t: string, { rule, to }: Site): string | undefined {
  const decoded = isNullToken(`(${unquoted(t)})`, rule, to);
  if (decoded === undefined) return undefined;
  const plain = `${t} IN (${rule.nullValues.map((value) => literal(JSON.stringify(value))).join(', ')})`;
  const odd = [`contains(${t}, '\\')`, ...(keepsBlanks(rule, to) ? [] : [`${t} < '"!'`, `ends_with(${t}, ' "')`])].join(' OR ');
  return `(${plain} OR ((${odd}) AND ${decoded}))`;
}

type Group = 'string' | 'boolean' | 'number' | 'other';

const groupOf = (to: LogicalType): Group => {
  if (to.kind === 'string' || to.kind === 'boolean') return to.kind;
  return isNumeric(to.kind) || temporal.has(to.kind) ? 'number' : 'other';
};

const temporal: ReadonlySet<string> = new Set(['date', 'time', 'timestamp', 'timestamptz']);

/** For each kind of target, which law a token goes by. An undefined answer refuses the token. */
const laws: Record<Group, (t: string, use: { text: string; number: string }, kinds: Tokens) => string> = {
  string: (t, { text }) => `CASE WHEN ${isComposite(t)} THEN NULL ELSE ${text} END`,
  boolean: (t, { text }, kinds) =>
    `CASE WHEN ${t} = 'true' THEN true WHEN ${t} = 'false' THEN false WHEN ${kinds.isString(t)} THEN ${text} END`,
  number: (t, { text, number }, kinds) => `CASE WHEN ${kinds.isNumber(t)} THEN ${number} WHEN ${kinds.isString(t)} THEN ${text} END`,
  other: (t, { text }, kinds) => `CASE WHEN ${kinds.isString(t)} THEN ${text} END`,
};

const reasons: Record<Group, (t: string, use: { text: string; number: string }, kinds: Tokens) => string> = {
  string: (t, { text }) => caseSql([[isComposite(t), literal(structureCode)]], text),
  boolean: (t, { text }, kinds) =>
    caseSql(
      [
        [isComposite(t), literal(structureCode)],
        [kinds.isString(t), text],
      ],
      `'invalid_value'`,
    ),
  number: (t, { text, number }, kinds) =>
    caseSql(
      [
        [isComposite(t), literal(structureCode)],
        [kinds.isNumber(t), number],
        [kinds.isString(t), text],
      ],
      `'invalid_value'`,
    ),
  other: (t, { text }, kinds) =>
    caseSql(
      [
        [isComposite(t), literal(structureCode)],
        [kinds.isString(t), text],
      ],
      `'invalid_value'`,
    ),
};

function jsonLeaf(site: Site, mark: string | undefined): Leaf {
  const { to, rule, world } = site;
  const kinds = tokens(mark);
  const group = groupOf(to);
  const law = (p: string, number: boolean): ScalarSql => world.scalar(to)(p, { to, rule, context: world.context, number });
  const both = (p: string, part: (sql: ScalarSql) => string | undefined): { text: string; number: string } => ({
    text: seldom(site, p, (x) => part(law(x, false)) ?? 'NULL'),
    // Also at the top: bodies of lambdas are left alone by the optimizer, which takes its time over the law of numbers.
    number: group === 'number' ? seldom({ world, inside: true }, p, (x) => part(law(x, true)) ?? 'NULL') : 'NULL',
  });
  const value = (p: string): { text: string; number: string } => {
    const { text, number } = both(p, (sql) => sql.value);
    return { text, number: commonNumber(site, p, number) };
  };
  const samples = [law('x', false), ...(group === 'number' ? [law('x', true)] : [])];
  const near = (part: 'round' | 'truncate'): Leaf['round'] =>
    samples.every((sample) => sample[part] === undefined)
      ? undefined
      : (t, p) =>
          laws[group](
            t,
            both(p, (sql) => sql[part]),
            kinds,
          );
  return {
    prep: (t) => prepared(t, site, kinds),
    plain: false,
    strict: (t, p) => laws[group](t, value(p), kinds),
    reason: (t, p) =>
      reasons[group](
        t,
        both(p, (sql) => sql.reason),
        kinds,
      ),
    round: near('round'),
    truncate: near('truncate'),
    shown: (t, p) => (mark === undefined ? p : `CASE WHEN ${isComposite(t)} THEN ${kinds.unmarked(p)} ELSE ${p} END`),
    notes: (place, path) => jsonNotes(place, path, { to, kinds }),
  };
}

/** Text of a token, NULL when it is null. Strings without escapes come first: nearly all are, and they need the fewest tests. */
function prepared(t: string, site: Site, kinds: Tokens): string {
  const { rule, to } = site;
  const full = caseSql([...nullBranches(t, site, kinds), [`${t} < '#'`, kinds.decoded(t)]], t);
  const inner = `substring(${t}, 2, length(${t}) - 2)`;
  const listed = rule.nullValues.filter((value) => !value.includes('\\')).map((value) => literal(`"${value}"`));
  const blank = isNullToken(`(${inner})`, rule, to);
  const nulls: [string, string][] = [];
  if (listed.length > 0) nulls.push([`${t} IN (${listed.join(', ')})`, 'NULL']);
  if (blank !== undefined && !keepsBlanks(rule, to)) nulls.push([`(${t} < '"!' OR ends_with(${t}, ' "')) AND ${blank}`, 'NULL']);
  const plain = caseSql(nulls, inner);
  return caseSql([[`${t} < '#' AND NOT contains(${t}, '\\') AND NOT ${kinds.isMarked(t)}`, plain]], full);
}

/** The law of number tokens, `rare`, with the common spellings before it where its set-up is dear. */
function commonNumber({ to, rule, world }: Site, p: string, rare: string): string {
  if (to.kind === 'float') {
    const value = `TRY_CAST(${p} AS ${sqlType(to)})`;
    return caseSql([[`abs(${value}) < ${to.bits === 32 ? '16777216' : '9007199254740992'}`, value]], rare);
  }
  if (to.kind !== 'int' && to.kind !== 'decimal') return rare;
  const { group: _group, ...plain } = { ...rule, decimal: '.', exponent: false };
  const common = world.scalar(to)(p, { to, rule: plain, context: world.context, number: false }).value;
  return caseSql([[`contains(${p}, 'e') OR contains(${p}, 'E')`, rare]], common);
}

/** Values that arrived as another kind of token than the target's. */
function jsonNotes({ t, p, s }: NotePlace, path: string, facts: { to: LogicalType; kinds: Tokens }): readonly SqlNote[] {
  const { to, kinds } = facts;
  const note = (from: string, test: string): SqlNote => ({
    code: 'type_mismatch',
    path,
    from,
    // Never NULL: where there is a value, there is a token.
    when: `(${s} IS NOT NULL AND ${test})`,
    value: p,
  });
  if (isNumeric(to.kind) || to.kind === 'boolean') return [note('string', kinds.isString(t))];
  if (to.kind !== 'string') return [];
  return [note('number', kinds.isNumber(t)), note('boolean', `${t} IN ('true', 'false')`)];
}

/** Any token is a JSON value; marks are taken off. */
function jsonToJson(site: Site, mark: string | undefined): Leaf {
  const kinds = tokens(mark);
  return {
    prep: (t) => caseSql(nullBranches(t, site, kinds), kinds.unmarked(t)),
    plain: false,
    strict: (_t, p) => `TRY_CAST(${p} AS JSON)`,
    reason: () => `'invalid_value'`,
    shown: (_t, p) => p,
  };
}

function nestedJson(site: Site, to: NestedType, mark: string | undefined): Reading {
  const kinds = tokens(mark);
  return jsonParts(site, to, mark, {
    prep: (t) => caseSql(nullBranches(t, site, kinds), t),
    plain: false,
    fits: (t) => (to.kind === 'list' ? `(${t} >= '[' AND ${t} < '\\')` : `(${t} >= '{')`),
    open: (t) => openJson(to, site.world, t),
    shown: (t) => `CASE WHEN ${kinds.isNumber(t)} THEN ${bareText(t, kinds)} ELSE ${kinds.unmarked(t)} END`,
    notes: (place) => fieldNotes(site, to, { ...place, mark }),
  });
}

/** Text of a scalar token. */
const bareText = (t: string, kinds: Tokens): string => `CASE WHEN ${t} < '#' THEN ${kinds.decoded(t)} ELSE ${t} END`;

/** A nested value from JSON text, whose parts are tokens with the given number mark. */
export function jsonParts(site: Site, to: NestedType, mark: string | undefined, split: Split): Reading {
  const form: PartForm = { form: 'json', mark };
  const { read } = site.world;
  if (to.kind === 'struct') {
    const fields = to.fields.map((field) => ({ field, reading: read(form, partSite(site, fieldPath(site.path, field), field.type)) }));
    return structReading(site, split, fields);
  }
  if (to.kind === 'list') return listReading(site, split, read(form, partSite(site, elementPath(site.path), to.element)));
  const rule = { ...site.world.inherited, nullValues: [] };
  return mapReading(site, split, {
    key: textLeaf({ to: to.key, rule, world: site.world, inside: true }),
    keyType: to.key,
    value: read(form, partSite(site, valuePath(site.path), to.value)),
  });
}

/** Takes JSON text of the right shape apart: parts are tokens, and NULL where they are missing or null. */
export function openJson(to: NestedType, world: World, text: string): string {
  if (to.kind === 'list') return `CAST(json_transform(${text}, '["JSON"]') AS VARCHAR[])`;
  if (to.kind === 'map') {
    const pairs = (t: string): string => `list_zip(json_keys(${t}), CAST(json_extract(${t}, '$.*') AS VARCHAR[]))`;
    return `CAST(${world.each(`[${text}]`, pairs)}[1] AS STRUCT("key" VARCHAR, "value" VARCHAR)[])`;
  }
  const spec = `{${to.fields.map((field) => `${JSON.stringify(field.name)}:"JSON"`).join(',')}}`;
  // JSON is compared with text as JSON, which fails for most texts; the cast changes no byte.
  const type = `STRUCT(${to.fields.map((field) => `${ident(field.name)} VARCHAR`).join(', ')})`;
  return `CAST(json_transform(${text}, ${literal(spec)}) AS ${type})`;
}

/** Remarks on the leaves of structs in structs; those inside lists and maps are left out. */
function fieldNotes(site: Site, to: NestedType, place: NotePlace & { readonly mark: string | undefined }): readonly SqlNote[] {
  if (to.kind !== 'struct') return [];
  const { mark } = place;
  return to.fields.flatMap((field) => {
    const path = fieldPath(site.path, field);
    const t = `CAST(json_extract(${place.p}, ${literal(jsonPath(field.name))}) AS VARCHAR)`;
    const s = `${place.s}[${literal(field.name)}]`;
    if (isNested(field.type)) return fieldNotes({ ...site, path }, field.type, { t, p: t, s, mark });
    return jsonNotes({ t, p: t, s }, path, { to: field.type, kinds: tokens(mark) }).map((note) => ({
      ...note,
      value: bareText(t, tokens(mark)),
    }));
  });
}

const jsonPath = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
