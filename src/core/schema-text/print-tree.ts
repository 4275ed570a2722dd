/** A schema as a tree, in the manner of Spark's printSchema. */
import type { PathSegment } from '../model/path.ts';
import { columnPath, elementPath, fieldPath, printPath } from '../model/path.ts';
import type { Column, Schema } from '../model/schema.ts';
import type { LogicalType } from '../model/type.ts';
import { printType } from '../model/type-text.ts';
import { visible } from './visible.ts';

export interface TreeOptions {
  /** First line; `root` when not given. */
  readonly root?: string;
  /** What to append to the line of a path, such as what the data showed. */
  readonly notes?: ReadonlyMap<string, string>;
}

interface Node {
  readonly name: string;
  readonly type: LogicalType;
  readonly path: readonly PathSegment[];
  /** What stands in parentheses behind the type. */
  readonly facts: readonly string[];
  readonly comment?: string | undefined;
}

/**
 * The tree of a schema, one line per column and nested part, ending with a line end:
 *
 *     root
 *      |-- id: bigint (nullable = false, key)
 *      |-- customer: struct (nullable = true)
 *      |    |-- name: string (nullable = true)
 *
 * Characters that could steer a terminal are shown as escapes.
 */
export function printTree(schema: Schema, options: TreeOptions = {}): string {
  const lines = schema.columns.flatMap((column) => nodeLines(columnNode(column), ' |-- ', options));
  return [visible(options.root ?? 'root'), ...lines].map((line) => `${line}\n`).join('');
}

function columnNode({ name, type, nullable, comment, ...column }: Column): Node {
  const fallback = column.default === undefined || column.generated === true ? [] : [`default = ${column.default}`];
  const flags = (['key', 'partition', 'generated'] as const).filter((flag) => column[flag] === true);
  return { name, type, path: columnPath(name), facts: [`nullable = ${nullable}`, ...fallback, ...flags], comment };
}

function nodeLines(node: Node, indent: string, options: TreeOptions): readonly string[] {
  const { type } = node;
  const whole = type.kind === 'struct' || type.kind === 'list' || type.kind === 'map' ? type.kind : printType(type);
  const facts = node.facts.length === 0 ? '' : ` (${node.facts.join(', ')})`;
  const appended = [node.comment, options.notes?.get(printPath(node.path))].filter((text) => text !== undefined && text !== '');
  const line = `${indent}${visible(`${node.name}: ${whole}${facts}${appended.map((text) => `  -- ${text}`).join('')}`)}`;
  const below = indent.replace(/\|-- $/, '|    |-- ');
  return [line, ...parts(node).flatMap((part) => nodeLines(part, below, options))];
}

function parts({ type, path }: Node): readonly Node[] {
  if (type.kind === 'list') return [{ name: 'element', type: type.element, path: elementPath(path), facts: [] }];
  if (type.kind === 'map')
    return (['key', 'value'] as const).map((name) => ({ name, type: type[name], path: fieldPath(path, name), facts: [] }));
  if (type.kind !== 'struct') return [];
  return type.fields.map((field) => ({
    name: field.name,
    type: field.type,
    path: fieldPath(path, field.name),
    facts: [`nullable = ${field.nullable !== false}`],
    comment: field.comment,
  }));
}
