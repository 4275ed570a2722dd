import type { LogicalType } from '../../core/model/type.ts';
import { literal } from './quote.ts';

/**
 * SQL of text[]: the paths below `path` that a JSON value has and its target type has not, such as `customer.vip` or `items[].note`.
 * Undefined when the type has no fields anywhere. `value` is JSON text; with `onlyFilled` fields that are null do not count, as a typed
 * source gives all its fields in each record.
 */
export function nestedExtrasSql(value: string, type: LogicalType, path: string, onlyFilled: boolean): string | undefined {
  if (type.kind === 'list') return listExtras(value, type.element, { path, onlyFilled });
  if (type.kind !== 'struct') return undefined;
  const names = `ARRAY[${type.fields.map((field) => literal(field.name)).join(', ')}]::text[]`;
  const filled = onlyFilled ? ` AND f.value::text <> 'null'` : '';
  const own = `ARRAY(SELECT ${literal(`${path}.`)} || f.key FROM json_each((${value})::json) f WHERE f.key <> ALL (${names})${filled})`;
  const inner = type.fields.flatMap((field) => {
    const part = `(((${value})::json -> ${literal(field.name)})::text)`;
    return nestedExtrasSql(part, field.type, `${path}.${field.name}`, onlyFilled) ?? [];
  });
  return `(CASE WHEN left(ltrim(${value}), 1) = '{' THEN ${[own, ...inner].join(' || ')} END)`;
}

function listExtras(value: string, element: LogicalType, { path, onlyFilled }: { path: string; onlyFilled: boolean }): string | undefined {
  const below = nestedExtrasSql('e.j::text', element, `${path}[]`, onlyFilled);
  if (below === undefined) return undefined;
  const all = `ARRAY(SELECT u FROM json_array_elements((${value})::json) e(j) CROSS JOIN LATERAL unnest(${below}) u)`;
  return `(CASE WHEN left(ltrim(${value}), 1) = '[' THEN ${all} END)`;
}
