/** Scalars that arrive typed: directly where both types hold the same values, else by their canonical text and the law of text. */
import { Fault } from '../../../core/fault.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';
import { sameType } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import type { Leaf, Site } from './reading.ts';
import { caseSql, seldom } from './reading.ts';
import { nullOf, sqlType } from './sql-type.ts';

type Place = Pick<Site, 'to' | 'rule' | 'world' | 'inside'>;

const asVarchar = (t: string): string => `CAST(${t} AS VARCHAR)`;

const withT = (timestamp: string): string => `replace(${asVarchar(timestamp)}, ' ', 'T')`;

/** A value as text: plain digits, the shortest text of a double, ISO 8601, instants in UTC whatever the session's zone. */
const canonical: Partial<Record<TypeKind, (t: string) => string>> = {
  float: (t) =>
    `CASE WHEN isfinite(${t}) THEN ${asVarchar(t)} WHEN isnan(${t}) THEN 'NaN' ` +
    `WHEN ${t} > 0 THEN 'Infinity' WHEN ${t} < 0 THEN '-Infinity' END`,
  timestamp: (t) => `CASE WHEN isfinite(${t}) THEN ${withT(t)} ELSE ${asVarchar(t)} END`,
  timestamptz: (t) => `CASE WHEN isfinite(${t}) THEN ${withT(utc(t))} || 'Z' ELSE ${asVarchar(utc(t))} END`,
  binary: (t) => `hex(${t})`,
  struct: (t) => asVarchar(`to_json(${t})`),
  list: (t) => asVarchar(`to_json(${t})`),
  map: (t) => asVarchar(`to_json(${t})`),
};

const utc = (t: string): string => `timezone('UTC', ${t})`;

export const canonicalText = (type: LogicalType, t: string): string => (canonical[type.kind] ?? asVarchar)(t);

/** The rule for canonical text: what it says about the spelling of source text does not concern it. */
function canonicalRule(rule: ColumnRule, keepFormats: boolean): ColumnRule {
  const { group: _group, formats, trueValues: _true, falseValues: _false, ...rest } = rule;
  return {
    ...rest,
    trim: rule.trim === 'always' ? 'always' : 'auto',
    decimal: '.',
    exponent: true,
    nullValues: [],
    ...(keepFormats && formats ? { formats } : {}),
  };
}

type Law = 'text' | 'number' | 'epoch';

function byText(from: LogicalType, place: Place, law: Law): Leaf {
  const { to, rule, world } = place;
  const request = { to, rule: canonicalRule(rule, law === 'epoch'), context: world.context, number: law !== 'text' };
  const render = world.scalar(to);
  const sample = render('x', request);
  return {
    prep: (t) => canonicalText(from, t),
    plain: false,
    strict: (_t, p) => seldom(place, p, (x) => render(x, request).value),
    reason: sample.value === 'x' ? undefined : (_t, p) => seldom(place, p, (x) => render(x, request).reason),
    round: sample.round === undefined ? undefined : (_t, p) => seldom(place, p, (x) => render(x, request).round ?? 'NULL'),
    truncate: sample.truncate === undefined ? undefined : (_t, p) => seldom(place, p, (x) => render(x, request).truncate ?? 'NULL'),
    shown: (_t, p) => p,
  };
}

/** A conversion of the value itself; `reason` absent means that every value fits. */
function direct(
  from: LogicalType,
  sql: { value: (t: string) => string; reason?: (t: string) => string; round?: (t: string) => string; truncate?: (t: string) => string },
): Leaf {
  const { value, reason, round, truncate } = sql;
  return {
    prep: (t) => t,
    plain: true,
    strict: (_t, p) => value(p),
    reason: reason && ((_t, p) => reason(p)),
    round: round && ((_t, p) => round(p)),
    truncate: truncate && ((_t, p) => truncate(p)),
    shown: (_t, p) => canonicalText(from, p),
  };
}

const asIs = (from: LogicalType): Leaf => direct(from, { value: (t) => t });
const widened = (from: LogicalType, to: LogicalType): Leaf => direct(from, { value: (t) => `CAST(${t} AS ${sqlType(to)})` });
const inRange = (from: LogicalType, to: LogicalType): Leaf =>
  direct(from, { value: (t) => `TRY_CAST(${t} AS ${sqlType(to)})`, reason: () => `'invalid_value:out_of_range'` });
const refused = (from: LogicalType, to: LogicalType, code = 'invalid_value'): Leaf =>
  direct(from, { value: () => nullOf(to), reason: () => literal(code) });

/** Whole doubles by their exact value; a fraction is lossy when the number without it fits. */
function floatToInt(from: LogicalType, to: LogicalType): Leaf {
  const cast = (value: string): string => `TRY_CAST(${value} AS ${sqlType(to)})`;
  const cut = (t: string): string => cast(`trunc(${t})`);
  return direct(from, {
    value: (t) => `CASE WHEN trunc(${t}) = ${t} THEN ${cast(t)} END`,
    reason: (t) =>
      caseSql(
        [
          [`NOT isfinite(${t})`, `'invalid_value'`],
          [`${cut(t)} IS NULL`, `'invalid_value:out_of_range'`],
        ],
        `'lossy_value'`,
      ),
    round: (t) => cast(`round(${t})`),
    truncate: cut,
  });
}

