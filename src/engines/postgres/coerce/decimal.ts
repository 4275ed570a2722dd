import { invariant } from '../../../core/fault.ts';
import type { TypeOf } from '../../../core/model/type.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';
import { sqlType } from './sql-type.ts';

/** Boolean: a NUMERIC without more places than the scale has few enough digits. */
export const inDecimalRange = (value: string, { precision, scale }: TypeOf<'decimal'>): string =>
  `abs(${value}) < ${precision === scale ? '1' : `CAST('1e${precision - scale}' AS numeric)`}`;

/** Text to decimals. A text that has more digits than the precision even without those beyond the scale is out of range. */
export const decimalText: ScalarRenderer = (x, request) => {
  const { to } = request;
  invariant(to.kind === 'decimal', 'decimalText renders decimals');
  return exactNumber(x, request, {
    sqlType: sqlType(to),
    scale: to.scale,
    lossy: 'lossy_value:scale',
    inRange: (value) => inDecimalRange(value, to),
    castBounds: true,
  });
};
