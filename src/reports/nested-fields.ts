/** The parts of nested columns, read from the text of their types, so that a page can show a schema as a tree. */
import { parseType, printType } from '../core/model/type-text.ts';
import type { LogicalType } from '../core/model/type.ts';
import type { RunColumn } from '../core/record/run-record.ts';

/** A nested part: its path as findings write it, and its type. */
export type NestedField = readonly [path: string, type: string];

/** Parts of one column that are listed; wider ones are cut. */
const most = 2000;

/** The fields inside a column, outer before inner, in their order; none for a scalar, or for a type that cannot be read. */
export function nestedFields({ path, target_type }: Pick<RunColumn, 'path' | 'target_type'>): readonly NestedField[] {
  if (!target_type.includes('<')) return [];
  const found: NestedField[] = [];
  const add = (at: string, type: LogicalType): void => {
    if (found.length >= most) return;
    found.push([at, printType(type)]);
    walk(at, type);
  };
  const walk = (at: string, type: LogicalType): void => {
    if (type.kind === 'struct') for (const field of type.fields) add(`${at}.${field.name}`, field.type);
    if (type.kind === 'map') add(`${at}.*`, type.value);
    if (type.kind === 'list') walk(`${at}[]`, type.element);
  };
  const type = readable(target_type);
  if (type !== undefined) walk(path, type);
  return found;
}

/** The type that a text names; undefined when it is that of an engine that no reader knows. */
function readable(text: string): LogicalType | undefined {
  try {
    return parseType(text);
  } catch {
    return undefined;
  }
}
