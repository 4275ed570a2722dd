/**
 * The first levels of the staging query: one raw value per source column, in columns r0, r1, …, beside
 * `file` (position of the file), and for JSON `line`, `keys` and `malformed`.
 */

import type { LogicalType } from '../../core/model/type.ts';
import type { PlannedSource, SourceGroup } from '../../core/plan/plan.ts';
import { jsonPath } from './reader.ts';
import { ident, literal } from './quote.ts';

/** Where records come from. */
export interface RawReading {
  /** FROM clause that yields `r0 …`, or `line` for JSON, and `file_index` when there are several files. */
  readonly from: string;
  /** Position of the first file, or SQL that gives a row's file from `file_index`. */
  readonly file: string;
}

export interface RawLevel {
  /** A SELECT that yields `file` and the raw columns. */
  readonly sql: (reading: RawReading) => string;
  /** List of one record's raw values: what is kept of a flagged row. */
  readonly keep: string;
  /** The same columns as `sql`, and `row`, from kept records; `kept` is the list's column, `rows` the FROM clause, maybe with a condition. */
  readonly again: (kept: string, rows: string) => string;
  /** Raw value of a planned source, over the columns of `sql`. */
  readonly raw: (source: PlannedSource) => string;
  /** Raw value of a source column that has no target. */
  readonly extra: (position: number) => string;
  /** Boolean: the planned source's key is absent from the record; `false` where that cannot be. */
  readonly absent: (source: PlannedSource) => string;
  /** The record as text. */
  readonly record: string;
  /** VARCHAR: why the record is malformed, or NULL; undefined where the reader itself sets such records aside. */
  readonly malformed?: string;
  /** Keys that the plan does not know, LIST(VARCHAR); undefined where there can be none. */
  readonly unknownKeys?: string;
}

export interface RawRequest {
  readonly group: SourceGroup;
  readonly numberMark: string;
  /** Source columns whose values are needed. */
  readonly used: ReadonlySet<number>;
  /** Positions whose JSON numbers must keep their digits because the target is text or nested. */
  readonly exactText: ReadonlySet<number>;
}

export function textLevel({ group }: RawRequest): RawLevel {
  const columns = group.columns.map((_, i) => `r${i}`);
  const blankLines = columns.length === 1 ? ' WHERE r0 IS NOT NULL' : '';
  return {
    ...flatLevel(group),
    sql: ({ from, file }) => `SELECT ${file} AS file, ${columns.join(', ')} FROM ${from}${blankLines}`,
    keep: `[${columns.join(', ')}]`,
    again: (kept, rows) => `SELECT "row", file, ${columns.map((name, i) => `${kept}[${i + 1}] AS ${name}`).join(', ')} ${rows}`,
  };
}

export function typedLevel({ group }: RawRequest): RawLevel {
  const columns = group.columns.map((column, i) => ({ sql: typedRaw(ident(column.readAs ?? column.name), column.type), name: `r${i}` }));
  const select = columns.map(({ sql, name }) => `${sql} AS ${name}`).join(', ');
  const names = columns.map(({ name }) => name);
  return {
    ...flatLevel(group),
    sql: ({ from, file }) => `SELECT ${file} AS file, ${select} FROM ${from}`,
    keep: `[{${names.map((name) => `'${name}': ${name}`).join(', ')}}]`,
    again: (kept, rows) =>
      `SELECT "row", file, ${names.map((name) => `x.${name} AS ${name}`).join(', ')} FROM (SELECT "row", file, ${kept}[1] AS x ${rows})`,
  };
}

/** What levels have in common whose columns are plain. */
function flatLevel(group: SourceGroup): Pick<RawLevel, 'raw' | 'extra' | 'absent' | 'record'> {
  const pairs = group.columns.map((column, i) => `${literal(column.name)}, r${i}`).join(', ');
  return {
    raw: (source) => `r${source.index}`,
    extra: (position) => `r${position}`,
    absent: () => 'false',
    record: `json_object(${pairs})::VARCHAR`,
  };
}

/** The raw values alone, for inference: columns r0, r1, … */
export function rawSelect(group: SourceGroup, unit: { readonly from: () => string; readonly file: string }): string {
  const level = { text: textLevel, json: jsonLevel, typed: typedLevel }[group.form];
  const raw = level({ group, numberMark: '', used: new Set(), exactText: new Set() });
  return raw.sql({ from: unit.from(), file: unit.file });
}

/** Types without a logical equal travel as their text. */
function typedRaw(column: string, type: LogicalType | undefined): string {
  return type === undefined || type.kind === 'unknown' ? `${column}::VARCHAR` : column;
}

/**
 * NDJSON and JSON. The record is projected by `json_transform`, which keeps tokens but writes decimals through a double;
 * records whose numbers need their digits are projected from a text in which every number token is a marked string.
 */
