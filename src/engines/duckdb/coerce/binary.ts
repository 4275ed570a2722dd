import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

interface Encoding {
  readonly pattern: string;
  readonly decode: string;
}

const digit64 = '[A-Za-z0-9+/]';

/** Decoders raise on what they cannot read, and drop an odd digit's half or spare bits, so the pattern must be exact. */
const encodings: { readonly [E in 'hex' | 'base64']: Encoding } = {
  hex: { pattern: '(?:[0-9A-Fa-f]{2})*', decode: 'unhex' },
  // RFC 4648 section 4, with padding; section 3.5: bits that stand for nothing are zero.
  base64: { pattern: `(?:${digit64}{4})*(?:${digit64}{2}[AEIMQUYcgkosw048]=|${digit64}[AQgw]==)?`, decode: 'from_base64' },
};

/** Text to bytes, by the encoding that the rule names; without the rule nothing is bytes. */
export const binaryText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'binary', 'binaryText renders bytes');
  const reason = `'invalid_value'`;
  if (rule.binary === undefined) return { value: 'CAST(NULL AS BLOB)', reason };
  const { pattern, decode } = encodings[rule.binary];
  const text = withoutBlanks(x, rule);
  return { value: `${decode}(CASE WHEN regexp_full_match(${text}, ${literal(pattern)}) THEN ${text} END)`, reason };
};
