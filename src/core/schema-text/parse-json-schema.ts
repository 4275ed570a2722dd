/** Schemas from JSON Schema documents, drafts 7 to 2020-12. */
import { Fault } from '../fault.ts';
import type { Column, Schema } from '../model/schema.ts';
import type { Field, LogicalType } from '../model/type.ts';
import { boolean, json, list, map, sameType, string, struct } from '../model/type.ts';
import { integerType, numberType, textType } from './json-schema-scalars.ts';

/** A schema object, as it stands in the document. */
export type JsonNode = Readonly<Record<string, unknown>>;

interface Context {
  readonly root: unknown;
  readonly file: string | undefined;
  /** JSON pointer of the node being read, for messages. */
  readonly pointer: string;
  /** References being followed: a schema that contains itself has no finite type. */
  readonly refs: readonly string[];
  readonly depth: number;
  /** Schemas that may still be read: references can make a small document endlessly wide. */
  readonly budget: { left: number };
}

const deepest = 300;
const widest = 20_000;

interface Read {
  readonly type: LogicalType;
  /** Whether null itself is allowed as a value. */
  readonly nullable: boolean;
}

const anything: Read = { type: json, nullable: true };

/**
 * The schema of the records that a JSON Schema describes: those of an object, or the items of an array of objects.
 *
 * An integer with bounds gets the smallest type that holds them, else bigint; `multipleOf: 0.01` makes a decimal; other numbers are
 * doubles;
 * `date-time` is an instant, `date-time-local` a local time; free objects and mixed types are json. A property may be NULL when it is not
 * required or allows null. A schema that refers to itself is json from there on.
 *
 * @throws Fault SCHEMA_TEXT, with the JSON pointer of the place, when it describes no records or refers to another document.
 */
export function parseJsonSchema(value: unknown, file?: string): Schema {
  const context: Context = { root: value, file, pointer: '', refs: [], depth: 0, budget: { left: widest } };
  const resolved = resolve(context, value);
  const rows = resolved && isArrayNode(resolved.node) ? resolve(at(resolved.context, 'items'), own(resolved.node, 'items')) : resolved;
  const properties = rows && own(rows.node, 'properties');
  if (rows === undefined || !isNode(properties))
    throw fault(context, 'it describes no object with `properties`, nor an array of such objects');
  const title = isNode(value) ? own(value, 'title') : undefined;
  return { ...(typeof title === 'string' ? { name: title } : {}), columns: members(rows.context, rows.node).map(toColumn) };
}

function toColumn({ name, read, required, node }: Member): Column {
  const comment = own(node, 'description');
  const fallback = sqlDefault(own(node, 'default'));
  return {
    name,
    type: read.type,
    nullable: !required || read.nullable,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(typeof comment === 'string' ? { comment } : {}),
  };
}

/** A JSON value as an SQL literal; undefined when it has none. */
function sqlDefault(value: unknown): string | undefined {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

interface Resolved {
  readonly node: JsonNode;
  readonly context: Context;
}

/** A schema with its references followed and its `allOf` folded in; undefined when it leads back to itself. */
function resolve(context: Context, value: unknown): Resolved | undefined {
  if (value === true || value === undefined) return { node: {}, context };
  if (!isNode(value)) throw fault(context, 'a schema is expected, an object or true');
  if (context.depth > deepest || context.budget.left-- <= 0) throw fault(context, 'the schema is too deep or too large');
  const ref = own(value, '$ref');
  const followed = ref === undefined ? { node: value, context } : follow(context, value, ref);
  const all = followed && own(followed.node, 'allOf');
  if (followed === undefined || !Array.isArray(all)) return followed;
  const parts = all.map((part, i) => resolve(at(at(followed.context, 'allOf'), String(i)), part)?.node ?? {});
  return { node: [...parts, without(followed.node, 'allOf')].reduce(merged, {}), context: followed.context };
}

function follow(context: Context, value: JsonNode, ref: unknown): Resolved | undefined {
  if (typeof ref !== 'string' || !ref.startsWith('#'))
    throw fault(context, `the reference ${JSON.stringify(ref)} leads to another document`);
  if (context.refs.includes(ref)) return undefined;
  const target = resolve(
    { ...context, pointer: ref.slice(1), refs: [...context.refs, ref], depth: context.depth + 1 },
    lookUp(context, ref),
  );
  return target && { node: merged(target.node, without(value, '$ref')), context: target.context };
}

function lookUp(context: Context, ref: string): unknown {
  const keys = ref === '#' ? [] : ref.slice(2).split('/').map(decodeKey);
  const found = keys.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node[Number(key)];
    return isNode(node) ? own(node, key) : undefined;
  }, context.root);
  if (found === undefined || (ref !== '#' && !ref.startsWith('#/'))) throw fault(context, `the reference ${ref} leads nowhere`);
  return found;
}