export function jsonLevel(request: RawRequest): RawLevel {
  const { group, numberMark, exactText } = request;
  const keys = group.columns.map((column) => column.name);
  const present = keys.length === 0 ? '0' : `(${keys.map((_, i) => `(r${i} IS NOT NULL)::INT`).join(' + ')})`;
  const known = keys.length === 0 ? '[]::VARCHAR[]' : `[${keys.map(literal).join(', ')}]`;
  return {
    sql: ({ from, file }) => projection(request, `${file} AS file`, from),
    keep: '[line]',
    again: (kept, rows) => projection(request, 'file, "row"', `(SELECT "row", file, ${kept}[1] AS line ${rows})`),
    raw: (source) => below(`r${source.index}`, source.below),
    extra: (position) => (exactText.has(position) ? unmarked(`r${position}`, numberMark) : `r${position}`),
    absent: (source) => absentTest(`r${source.index}`, keys[source.index] ?? '', source.below),
    record: 'line',
    malformed:
      `CASE WHEN keys IS NULL THEN CASE WHEN json_valid(line) THEN 'not_an_object' ELSE 'json' END ` +
      `WHEN ${looseJson(keys.length, present)} THEN 'json' ` +
      `WHEN len(keys) <> ${present} AND len(keys) <> len(list_distinct(keys)) THEN 'duplicate_key_in_object' ` +
      `WHEN ${nestedDuplicates(keys.length)} THEN 'duplicate_key_in_object' END`,
    unknownKeys: `CASE WHEN len(keys) <> ${present} THEN list_filter(keys, lambda k: NOT list_contains(${known}, k)) END`,
  };
}

/**
 * SELECT of `origin`, the line, its keys and one token per column. Each step names what the next one tests several times:
 * tokens as the engine gives them (q0 …), the record with its digits marked where those would be lost (e), and of both the one that holds.
 */
function projection({ group, numberMark, exactText, used }: RawRequest, origin: string, from: string): string {
  const keys = group.columns.map((column) => column.name);
  const carried = origin.replace(/^.* AS /, '');
  const isObject = `starts_with(line, '{') OR starts_with(ltrim(line, ${blanks}), '{')`;
  const objectKeys = `CASE WHEN ${isObject} THEN TRY(json_keys(line)) END AS keys`;
  if (keys.length === 0) return `SELECT ${origin}, line, ${objectKeys} FROM ${from}`;
  const spec = literal(`{${keys.map((key) => `${JSON.stringify(key)}:"JSON"`).join(',')}}`);
  const projected = `SELECT ${origin}, line, TRY(json_transform(line, ${spec})) AS t, ${objectKeys} FROM ${from}`;
  const named = (struct: string, name: string): string =>
    keys.map((_, i) => `${member(struct, keys, i)}::VARCHAR AS ${name}${i}`).join(', ');
  const tokens = `SELECT ${carried}, line, keys, ${named('t', 'q')} FROM (${projected})`;
  const needs = digitTests(keys.length, used, exactText);
  if (needs === 'false') return `SELECT ${carried}, line, keys, ${keys.map((_, i) => `q${i} AS r${i}`).join(', ')} FROM (${tokens})`;
  // The 0 at the end lets the last match reach there; without it a search would begin anew inside the strings after the last number.
  const marked = `left(regexp_replace(line || ' 0', ${literal(numberPattern)}, ${literal(`\\1"${numberMark}\\2"`)}, 'g'), -${` "${numberMark}0"`.length})`;
  const exact = `SELECT *, CASE WHEN ${needs} THEN TRY(json_transform(${marked}, ${spec})) END AS e FROM (${tokens})`;
  const either = keys.map((_, i) => `CASE WHEN e IS NULL THEN q${i} ELSE ${member('e', keys, i)}::VARCHAR END AS r${i}`).join(', ');
  return `SELECT ${carried}, line, keys, ${either} FROM (${exact})`;
}

/** A token with its numbers as they were written. The mark holds no sign of patterns. */
const unmarked = (value: string, mark: string): string =>
  `CASE WHEN contains(${value}, ${literal(mark)}) THEN regexp_replace(${value}, ${literal(`"${mark}([^"]*)"`)}, '\\1', 'g') ELSE ${value} END`;

/** A member of the projected record: by its place where DuckDB has no name for it, as it knows neither case nor empty names. */
function member(struct: string, keys: readonly string[], place: number): string {
  const nameless = keys.includes('') || new Set(keys.map((key) => key.toLowerCase())).size < keys.length;
  return nameless ? `struct_extract_at(${struct}, ${place + 1})` : `${struct}.${ident(keys[place] ?? '')}`;
}

function absentTest(value: string, key: string, path: readonly (string | number)[] | undefined): string {
  if (path !== undefined && path.length > 0) return `(${value} IS NULL OR json_extract(${value}, ${literal(jsonPath(path))}) IS NULL)`;
  return `(${value} IS NULL AND keys IS NOT NULL AND NOT list_contains(keys, ${literal(key)}))`;
}

const blanks = `' ' || chr(9) || chr(10) || chr(13)`;

