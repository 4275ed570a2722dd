/** Scalars that arrive typed: directly where both types hold the same values, else by their canonical text and the law of text. */
import { Fault } from '../../../core/fault.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';
import { sameType } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import type { Leaf, Site } from './reading.ts';
import { caseSql, seldom } from './reading.ts';
import { shortestText } from './shortest.ts';
import { nullOf, sqlType } from './sql-type.ts';
import { localAt, localTime } from './temporal-zone.ts';

type Place = Pick<Site, 'to' | 'rule' | 'world'>;

const asText = (t: string): string => `CAST(${t} AS STRING)`;

/** A value as text: plain digits, the shortest text of a double, ISO 8601, instants in UTC whatever the session's zone. */
const canonical: { readonly [K in TypeKind]?: (t: string, type: TypeOf<K>) => string } = {
  float: (t, { bits }) => shortestText(t, bits),
  timestamp: (t) => `replace(${asText(t)}, ' ', 'T')`,
  timestamptz: (t) => `concat(replace(${asText(localTime(`unix_micros(${t})`))}, ' ', 'T'), 'Z')`,
  uuid: (t) => `lower(${t})`,
  binary: (t) => `lower(hex(${t}))`,
  struct: (t) => `to_json(${t})`,
  list: (t) => `to_json(${t})`,
  map: (t) => `to_json(${t})`,
};

export function canonicalText(type: LogicalType, t: string): string {
  const render = canonical[type.kind] as ((t: string, type: LogicalType) => string) | undefined;
  return (render ?? asText)(t, type);
}

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
    strict: (_t, p) => render(p, request).value,
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
  direct(from, { value: (t) => `try_cast(${t} AS ${sqlType(to)})`, reason: () => `'invalid_value:out_of_range'` });
const refused = (from: LogicalType, to: LogicalType, code = 'invalid_value'): Leaf =>
  direct(from, { value: () => nullOf(to), reason: () => literal(code) });

/** The first doubles beyond each type; those of 64 bits are exact where the largest integer is not. */
const beyond = { 8: '128', 16: '32768', 32: '2147483648', 64: '9223372036854775808' } as const;

/** Whole doubles by their exact value; a fraction is lossy when the number without it fits. NaN is larger than any number here. */
function floatToInt(from: LogicalType, to: TypeOf<'int'>): Leaf {
  const wide = (t: string): string => `CAST(${t} AS DOUBLE)`;
  const cast = (value: string): string =>
    `CASE WHEN ${value} >= -${beyond[to.bits]}D AND ${value} < ${beyond[to.bits]}D THEN try_cast(${value} AS ${sqlType(to)}) END`;
  // `floor` and `ceil` make BIGINTs of doubles, which end sooner; beyond 2^53 every double is whole.
  const cut = (t: string): string => `CASE WHEN abs(${t}) < 9007199254740992D THEN CAST(try_cast(${t} AS BIGINT) AS DOUBLE) ELSE ${t} END`;
  const away = (t: string): string => `(${cut(t)} + CASE WHEN abs(${t} - ${cut(t)}) >= 0.5D THEN sign(${t}) ELSE 0D END)`;
  return direct(from, {
    value: (t) => `CASE WHEN ${cut(wide(t))} = ${wide(t)} THEN ${cast(wide(t))} END`,
    reason: (t) =>
      caseSql(
        [
          [`isnan(${t}) OR abs(${wide(t)}) = CAST('Infinity' AS DOUBLE)`, `'invalid_value'`],
          [`(${cast(`(${cut(wide(t))})`)}) IS NULL`, `'invalid_value:out_of_range'`],
        ],
        `'lossy_value'`,
      ),
    round: (t) => cast(away(wide(t))),
    truncate: (t) => cast(`(${cut(wide(t))})`),
  });
}

/** The date of a local time, exact at midnight. `local` makes a TIMESTAMP_NTZ of the value. */
function toDate(from: LogicalType, local: (t: string) => string): Leaf {
  const cut = (t: string): string => `CAST(${local(t)} AS DATE)`;
  return direct(from, {
    value: (t) => `CASE WHEN CAST(${cut(t)} AS TIMESTAMP_NTZ) = ${local(t)} THEN ${cut(t)} END`,
    reason: () => `'lossy_value'`,
    round: (t) => `CAST((${local(t)} + INTERVAL '12' HOUR) AS DATE)`,
    truncate: cut,
  });
}

function fromInstant(from: LogicalType, { to, rule }: Place): Leaf {
  const zone = rule.toTimezone;
  if (zone === undefined) return refused(from, to, 'invalid_value:offset_without_target_zone');
  const local = (t: string): string => localTime(localAt(`unix_micros(${t})`, zone));
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
const token: Convert = (from: LogicalType) => direct(from, { value: asText });
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
  'float>int': (from: LogicalType, to: TypeOf<'int'>) => floatToInt(from, to),
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
  // Types without a logical equal (intervals, GEOGRAPHY) go by their text.
  if (from.kind === 'unknown') return byText(from, place, 'text');
  const convert = conversions[`${from.kind}>${to.kind}`] as ((from: LogicalType, to: LogicalType, place: Place) => Leaf) | undefined;
  return convert?.(from, to, place) ?? refused(from, to);
}
