/** Logical types: the one vocabulary in which the types of every source and engine are compared. */

export type IntBits = 8 | 16 | 32 | 64;
export type FloatBits = 32 | 64;

export type LogicalType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'int'; readonly bits: IntBits }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'float'; readonly bits: FloatBits }
  /** Text; `length` is the largest number of Unicode code points, absent when unlimited. */
  | { readonly kind: 'string'; readonly length?: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'time' }
  /** A local date and time without zone, in microseconds. */
  | { readonly kind: 'timestamp' }
  /** An instant, in microseconds. */
  | { readonly kind: 'timestamptz' }
  | { readonly kind: 'binary' }
  | { readonly kind: 'uuid' }
  | { readonly kind: 'json' }
  | { readonly kind: 'struct'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly element: LogicalType }
  | { readonly kind: 'map'; readonly key: LogicalType; readonly value: LogicalType }
  /** A type of some engine that has no logical equal; `text` is the engine's own spelling. */
  | { readonly kind: 'unknown'; readonly text: string };

/** A named part of a struct. */
export interface Field {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable?: boolean;
  readonly comment?: string;
}

export type TypeKind = LogicalType['kind'];
export type TypeOf<K extends TypeKind> = Extract<LogicalType, { kind: K }>;

export const boolean: LogicalType = { kind: 'boolean' };
export const int = (bits: IntBits): LogicalType => ({ kind: 'int', bits });
export const decimal = (precision: number, scale: number): LogicalType => ({ kind: 'decimal', precision, scale });
export const float = (bits: FloatBits): LogicalType => ({ kind: 'float', bits });
export const string = (length?: number): LogicalType => (length === undefined ? { kind: 'string' } : { kind: 'string', length });
export const date: LogicalType = { kind: 'date' };
export const time: LogicalType = { kind: 'time' };
export const timestamp: LogicalType = { kind: 'timestamp' };
export const timestamptz: LogicalType = { kind: 'timestamptz' };
export const binary: LogicalType = { kind: 'binary' };
export const uuid: LogicalType = { kind: 'uuid' };
export const json: LogicalType = { kind: 'json' };
export const struct = (fields: readonly Field[]): LogicalType => ({ kind: 'struct', fields });
export const list = (element: LogicalType): LogicalType => ({ kind: 'list', element });
export const map = (key: LogicalType, value: LogicalType): LogicalType => ({ kind: 'map', key, value });
export const unknown = (text: string): LogicalType => ({ kind: 'unknown', text });

/** Whether two logical types are the same in every part; names of struct fields count, their comments do not. */
export function sameType(a: LogicalType, b: LogicalType): boolean {
  switch (a.kind) {
    case 'int':
    case 'float':
      return b.kind === a.kind && a.bits === b.bits;
    case 'decimal':
      return b.kind === 'decimal' && a.precision === b.precision && a.scale === b.scale;
    case 'string':
      return b.kind === 'string' && a.length === b.length;
    case 'struct':
      return b.kind === 'struct' && sameFields(a.fields, b.fields);
    case 'list':
      return b.kind === 'list' && sameType(a.element, b.element);
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key) && sameType(a.value, b.value);
    case 'unknown':
      return b.kind === 'unknown' && a.text === b.text;
    default:
      return a.kind === b.kind;
  }
}

function sameFields(a: readonly Field[], b: readonly Field[]): boolean {
  return (
    a.length === b.length &&
    a.every((field, i) => {
      const other = b[i];
      return other !== undefined && field.name === other.name && sameType(field.type, other.type);
    })
  );
}
