/**
 * The first levels of the staging query: one raw value per source column, in columns r0, r1, …, beside
 * `file` (position of the file), and for JSON `line`, `keys` and `malformed`.
 */

import type { LogicalType } from '../../core/model/type.ts';
import type { PlannedSource, SourceGroup } from '../../core/plan/plan.ts';
import { jsonPath } from './reader.ts';
import { ident, literal } from './quote.ts';

export interface RawLevel {
  /** A SELECT that yields `file` and the raw columns. */
  readonly sql: string;
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
  /** FROM clause that yields `r0 …`, or `line` for JSON, and `file_index` when there are several files. */
  readonly from: string;
  /** Position of the first file, or SQL that gives a row's file from `file_index`. */
  readonly file: string;
  readonly numberMark: string;
  /** Source columns whose values are needed. */
  readonly used: ReadonlySet<number>;
  /** Positions whose JSON numbers must keep their digits because the target is text or nested. */
  readonly exactText: ReadonlySet<number>;
}

export function textLevel(request: RawRequest): RawLevel {
  const { group, from, file } = request;
  const blankLines = group.columns.length === 1 ? ' WHERE r0 IS NOT NULL' : '';
  const pairs = group.columns.map((column, i) => `${literal(column.name)}, r${i}`).join(', ');
  return {
    sql: `SELECT ${file} AS file, ${group.columns.map((_, i) => `r${i}`).join(', ')} FROM ${from}${blankLines}`,
    raw: (source) => `r${source.index}`,
    extra: (position) => `r${position}`,
    absent: () => 'false',
    record: `json_object(${pairs})::VARCHAR`,
  };
}

export function typedLevel(request: RawRequest): RawLevel {
  const { group, from, file } = request;
  const select = group.columns.map((column, i) => `${typedRaw(ident(column.readAs ?? column.name), column.type)} AS r${i}`).join(', ');
  const pairs = group.columns.map((column, i) => `${literal(column.name)}, r${i}`).join(', ');
  return {
    sql: `SELECT ${file} AS file, ${select} FROM ${from}`,
    raw: (source) => `r${source.index}`,
    extra: (position) => `r${position}`,
    absent: () => 'false',
    record: `json_object(${pairs})::VARCHAR`,
  };
}

