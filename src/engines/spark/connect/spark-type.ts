import type { DataType, DataType_Struct } from './messages.ts';

/** A type of Spark, with what it says of the nullability of its parts. */
export type SparkType =
  | { readonly kind: PlainKind }
  /** `collation` is absent for the usual comparison of bytes. */
  | { readonly kind: 'string'; readonly collation?: string }
  | { readonly kind: 'char' | 'varchar'; readonly length: number }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'time'; readonly precision: number }
  | { readonly kind: 'array'; readonly element: SparkType; readonly containsNull: boolean }
  | { readonly kind: 'map'; readonly key: SparkType; readonly value: SparkType; readonly valueContainsNull: boolean }
  | SparkStruct
  /** A type that this version does not know; `text` is Spark's spelling, or the number of its field. */
  | { readonly kind: 'unknown'; readonly text: string };

export interface SparkStruct {
  readonly kind: 'struct';
  readonly fields: readonly SparkField[];
}

export interface SparkField {
  readonly name: string;
  readonly type: SparkType;
  readonly nullable: boolean;
  /** Spark's own: `comment`, `CURRENT_DEFAULT`, `__CHAR_VARCHAR_TYPE_STRING`, Delta's column mapping and identity, and more. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

const plain = {
  null: 'void',
  binary: 'binary',
  boolean: 'boolean',
  byte: 'byte',
  short: 'short',
  integer: 'integer',
  long: 'long',
  float: 'float',
  double: 'double',
  date: 'date',
  timestamp: 'timestamp',
  timestampNtz: 'timestamp_ntz',
  calendarInterval: 'interval',
  yearMonthInterval: 'interval year to month',
  dayTimeInterval: 'interval day to second',
  variant: 'variant',
  geometry: 'geometry',
  geography: 'geography',
} as const;

type PlainKind = (typeof plain)[keyof typeof plain];

/** Turns a type as it came into one of ours. */
export function toSparkType({ kind }: DataType): SparkType {
  switch (kind.case) {
    case 'string': {
      const { collation } = kind.value;
      return collation === '' || collation === 'UTF8_BINARY' ? { kind: 'string' } : { kind: 'string', collation };
    }
    case 'char':
      return { kind: 'char', length: kind.value.length };
    case 'varChar':
      return { kind: 'varchar', length: kind.value.length };
    case 'decimal':
      return { kind: 'decimal', precision: kind.value.precision ?? 10, scale: kind.value.scale ?? 0 };
    case 'time':
      return { kind: 'time', precision: kind.value.precision ?? 6 };
    case 'array':
      return { kind: 'array', element: partOf(kind.value.elementType), containsNull: kind.value.containsNull };
    case 'map': {
      const { keyType, valueType, valueContainsNull } = kind.value;
      return { kind: 'map', key: partOf(keyType), value: partOf(valueType), valueContainsNull };
    }
    case 'struct':
      return toSparkStruct(kind.value);
    case 'unparsed':
      return { kind: 'unknown', text: kind.value.dataTypeString };
    default:
      return kind.case !== undefined && kind.case in plain
        ? { kind: plain[kind.case as keyof typeof plain] }
        : { kind: 'unknown', text: kind.case ?? 'a type of a later version of Spark' };
  }
}

/** The columns of a table or an answer. */
export function toSparkStruct({ fields }: DataType_Struct): SparkStruct {
  return {
    kind: 'struct',
    fields: fields.map(({ name, dataType, nullable, metadata }) => ({
      name,
      type: partOf(dataType),
      nullable,
      metadata: metadata === undefined ? {} : (JSON.parse(metadata) as Record<string, unknown>),
    })),
  };
}

function partOf(type: DataType | undefined): SparkType {
  return type === undefined ? { kind: 'unknown', text: '' } : toSparkType(type);
}
