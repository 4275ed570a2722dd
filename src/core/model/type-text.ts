/** The text of a type: one canonical spelling to write, many to read. */
import type { Field, LogicalType, TypeKind, TypeOf } from './type.ts';
import { cursorOf, unexpected } from './type-text-lexer.ts';
import { typeAt } from './type-text-parser.ts';
import type { TypeDialect } from './type-text-scalars.ts';

export type { TypeDialect } from './type-text-scalars.ts';

/**
 * The logical type that a text names, whatever the case and the dialect of its words.
 *
 * Where engines disagree, `ansi` (the default) reads: `int8` as bigint, its meaning in SQL (eight bytes, not bits); `float` as 32 bits;
 * a plain `decimal` or `numeric` as decimal(38,0), the standard's scale with the greatest portable precision; a plain `char` as one
 * character; `timestamp` as a local time. Precisions of fractions of a second are dropped, as every logical time has microseconds.
 * A type without a logical equal is `unknown`, with its spelling.
 *
 * @throws Fault SCHEMA_TEXT, with the column (UTF-16 units, from 1), when the text is no type at all or is not well formed.
 */
export function parseType(text: string, dialect: TypeDialect = 'ansi'): LogicalType {
  const cursor = cursorOf({ text });
  const type = typeAt(cursor, dialect);
  if (cursor.token.kind !== 'end') throw unexpected(cursor, 'the end');
  return type;
}

const intWords = { 8: 'tinyint', 16: 'smallint', 32: 'int', 64: 'bigint' } as const;

type Printers = { readonly [K in TypeKind]: (type: TypeOf<K>) => string };

const printers: Printers = {
  boolean: () => 'boolean',
  int: ({ bits }) => intWords[bits],
  decimal: ({ precision, scale }) => `decimal(${precision},${scale})`,
  float: ({ bits }) => (bits === 32 ? 'float' : 'double'),
  string: ({ length }) => (length === undefined ? 'string' : `varchar(${length})`),
  date: () => 'date',
  time: () => 'time',
  timestamp: () => 'timestamp',
  timestamptz: () => 'timestamptz',
  binary: () => 'binary',
  uuid: () => 'uuid',
  json: () => 'json',
  struct: ({ fields }) => `struct<${fields.map(printField).join(',')}>`,
  list: ({ element }) => `list<${printType(element)}>`,
  map: ({ key, value }) => `map<${printType(key)},${printType(value)}>`,
  unknown: ({ text }) => (readsBack(text) ? text : `unknown<${doubled(text)}>`),
};

/**
 * The canonical text of a type, as findings show it: `struct<name:string,tier:int>`.
 * Two types have the same text exactly when `sameType` holds (nullability and comments of fields are not part of it), and `parseType`
 * reads it back.
 */
export function printType(type: LogicalType): string {
  return (printers[type.kind] as (type: LogicalType) => string)(type);
}

function printField({ name, type }: Field): string {
  return `${/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : doubled(name)}:${printType(type)}`;
}

function doubled(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function readsBack(text: string): boolean {
  try {
    const type = parseType(text);
    return type.kind === 'unknown' && type.text === text;
  } catch {
    return false;
  }
}
