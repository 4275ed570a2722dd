import { invariant } from '../../../core/fault.ts';
import type { IntBits } from '../../../core/model/type.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';
import { sqlType } from './sql-type.ts';

const bounds: { readonly [B in IntBits]: readonly [string, string] } = {
  8: ['-128', '127'],
  16: ['-32768', '32767'],
  32: ['-2147483648', '2147483647'],
  64: ['-9223372036854775808', '9223372036854775807'],
};

/** Boolean: a number is in the range of a type. */
export const inIntRange = (value: string, bits: IntBits): string => `${value} BETWEEN ${bounds[bits][0]} AND ${bounds[bits][1]}`;

/** Text to whole numbers. A fraction is lossy when what is left without it is in range, else out of range. */
export const integerText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'int', 'integerText renders whole numbers');
  const { bits } = request.to;
  return exactNumber(x, request, {
    sqlType: sqlType(request.to),
    scale: 0,
    lossy: 'lossy_value',
    inRange: (value) => inIntRange(value, bits),
    castBounds: bits !== 8,
  });
};
