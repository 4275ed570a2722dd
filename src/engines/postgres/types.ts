/** PostgreSQL's types as logical types, and what a column demands beyond its logical type. */
import type { Field, LogicalType } from '../../core/model/type.ts';
import {
  binary,
  boolean,
  date,
  decimal,
  float,
  int,
  json,
  list,
  string,
  struct,
  time,
  timestamp,
  timestamptz,
  unknown,
  uuid,
} from '../../core/model/type.ts';

/** A type as the catalogue has it; of a domain, what lies below it. */
export interface CatalogType {
  /** Name in `pg_type`, of the element for an array. */
  readonly name: string;
  readonly schema: string;
  readonly isArray: boolean;
  readonly isEnum: boolean;
  /** `atttypmod`; -1 when there is none. */
  readonly modifier: number;
  /** As `format_type` writes it. */
  readonly text: string;
  /** Parts of a composite type. */
  readonly fields?: readonly Field[];
}

type Read = (modifier: number) => LogicalType | undefined;

const fixed =
  (type: LogicalType): Read =>
  () =>
    type;

/** Length of varchar(n) and char(n): the modifier counts four bytes of header. */
const sized: Read = (modifier) => (modifier < 4 ? string() : string(modifier - 4));

/** Digits that an unconstrained `numeric` is reckoned to have on either side of the point: the most that can be declared. */
const unlimited = decimal(1000, 500);

/** The lowest 11 bits of the modifier hold the scale, with its sign. */
function numeric(modifier: number): LogicalType | undefined {
  if (modifier < 4) return unlimited;
  const precision = (modifier - 4) >> 16;
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  return scale >= 0 && scale <= precision ? decimal(precision, scale) : undefined;
}

const builtIn: Readonly<Record<string, Read>> = {
  bool: fixed(boolean),
  int2: fixed(int(16)),
  int4: fixed(int(32)),
  int8: fixed(int(64)),
  numeric,
  float4: fixed(float(32)),
  float8: fixed(float(64)),
  text: fixed(string()),
  varchar: sized,
  bpchar: sized,
  date: fixed(date),
  time: fixed(time),
  timestamp: fixed(timestamp),
  timestamptz: fixed(timestamptz),
  bytea: fixed(binary),
  uuid: fixed(uuid),
  json: fixed(json),
  jsonb: fixed(json),
};

function elementType({ name, schema, isEnum, modifier, fields }: CatalogType): LogicalType | undefined {
  if (fields !== undefined) return struct(fields);
  if (isEnum || name === 'citext') return string();
  return schema === 'pg_catalog' ? builtIn[name]?.(modifier) : undefined;
}

/** The logical type; `unknown` for what has no equal. */
export function logicalType(type: CatalogType): LogicalType {
  const element = elementType(type);
  if (element === undefined) return unknown(type.text);
  return type.isArray ? list(element) : element;
}

const clocks = new Set(['time', 'timestamp', 'timestamptz']);

/**
 * Whether the column's own type refuses or changes values that its logical type takes: then every value is tried on it.
 * An enum refuses most texts, `timestamp(0)` rounds.
 */
export function isStricter({ name, isEnum, modifier }: CatalogType): boolean {
  return isEnum || name === 'citext' || (clocks.has(name) && modifier >= 0 && modifier < 6);
}

/** Whether a value of the type has an equality of its own: `json` has none, nor has anything that holds it. */
export function isComparable(type: LogicalType, stageType: string): boolean {
  if (/\bjson\b/.test(stageType)) return false;
  const holdsJson = (part: LogicalType): boolean => {
    if (part.kind === 'list') return holdsJson(part.element);
    return part.kind === 'struct' && part.fields.some((field) => field.type.kind === 'json' || holdsJson(field.type));
  };
  return !holdsJson(type);
}