function decodeKey(key: string): string {
  const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Two schemas that both hold: properties and required names are united, of other keys the second wins. */
function merged(a: JsonNode, b: JsonNode): JsonNode {
  const both: [string, unknown][] = [];
  const [propertiesA, propertiesB] = [own(a, 'properties'), own(b, 'properties')];
  if (isNode(propertiesA) && isNode(propertiesB))
    both.push(['properties', Object.fromEntries([...Object.entries(propertiesA), ...Object.entries(propertiesB)])]);
  const [requiredA, requiredB] = [own(a, 'required'), own(b, 'required')];
  if (Array.isArray(requiredA) && Array.isArray(requiredB)) both.push(['required', [...requiredA, ...requiredB]]);
  return Object.fromEntries([...Object.entries(a), ...Object.entries(b), ...both]);
}

interface Member {
  readonly name: string;
  readonly node: JsonNode;
  readonly read: Read;
  readonly required: boolean;
}

/** The properties of an object schema; one that is `false` can never be there. */
function members(context: Context, node: JsonNode): readonly Member[] {
  const properties = own(node, 'properties');
  const required = new Set(asList(own(node, 'required')));
  return Object.entries(isNode(properties) ? properties : {})
    .filter(([, value]) => value !== false)
    .map(([name, value]) => {
      const place = at(at(context, 'properties'), name);
      const resolved = resolve(place, value);
      return {
        name,
        node: resolved?.node ?? {},
        read: resolved ? readNode(resolved.context, resolved.node) : anything,
        required: required.has(name),
      };
    });
}

function read(context: Context, value: unknown): Read {
  const resolved = resolve(context, value);
  return resolved === undefined ? anything : readNode(resolved.context, resolved.node);
}

type Reader = (context: Context, node: JsonNode) => LogicalType;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['boolean', () => boolean],
  ['integer', (_, node) => integerType(node)],
  ['number', (_, node) => numberType(node)],
  ['string', (_, node) => textType(node)],
  ['array', readArray],
  ['object', readObject],
]);

function readNode(context: Context, node: JsonNode): Read {
  const choice = (['anyOf', 'oneOf'] as const).find((key) => asList(own(node, key)).some(saysType));
  if (choice !== undefined) return readChoice(context, node, choice);
  const types = typesOf(node);
  const nullable =
    types.length === 0 || types.includes('null') || own(node, 'nullable') === true || asList(own(node, 'enum')).includes(null);
  const named = types.filter((type) => type !== 'null' && !(type === 'integer' && types.includes('number')));
  const reader = named.length === 1 ? readers.get(named[0] as string) : undefined;
  return { type: reader === undefined ? json : reader(context, node), nullable };
}

/** Whether an alternative says of what type the value is; one that only says which properties are required does not. */
function saysType(branch: unknown): boolean {
  return isNode(branch)
    ? ['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => Object.hasOwn(branch, key)) || typesOf(branch).length > 0
    : branch === true;
}

/** Alternatives: null among them makes the value nullable; the others count when they agree, else the value is json. */
function readChoice(context: Context, node: JsonNode, choice: 'anyOf' | 'oneOf'): Read {
  const base = without(without(node, 'anyOf'), 'oneOf');
  const reads = asList(own(node, choice)).map((branch, i) => {
    const resolved = resolve(at(at(context, choice), String(i)), branch);
    return resolved === undefined ? anything : readNode(resolved.context, merged(base, resolved.node));
  });
  const isNull = asList(own(node, choice)).map((branch) => isNode(branch) && typesOf(branch).join() === 'null');
  const others = reads.filter((_, i) => isNull[i] !== true);
  const [first] = others;
  const agreed = first !== undefined && others.every((other) => sameType(other.type, first.type));
  return { type: agreed ? first.type : json, nullable: isNull.includes(true) || reads.some((one) => one.nullable) };
}

/** Keywords that say of what type a schema without `type` is. */
const telling: readonly (readonly [string, string])[] = [
  ['properties', 'object'],
  ['additionalProperties', 'object'],
  ['items', 'array'],
  ['prefixItems', 'array'],
  ['maxLength', 'string'],
  ['format', 'string'],
  ['contentEncoding', 'string'],
  ['multipleOf', 'number'],
];

function typesOf(node: JsonNode): readonly string[] {
  const type = own(node, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const values = Object.hasOwn(node, 'const') ? [own(node, 'const')] : asList(own(node, 'enum'));
  if (values.length > 0) return [...new Set(values.map(typeOfValue))];
  const found = telling.find(([keyword]) => Object.hasOwn(node, keyword));
  return found === undefined ? [] : [found[1]];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

function isArrayNode(node: JsonNode): boolean {
  return typesOf(node).includes('array');
}

function readArray(context: Context, node: JsonNode): LogicalType {
  const items = own(node, 'items');
  const tuple = Array.isArray(items) ? items : own(node, 'prefixItems');
  if (!Array.isArray(tuple)) return list(read(at(context, 'items'), items).type);
  const types = tuple.map((item, i) => read(at(at(context, Array.isArray(items) ? 'items' : 'prefixItems'), String(i)), item).type);
  const [first] = types;
  return list(first !== undefined && types.every((type) => sameType(type, first)) ? first : json);
}

function readObject(context: Context, node: JsonNode): LogicalType {
  if (isNode(own(node, 'properties'))) return struct(members(context, node).map(toField));
  const values = own(node, 'additionalProperties');
  return isNode(values) ? map(string(), read(at(context, 'additionalProperties'), values).type) : json;
}

function toField({ name, read: { type, nullable }, required, node }: Member): Field {
  const comment = own(node, 'description');
  return { name, type, ...(required && !nullable ? { nullable: false } : {}), ...(typeof comment === 'string' ? { comment } : {}) };
}

function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key of the document's own: names such as `constructor` are ordinary. */
function own(node: JsonNode, key: string): unknown {
  return Object.hasOwn(node, key) ? node[key] : undefined;
}

function without(node: JsonNode, key: string): JsonNode {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function at(context: Context, key: string): Context {
  return { ...context, depth: context.depth + 1, pointer: `${context.pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}

function fault({ file, pointer }: Context, message: string): Fault {
  return new Fault('SCHEMA_TEXT', `at ${pointer === '' ? 'the root' : pointer}: ${message}`, file === undefined ? {} : { place: { file } });
}
