import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

const digit64 = '[A-Za-z0-9+/]';
// RFC 4648 section 4, with padding; section 3.5: bits that stand for nothing are zero.
const base64 = literal(`^(?:${digit64}{4})*(?:${digit64}{2}[AEIMQUYcgkosw048]=|${digit64}[AQgw]==)?$`);

/** `decode` raises on what it cannot read, skips blanks and drops spare bits, so the tests must be exact. */
const encodings: { readonly [E in 'hex' | 'base64']: (text: string) => string } = {
  hex: (text) => `${text} !~ '[^0-9A-Fa-f]' AND length(${text}) % 2 = 0`,
  base64: (text) => `${text} ~ ${base64}`,
};

/** Text to bytes, by the encoding that the rule names; without the rule nothing is bytes. */
export const binaryText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'binary', 'binaryText renders bytes');
  const reason = `'invalid_value'`;
  if (rule.binary === undefined) return { value: 'CAST(NULL AS bytea)', reason };
  const text = withoutBlanks(x, rule);
  return { value: `CASE WHEN ${encodings[rule.binary](text)} THEN decode(${text}, '${rule.binary}') END`, reason };
};
