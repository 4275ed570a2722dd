import { binaryText } from './binary.ts';
import { booleanText } from './boolean.ts';
import { decimalText } from './decimal.ts';
import { floatText } from './float.ts';
import { integerText } from './integer.ts';
import { jsonText } from './json.ts';
import type { ScalarRenderer } from './sql-coercion.ts';
import { stringText } from './string.ts';
import { uuidText } from './uuid.ts';

/** Text to each scalar that is not a date or time. */
export const scalarText: {
  readonly [K in 'boolean' | 'int' | 'decimal' | 'float' | 'string' | 'binary' | 'uuid' | 'json']: ScalarRenderer;
} = {
  boolean: booleanText,
  int: integerText,
  decimal: decimalText,
  float: floatText,
  string: stringText,
  binary: binaryText,
  uuid: uuidText,
  json: jsonText,
};
