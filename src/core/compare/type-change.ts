/** What becomes of the values of one type in another. */
import type { LogicalType, TypeKind, TypeOf } from '../model/type.ts';
import { sameType } from '../model/type.ts';
import { printType } from '../model/type-text.ts';
import { nameKey } from '../model/name.ts';

/**
 * `same`: nothing changes. `widening`: every value of the one type is a value of the other. `narrowing`: the same family, but some
 * values do
 * not fit. `other`: different families.
 */
export type TypeChangeKind = 'same' | 'widening' | 'narrowing' | 'other';

export interface TypeChange {
  readonly kind: TypeChangeKind;
  /** Why, in a few words without a full stop; names length, precision or scale where they decide. */
  readonly why: string;
}

const same: TypeChange = { kind: 'same', why: 'the same type' };
const widening = (why: string): TypeChange => ({ kind: 'widening', why });
const narrowing = (why: string): TypeChange => ({ kind: 'narrowing', why });
const fits = (holds: boolean, yes: string, no: string): TypeChange => (holds ? widening(yes) : narrowing(no));

/** Decimal digits of the largest value of each integer type. */
const intDigits = { 8: 3, 16: 5, 32: 10, 64: 19 } as const;
/** Decimal digits that every integer type is sure to hold. */
const safeDigits = { 8: 2, 16: 4, 32: 9, 64: 18 } as const;
/** Integers whose every value a binary float holds exactly. */
const exactBits = { 32: 16, 64: 32 } as const;

type Change<A extends TypeKind, B extends TypeKind> = (from: TypeOf<A>, to: TypeOf<B>) => TypeChange;
const rule = <A extends TypeKind, B extends TypeKind>(a: A, b: B, change: Change<A, B>) =>
  [`${a} ${b}` as string, change as unknown as (from: LogicalType, to: LogicalType) => TypeChange] as const;

const changes: ReadonlyMap<string, (from: LogicalType, to: LogicalType) => TypeChange> = new Map([
  rule('int', 'int', (from, to) => fits(to.bits > from.bits, `${to.bits} bits hold ${from.bits}`, `${from.bits} bits into ${to.bits}`)),
  rule('int', 'decimal', (from, to) => {
    const digits = to.precision - to.scale;
    return fits(
      digits >= intDigits[from.bits],
      `${digits} whole digits hold it`,
      `up to ${intDigits[from.bits]} whole digits into ${digits}`,
    );
  }),
  rule('int', 'float', (from, to) => fits(from.bits <= exactBits[to.bits], 'every value is exact', 'large whole numbers are not exact')),
  rule('decimal', 'int', (from, to) =>
    fits(
      from.scale === 0 && from.precision <= safeDigits[to.bits],
      'every value fits',
      from.scale > 0 ? `scale ${from.scale} into whole numbers` : `precision ${from.precision} into ${to.bits} bits`,
    ),
  ),
  rule('decimal', 'decimal', decimalChange),
  rule('decimal', 'float', () => narrowing('decimal fractions are not exact in binary')),
  rule('float', 'int', () => narrowing('fractions and large numbers do not fit')),
  rule('float', 'decimal', (_, to) => narrowing(`fractions beyond scale ${to.scale}, large numbers and NaN do not fit`)),
  rule('float', 'float', (from, to) => fits(to.bits > from.bits, `${to.bits} bits hold ${from.bits}`, `${from.bits} bits into ${to.bits}`)),
  rule('string', 'string', (from, to) =>
    fits(
      to.length === undefined || (from.length !== undefined && from.length < to.length),
      `length ${from.length} into ${to.length ?? 'no limit'}`,
      `length ${from.length ?? 'without limit'} into ${to.length}`,
    ),
  ),
  rule('timestamp', 'date', () => narrowing('the time of day does not fit')),
  rule('list', 'list', (from, to) => changeOf(from.element, to.element)),
  rule('map', 'map', (from, to) => worst([changeOf(from.key, to.key), changeOf(from.value, to.value)])),
  rule('struct', 'struct', structChange),
]);

function decimalChange(from: TypeOf<'decimal'>, to: TypeOf<'decimal'>): TypeChange {
  const [before, after] = [from.precision - from.scale, to.precision - to.scale];
  const tooFew = after < before ? [`${before} whole digits into ${after}`] : [];
  const tooShort = to.scale < from.scale ? [`scale ${from.scale} into ${to.scale}`] : [];
  const lost = [...tooFew, ...tooShort];
  if (lost.length > 0) return narrowing(lost.join(', '));
  return widening(`precision ${from.precision}, scale ${from.scale} into ${to.precision}, ${to.scale}`);
}

/** A struct widens when both have the same fields and some of them widen; fields go by name. */
function structChange(from: TypeOf<'struct'>, to: TypeOf<'struct'>): TypeChange {
  const targets = new Map(to.fields.map((field) => [nameKey(field.name), field.type]));
  const parts = from.fields.map((field) => {
    const type = targets.get(nameKey(field.name));
    return type === undefined ? narrowing(`no field "${field.name}"`) : changeOf(field.type, type);
  });
  const added = to.fields.length > from.fields.length ? [widening('fields are added')] : [];
  return worst([...parts, ...added]);
}

const order: readonly TypeChangeKind[] = ['same', 'widening', 'narrowing', 'other'];

function worst(changesOfParts: readonly TypeChange[]): TypeChange {
  return changesOfParts.reduce((a, b) => (order.indexOf(b.kind) > order.indexOf(a.kind) ? b : a), same);
}

/** What becomes of values of `from` when they are stored as `to`. */
export function changeOf(from: LogicalType, to: LogicalType): TypeChange {
  if (sameType(from, to)) return same;
  const change = changes.get(`${from.kind} ${to.kind}`);
  return change?.(from, to) ?? { kind: 'other', why: `${printType(from)} is no ${printType(to)}` };
}

/** Whether a column of type `from` can be made `to` without losing any value. A type is not wider than itself. */
export function isWidening(from: LogicalType, to: LogicalType): boolean {
  return changeOf(from, to).kind === 'widening';
}
