/** Walks a YAML tree along a shape: values out, every fault noted with its place. */
import { isAlias, isMap, isScalar, isSeq, type Document, type Node, type Pair, type Scalar, type YAMLMap, type YAMLSeq } from './yaml.ts';
import { substitute, usesEnvironment, type Environment } from './environment.ts';
import { adviceForValue, inWords, isBlank, isNull } from './found-value.ts';
import { adviceForKey } from './key-owners.ts';
import { pointerTo, type Problem } from './problem.ts';
import { expectation, type Key, type Shape } from './shape.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Reading {
  readonly document: Document;
  readonly placeOf: (node: Node | null | undefined) => Place;
  /** Undefined: `${env:NAME}` is ordinary text, as on the command line. */
  readonly env: Environment | undefined;
  readonly problems: Problem[];
  /** Variables that are not set: a fault only for a job that needs them. */
  readonly missing: Problem[];
  /** Where each key and value stands, by JSON pointer. */
  readonly places: Map<string, { readonly key: Place; readonly value: Place }>;
}

type Reader<K extends Shape['kind']> = (
  node: Node | null,
  shape: Extract<Shape, { kind: K }>,
  pointer: string,
  reading: Reading,
) => unknown;

const readers: { readonly [K in Shape['kind']]: Reader<K> } = {
  text: readText,
  choice: readChoice,
  flag: readFlag,
  number: readNumber,
  list: readList,
  object: readObject,
  map: readMap,
  either: readEither,
};

/** The value of a node, or undefined when it does not fit; then the reading has gained a problem. */
export function readShape(found: Node | null, shape: Shape, pointer: string, reading: Reading): unknown {
  const node = isAlias(found) ? (found.resolve(reading.document) as Node | undefined) : found;
  if (node === undefined) return complain(found, pointer, reading, { message: 'no anchor of this name stands above' });
  const reader = readers[shape.kind] as Reader<Shape['kind']>;
  return reader(node, shape, pointer, reading);
}

function complain(
  node: Node | null,
  pointer: string,
  reading: Reading,
  what: { readonly message: string; readonly fix?: string },
): undefined {
  const ofKey = isBlank(node) ? reading.places.get(pointer)?.key : undefined;
  reading.problems.push({ ...(ofKey ?? reading.placeOf(node)), pointer, ...what });
  return undefined;
}

function mismatch(node: Node | null, shape: Shape, pointer: string, reading: Reading): undefined {
  const fix = adviceForValue(node, shape, pointer);
  return complain(node, pointer, reading, {
    message: `expected ${expectation(shape)}, found ${inWords(node)}`,
    ...(fix === undefined ? {} : { fix }),
  });
}

interface Word {
  readonly text: string;
  readonly scalar: Scalar;
  readonly fromEnvironment: boolean;
  /** A variable is not set, so nothing can be said about the value. */
  readonly unknown: boolean;
}

/** A scalar as the text that was written, with variables put in. Undefined when it is none; then a problem is noted. */
function readWord(node: Node | null, shape: Shape, pointer: string, reading: Reading): Word | undefined {
  if (!isScalar(node) || isNull(node)) return mismatch(node, shape, pointer, reading);
  if (node.tag !== undefined && node.tag !== 'tag:yaml.org,2002:str') {
    return complain(node, pointer, reading, { message: 'tags are not used here', fix: 'remove the tag' });
  }
  const written = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  if (reading.env === undefined || !usesEnvironment(written))
    return { text: written, scalar: node, fromEnvironment: false, unknown: false };
  const { text, missing, malformed } = substitute(written, reading.env);
  const place = reading.placeOf(node);
  for (const name of malformed) {
    reading.problems.push({ ...place, pointer, message: `\${env:${name}} names no variable`, fix: 'letters, digits and _ only' });
  }
  for (const name of missing) {
    reading.missing.push({ ...place, pointer, message: `the environment variable ${name} is not set`, fix: `set ${name}` });
  }
  return { text, scalar: node, fromEnvironment: true, unknown: missing.length + malformed.length > 0 };
}

function readText(node: Node | null, shape: Extract<Shape, { kind: 'text' }>, pointer: string, reading: Reading): unknown {
  const word = readWord(node, shape, pointer, reading);
  if (word === undefined || word.unknown) return word?.text;
  const expected = shape.check?.(word.text);
  return expected === undefined ? word.text : mismatch(word.scalar, { ...shape, means: expected }, pointer, reading);
}

function readChoice(node: Node | null, shape: Extract<Shape, { kind: 'choice' }>, pointer: string, reading: Reading): unknown {
  const word = readWord(node, shape, pointer, reading);
  if (word === undefined || word.unknown) return undefined;
  return shape.values.includes(word.text) ? word.text : mismatch(word.scalar, shape, pointer, reading);
}

function readFlag(node: Node | null, shape: Extract<Shape, { kind: 'flag' }>, pointer: string, reading: Reading): unknown {
  const word = readWord(node, shape, pointer, reading);
  if (word === undefined || word.unknown) return undefined;
  if (typeof word.scalar.value === 'boolean') return word.scalar.value;
  if (word.fromEnvironment && /^(true|false)$/.test(word.text)) return word.text === 'true';
  return mismatch(word.scalar, shape, pointer, reading);
}

