import { invariant } from '../../../core/fault.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';
import { sqlType } from './sql-type.ts';

/** Text to whole numbers. A fraction is lossy when what is left without it is in range, else out of range. */
export const integerText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'int', 'integerText renders whole numbers');
  const type = sqlType(request.to);
  return exactNumber(x, request, {
    scale: 0,
    lossy: 'lossy_value',
    cast: (text) => `try_cast(try_cast(${text} AS DECIMAL(38,0)) AS ${type})`,
    // Eighteen digits are more than most numbers have; the pattern keeps blanks and signs of other scripts from the cast.
    quick: { pattern: '[+-]?[0-9]{1,18}', cast: (text) => `try_cast(${text} AS ${type})` },
  });
};
