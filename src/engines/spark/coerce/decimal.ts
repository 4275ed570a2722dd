import { invariant } from '../../../core/fault.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';
import { sqlType } from './sql-type.ts';

/** Text to decimals. A text that has more digits than the precision even without those beyond the scale is out of range. */
export const decimalText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'decimal', 'decimalText renders decimals');
  const { precision, scale } = request.to;
  const type = sqlType(request.to);
  const places = scale === 0 ? '' : `(?:[.][0-9]{1,${scale}})?`;
  return exactNumber(x, request, {
    scale,
    lossy: 'lossy_value:scale',
    cast: (text) => `try_cast(${text} AS ${type})`,
    ...(precision > scale
      ? { quick: { pattern: `[+-]?[0-9]{1,${precision - scale}}${places}`, cast: (text) => `try_cast(${text} AS ${type})` } }
      : {}),
  });
};
