/** Values of every type as json, as they stand inside of jsonb columns, and back. Nothing in it depends on settings of the session. */
import type { FloatBits, LogicalType, TypeKind } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { fresh, inLevels } from './levels.ts';
import { shortestText } from './shortest.ts';
import { isScalar, sqlType } from './sql-type.ts';

const forms: Partial<Record<TypeKind, (value: string) => string>> = {
  // `to_json` prints an instant in the session's zone.
  timestamptz: (value) => `to_json((to_json(${value} AT TIME ZONE 'UTC') #>> '{}') || 'Z')`,
  binary: (value) => `to_json(${literal('\\x')} || encode(${value}, 'hex'))`,
  json: (value) => value,
};

/** `to_json` prints a double as the settings of the session say. */
function floatForm(value: string, bits: FloatBits): string {
  const [v, text] = [fresh(), fresh()];
  const form = `CASE WHEN ${v} IN ('NaN', 'Infinity', '-Infinity') THEN to_json(${text}) ELSE CAST(${text} AS json) END`;
  return inLevels([[[v, value]], [[text, shortestText(v, bits)]]], form);
}

/** A value as json: numbers and booleans as such, infinities and NaN and everything else as text. Nested values are json already. */
export function asJson(type: LogicalType, value: string): string {
  if (!isScalar(type)) return value;
  if (type.kind === 'float') return floatForm(value, type.bits);
  return (forms[type.kind] ?? ((scalar: string) => `to_json(${scalar})`))(value);
}

/** A value as a piece of JSON text, never NULL. */
export const jsonPiece = (type: LogicalType, value: string): string => `coalesce(CAST(${asJson(type, value)} AS text), 'null')`;

/** A value of the type out of its json. The json must come from a value of the type: the casts raise on anything else. */
export function fromJson(type: LogicalType, json: string): string {
  if (type.kind === 'json') return `nullif(CAST(${json} AS text), 'null')::json`;
  if (!isScalar(type)) return json;
  return `CAST(${json} #>> '{}' AS ${sqlType(type)})`;
}
