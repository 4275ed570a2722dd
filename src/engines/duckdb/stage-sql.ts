/** The staging query of one group: raw value → prepared text → strict value → value under the policy, with faults beside it. */
import type { ColumnRule } from '../../core/model/policy.ts';
import type { PlannedColumn, PlannedSource } from '../../core/plan/plan.ts';
import { coerceSql } from './coerce/coerce.ts';
import type { CoerceContext, SqlCoercion } from './coerce/sql-coercion.ts';
import { issueType } from './coerce/policy-sql.ts';
import { nullOf, sqlType } from './coerce/sql-type.ts';
import { nestedExtrasSql, typedExtrasSql } from './nested-extras.ts';
import { literal } from './quote.ts';
import type { RawLevel, RawReading } from './raw-levels.ts';
import { type Bit, BitPool, maskSql, type StagedColumn, type StagedNote, type StageLayout } from './stage-columns.ts';

const issueSql = (path: string | null, code: string, outcome: string, value = 'NULL::VARCHAR'): string =>
  `{'path': ${path === null ? 'NULL::VARCHAR' : literal(path)}, 'code': ${literal(code)}, 'outcome': ${literal(outcome)}, 'value': ${value}}`;

export interface StageRequest {
  readonly layout: StageLayout;
  readonly group: number;
  readonly raw: RawLevel;
  /** Column that keeps the raw values of flagged rows of this group. */
  readonly kept: string;
  readonly context: CoerceContext;
  /** Per extra column: its position in this group, or null. */
  readonly extraPositions: readonly (number | null)[];
  /** Names of the extra columns, for the rescued object. */
  readonly extraNames: readonly string[];
  /** The column that takes the rescued values, when there is one. */
  readonly rescue: PlannedColumn | null;
  readonly notes: NotePool;
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

/** What the last level needs to know of one column. */
interface Piece {
  readonly column: StagedColumn;
  readonly source: PlannedSource | null;
  readonly sql: SqlCoercion | null;
  readonly text: string;
  readonly strict: string;
  readonly absent: string;
  /** Boolean: the record has no value for a column that needs one. */
  readonly lacks: string;
}

export interface StageSql {
  /** SELECT that yields the columns of the staging table in their order. */
  readonly select: (reading: RawReading) => string;
  /** SELECT that yields the columns of the table of flagged rows, from what the staging table keeps of them in a column. */
  readonly flagged: (kept: string, rows: string) => string;
  /** For the examples of remarks: SELECT of r-columns and texts over a raw level, and the SQL of each remark. */
  readonly texts: (level: string) => string;
  readonly noteValues: ReadonlyMap<string, { readonly when: string; readonly value: string }>;
}

/** Column of `texts` with the prepared text of the staged column in a place of the layout. */
export const stagedText = (place: number): string => `t${place}`;

export const noteKey = (path: string, from: string): string => `${from}\0${path}`;

/** Builds the nested SELECTs. Every name inside is made here; names of the data only stand inside literals. */
export function stageSql(request: StageRequest): StageSql {
  const { layout, raw } = request;
  const pieces = layout.columns.map((column, i) => makePiece(request, column, i));
  const used = pieces.flatMap((piece) => (piece.sql && piece.source ? [{ piece, sql: piece.sql, source: piece.source }] : []));
  const texts = (level: string): string => {
    const level1 = raw.malformed === undefined ? level : `SELECT *, ${raw.malformed} AS malformed FROM (${level})`;
    const level2 = `SELECT *${used.map(({ piece, sql }) => `, ${sql.text} AS ${piece.text}`).join('')} FROM (${withRaws(level1, used, raw)})`;
    return `SELECT *${used.map(({ piece, sql }) => `, ${sql.strict} AS ${piece.strict}`).join('')} FROM (${level2})`;
  };
  // The bits of remarks are handed out now; how many masks they fill is known once all groups have theirs.
  for (const { sql } of used) for (const note of sql.notes) request.notes.bitOf(note.path, note.from);
  const bad = badSql(request, pieces);
  const flagged = `"row", file, ${rejectSql(request, pieces)} AS reject, ${issuesSql(request, pieces)} AS issues, ${raw.record} AS raw`;
  return {
    select: (reading) =>
      `SELECT ${finalColumns(request, pieces).join(', ')} FROM (SELECT *, ${bad} AS bad FROM (${texts(raw.sql(reading))}))`,
    flagged: (kept, rows) => `SELECT ${flagged} FROM (${texts(raw.again(kept, rows))})`,
    texts,
    noteValues: new Map(used.flatMap(({ sql }) => sql.notes.map((note) => [noteKey(note.path, note.from), note] as const))),
  };
}

/** Sources that are not a plain column of the raw level get one of their own. */
function withRaws(level1: string, used: readonly { piece: Piece; source: PlannedSource }[], raw: RawLevel): string {
  const extra = used.map(({ piece, source }) => `, ${raw.raw(source)} AS ${rawName(piece.column)}`).join('');
  return extra === '' ? level1 : `SELECT *${extra} FROM (${level1})`;
}

const rawName = (column: StagedColumn): string => `v_${column.name}`;

function makePiece(request: StageRequest, column: StagedColumn, i: number): Piece {
  const source = column.planned.sources[request.group] ?? null;
  const text = stagedText(i);
  const strict = `s${i}`;
  const absent = source === null ? 'true' : request.raw.absent(source);
  const sql = source === null ? null : coerceSql(source.coercion, { raw: rawName(column), text, strict }, request.context);
  return { column, source, sql, text, strict, absent, lacks: lacksSql(column, { text, absent, hasSource: source !== null }) };
}

/** NULL where NULL is not allowed, and no rule fills it. */
function lacksSql(column: StagedColumn, { text, absent, hasSource }: { text: string; absent: string; hasSource: boolean }): string {
  const { planned } = column;
  if (planned.target.nullable && !planned.key) return 'false';
  const filledWhenAbsent = planned.fallback !== 'null';
  if (!hasSource) return filledWhenAbsent ? 'false' : 'true';
  if (planned.rule.onNull === 'default' && planned.fallback !== 'null') return 'false';
  return filledWhenAbsent && absent !== 'false' ? `(${text} IS NULL AND NOT ${absent})` : `${text} IS NULL`;
}

function badSql(request: StageRequest, pieces: readonly Piece[]): string {
  const tests = pieces.flatMap((piece) => [...(piece.sql ? [piece.sql.refused] : []), piece.lacks]);
  if (request.raw.malformed !== undefined) tests.unshift('malformed IS NOT NULL');
  const real = tests.filter((test) => test !== 'false');
  return real.length === 0 ? 'false' : real.map((test) => `(${test})`).join(' OR ');
}

function finalColumns(request: StageRequest, pieces: readonly Piece[]): readonly string[] {
  const { layout, raw, notes } = request;
  const absentEntries = pieces.flatMap((piece) => (piece.column.absent ? [{ bit: piece.column.absent, when: piece.absent }] : []));
  const noteEntries = pieces.flatMap((piece) =>
    (piece.sql?.notes ?? []).map((note) => ({ bit: notes.bitOf(note.path, note.from).bit, when: note.when })),
  );
  const extraEntries = layout.extras.flatMap((bit, i) => {
    const position = request.extraPositions[i];
    return position === null || position === undefined ? [] : [{ bit, when: `${raw.extra(position)} IS NOT NULL` }];
  });
  return [
    'file',
    ...pieces.map((piece) => `${valueSql(request, piece)} AS ${piece.column.name}`),
    ...layout.absentMasks.map((mask) => `${absentMask(mask, absentEntries)} AS ${mask}`),
    ...layout.extraMasks.map((mask) => `${maskSql(mask, extraEntries)} AS ${mask}`),
    `${unknownSql(request, pieces)} AS unknown`,
    `CASE WHEN bad THEN ${rejectSql(request, pieces)} ELSE false END AS reject`,
    ...layout.kept.map((column) => `${column.name === request.kept ? `CASE WHEN bad THEN ${raw.keep} END` : 'NULL'} AS ${column.name}`),
    ...notes.masks.map((mask) => `${maskSql(mask, noteEntries)} AS ${mask}`),
  ];
}

/** Records that have all of their keys need no look at each. */
function absentMask(mask: string, entries: readonly { readonly bit: Bit; readonly when: string }[]): string {
  const tests = entries.filter((entry) => entry.bit.mask === mask && entry.when !== 'false').map((entry) => entry.when);
  const sum = maskSql(mask, entries);
  return tests.length < 2 || tests.includes('true') ? sum : `CASE WHEN ${tests.join(' OR ')} THEN ${sum} ELSE 0::UBIGINT END`;
}

/** The value that goes into the target. */
function valueSql(request: StageRequest, piece: Piece): string {
  const { planned } = piece.column;
  const type = sqlType(planned.target.type);
  if (planned === request.rescue) return `${rescueSql(request)}::${type}`;
  const fallback = defaultSql(piece.source, planned);
  if (piece.sql === null) return `CAST(${fallback ?? 'NULL'} AS ${type})`;
  const { refused, relaxed } = piece.sql;
  const settled =
    relaxed === nullOf(planned.target.type) || refused === 'false'
      ? piece.strict
      : `CASE WHEN ${refused} THEN ${relaxed} ELSE ${piece.strict} END`;
  if (fallback === undefined) return settled;
  const fillNull = planned.rule.onNull === 'default';
  const fillRefused = (!planned.target.nullable || planned.key) && planned.rule.onInvalid === 'default';
  if (fillNull || fillRefused) return `CASE WHEN ${piece.text} IS NULL THEN CAST(${fallback} AS ${type}) ELSE ${settled} END`;
  return piece.absent === 'false'
    ? settled
    : `CASE WHEN ${piece.text} IS NULL AND ${piece.absent} THEN CAST(${fallback} AS ${type}) ELSE ${settled} END`;
}

function defaultSql(source: PlannedSource | null, planned: PlannedColumn): string | undefined {
  if (planned.fallback === 'null') return undefined;
  const known = source ?? planned.sources.find((candidate) => candidate !== null);
  return known?.coercion.defaultSql ?? planned.defaultSql ?? planned.target.default;
}

const fillsNull = (planned: PlannedColumn, rule: ColumnRule): boolean =>
  rule.onInvalid === 'default' && planned.fallback !== 'null' && !planned.key;

function rejectSql(request: StageRequest, pieces: readonly Piece[]): string {
  const tests = pieces.flatMap((piece) => {
    const refused = piece.sql && piece.sql.rejects !== 'false' ? [`(${piece.sql.refused} AND ${piece.sql.rejects})`] : [];
    const lacks = piece.lacks === 'false' || fillsNull(piece.column.planned, piece.column.planned.rule) ? [] : [`(${piece.lacks})`];
    return [...refused, ...lacks];
  });
  if (request.raw.malformed !== undefined) tests.unshift('malformed IS NOT NULL');
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

function issuesSql(request: StageRequest, pieces: readonly Piece[]): string {
  const lists = pieces.flatMap((piece) => {
    const { planned } = piece.column;
    const refused = piece.sql && piece.sql.refused !== 'false' ? [`CASE WHEN ${piece.sql.refused} THEN ${piece.sql.issues} END`] : [];
    const outcome = fillsNull(planned, planned.rule) ? 'defaulted' : 'rejected';
    const code = planned.key ? 'null_key' : 'nullability';
    const lacks = piece.lacks === 'false' ? [] : [`CASE WHEN ${piece.lacks} THEN [${issueSql(planned.target.name, code, outcome)}] END`];
    return [...refused, ...lacks];
  });
  const values = lists.length === 0 ? `[]::${issueType}[]` : `flatten([${lists.join(', ')}])`;
  if (request.raw.malformed === undefined) return values;
  const malformed = `[{'path': NULL::VARCHAR, 'code': 'malformed_record:' || malformed, 'outcome': 'rejected', 'value': line}]`;
  return `CASE WHEN malformed IS NOT NULL THEN ${malformed} ELSE ${values} END`;
}

/** Keys of the record that neither target nor plan knows, and unknown fields of nested values by path. */
function unknownSql(request: StageRequest, pieces: readonly Piece[]): string {
  const lists = pieces.flatMap((piece) => {
    if (piece.source === null) return [];
    const { from } = piece.source.coercion;
    const { name, type: to } = piece.column.planned.target;
    const value = rawName(piece.column);
    if (from.form === 'json') return nestedExtrasSql(value, to, name) ?? [];
    return from.form === 'typed' ? (typedExtrasSql(value, { from: from.type, to }, name) ?? []) : [];
  });
  if (request.raw.unknownKeys !== undefined) lists.push(request.raw.unknownKeys);
  if (lists.length === 0) return 'NULL::VARCHAR[]';
  return lists.length === 1 ? `${lists[0]}` : `list_distinct(flatten([${lists.join(', ')}]))`;
}

/** `{"extra": "value", …}` of the extra columns that hold something; NULL when none does. */
function rescueSql(request: StageRequest): string {
  const pairs = request.extraPositions.flatMap((position, i) => {
    if (position === null) return [];
    const value = request.raw.extra(position);
    const json = request.raw.malformed === undefined ? `to_json(${value})` : `${value}::JSON`;
    return [
      {
        when: `${value} IS NOT NULL`,
        pair: `CASE WHEN ${value} IS NOT NULL THEN ${literal(`${JSON.stringify(request.extraNames[i] ?? '')}:`)} || ${json}::VARCHAR END`,
      },
    ];
  });
  if (pairs.length === 0) return 'NULL';
  return `CASE WHEN ${pairs.map((pair) => pair.when).join(' OR ')} THEN '{' || array_to_string(list_filter([${pairs.map((pair) => pair.pair).join(', ')}], lambda p: p IS NOT NULL), ',') || '}' END`;
}
