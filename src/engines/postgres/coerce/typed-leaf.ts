/** Scalars that arrive typed: directly where both types hold the same values, else by their canonical text and the law of text. */
import { Fault } from '../../../core/fault.ts';
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType, TypeKind, TypeOf } from '../../../core/model/type.ts';
import { sameType } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { inDecimalRange } from './decimal.ts';
import { inIntRange } from './integer.ts';
import { caseSql } from './levels.ts';
import type { Leaf, Site } from './reading.ts';
import { shortestText } from './shortest.ts';
import { nullOf, sqlType } from './sql-type.ts';

type Place = Pick<Site, 'to' | 'rule' | 'world'>;

const asText = (t: string): string => `CAST(${t} AS text)`;

/** ISO 8601 whatever the DateStyle, without zeros at the end. */
const isoText = (t: string): string => `(to_json(${t}) #>> '{}')`;

const utc = (t: string): string => `(${t} AT TIME ZONE 'UTC')`;

/** A value as text: plain digits, the shortest text of a double, ISO 8601, instants in UTC, whatever the settings of the session. */
const canonical: { readonly [K in TypeKind]?: (t: string, type: TypeOf<K>) => string } = {
  float: (t, { bits }) => shortestText(t, bits),
  date: isoText,
  timestamp: isoText,
  timestamptz: (t) => `CASE WHEN isfinite(${t}) THEN ${isoText(utc(t))} || 'Z' ELSE ${isoText(utc(t))} END`,
  binary: (t) => `encode(${t}, 'hex')`,
  struct: (t) => asText(`to_json(${t})`),
  list: (t) => asText(`to_json(${t})`),
  map: (t) => asText(`to_json(${t})`),
};

function canonicalText(type: LogicalType, t: string): string {
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
  const request = { to, rule: canonicalRule(rule, law === 'epoch'), context: {}, number: law !== 'text' };
  const render = world.scalar(to);
  const sample = render('x', request);
  const free = to.kind === 'string' && to.length === undefined;
  return {
    prep: (t) => `(${canonicalText(from, t)}) COLLATE "C"`,
    strict: (_t, p) => render(p, request).value,
    reason: free ? undefined : (_t, p) => render(p, request).reason,
    round: sample.round === undefined ? undefined : (_t, p) => render(p, request).round ?? 'NULL',
    truncate: sample.truncate === undefined ? undefined : (_t, p) => render(p, request).truncate ?? 'NULL',
    shown: (_t, p) => p,
  };
}

interface Direct {
  readonly value: (t: string) => string;
  /** Absent: every value fits. */
  readonly reason?: (t: string) => string;
  readonly round?: (t: string) => string;
  readonly truncate?: (t: string) => string;
}

/** A conversion of the value itself. */
function direct(from: LogicalType, { value, reason, round, truncate }: Direct): Leaf {
  return {
    prep: (t) => t,
    strict: (_t, p) => value(p),
    reason: reason && ((_t, p) => reason(p)),
    round: round && ((_t, p) => round(p)),
    truncate: truncate && ((_t, p) => truncate(p)),
    shown: (_t, p) => canonicalText(from, p),
  };
}

const outOfRange = `'invalid_value:out_of_range'`;
const asIs = (from: LogicalType): Leaf => direct(from, { value: (t) => t });
const widened = (from: LogicalType, to: LogicalType): Leaf => direct(from, { value: (t) => `CAST(${t} AS ${sqlType(to)})` });
const refused = (from: LogicalType, to: LogicalType, code = 'invalid_value'): Leaf =>
  direct(from, { value: () => nullOf(to), reason: () => literal(code) });

/** The value where `test` holds, cast; all others are out of range. */
const within = (from: LogicalType, to: LogicalType, test: (t: string) => string): Leaf =>
  direct(from, { value: (t) => `CASE WHEN ${test(t)} THEN CAST(${t} AS ${sqlType(to)}) END`, reason: () => outOfRange });

/** A number of any exact type into one of fewer places or digits. NaN and infinities, which `numeric` has too, are no such number. */
function exactly(from: LogicalType, to: TypeOf<'int' | 'decimal'>): Leaf {
  const [scale, code] = to.kind === 'int' ? [0, 'lossy_value'] : [to.scale, 'lossy_value:scale'];
  const inRange = (n: string): string => (to.kind === 'int' ? inIntRange(n, to.bits) : inDecimalRange(n, to));
  const number = (t: string): string => `CAST(${t} AS numeric)`;
  const fit = (n: string): string => `CASE WHEN ${inRange(n)} THEN CAST(${n} AS ${sqlType(to)}) END`;
  return direct(from, {
    value: (t) => `CASE WHEN min_scale(${number(t)}) <= ${scale} THEN ${fit(number(t))} END`,
    reason: (t) =>
      caseSql(
        [
          [`min_scale(${number(t)}) IS NULL`, `'invalid_value'`],
          [inRange(`trunc(${number(t)}, ${scale})`), literal(code)],
        ],
        outOfRange,
      ),
    round: (t) => fit(`round(${number(t)}, ${scale})`),
    truncate: (t) => fit(`trunc(${number(t)}, ${scale})`),
  });
}

