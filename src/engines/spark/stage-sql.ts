/** The staging query of one group: raw value → prepared text → strict value → value under the policy, with faults beside it. */
import type { ColumnRule } from '../../core/model/policy.ts';
import type { Plan, PlannedColumn, PlannedSource } from '../../core/plan/plan.ts';
import { coerceSql } from './coerce/coerce.ts';
import { issueType } from './coerce/policy-sql.ts';
import type { CoerceContext, SqlCoercion } from './coerce/sql-coercion.ts';
import { literal } from './quote.ts';
import { jsonOf, type RawLevel, rawLevel } from './raw-levels.ts';
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
  readonly text: string;
  readonly strict: string;
  readonly absent: string;
  /** Boolean: the record has no value for a column that needs one. */
  readonly lacks: string;
}

export interface GroupSql {
  readonly raw: RawLevel;
  /** SELECT that yields the columns of the staging table in their order. Asked for when all groups are known: they share the bits of remarks. */
  readonly select: () => string;
  /** SELECT of `n` and text of a remark, `x`, for the records with the numbers given; undefined where the group has no such remark. */
  readonly noteText: (note: StagedNote, numbers: readonly number[]) => string | undefined;
}

/** Builds the nested SELECTs. Every name inside is made here; names of the data only stand inside literals. */
export function groupSql(request: GroupRequest): GroupSql {
  const { layout, notes } = request;
  const raw = rawLevel(request.plan, request.group);
  const place = { ...request, raw };
  const pieces = layout.columns.map((column, i) => makePiece(place, column, i));
  for (const piece of pieces) for (const note of piece.sql?.notes ?? []) notes.bitOf(note.path, note.from);
  return {
    raw,
    select: () => selectSql(place, pieces),
    noteText: ({ path, from }, numbers) => {
      const own = pieces.flatMap((piece) => piece.sql?.notes ?? []).find((note) => note.path === path && note.from === from);
      return own && `SELECT n, CAST(${own.value} AS STRING) AS x FROM (${levelsSql(pieces, raw.from(numbers))})`;
    },
  };
}

interface Place extends GroupRequest {
  readonly raw: RawLevel;
}

/** Values that a level only passes on need no level of their own. */
function levelsSql(pieces: readonly Piece[], from: string): string {
  const used = pieces.flatMap(({ sql, ...piece }) => (sql === null ? [] : [{ ...piece, sql }]));
  const texts = `SELECT *${used.map(({ text, sql }) => `, ${sql.text} AS ${text}`).join('')} FROM ${from}`;
  return `SELECT *${used.map(({ strict, sql }) => `, ${sql.strict} AS ${strict}`).join('')} FROM (${texts})`;
}

function makePiece(place: Place, column: StagedColumn, i: number): Piece {
  const source = column.planned.sources[place.group] ?? null;
  const absent = source === null ? 'true' : place.raw.absent(source);
  if (source === null) {
    const lacks = lacksSql(column, { text: 'NULL', absent, hasSource: false });
    return { column, source, absent, sql: null, text: 'NULL', strict: 'NULL', lacks };
  }
  const input = { raw: place.raw.value(source), text: `t${i}`, strict: `s${i}` };
  const sql = coerceSql(source.coercion, input, place.context);
  return {
    column,
    source,
    sql,
    text: input.text,
    strict: input.strict,
    absent,
    lacks: lacksSql(column, { text: input.text, absent, hasSource: true }),
  };
}