function readNumber(node: Node | null, shape: Extract<Shape, { kind: 'number' }>, pointer: string, reading: Reading): unknown {
  const word = readWord(node, shape, pointer, reading);
  if (word === undefined || word.unknown) return undefined;
  const value = word.fromEnvironment && /^[+-]?\d+(\.\d+)?$/.test(word.text) ? Number(word.text) : word.scalar.value;
  const fits = typeof value === 'number' && value >= shape.min && value <= shape.max && (shape.integer !== true || Number.isInteger(value));
  return fits ? value : mismatch(word.scalar, shape, pointer, reading);
}

function readList(node: Node | null, shape: Extract<Shape, { kind: 'list' }>, pointer: string, reading: Reading): unknown {
  if (!isSeq(node)) return mismatch(node, shape, pointer, reading);
  const items = (node as YAMLSeq<Node | null>).items;
  if (items.length < (shape.min ?? 0) || items.length > (shape.max ?? items.length)) {
    return complain(node, pointer, reading, { message: `expected ${shape.means}, found a list of ${items.length}` });
  }
  const values = items.map((item, i) => {
    const own = pointerTo(pointer, i);
    const place = reading.placeOf(item);
    reading.places.set(own, { key: place, value: place });
    return readShape(item, shape.of, own, reading);
  });
  return values.filter((value) => value !== undefined);
}

function readEither(node: Node | null, shape: Extract<Shape, { kind: 'either' }>, pointer: string, reading: Reading): unknown {
  if (isSeq(node)) return readShape(node, shape.list, pointer, reading);
  const { single } = shape;
  const isOtherWord = single.kind === 'choice' && isScalar(node) && typeof node.value === 'string' && !single.values.includes(node.value);
  return isMap(node) || (isOtherWord && !usesEnvironment(String(node.value)))
    ? mismatch(node, shape, pointer, reading)
    : readShape(node, single, pointer, reading);
}

function readObject(node: Node | null, shape: Extract<Shape, { kind: 'object' }>, pointer: string, reading: Reading): unknown {
  const result: Record<string, unknown> = {};
  for (const [name, pair] of entries(node, shape, pointer, reading)) {
    const known = shape.keys.find((key) => key.name === name);
    if (known === undefined) {
      const problem = { message: `unknown key ${JSON.stringify(name)}`, fix: adviceForKey(name, shape.keys) };
      complain(pair.key, pointerTo(pointer, name), reading, problem);
      continue;
    }
    const value = readMember([name, pair], known.shape, pointer, reading);
    if (value !== undefined) result[name] = value;
  }
  if (isMap(node)) noteAbsentKeys(node, shape.keys, pointer, reading);
  return result;
}

function noteAbsentKeys(node: YAMLMap, keys: readonly Key[], pointer: string, reading: Reading): void {
  for (const key of keys.filter((each) => each.required === true)) {
    if (node.items.some((pair) => keyText(pair.key as Node | null) === key.name)) continue;
    const place = reading.places.get(pointer)?.key ?? reading.placeOf(node);
    reading.problems.push({
      ...place,
      pointer,
      message: `the key ${key.name} is missing`,
      fix: `add ${key.name}: ${expectation(key.shape)}`,
    });
  }
}

function readMap(node: Node | null, shape: Extract<Shape, { kind: 'map' }>, pointer: string, reading: Reading): unknown {
  const result = new Map<string, unknown>();
  for (const [name, pair] of entries(node, shape, pointer, reading)) {
    const value = readMember([name, pair], shape.of, pointer, reading);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

type Entry = Pair<Node | null, Node | null>;

function readMember([name, pair]: readonly [string, Entry], shape: Shape, pointer: string, reading: Reading): unknown {
  const own = pointerTo(pointer, name);
  const key = reading.placeOf(pair.key);
  reading.places.set(own, { key, value: pair.value === null ? key : reading.placeOf(pair.value) });
  return readShape(pair.value, shape, own, reading);
}

/** The members of a mapping by the text of their keys. A key with nothing below it is an empty mapping: people comment lines out. */
function entries(node: Node | null, shape: Shape, pointer: string, reading: Reading): readonly (readonly [string, Entry])[] {
  if (isBlank(node)) return [];
  if (!isMap(node)) {
    mismatch(node, shape, pointer, reading);
    return [];
  }
  const seen = new Set<string>();
  const found: (readonly [string, Entry])[] = [];
  for (const pair of (node as YAMLMap<Node | null, Node | null>).items) {
    const name = keyText(pair.key);
    if (name === undefined || name === '')
      complain(pair.key ?? node, pointer, reading, { message: 'expected a name as key, found something else' });
    else if (seen.has(name))
      complain(pair.key, pointerTo(pointer, name), reading, { message: 'this key stands here twice', fix: 'keep one of them' });
    else found.push([name, pair]);
    if (name !== undefined) seen.add(name);
  }
  return found;
}

/** A key as written: `1` and `"1"` are the same column name. */
function keyText(node: Node | null): string | undefined {
  if (!isScalar(node)) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}
