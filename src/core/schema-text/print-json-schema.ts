/** A schema as a JSON Schema document of draft 2020-12. */
import type { Schema } from '../model/schema.ts';
import type { LogicalType, TypeKind, TypeOf } from '../model/type.ts';
import { decimalKeywords, integerKeywords } from './json-schema-scalars.ts';

type Keywords = Readonly<Record<string, unknown>>;

const text = (more: Keywords = {}): Keywords => ({ type: 'string', ...more });
const anyValue = (): Keywords => ({ type: ['object', 'array', 'string', 'number', 'boolean'] });

const printers: { readonly [K in TypeKind]: (type: TypeOf<K>) => Keywords } = {
  boolean: () => ({ type: 'boolean' }),
  int: ({ bits }) => integerKeywords(bits),
  decimal: ({ precision, scale }) => decimalKeywords(precision, scale),
  float: ({ bits }) => (bits === 32 ? { type: 'number', format: 'float' } : { type: 'number' }),
  string: ({ length }) => text(length === undefined ? {} : { maxLength: length }),
  date: () => text({ format: 'date' }),
  time: () => text({ format: 'time-local' }),
  timestamp: () => text({ format: 'date-time-local' }),
  timestamptz: () => text({ format: 'date-time' }),
  binary: () => text({ contentEncoding: 'base64' }),
  uuid: () => text({ format: 'uuid' }),
  json: anyValue,
  struct: ({ fields }) => objectKeywords(fields.map((field) => ({ ...field, nullable: field.nullable !== false }))),
  list: ({ element }) => ({ type: 'array', items: orNull(keywords(element)) }),
  map: ({ value }) => ({ type: 'object', additionalProperties: orNull(keywords(value)) }),
  unknown: ({ text: spelling }) => ({ ...anyValue(), $comment: spelling }),
};

function keywords(type: LogicalType): Keywords {
  return (printers[type.kind] as (type: LogicalType) => Keywords)(type);
}

function orNull(node: Keywords): Keywords {
  return { ...node, type: [node.type, 'null'].flat() };
}

interface Member {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
  readonly comment?: string;
  readonly default?: string;
}

function objectKeywords(members: readonly Member[]): Keywords {
  const required = members.filter((member) => !member.nullable).map((member) => member.name);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((member) => [member.name, memberKeywords(member)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function memberKeywords({ type, nullable, comment, ...member }: Member): Keywords {
  const fallback = member.default === undefined ? undefined : jsonDefault(member.default);
  return {
    ...(nullable ? orNull(keywords(type)) : keywords(type)),
    ...(comment === undefined ? {} : { description: comment }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/** The value of an SQL literal; undefined for an expression, which JSON cannot say. */
function jsonDefault(sql: string): string | number | boolean | undefined {
  if (/^'(?:[^']|'')*'$/.test(sql)) return sql.slice(1, -1).replaceAll("''", "'");
  if (/^(?:true|false)$/i.test(sql)) return sql.toLowerCase() === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(sql) && String(Number(sql)) === sql ? Number(sql) : undefined;
}

/**
 * A document that the records of a schema satisfy, and that `parseJsonSchema` reads back. Columns that may be NULL are not required and
 * allow null. Lost: defaults that are expressions, the keys of maps (JSON has text only), and types without a logical equal, which
 * allow anything.
 */
export function printJsonSchema(schema: Schema): Keywords {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...(schema.name === undefined ? {} : { title: schema.name }),
    ...objectKeywords(schema.columns),
  };
}
