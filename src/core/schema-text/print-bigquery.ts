/**
 * Schemas in BigQuery's JSON (`bq mk --schema`). https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema
 * Types that BigQuery lacks are strings there; a map is a repeated record of key and value; a list in a list is a record with the
 * field `list`.
 */
import type { Column, Schema } from '../model/schema.ts';
import type { LogicalType, TypeKind, TypeOf } from '../model/type.ts';

export interface BigQueryField {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REQUIRED' | 'REPEATED';
  readonly description?: string;
  readonly maxLength?: string;
  readonly precision?: string;
  readonly scale?: string;
  readonly defaultValueExpression?: string;
  readonly fields?: readonly BigQueryField[];
}

type Shape = Pick<BigQueryField, 'type' | 'maxLength' | 'precision' | 'scale' | 'fields'> & { readonly repeated?: true };

const word = (type: string) => (): Shape => ({ type });

const shapes: { readonly [K in TypeKind]: (type: TypeOf<K>) => Shape } = {
  boolean: word('BOOLEAN'),
  int: word('INTEGER'),
  decimal: ({ precision, scale }) => decimalShape(precision, scale),
  float: word('FLOAT'),
  string: ({ length }) => ({ type: 'STRING', ...(length === undefined || length === 0 ? {} : { maxLength: String(length) }) }),
  date: word('DATE'),
  time: word('TIME'),
  timestamp: word('DATETIME'),
  timestamptz: word('TIMESTAMP'),
  binary: word('BYTES'),
  uuid: word('STRING'),
  json: word('JSON'),
  struct: ({ fields }) => ({ type: 'RECORD', fields: fields.map(bigQueryField) }),
  list: ({ element }) => listShape(element),
  map: ({ key, value }) => ({
    type: 'RECORD',
    repeated: true,
    fields: [bigQueryField({ name: 'key', type: key, nullable: false }), bigQueryField({ name: 'value', type: value })],
  }),
  unknown: word('STRING'),
};

/** NUMERIC holds 29 whole digits and 9 of a fraction, BIGNUMERIC 38 and 38. */
function decimalShape(precision: number, scale: number): Shape {
  const whole = precision - scale;
  if (whole > 38 || scale > 38) return { type: 'STRING' };
  const type = whole <= 29 && scale <= 9 ? 'NUMERIC' : 'BIGNUMERIC';
  return { type, precision: String(precision), scale: String(scale) };
}

function listShape(element: LogicalType): Shape {
  const shape = shapeOf(element);
  if (shape.repeated !== true) return { ...shape, repeated: true };
  return { type: 'RECORD', repeated: true, fields: [bigQueryField({ name: 'list', type: element })] };
}

function shapeOf(type: LogicalType): Shape {
  return (shapes[type.kind] as (type: LogicalType) => Shape)(type);
}

type Named = Pick<Column, 'name' | 'type' | 'comment' | 'default'> & { readonly nullable?: boolean };

function bigQueryField({ name, type, nullable, comment, ...named }: Named): BigQueryField {
  const { repeated, type: word, ...shape } = shapeOf(type);
  return {
    name,
    type: word,
    mode: repeated === true ? 'REPEATED' : nullable === false ? 'REQUIRED' : 'NULLABLE',
    ...(comment === undefined ? {} : { description: comment }),
    ...shape,
    ...(named.default === undefined || repeated === true ? {} : { defaultValueExpression: named.default }),
  };
}

/** The fields of a table, ready for `JSON.stringify`. */
export function printBigQuerySchema(schema: Schema): readonly BigQueryField[] {
  return schema.columns.map(({ generated, ...column }) => {
    const { default: fallback, ...rest } = column;
    return bigQueryField(generated === true || fallback === undefined ? rest : { ...rest, default: fallback });
  });
}