/** Everything up to a number token that stands outside of strings, then the token. */
const numberPattern = '((?:"(?:[^"\\\\]|\\\\.)*"|[^"0-9-])*)(-?[0-9][0-9.eE+-]*)';
const stringPattern = '"(?:[^"\\\\]|\\\\.)*"';

/** What DuckDB's parser takes and RFC 8259 does not: trailing commas, NaN and Infinity, sought outside of strings. */
const looseComma = ',\\s*[}\\]]';
const looseNumber = '[:,[]\\s*-?(?:[nN][aA][nN]|[iI][nN][fF])';

/**
 * Whether the record is no JSON though the parser took it. A number of this kind shows in the tokens of the known keys, where the parser
 * writes it in one way; only records with unknown keys are searched for it. Searching a whole line for a comma is the cheap part.
 */
function looseJson(keys: number, present: string): string {
  const tokens = Array.from({ length: keys }, (_, i) => `r${i}`);
  const numbers = tokens.map(
    (r) =>
      `(${r} >= '-I' AND ${r} < '-J') OR (${r} >= 'I' AND ${r} < 'O') OR (${r} >= '[' AND (contains(${r}, 'NaN') OR contains(${r}, 'Inf')))`,
  );
  const suspect = [
    ...numbers,
    `regexp_matches(line, '${looseComma}')`,
    `(len(keys) <> ${present} AND regexp_matches(line, '${looseNumber}'))`,
  ];
  const outside = `regexp_replace(line, ${literal(stringPattern)}, '""', 'g')`;
  return `CASE WHEN ${suspect.join(' OR ')} THEN regexp_matches(${outside}, '${looseComma}|${looseNumber}') ELSE false END`;
}

function below(value: string, path: readonly (string | number)[] | undefined): string {
  if (path === undefined || path.length === 0) return value;
  const inner = `json_extract(${value}, ${literal(jsonPath(path))})::VARCHAR`;
  return `CASE WHEN ${inner} <> 'null' THEN ${inner} END`;
}

/** Where the digits of a number would be lost by a double: long tokens, and any fraction or exponent on its way into text or nested values. */
function digitTests(columns: number, used: ReadonlySet<number>, exactText: ReadonlySet<number>): string {
  const test = (i: number): string =>
    `(q${i} >= '-' AND CASE WHEN q${i} < ':' THEN contains(q${i}, '.') OR contains(q${i}, 'e') ` +
    `WHEN q${i} >= '[' THEN regexp_matches(q${i}, '[0-9][.eE]|[0-9]{16}') ELSE false END)`;
  const positions = Array.from({ length: columns }, (_, i) => i);
  const tests = positions.filter((i) => exactText.has(i)).map(test);
  const doubles = positions.filter((i) => used.has(i) && !exactText.has(i)).map(test);
  if (doubles.length > 0) tests.push(`((${doubles.join(' OR ')}) AND regexp_matches(line, '[0-9][0-9.]{15}'))`);
  return tests.length === 0 ? 'false' : `coalesce(${tests.join(' OR ')}, false)`;
}

/** How deep equal keys are looked for inside values. */
const duplicateDepth = 6;

/** Two equal keys in an object inside the value of a known key; only records in which such a value holds an object are looked into. */
function nestedDuplicates(keys: number): string {
  if (keys === 0) return 'false';
  const values = Array.from({ length: keys }, (_, i) => `r${i}`);
  const holdsObject = (value: string): string => `(${value} >= '[' AND contains(${value}, '{'))`;
  // These values alone, as one list: each key by itself would repeat the search for each, and a filter would look at every value.
  const nested = `('[' || concat_ws(',', ${values.map((value) => `CASE WHEN ${holdsObject(value)} THEN ${value} END`).join(', ')}) || ']')`;
  return `CASE WHEN ${values.map(holdsObject).join(' OR ')} THEN ${anyDuplicates(`json_extract(${nested}, '$[*]')`, 0)} ELSE false END`;
}

/** Boolean: one of the values, or a part of one, is an object with two equal keys. */
function anyDuplicates(values: string, depth: number): string {
  const value = `x${depth}::VARCHAR`;
  return `(len(list_filter(${values}, lambda x${depth}: ${value} >= '[' AND contains(${value}, '{') AND ${hasDuplicates(value, depth)})) > 0)`;
}

function hasDuplicates(value: string, depth: number): string {
  const own = `(${value} >= '{' AND len(json_keys(${value})) <> len(list_distinct(json_keys(${value}))))`;
  if (depth >= duplicateDepth) return `coalesce(${own}, false)`;
  const children = `CASE WHEN ${value} >= '{' THEN json_extract(${value}, '$.*') ELSE json_extract(${value}, '$[*]') END`;
  const holdsMore = `(${value} < '{' OR contains(substring(${value}, 2), '{'))`;
  return `coalesce(${own} OR CASE WHEN ${holdsMore} THEN ${anyDuplicates(children, depth + 1)} ELSE false END, false)`;
}