function issueSql(
  path: string | null,
  code: string,
  { outcome, value = 'CAST(NULL AS STRING)' }: { outcome: string; value?: string },
): string {
  const shown = path === null ? 'CAST(NULL AS STRING)' : literal(path);
  return `CAST(struct(${shown}, ${code}, ${literal(outcome)}, ${value}) AS ${issueType})`;
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

function badSql({ raw }: Place, pieces: readonly Piece[]): string {
  const tests = pieces.flatMap((piece) => [...(piece.sql ? [piece.sql.refused] : []), piece.lacks]);
  if (raw.isJson) tests.unshift('malformed IS NOT NULL');
  const real = tests.filter((test) => test !== 'false');
  return real.length === 0 ? 'false' : real.map((test) => `(${test})`).join(' OR ');
}

function selectSql(place: Place, pieces: readonly Piece[]): string {
  const { layout, plan, group, raw, notes } = place;
  const absentEntries = pieces.flatMap((piece) => (piece.column.absent ? [{ bit: piece.column.absent, when: piece.absent }] : []));
  const noteEntries = pieces.flatMap((piece) =>
    (piece.sql?.notes ?? []).map((note) => ({ bit: notes.bitOf(note.path, note.from).bit, when: note.when })),
  );
  const extraEntries = layout.extras.flatMap((bit, i) => {
    const position = plan.extras[i]?.positions[group];
    return position === null || position === undefined ? [] : [{ bit, when: `${raw.extra(position)} IS NOT NULL` }];
  });
  const columns = [
    'n',
    'file',
    ...pieces.map((piece) => `CAST(${valueSql(place, piece)} AS ${piece.column.type}) AS ${piece.column.name}`),
    ...layout.absentMasks.map((mask) => `${maskSql(mask, absentEntries)} AS ${mask}`),
    ...layout.extraMasks.map((mask) => `${maskSql(mask, extraEntries)} AS ${mask}`),
    ...notes.masks.map((mask) => `${maskSql(mask, noteEntries)} AS ${mask}`),
    'unknown',
    `CASE WHEN bad THEN ${rejectSql(place, pieces)} ELSE false END AS reject`,
    `CASE WHEN bad THEN ${issuesSql(place, pieces)} END AS issues`,
  ];
  return `SELECT ${columns.join(', ')} FROM (SELECT *, ${badSql(place, pieces)} AS bad FROM (${levelsSql(pieces, raw.from())}))`;
}

/** The value that goes into the target. */
function valueSql(place: Place, piece: Piece): string {
  const { planned, type } = piece.column;
  if (planned === place.rescue) return rescueSql(place);
  const fallback = defaultSql(piece.source, planned);
  if (piece.sql === null) return fallback ?? 'NULL';
  const { refused, relaxed } = piece.sql;
  const settled = refused === 'false' ? piece.strict : `CASE WHEN ${refused} THEN ${relaxed} ELSE ${piece.strict} END`;
  if (fallback === undefined) return settled;
  const fillNull = planned.rule.onNull === 'default';
  const fillRefused = (!planned.target.nullable || planned.key) && planned.rule.onInvalid === 'default';
  const filled = `CAST(${fallback} AS ${type})`;
  if (fillNull || fillRefused) return `CASE WHEN ${piece.text} IS NULL THEN ${filled} ELSE ${settled} END`;
  return piece.absent === 'false' ? settled : `CASE WHEN ${piece.text} IS NULL AND ${piece.absent} THEN ${filled} ELSE ${settled} END`;
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

const none = `CAST(array() AS ARRAY<${issueType}>)`;

function issuesSql({ raw }: Place, pieces: readonly Piece[]): string {
  const lists = pieces.flatMap((piece) => {
    const { planned } = piece.column;
    const refused =
      piece.sql && piece.sql.refused !== 'false' ? [`CASE WHEN ${piece.sql.refused} THEN ${piece.sql.issues} ELSE ${none} END`] : [];
    const outcome = fillsNull(planned, planned.rule) ? 'defaulted' : 'rejected';
    const code = planned.key ? 'null_key' : 'nullability';
    const issue = issueSql(planned.target.name, literal(code), { outcome });
    const lacks = piece.lacks === 'false' ? [] : [`CASE WHEN ${piece.lacks} THEN array(${issue}) ELSE ${none} END`];
    return [...refused, ...lacks];
  });
  const values = lists.length === 0 ? none : `flatten(array(${lists.join(', ')}))`;
  if (!raw.isJson) return values;
  const issue = issueSql(null, `concat('malformed_record:', malformed)`, { outcome: 'rejected', value: 'line' });
  return `CASE WHEN malformed IS NOT NULL THEN array(${issue}) ELSE ${values} END`;
}

/** `{"extra": "value", …}` of the extra columns that hold something; NULL when none does. */
function rescueSql({ plan, group, raw }: Place): string {
  const pairs = plan.extras.flatMap(({ name, positions }) => {
    const position = positions[group];
    if (position === null || position === undefined) return [];
    const value = raw.extra(position);
    const json = raw.isJson ? value : jsonOf(value);
    return [`CASE WHEN ${value} IS NOT NULL THEN concat(${literal(`${JSON.stringify(name)}:`)}, ${json}) END`];
  });
  if (pairs.length === 0) return 'NULL';
  return `nullif(concat('{', concat_ws(',', ${pairs.join(', ')}), '}'), '{}')`;
}
