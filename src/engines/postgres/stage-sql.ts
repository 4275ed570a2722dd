/** The staging query of one group: raw value → prepared text → strict value → value under the policy, with faults beside it. */
import type { ColumnRule } from '../../core/model/policy.ts';
import type { Plan, PlannedColumn, PlannedSource } from '../../core/plan/plan.ts';
import { coerceSql } from './coerce/coerce.ts';
import type { CoerceContext, SqlCoercion } from './coerce/sql-coercion.ts';
import { nestedExtrasSql } from './nested-extras.ts';
import { literal } from './quote.ts';
import { type RawLevel, rawLevel } from './raw-levels.ts';
import { type Bit, BitPool, maskSql, type StagedColumn, type StageLayout } from './stage-columns.ts';

/** A remark that is counted by a bit. */
export interface StagedNote {
  readonly path: string;
  readonly from: string;
  readonly bit: Bit;
}

/** The remarks of a run, each with one bit, shared by all groups. */
export class NotePool {
  readonly #bits = new BitPool('note');
  readonly #notes: StagedNote[] = [];

  bitOf(path: string, from: string): StagedNote {
    const known = this.#notes.find((note) => note.path === path && note.from === from);
    if (known) return known;
    const note = { path, from, bit: this.#bits.take() };
    this.#notes.push(note);
    return note;
  }

  get notes(): readonly StagedNote[] {
    return this.#notes;
  }

  get masks(): readonly string[] {
    return this.#bits.masks;
  }
}

export interface GroupRequest {
  readonly plan: Plan;
  readonly layout: StageLayout;
  readonly group: number;
  readonly context: CoerceContext;
  readonly notes: NotePool;
  /** The column that takes the rescued values, when there is one. */
  readonly rescue: PlannedColumn | null;
}

/** What the last level needs to know of one column. */
interface Piece {
  readonly column: StagedColumn;
  readonly source: PlannedSource | null;
  readonly sql: SqlCoercion | null;
  readonly raw: string;
  readonly text: string;
  readonly strict: string;
  /** The strict value, if the target's own type takes it. */
  readonly kept: string;
  readonly absent: string;
  /** Boolean: the record has no value for a column that needs one. */
  readonly lacks: string;
}

export interface GroupSql {
  readonly raw: RawLevel;
  /** SELECT that yields the columns of the staging table in their order. Asked for when all groups are known: they share the bits of remarks. */
  readonly select: () => string;
  /** SELECT of `n` and text of a remark for the records with the numbers given, by note. */
  readonly noteTexts: (numbers: readonly number[]) => ReadonlyMap<string, string>;
}

export const noteKey = (path: string, from: string): string => `${from}\0${path}`;

/** Builds the nested SELECTs. Every name inside is made here; names of the data only stand inside literals. */
export function groupSql(request: GroupRequest): GroupSql {
  const { layout, notes } = request;
  const raw = rawLevel(request.plan, request.group, request.context.nulMark);
  const pieces = layout.columns.map((column, i) => makePiece({ ...request, raw }, column, i));
  for (const piece of pieces) for (const note of piece.sql?.notes ?? []) notes.bitOf(note.path, note.from);
  const levels = (numbers?: readonly number[]): string => levelsSql(pieces, raw.from(numbers));
  return {
    raw,
    select: () => `SELECT ${finalColumns({ ...request, raw }, pieces).join(', ')} FROM ${levels()}`,
    noteTexts: (numbers) =>
      new Map(
        pieces.flatMap(({ sql }) =>
          (sql?.notes ?? []).map(
            (note) => [noteKey(note.path, note.from), `SELECT n, (${note.value})::text AS x FROM ${levels(numbers)}`] as const,
          ),
        ),
      ),
  };
}

interface Place extends GroupRequest {
  readonly raw: RawLevel;
}

/** Each level is fenced by OFFSET 0; values that a level only passes on need none of their own. */
function levelsSql(pieces: readonly Piece[], from: string): string {
  const level = (inner: string, columns: readonly string[]): string =>
    columns.length === 0 ? inner : `(SELECT *, ${columns.join(', ')} FROM ${inner} OFFSET 0) l`;
  const used = pieces.flatMap(({ sql, ...piece }) => (sql === null ? [] : [{ ...piece, sql }]));
  const texts = used.filter(({ text, raw }) => text !== raw).map(({ text, sql }) => `${sql.text} AS ${text}`);
  const strict = used.filter((piece) => piece.strict !== piece.text).map((piece) => `${piece.sql.strict} AS ${piece.strict}`);
  const kept = used.filter((piece) => piece.kept !== piece.strict).map((piece) => `${keptSql(piece)} AS ${piece.kept}`);
  return level(level(level(from, texts), strict), kept);
}

/** The target's own type is asked only for values that the law takes; it may raise for others, and round. */
function keptSql({ column, strict }: Pick<Piece, 'column' | 'strict'>): string {
  const type = column.strictType ?? '';
  const valid = `pg_input_is_valid(${strict}::text, ${literal(type)})`;
  return `CASE WHEN ${strict} IS NOT NULL THEN CASE WHEN ${valid} THEN CASE WHEN (${strict}::text)::${type}::text = ${strict}::text THEN ${strict} END END END`;
}

function makePiece(place: Place, column: StagedColumn, i: number): Piece {
  const source = column.planned.sources[place.group] ?? null;
  const absent = source === null ? 'true' : place.raw.absent(source);
  const none = { column, source, absent, sql: null, raw: 'NULL', text: 'NULL', strict: 'NULL', kept: 'NULL' };
  if (source === null) return { ...none, lacks: lacksSql(column, { text: 'NULL', absent, hasSource: false }) };
  const raw = place.raw.value(source);
  const context = /\bjsonb\b/.test(column.type) ? { ...place.context, jsonb: true } : place.context;
  const render = (text: string, strict: string): SqlCoercion => coerceSql(source.coercion, { raw, text, strict }, context);
  const text = render(raw, `s${i}`).text === raw ? raw : `t${i}`;
  const strict = render(text, `s${i}`).strict === text ? text : `s${i}`;
  const kept = column.strictType === null ? strict : `k${i}`;
  const sql = withTypeFaults(render(text, kept), { column, source, text, strict, kept });
  return { column, source, sql, raw, text, strict, kept, absent, lacks: lacksSql(column, { text, absent, hasSource: true }) };
}

const outcomes = { error: 'rejected', quarantine: 'rejected', null: 'nulled', default: 'defaulted' } as const;

/** Values that the law takes and the target's own type does not are refused like any other, or lossy where that type would round them. */
function withTypeFaults(
  sql: SqlCoercion,
  { column, source, text, strict, kept }: Pick<Piece, 'column' | 'text' | 'strict' | 'kept'> & { source: PlannedSource },
): SqlCoercion {
  if (column.strictType === null) return sql;
  const { rule, path, defaultSql } = source.coercion;
  const isClock = ['time', 'timestamp', 'timestamptz'].includes(source.coercion.to.kind);
  const outcome = rule.onInvalid === 'default' && defaultSql === undefined ? 'nulled' : outcomes[rule.onInvalid];
  const own = `${strict} IS NOT NULL AND ${kept} IS NULL`;
  const issue = issueSql({ path, code: isClock ? 'lossy_value' : 'invalid_value', outcome, value: `(${text})::text` });
  const either = (mine: string, theirs: string): string => `CASE WHEN ${own} THEN ${mine} ELSE ${theirs} END`;
  const fallback = outcome === 'defaulted' ? `CAST(${defaultSql} AS ${column.valueType})` : 'NULL';
  return {
    ...sql,
    refused: `(${kept} IS NULL AND ${text} IS NOT NULL)`,
    relaxed: either(fallback, sql.relaxed),
    rejects: either(String(outcome === 'rejected'), sql.rejects),
    issues: either(`jsonb_build_array(${issue})`, sql.issues),
  };
}

interface IssueText {
  readonly path: string | null;
  readonly code: string;
  readonly outcome: string;
  /** SQL. */
  readonly value?: string;
}

function issueSql({ path, code, outcome, value = 'NULL::text' }: IssueText): string {
  const shown = path === null ? 'NULL::text' : literal(visible(path));
  return `jsonb_build_object('path', ${shown}, 'code', ${literal(code)}, 'outcome', ${literal(outcome)}, 'value', ${value})`;
}

const visible = (text: string): string => text.replaceAll('\0', '\u2400');

/** NULL where NULL is not allowed, and no rule fills it. */
function lacksSql(column: StagedColumn, { text, absent, hasSource }: { text: string; absent: string; hasSource: boolean }): string {
  const { planned } = column;
  if (planned.target.nullable && !planned.key) return 'false';
  const filledWhenAbsent = planned.fallback !== 'null';
  if (!hasSource) return filledWhenAbsent ? 'false' : 'true';
  if (planned.rule.onNull === 'default' && planned.fallback !== 'null') return 'false';
  return filledWhenAbsent && absent !== 'false' ? `(${text} IS NULL AND NOT ${absent})` : `${text} IS NULL`;
}

function badSql({ raw }: Place, pieces: readonly Piece[]): string {
  const tests = pieces.flatMap((piece) => [...(piece.sql ? [piece.sql.refused] : []), piece.lacks]);
  if (raw.isJson) tests.unshift('malformed IS NOT NULL');
  const real = tests.filter((test) => test !== 'false');
  return real.length === 0 ? 'false' : real.map((test) => `(${test})`).join(' OR ');
}

function finalColumns(place: Place, pieces: readonly Piece[]): readonly string[] {
  const { layout, plan, group, raw, notes } = place;
  const bad = badSql(place, pieces);
  const absentEntries = pieces.flatMap((piece) => (piece.column.absent ? [{ bit: piece.column.absent, when: piece.absent }] : []));
  const noteEntries = pieces.flatMap((piece) =>
    (piece.sql?.notes ?? []).map((note) => ({ bit: notes.bitOf(note.path, note.from).bit, when: note.when })),
  );
  const extraEntries = layout.extras.flatMap((bit, i) => {
    const position = plan.extras[i]?.positions[group];
    return position === null || position === undefined ? [] : [{ bit, when: `${raw.extra(position)} IS NOT NULL` }];
  });
  return [
    'n',
    'file',
    ...pieces.map((piece) => `${piece.column.compose(valueSql(place, piece))} AS ${piece.column.name}`),
    ...layout.absentMasks.map((mask) => `${maskSql(mask, absentEntries)} AS ${mask}`),
    ...layout.extraMasks.map((mask) => `${maskSql(mask, extraEntries)} AS ${mask}`),
    ...notes.masks.map((mask) => `${maskSql(mask, noteEntries)} AS ${mask}`),
    `${unknownSql(place, pieces)} AS unknown`,
    `${bad === 'false' ? 'false' : `CASE WHEN ${bad} THEN ${rejectSql(place, pieces)} ELSE false END`} AS reject`,
    `${bad === 'false' ? 'NULL::jsonb' : `CASE WHEN ${bad} THEN ${issuesSql(place, pieces)} END`} AS issues`,
  ];
}

/** Keys of the record that neither target nor plan knows, and unknown fields of nested values by path, as a JSON list. */
function unknownSql({ raw }: Place, pieces: readonly Piece[]): string {
  const lists = pieces.flatMap(({ source, raw: value, column }) => {
    if (source === null) return [];
    const { name, type } = column.planned.target;
    const { from } = source.coercion;
    if (from.form === 'json') return nestedExtrasSql(value, type, name, false) ?? [];
    const isNested = from.form === 'typed' && (from.type.kind === 'struct' || from.type.kind === 'list');
    return isNested ? (nestedExtrasSql(`to_json(${value})::text`, type, name, true) ?? []) : [];
  });
  const own = raw.isJson ? 'unknown' : 'NULL::text';
  if (lists.length === 0) return own;
  const all = lists.join(' || ');
  const top = `ARRAY(SELECT json_array_elements_text(${own}::json))`;
  return `CASE WHEN coalesce(cardinality(${all}), 0) > 0 THEN to_json(coalesce(${top}, '{}') || ${all})::text ELSE ${own} END`;
}

/** The value that goes into the target. */
function valueSql(place: Place, piece: Piece): string {
  const { planned, valueType: type } = piece.column;
  if (planned === place.rescue) return rescueSql(place);
  const given = defaultSql(piece.source, planned);
  // The default of a composite column is a row of its type.
  const fallback = given !== undefined && type !== piece.column.type ? `to_jsonb(${given})` : given;
  if (piece.sql === null) return fallback ?? 'NULL';
  const { refused, relaxed } = piece.sql;
  const settled = refused === 'false' ? piece.kept : `CASE WHEN ${refused} THEN (${relaxed})::${type} ELSE (${piece.kept})::${type} END`;
  if (fallback === undefined) return settled;
  const fillNull = planned.rule.onNull === 'default';
  const fillRefused = (!planned.target.nullable || planned.key) && planned.rule.onInvalid === 'default';
  const filled = `(${fallback})::${type}`;
  if (fillNull || fillRefused) return `CASE WHEN ${piece.text} IS NULL THEN ${filled} ELSE (${settled})::${type} END`;
  return piece.absent === 'false'
    ? settled
    : `CASE WHEN ${piece.text} IS NULL AND ${piece.absent} THEN ${filled} ELSE (${settled})::${type} END`;
}

function defaultSql(source: PlannedSource | null, planned: PlannedColumn): string | undefined {
  if (planned.fallback === 'null') return undefined;
  const known = source ?? planned.sources.find((candidate) => candidate !== null);
  return known?.coercion.defaultSql ?? planned.defaultSql ?? planned.target.default;
}

const fillsNull = (planned: PlannedColumn, rule: ColumnRule): boolean =>
  rule.onInvalid === 'default' && planned.fallback !== 'null' && !planned.key;

function rejectSql({ raw }: Place, pieces: readonly Piece[]): string {
  const tests = pieces.flatMap((piece) => {
    const refused = piece.sql && piece.sql.rejects !== 'false' ? [`(${piece.sql.refused} AND ${piece.sql.rejects})`] : [];
    const lacks = piece.lacks === 'false' || fillsNull(piece.column.planned, piece.column.planned.rule) ? [] : [`(${piece.lacks})`];
    return [...refused, ...lacks];
  });
  if (raw.isJson) tests.unshift('malformed IS NOT NULL');
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

function issuesSql({ raw }: Place, pieces: readonly Piece[]): string {
  const lists = pieces.flatMap((piece) => {
    const { planned } = piece.column;
    const none = `'[]'::jsonb`;
    const refused =
      piece.sql && piece.sql.refused !== 'false' ? [`CASE WHEN ${piece.sql.refused} THEN ${piece.sql.issues} ELSE ${none} END`] : [];
    const outcome = fillsNull(planned, planned.rule) ? 'defaulted' : 'rejected';
    const code = planned.key ? 'null_key' : 'nullability';
    const issue = issueSql({ path: planned.target.name, code, outcome });
    const lacks = piece.lacks === 'false' ? [] : [`CASE WHEN ${piece.lacks} THEN jsonb_build_array(${issue}) ELSE ${none} END`];
    return [...refused, ...lacks];
  });
  const values = lists.length === 0 ? `'[]'::jsonb` : lists.join(' || ');
  if (!raw.isJson) return values;
  const issue = `jsonb_build_object('path', NULL::text, 'code', 'malformed_record:' || malformed, 'outcome', 'rejected', 'value', line)`;
  return `CASE WHEN malformed IS NOT NULL THEN jsonb_build_array(${issue}) ELSE ${values} END`;
}

/** `{"extra": "value", …}` of the extra columns that hold something; NULL when none does. */
function rescueSql({ plan, group, raw, context }: Place): string {
  const pairs = plan.extras.flatMap(({ name, positions }) => {
    const position = positions[group];
    if (position === null || position === undefined) return [];
    const value = raw.extra(position);
    const json = raw.isJson ? value : `to_json(${value})::text`;
    return [`CASE WHEN ${value} IS NOT NULL THEN ${literal(`${JSON.stringify(name)}:`)} || ${json} END`];
  });
  if (pairs.length === 0) return 'NULL';
  const joined = `array_to_string(ARRAY[${pairs.join(', ')}], ',')`;
  const text = `nullif('{' || ${joined} || '}', '{}')`;
  const { nulMark } = context;
  return nulMark === undefined ? text : `replace(${text}, ${literal(nulMark)}, ${literal('\\u2400')})`;
}
