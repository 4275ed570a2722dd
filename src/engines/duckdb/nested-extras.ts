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

/** The same for a typed value. The types alone tell which fields are extra; of these the ones that hold a value are listed. */
export function typedExtrasSql(
  value: string,
  types: { readonly from: LogicalType; readonly to: LogicalType },
  path: string,
  depth = 0,
): string | undefined {
  const { from, to } = types;
  if (from.kind === 'list' && to.kind === 'list') {
    const item = `e${depth}`;
    const below = typedExtrasSql(item, { from: from.element, to: to.element }, `${path}[]`, depth + 1);
    return below === undefined ? undefined : `flatten(list_transform(${value}, lambda ${item}: ${below}))`;
  }
  if (from.kind !== 'struct' || to.kind !== 'struct') return undefined;
  const lists = from.fields.flatMap(({ name, type }) => {
    const field = `${value}[${literal(name)}]`;
    const known = to.fields.find((candidate) => candidate.name === name);
    if (known === undefined) return [`CASE WHEN ${field} IS NOT NULL THEN [${literal(`${path}.${name}`)}] END`];
    return typedExtrasSql(field, { from: type, to: known.type }, `${path}.${name}`, depth) ?? [];
  });
  return lists.length === 0 ? undefined : `flatten([${lists.join(', ')}])`;
}