/** The first doubles beyond each type; those of 64 bits are exact where the largest integer is not. */
const beyond = { 8: '128', 16: '32768', 32: '2147483648', 64: '9223372036854775808' } as const;

/** Whole doubles by their exact value; a fraction is lossy when the number without it fits. */
function floatToInt(from: LogicalType, to: TypeOf<'int'>): Leaf {
  const end = `CAST('${beyond[to.bits]}' AS double precision)`;
  const cast = (value: string): string => {
    const wide = `CAST(${value} AS double precision)`;
    return `CASE WHEN ${wide} >= -${end} AND ${wide} < ${end} THEN CAST(${wide} AS ${sqlType(to)}) END`;
  };
  const wide = (t: string): string => `CAST(${t} AS double precision)`;
  // `round` of a double is half to even.
  const rounded = (t: string): string =>
    `sign(${wide(t)}) * (floor(abs(${wide(t)})) + floor(2 * (abs(${wide(t)}) - floor(abs(${wide(t)})))))`;
  return direct(from, {
    value: (t) => `CASE WHEN trunc(${wide(t)}) = ${wide(t)} THEN ${cast(t)} END`,
    reason: (t) =>
      caseSql(
        [
          [`${t} IN ('NaN', 'Infinity', '-Infinity')`, `'invalid_value'`],
          [`(${cast(`trunc(${wide(t)})`)}) IS NULL`, outOfRange],
        ],
        `'lossy_value'`,
      ),
    round: (t) => cast(rounded(t)),
    truncate: (t) => cast(`trunc(${wide(t)})`),
  });
}

/** The date of a local time, exact at midnight. `local` makes a timestamp of the value. */
function toDate(from: LogicalType, local: (t: string) => string): Leaf {
  const date = (timestamp: string): string => `CAST(${timestamp} AS date)`;
  return direct(from, {
    value: (t) => `CASE WHEN isfinite(${t}) AND date_trunc('day', ${local(t)}) = ${local(t)} THEN ${date(local(t))} END`,
    reason: (t) => caseSql([[`isfinite(${t})`, `'lossy_value'`]], outOfRange),
    round: (t) => `CASE WHEN isfinite(${t}) THEN ${date(`(${local(t)} + interval '12 hours')`)} END`,
    truncate: (t) => `CASE WHEN isfinite(${t}) THEN ${date(local(t))} END`,
  });
}

function fromInstant(from: LogicalType, { to, rule }: Place): Leaf {
  const zone = rule.toTimezone;
  if (zone === undefined) return refused(from, to, 'invalid_value:offset_without_target_zone');
  const local = (t: string): string => `(${t} AT TIME ZONE ${literal(zone)})`;
  return to.kind === 'date' ? toDate(from, local) : direct(from, { value: local });
}

/** Whole numbers up to 2^16 in a float of 32 bits, up to 2^32 in one of 64, are exact. */
const isExactFloat = (from: TypeOf<'int'>, to: TypeOf<'float'>): boolean => from.bits < to.bits;

type Pair = `${TypeKind}>${TypeKind}`;
type Convert = (from: never, to: never, place: Place) => Leaf;

const number: Convert = (from: LogicalType, _to, place) => byText(from, place, 'number');
const text: Convert = (from: LogicalType, _to, place) => byText(from, place, 'text');
const epoch: Convert = (from: LogicalType, to: LogicalType, place) =>
  place.rule.formats === undefined ? refused(from, to) : byText(from, place, 'epoch');
const token: Convert = (from: LogicalType) => direct(from, { value: (t) => `to_json(${t})` });
const instant: Convert = (from: LogicalType, _to, place) => fromInstant(from, place);
const exact: Convert = (from: LogicalType, to: TypeOf<'int' | 'decimal'>) => exactly(from, to);

const conversions: Partial<Record<Pair, Convert>> = {
  'int>int': (from: TypeOf<'int'>, to: TypeOf<'int'>) =>
    to.bits >= from.bits ? widened(from, to) : within(from, to, (t) => inIntRange(t, to.bits)),
  'int>decimal': (from: TypeOf<'int'>, to: TypeOf<'decimal'>) => within(from, to, (t) => inDecimalRange(t, to)),
  'int>float': (from: TypeOf<'int'>, to: TypeOf<'float'>, place) =>
    isExactFloat(from, to) ? widened(from, to) : byText(from, place, 'number'),
  'decimal>decimal': exact,
  'decimal>int': exact,
  'decimal>float': number,
  'float>float': (from: TypeOf<'float'>, to: TypeOf<'float'>, place) =>
    to.bits > from.bits ? widened(from, to) : byText(from, place, 'number'),
  'float>int': (from: LogicalType, to: TypeOf<'int'>) => floatToInt(from, to),
  'float>decimal': number,
  // Dates reach farther than timestamps.
  'date>timestamp': (from: LogicalType, to: LogicalType) => within(from, to, (t) => `${t} BETWEEN date '0001-01-01' AND date '9999-12-31'`),
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
  // Types without a logical equal (an enum, an interval) go by their text.
  if (from.kind === 'unknown') return byText(from, place, 'text');
  const convert = conversions[`${from.kind}>${to.kind}`] as ((from: LogicalType, to: LogicalType, place: Place) => Leaf) | undefined;
  return convert?.(from, to, place) ?? refused(from, to);
}
