import { isSeq, parseDocument, Scalar, YAMLSeq, type Document, type Node } from './yaml.ts';
import { Fault } from '../core/fault.ts';
import { camel } from './build-job.ts';
import { columnKeys } from './column-keys.ts';
import { flagKeys, type FlagKey } from './flag-keys.ts';
import { adviceForKey } from './key-owners.ts';
import type { ColumnLayer, Flags } from './layer.ts';
import { readShape, type Reading } from './read-shape.ts';
import type { Shape } from './shape.ts';

/** What the command line gives for the flags of `flagKeys`, by camel-cased name: a text, several texts, or true and false. */
export type RawFlags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** Checks flags by the tables of the file and folds them into one layer. Throws `USAGE` that names the flag. */
export function flagsFromOptions(raw: RawFlags): Flags {
  const tree: Record<string, unknown> = {};
  for (const flagKey of flagKeys) {
    const value = raw[camel(flagKey.flag)];
    if (value !== undefined) put(tree, flagKey.path, flagValue(flagKey, value));
  }
  const columns = rulesOf(raw.rule);
  if (columns.size > 0) put(tree, ['job', 'columns'], columns);
  const {
    job = {},
    engine = {},
    audit = {},
    root = {},
  } = tree as Partial<Flags> & { readonly root?: { readonly fail_on?: Flags['failOn'] } };
  const guards = withReplaceGuards(job);
  const failOn = root.fail_on;
  return { job: guards, engine, audit, ...(failOn === undefined ? {} : { failOn }), force: raw.force === true };
}

/** `--max-shrink` and `--allow-empty` guard whatever is emptied: the partitions or the table. */
function withReplaceGuards(job: Flags['job']): Flags['job'] {
  const { max_shrink: shrink, allow_empty: empty } = job.partition ?? {};
  if (shrink === undefined && empty === undefined) return job;
  return {
    ...job,
    replace: { ...(shrink === undefined ? {} : { max_shrink: shrink }), ...(empty === undefined ? {} : { allow_empty: empty }) },
  };
}

function put(tree: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.at(-1) as string;
  const home = path.slice(0, -1).reduce((at, name) => {
    at[name] ??= {};
    return at[name] as Record<string, unknown>;
  }, tree);
  home[last] = value;
}

function flagValue({ flag, key }: FlagKey, value: string | readonly string[] | boolean): unknown {
  if (typeof value === 'boolean') return value;
  const texts = typeof value === 'string' ? [value] : value;
  const isList = key.shape.kind === 'list' || key.shape.kind === 'either';
  if (!isList) return readFlag(texts.at(-1) ?? '', key.shape, `--${flag}`);
  if (texts.length === 1) return readFlag(texts[0] ?? '', key.shape, `--${flag}`);
  return texts.flatMap((text) => readFlag(text, key.shape, `--${flag}`) as readonly unknown[]);
}

/** One value from the command line, by the shape of its key. `name` is the flag for messages. */
function readFlag(text: string, shape: Shape, name: string): unknown {
  const { node, document } = nodeOf(text, shape, name);
  const place = { line: 1, column: 1 };
  const reading: Reading = { document, placeOf: () => place, env: undefined, problems: [], missing: [], places: new Map() };
  const value = readShape(node, shape, '', reading);
  const problem = reading.problems[0];
  if (problem === undefined) return value;
  throw new Fault('USAGE', `${name}: ${problem.message}`, problem.fix === undefined || shape.kind !== 'list' ? {} : { fix: problem.fix });
}

/** Lists are a YAML flow `[a, b]`, or texts between commas; numbers and true/false are what YAML reads; all else is text as it stands. */
function nodeOf(text: string, shape: Shape, name: string): { readonly node: Node | null; readonly document: Document } {
  if (shape.kind === 'number' || shape.kind === 'flag') return parsed(text, name);
  if (shape.kind === 'list' && shape.of.kind === 'object') return parsedList(text, name);
  if (shape.kind !== 'list' && shape.kind !== 'either') return { node: textNode(text), document: parseDocument('') };
  if (/^\s*\[.*\]\s*$/s.test(text)) return parsedList(text, name);
  if (shape.kind === 'either' && shape.single.kind === 'choice' && shape.single.values.includes(text)) {
    return { node: textNode(text), document: parseDocument('') };
  }
  const list = new YAMLSeq<Node>();
  const items = shape.kind === 'list' ? shape.of : shape.single;
  list.items = text.split(',').map((item) => nodeOf(item.trim(), items, name).node ?? textNode(''));
  return { node: list, document: parseDocument('') };
}

function textNode(text: string): Node {
  const node = new Scalar(text);
  node.type = 'QUOTE_DOUBLE';
  node.source = text;
  return node;
}

function parsed(text: string, name: string): { readonly node: Node | null; readonly document: Document } {
  const document = parseDocument(text, { prettyErrors: false, version: '1.2', schema: 'core' });
  if (document.errors.length > 0)
    throw new Fault('USAGE', `${name}: ${JSON.stringify(text)} is not valid YAML`, { fix: 'Put the value in quotes.' });
  return { node: document.contents, document };
}

/** A single entry may stand without the brackets. */
function parsedList(text: string, name: string): { readonly node: Node | null; readonly document: Document } {
  const { node, document } = parsed(text, name);
  if (isSeq(node) || node === null) return { node, document };
  const list = new YAMLSeq<Node>();
  list.items = [node];
  return { node: list, document };
}

/** `--rule amount.decimal=,`: the column, the last dot before the sign, the key, the value. A column in double quotes may hold anything. */
function rulesOf(raw: RawFlags[string]): ReadonlyMap<string, ColumnLayer> {
  const rules = new Map<string, ColumnLayer>();
  for (const text of typeof raw === 'string' ? [raw] : Array.isArray(raw) ? (raw as readonly string[]) : []) {
    const { column, key, value } = splitRule(text);
    const known = columnKeys.find((each) => each.name === key.replaceAll('-', '_'));
    if (known === undefined) {
      throw new Fault(
        'USAGE',
        `--rule ${text}: unknown key ${JSON.stringify(key)} (${adviceForKey(key.replaceAll('-', '_'), columnKeys)})`,
      );
    }
    rules.set(column, { ...rules.get(column), [known.name]: readFlag(value, known.shape, `--rule ${column}.${known.name}`) });
  }
  return rules;
}

function splitRule(text: string): { readonly column: string; readonly key: string; readonly value: string } {
  const quoted = /^"((?:[^"]|"")*)"\.([^=.]*)=(.*)$/s.exec(text);
  const plain = /^([^=]+)\.([^=.]*)=(.*)$/s.exec(text);
  const [, column = '', key = '', value = ''] = quoted ?? plain ?? [];
  if (column === '' || key === '') {
    throw new Fault('USAGE', `--rule: expected COLUMN.KEY=VALUE, found ${JSON.stringify(text)}`, {
      fix: 'Write for example --rule amount.decimal=,',
    });
  }
  return { column: quoted === null ? column : column.replaceAll('""', '"'), key, value };
}
