import { invariant } from '../../../core/fault.ts';
import type { IntBits } from '../../../core/model/type.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

const names: { readonly [B in IntBits]: string } = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' };

/** Text to whole numbers. A fraction is lossy when what is left without it is in range, else out of range. */
export const integerText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'int', 'integerText renders whole numbers');
  const type = names[request.to.bits];
  return exactNumber(x, request, {
    scale: 0,
    lossy: 'lossy_value',
    cast: (text) => `TRY_CAST(${text} AS ${type})`,
    // A value that prints as the text it came from was read exactly: twice as fast as a pattern, and stricter than excluding letters.
    quick: (text) => ({ value: `TRY_CAST(${text} AS ${type})`, proofs: [`TRY_CAST(${text} AS ${type})::VARCHAR = ${text}`] }),
  });
};
