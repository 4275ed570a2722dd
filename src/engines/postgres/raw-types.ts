/** How typed values of the embedded reader are written, so that the server reads the very same values from their texts. */
import type { LogicalType, TypeKind } from '../../core/model/type.ts';
import { literal as readerLiteral } from '../duckdb/quote.ts';
import { sqlType } from './coerce/sql-type.ts';

/** What the server cannot hold at all: U+0000 in text. It comes as this mark. */
export interface NulMark {
  readonly mark: string;
}

/** SQL of the reader: a text without U+0000. */
export const withoutNul = (x: string, { mark }: NulMark): string => `replace(${x}, chr(0), ${readerLiteral(mark)})`;

/**
 * SQL of the reader: JSON text in which no string holds U+0000. The escape is looked for only where its digits are; what stands directly
 * behind another one is found by the second pass, as a match takes the sign before it.
 */
export function jsonWithoutNul(x: string, { mark }: NulMark): string {
  const nulEscape = readerLiteral('((?:^|[^\\\\])(?:\\\\\\\\)*)\\\\u0000');
  const pass = (text: string): string => `regexp_replace(${text}, ${nulEscape}, ${readerLiteral(`\\1${mark}`)}, 'g')`;
  return `CASE WHEN contains(${x}, 'u0000') THEN ${pass(pass(x))} ELSE ${x} END`;
}

/** Days and times beyond what the server can hold are as far as can be: no column takes them in either case. */
function withinRange(x: string): string {
  const text = `replace(${x}::VARCHAR, ' (BC)', ' BC')`;
  return `CASE WHEN NOT isfinite(${x}) THEN ${x}::VARCHAR WHEN year(${x}) > 290000 THEN 'infinity' WHEN year(${x}) < -4000 THEN '-infinity' ELSE ${text} END`;
}

type Write = (x: string, nul: NulMark) => string;

const plain: Write = (x) => `${x}::VARCHAR`;

const writers: Partial<Record<TypeKind, Write>> = {
  string: withoutNul,
  date: withinRange,
  timestamp: withinRange,
  timestamptz: withinRange,
  binary: (x) => `'\\x' || hex(${x})`,
  json: (x, nul) => jsonWithoutNul(`${x}::VARCHAR`, nul),
  struct: (x, nul) => jsonWithoutNul(`to_json(${x})::VARCHAR`, nul),
  map: (x, nul) => jsonWithoutNul(`to_json(${x})::VARCHAR`, nul),
  unknown: (x, nul) => withoutNul(`${x}::VARCHAR`, nul),
};

const isNested = ({ kind }: LogicalType): boolean => kind === 'struct' || kind === 'map' || kind === 'list';
const isPlainList = (type: LogicalType): boolean => type.kind === 'list' && !isNested(type.element);

/** `{"a","b",NULL}`: every element in quotes. https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function arrayText(x: string, element: LogicalType, nul: NulMark): string {
  const text = writeTyped('e', element, nul);
  const quoted = `'"' || replace(replace(${text}, '\\', '\\\\'), '"', '\\"') || '"'`;
  return `CASE WHEN ${x} IS NOT NULL THEN '{' || array_to_string(list_transform(${x}, lambda e: CASE WHEN e IS NULL THEN 'NULL' ELSE ${quoted} END), ',') || '}' END`;
}

/** SQL of the reader: the text of a typed value. */
export function writeTyped(x: string, type: LogicalType, nul: NulMark): string {
  if (type.kind === 'list') return isPlainList(type) ? arrayText(x, type.element, nul) : jsonWithoutNul(`to_json(${x})::VARCHAR`, nul);
  return (writers[type.kind] ?? plain)(x, nul);
}

/** SQL type of the server in which raw values of a type lie. */
export function rawType(type: LogicalType | undefined): string {
  if (type === undefined || type.kind === 'unknown') return 'text';
  if (isNested(type)) return isPlainList(type) ? sqlType(type) : 'json';
  // A declared precision would only fill up digits that are not there.
  return type.kind === 'decimal' ? 'numeric' : type.kind === 'string' ? 'text' : sqlType(type);
}