/** The raw values alone, for inference: columns r0, r1, … */
export function rawSelect(group: SourceGroup, unit: { readonly from: () => string; readonly file: string }): string {
  const level = { text: textLevel, json: jsonLevel, typed: typedLevel }[group.form];
  const raw = level({ group, from: unit.from(), file: unit.file, numberMark: '', used: new Set(), exactText: new Set() });
  return raw.sql;
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
  const { group, from, file, numberMark, exactText, used } = request;
  const keys = group.columns.map((column) => column.name);
  const spec = literal(`{${keys.map((key) => `${JSON.stringify(key)}:"JSON"`).join(',')}}`);
  const isObject = `ltrim(line, ${blanks})[1] = '{'`;
  const projected = `SELECT ${file} AS file, line, ${keys.length === 0 ? 'NULL' : `TRY(json_transform(line, ${spec}))`} AS t, CASE WHEN ${isObject} THEN TRY(json_keys(line)) END AS keys FROM ${from}`;
  const needs = digitTests(keys, used, exactText);
  // The 0 at the end lets the last match reach there; without it a search would begin anew inside the strings after the last number.
  const marked = `left(regexp_replace(line || ' 0', ${literal(numberPattern)}, ${literal(`\\1"${numberMark}\\2"`)}, 'g'), -${` "${numberMark}0"`.length})`;
  const exact = needs === 'false' ? 't' : `CASE WHEN ${needs} THEN TRY(json_transform(${marked}, ${spec})) ELSE t END`;
  const fields = keys.map((_, i) => `, ${member('j', keys, i)}::VARCHAR AS r${i}`).join('');
  const present = keys.length === 0 ? '0' : `(${keys.map((_, i) => `(r${i} IS NOT NULL)::INT`).join(' + ')})`;
  const known = keys.length === 0 ? '[]::VARCHAR[]' : `[${keys.map(literal).join(', ')}]`;
  return {
    sql: `SELECT file, line, keys${fields} FROM (SELECT file, line, keys, ${exact} AS j FROM (${projected}))`,
    raw: (source) => below(`r${source.index}`, source.below),
    extra: (position) => (exactText.has(position) ? unmarked(`r${position}`, numberMark) : `r${position}`),
    absent: (source) => absentTest(`r${source.index}`, keys[source.index] ?? '', source.below),
    record: 'line',
    malformed:
      `CASE WHEN keys IS NULL THEN CASE WHEN json_valid(line) THEN 'not_an_object' ELSE 'json' END ` +
      `WHEN ${looseJson} THEN 'json' ` +
      `WHEN len(keys) <> ${present} AND len(keys) <> len(list_distinct(keys)) THEN 'duplicate_key_in_object' ` +
      `WHEN ${nestedDuplicates(keys.length)} THEN 'duplicate_key_in_object' END`,
    unknownKeys: `CASE WHEN len(keys) <> ${present} THEN list_filter(keys, lambda k: NOT list_contains(${known}, k)) END`,
  };
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

/** DuckDB's parser takes NaN, Infinity and trailing commas, which RFC 8259 does not. Looked for outside of strings, and only where the letters occur at all. */
const looseJson =
  `regexp_matches(line, ${literal(',\\s*[}\\]]|[nN][aA][nN]|[iI][nN][fF]')}) AND ` +
  `regexp_matches(regexp_replace(line, ${literal(stringPattern)}, '""', 'g'), ${literal(',\\s*[}\\]]|[nN][aA][nN]|[iI][nN][fF]')})`;

function below(value: string, path: readonly (string | number)[] | undefined): string {
  if (path === undefined || path.length === 0) return value;
  const inner = `json_extract(${value}, ${literal(jsonPath(path))})::VARCHAR`;
  return `CASE WHEN ${inner} <> 'null' THEN ${inner} END`;
}

/** Where the digits of a number would be lost by a double: long tokens, and any fraction or exponent on its way into text or nested values. */
function digitTests(keys: readonly string[], used: ReadonlySet<number>, exactText: ReadonlySet<number>): string {
  const doubles: string[] = [];
  const texts: string[] = [];
  keys.forEach((_, i) => {
    if (!used.has(i) && !exactText.has(i)) return;
    const value = `${member('t', keys, i)}::VARCHAR`;
    const isDouble = `(${value} >= '-' AND ${value} < ':' AND (contains(${value}, '.') OR contains(${value}, 'e')))`;
    const isNested = `(${value} >= '[' AND regexp_matches(${value}, '[0-9][.eE]|[0-9]{16}'))`;
    (exactText.has(i) ? texts : doubles).push(isDouble);
    (exactText.has(i) ? texts : doubles).push(isNested);
  });
  const tests = [...texts];
  if (doubles.length > 0) tests.push(`((${doubles.join(' OR ')}) AND regexp_matches(line, '[0-9][0-9.]{15}'))`);
  return tests.length === 0 ? 'false' : `coalesce(${tests.join(' OR ')}, false)`;
}

/** How deep equal keys are looked for inside values. */
const duplicateDepth = 6;

/** Two equal keys in an object inside the value of a known key; only values that hold an object are looked into. */
function nestedDuplicates(keys: number): string {
  const tests = Array.from({ length: keys }, (_, position) => {
    const value = `r${position}`;
    return `(${value} >= '[' AND contains(${value}, '{') AND ${hasDuplicates(value, 0)})`;
  });
  return tests.length === 0 ? 'false' : tests.join(' OR ');
}

function hasDuplicates(value: string, depth: number): string {
  const own = `(${value} >= '{' AND len(json_keys(${value})) <> len(list_distinct(json_keys(${value}))))`;
  if (depth >= duplicateDepth) return `coalesce(${own}, false)`;
  const child = `x${depth}::VARCHAR`;
  const children = `CASE WHEN ${value} >= '{' THEN json_extract(${value}, '$.*') ELSE json_extract(${value}, '$[*]') END`;
  const inner = `len(list_filter(${children}, lambda x${depth}: ${child} >= '[' AND contains(${child}, '{') AND ${hasDuplicates(child, depth + 1)})) > 0`;
  return `coalesce(${own} OR ${inner}, false)`;
}
