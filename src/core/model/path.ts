/**
 * Paths into nested data.
 *
 * A column path names a part of a column's type: `address.zip`, `items[].price`, `attrs.value` (the values of a map; its keys are
 * `attrs.key`).
 * A JSON path names a place in a document: `$.address.zip`, `$['x y'].z`, `$.items[0]`.
 */
import { Fault } from '../fault.ts';
import { nameKey } from './name.ts';
import type { Column, Schema } from './schema.ts';
import type { LogicalType } from './type.ts';

export type PathSegment =
  /** A field of a struct, or the `key` or `value` of a map. The first segment is the column. */
  | { readonly kind: 'field'; readonly name: string }
  /** Every element of a list. */
  | { readonly kind: 'element' };

export type JsonPathSegment =
  | { readonly kind: 'field'; readonly name: string }
  /** An element by its position, from 0. */
  | { readonly kind: 'index'; readonly index: number };

const element: PathSegment = { kind: 'element' };
const plain = /^[^\s.[\]"'](?:[^.[\]"']*[^\s.[\]"'])?$/u;

/**
 * The text of a column path. A column alone is its bare name, whatever its characters, since an exact column name wins over a path;
 * within a longer path, names with dots, brackets, quotes or outer blanks are quoted: `"a.b".c`.
 */
export function printPath(segments: readonly PathSegment[]): string {
  const [first] = segments;
  if (segments.length === 1 && first?.kind === 'field') return first.name;
  return segments.reduce((path, segment, i) => {
    if (segment.kind === 'element') return `${path}[]`;
    return `${path}${i === 0 ? '' : '.'}${plain.test(segment.name) ? segment.name : `"${segment.name.replaceAll('"', '""')}"`}`;
  }, '');
}

/** The path of a column by itself, for `printPath`. */
export function columnPath(name: string): readonly PathSegment[] {
  return [{ kind: 'field', name }];
}

export function fieldPath(parent: readonly PathSegment[], name: string): readonly PathSegment[] {
  return [...parent, { kind: 'field', name }];
}

export function elementPath(parent: readonly PathSegment[]): readonly PathSegment[] {
  return [...parent, element];
}

/**
 * The segments of a column path, `items[]."unit price"`.
 * @throws Fault CONFIG_INVALID, with the position in the text, when it is not one.
 */
export function parsePath(text: string): readonly PathSegment[] {
  const segments: PathSegment[] = [];
  const token = /\[\]|(\.?)(?:"((?:[^"]|"")*)"|([^.[\]"']+))/uy;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null || !follows(match, segments)) throw badPath(text, at, 'a column path such as `address.zip` or `items[].price`');
    const name = match[2]?.replaceAll('""', '"') ?? match[3];
    segments.push(name === undefined ? element : { kind: 'field', name });
  }
  if (segments.length === 0) throw badPath(text, 0, 'a column path such as `address.zip` or `items[].price`');
  return segments;
}

/** The first segment is a name without a dot, every later name has one. */
function follows(match: RegExpExecArray, before: readonly PathSegment[]): boolean {
  if (match[0] === '[]') return before.length > 0;
  return (match[1] === '.') === before.length > 0;
}

/** Whether a name in a rule's `from` is a JSON path rather than the name of a column. */
export function isJsonPath(text: string): boolean {
  return text.startsWith('$.') || text.startsWith('$[');
}

/**
 * The segments of a JSON path without wildcards (RFC 9535, singular queries).
 * @throws Fault CONFIG_INVALID, with the position in the text, when it is not one.
 */
export function parseJsonPath(text: string): readonly JsonPathSegment[] {
  const wanted = "a JSON path such as `$.a.b` or `$['x y'][0]`";
  if (!text.startsWith('$') || text.length === 1) throw badPath(text, 0, wanted);
  const segments: JsonPathSegment[] = [];
  const token = /\.([^.[\]"'\s][^.[\]"']*)|\."((?:[^"\\]|\\.)*)"|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d{1,15})\]/uy;
  token.lastIndex = 1;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw badPath(text, at, wanted);
    const quoted = match[2] ?? match[3] ?? match[4];
    if (match[5] !== undefined) segments.push({ kind: 'index', index: Number(match[5]) });
    else segments.push({ kind: 'field', name: quoted?.replace(/\\(.)/gsu, '$1') ?? (match[1] as string) });
  }
  return segments;
}

/** The text of a JSON path; names that are not plain words stand in brackets. */
export function printJsonPath(segments: readonly JsonPathSegment[]): string {
  return segments.reduce((path, segment) => {
    if (segment.kind === 'index') return `${path}[${segment.index}]`;
    if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(segment.name)) return `${path}.${segment.name}`;
    return `${path}['${segment.name.replace(/['\\]/g, '\\$&')}']`;
  }, '$');
}

function badPath(text: string, at: number, wanted: string): Fault {
  return new Fault('CONFIG_INVALID', `\`${text}\` is not ${wanted} (position ${at + 1})`);
}

/** The part of a schema that a path names. */
export interface PathTarget {
  /** The column that holds it. */
  readonly column: Column;
  readonly type: LogicalType;
  readonly segments: readonly PathSegment[];
}

/** What a path names in a schema: the column of exactly that name, else the nested part; undefined when there is none. */
export function findPath(schema: Schema, text: string): PathTarget | undefined {
  const exact = schema.columns.find((column) => nameKey(column.name) === nameKey(text));
  if (exact !== undefined) return { column: exact, type: exact.type, segments: columnPath(exact.name) };
  const segments = segmentsOrNone(text);
  const [first, ...below] = segments;
  if (first?.kind !== 'field') return undefined;
  const column = schema.columns.find((candidate) => nameKey(candidate.name) === nameKey(first.name));
  const type = below.reduce<LogicalType | undefined>((reached, segment) => reached && typeBelow(reached, segment), column?.type);
  return column && type && { column, type, segments };
}

function segmentsOrNone(text: string): readonly PathSegment[] {
  try {
    return parsePath(text);
  } catch {
    return [];
  }
}

/** The type one segment below a type; undefined when there is no such part. */
export function typeBelow(type: LogicalType, segment: PathSegment): LogicalType | undefined {
  if (segment.kind === 'element') return type.kind === 'list' ? type.element : undefined;
  if (type.kind === 'map') return segment.name === 'key' ? type.key : segment.name === 'value' ? type.value : undefined;
  return type.kind === 'struct' ? type.fields.find((field) => nameKey(field.name) === nameKey(segment.name))?.type : undefined;
}