/** The date of a local time, exact at midnight. `local` makes a timestamp of the value. */
function toDate(from: LogicalType, local: (t: string) => string): Leaf {
  const cut = (t: string): string => `CASE WHEN isfinite(${t}) THEN CAST(${local(t)} AS DATE) END`;
  return direct(from, {
    value: (t) => `CASE WHEN isfinite(${t}) AND date_trunc('day', ${local(t)}) = ${local(t)} THEN CAST(${local(t)} AS DATE) END`,
    reason: (t) => caseSql([[`isfinite(${t})`, `'lossy_value'`]], `'invalid_value:out_of_range'`),
    round: (t) => `CASE WHEN isfinite(${t}) THEN CAST(${local(t)} + INTERVAL 12 HOURS AS DATE) END`,
    truncate: cut,
  });
}

function fromInstant(from: LogicalType, { to, rule }: Place): Leaf {
  const zone = rule.toTimezone;
  if (zone === undefined) return refused(from, to, 'invalid_value:offset_without_target_zone');
  const local = (t: string): string => `timezone(${literal(zone)}, ${t})`;
  return to.kind === 'date' ? toDate(from, local) : direct(from, { value: local });
}

const canWidenInt: (from: TypeOf<'int'>, to: TypeOf<'int'>) => boolean = (from, to) => to.bits >= from.bits;
/** Whole numbers up to 2^16 in a float of 32 bits, up to 2^32 in one of 64, are exact. */
const isExactFloat = (from: TypeOf<'int'>, to: TypeOf<'float'>): boolean => from.bits < to.bits;
const canWidenDecimal = (from: TypeOf<'decimal'>, to: TypeOf<'decimal'>): boolean =>
  to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;

type Pair = `${TypeKind}>${TypeKind}`;
type Convert = (from: never, to: never, place: Place) => Leaf;

const number: Convert = (from: LogicalType, _to, place) => byText(from, place, 'number');
const text: Convert = (from: LogicalType, _to, place) => byText(from, place, 'text');
const epoch: Convert = (from: LogicalType, to: LogicalType, place) =>
  place.rule.formats === undefined ? refused(from, to) : byText(from, place, 'epoch');
const token: Convert = (from: LogicalType) => direct(from, { value: (t) => `CAST(${asVarchar(t)} AS JSON)` });
const instant: Convert = (from: LogicalType, _to, place) => fromInstant(from, place);

const conversions: Partial<Record<Pair, Convert>> = {
  'int>int': (from: TypeOf<'int'>, to: TypeOf<'int'>) => (canWidenInt(from, to) ? widened(from, to) : inRange(from, to)),
  'int>decimal': (from: TypeOf<'int'>, to: TypeOf<'decimal'>) => inRange(from, to),
  'int>float': (from: TypeOf<'int'>, to: TypeOf<'float'>, place) =>
    isExactFloat(from, to) ? widened(from, to) : byText(from, place, 'number'),
  'decimal>decimal': (from: TypeOf<'decimal'>, to: TypeOf<'decimal'>, place) =>
    canWidenDecimal(from, to) ? widened(from, to) : byText(from, place, 'number'),
  'decimal>int': number,
  'decimal>float': number,
  'float>float': (from: TypeOf<'float'>, to: TypeOf<'float'>, place) =>
    to.bits > from.bits ? widened(from, to) : byText(from, place, 'number'),
  'float>int': floatToInt,
  'float>decimal': number,
  'date>timestamp': (from: LogicalType, to: LogicalType) => inRange(from, to),
  'timestamp>date': (from: LogicalType) => toDate(from, (t) => t),
  'date>timestamptz': text,
  'timestamp>timestamptz': text,
  'timestamptz>timestamp': instant,
  'timestamptz>date': instant,
  'int>date': epoch,
  'int>timestamp': epoch,
  'int>timestamptz': epoch,
  'decimal>date': epoch,
  'decimal>timestamp': epoch,
  'decimal>timestamptz': epoch,
  'float>date': epoch,
  'float>timestamp': epoch,
  'float>timestamptz': epoch,
  'boolean>string': text,
  'int>string': text,
  'decimal>string': text,
  'float>string': text,
  'uuid>string': text,
  'date>string': text,
  'time>string': text,
  'timestamp>string': text,
  'timestamptz>string': text,
  'boolean>json': token,
  'int>json': token,
  'decimal>json': token,
};

/** How a typed scalar, other than text and JSON, becomes another type. Throws GAP for a target that only some engine knows. */
export function typedLeaf(from: LogicalType, place: Place): Leaf {
  const { to } = place;
  if (sameType(from, to)) return asIs(from);
  if (to.kind === 'unknown') throw new Fault('GAP', `values cannot be turned into ${to.text}`);
  // Types without a logical equal (HUGEINT, TIMESTAMP_NS, ENUM) go by their text.
  if (from.kind === 'unknown') return byText(from, place, 'text');
  const convert = conversions[`${from.kind}>${to.kind}`] as ((from: LogicalType, to: LogicalType, place: Place) => Leaf) | undefined;
  return convert?.(from, to, place) ?? refused(from, to);
}
