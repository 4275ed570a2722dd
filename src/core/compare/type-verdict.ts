/** Whether a pair of types is a divergence, given the form in which the source brings its values. */
import type { Divergence } from '../divergences/divergence.ts';
import type { LogicalType, TypeKind } from '../model/type.ts';
import { changeOf } from './type-change.ts';

/** `text`: CSV fields, of which the types are only guessed. `json`: JSON tokens. `typed`: a table, Parquet or a declared schema. */
export type ComparedForm = 'text' | 'json' | 'typed';

export interface TypeVerdict {
  readonly severity: Divergence['severity'];
  readonly detail: string;
}

type Judge = (from: LogicalType, to: LogicalType) => TypeVerdict | undefined;

const kinds = (...names: readonly TypeKind[]): ReadonlySet<TypeKind> => new Set(names);
const numbers = kinds('int', 'decimal', 'float');
/** Types that JSON can only bring as strings. */
const written = kinds('string', 'date', 'time', 'timestamp', 'timestamptz', 'uuid', 'binary');
const scalars = kinds('boolean', ...numbers, ...written);

const typed: Judge = (from, to) => {
  const { kind, why } = changeOf(from, to);
  if (kind === 'same') return undefined;
  return { severity: kind === 'widening' ? 'remark' : 'warning', detail: `${kind}: ${why}` };
};

/** Text of unknown length into text of a certain length. */
const shortText = (length: number): TypeVerdict => ({
  severity: 'remark',
  detail: `narrowing: text may be longer than ${length} characters`,
});

/** Guessed types that the law turns into each other without a question: their text stays, or every text of the one reads as the other. */
const readsAs: ReadonlyMap<TypeKind, ReadonlySet<TypeKind>> = new Map([
  ['int', kinds('decimal', 'float')],
  ['decimal', kinds('float')],
  ['float', kinds('decimal')],
  ['date', kinds('timestamp')],
]);

/** CSV: every column is text, which the coercion reads as the target's type; only a guess that cannot fit is worth a word. */
const text: Judge = (from, to) => {
  if (from.kind === 'unknown') return undefined;
  if (to.kind === 'string') return textIntoText(from, to.length);
  if (from.kind === 'string' || readsAs.get(from.kind)?.has(to.kind)) return undefined;
  const verdict = typed(from, to);
  return verdict?.severity === 'remark' ? undefined : verdict;
};

function textIntoText(from: LogicalType, length: number | undefined): TypeVerdict | undefined {
  if (length === undefined) return undefined;
  if (from.kind !== 'string' || from.length === undefined) return shortText(length);
  return from.length > length ? typed(from, { kind: 'string', length }) : undefined;
}

/** JSON: numbers go by value into any numeric type; strings are text; a number or boolean into text is its token as written. */
const json: Judge = (from, to) => {
  if (to.kind === 'json' || from.kind === 'unknown') return undefined;
  if (numbers.has(from.kind) && numbers.has(to.kind)) return undefined;
  if (written.has(from.kind) && written.has(to.kind)) return to.kind === 'string' ? textIntoText(from, to.length) : undefined;
  if (to.kind === 'string' && scalars.has(from.kind))
    return { severity: 'remark', detail: `other: the ${from.kind} is kept as the text of its token` };
  return typed(from, to);
};

const judges: Readonly<Record<ComparedForm, Judge>> = { text, json, typed };

/** The verdict on a pair of types as a whole; undefined when they are no divergence. Nested types of one kind are for `compareTypes`. */
export function judgeTypes(from: LogicalType, to: LogicalType, form: ComparedForm): TypeVerdict | undefined {
  return judges[form](from, to);
}
