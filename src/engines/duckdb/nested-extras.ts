import type { LogicalType } from '../../core/model/type.ts';
import { jsonPath } from './reader.ts';
import { literal } from './quote.ts';

/**
 * LIST(VARCHAR) of the paths below `path` that a JSON value has and its target type has not, such as `customer.vip` or `items[].note`.
 * Undefined when the type has no fields anywhere.
 */
export function nestedExtrasSql(value: string, type: LogicalType, path: string, depth = 0): string | undefined {
  if (type.kind === 'list') return listExtras(value, type.element, { path, depth });
  if (type.kind !== 'struct') return undefined;
  const names = `[${type.fields.map((field) => literal(field.name)).join(', ')}]`;
  const key = `k${depth}`;
  const own = `list_transform(list_filter(json_keys(${value}), lambda ${key}: NOT list_contains(${names}::VARCHAR[], ${key})), lambda ${key}: ${literal(`${path}.`)} || ${key})`;
  const inner = type.fields.flatMap((field) => {
    const below = nestedExtrasSql(
      `json_extract(${value}, ${literal(jsonPath([field.name]))})::VARCHAR`,
      field.type,
      `${path}.${field.name}`,
      depth + 1,
    );
    return below === undefined ? [] : [below];
  });
  return `CASE WHEN ${value} >= '{' THEN ${inner.length === 0 ? own : `flatten([${[own, ...inner].join(', ')}])`} END`;
}

function listExtras(value: string, element: LogicalType, { path, depth }: { path: string; depth: number }): string | undefined {
  const item = `e${depth}`;
  const below = nestedExtrasSql(`${item}::VARCHAR`, element, `${path}[]`, depth + 1);
  if (below === undefined) return undefined;
  return `CASE WHEN ${value} >= '[' AND ${value} < '{' THEN flatten(list_transform(json_extract(${value}, '$[*]'), lambda ${item}: ${below})) END`;
}
