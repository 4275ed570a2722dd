import { invariant } from '../../../core/fault.ts';
import { matchesAll, withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

interface Encoding {
  readonly pattern: string;
  /** Characters come in groups of so many; counted, since Java's patterns take stack for every round of a group. */
  readonly group: number;
  readonly decode: string;
}

const digit64 = '[A-Za-z0-9+/]';

/** Decoders raise on what they cannot read, or drop an odd digit's half or spare bits, so the patterns must be exact. */
const encodings: { readonly [E in 'hex' | 'base64']: Encoding } = {
  hex: { pattern: '[0-9A-Fa-f]*', group: 2, decode: 'unhex' },
  // RFC 4648 section 4, with padding; section 3.5: bits that stand for nothing are zero.
  base64: { pattern: `${digit64}*(?:${digit64}[AEIMQUYcgkosw048]=|[AQgw]==)?`, group: 4, decode: 'unbase64' },
};

/** Text to bytes, by the encoding that the rule names; without the rule nothing is bytes. */
export const binaryText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'binary', 'binaryText renders bytes');
  const reason = `'invalid_value'`;
  if (rule.binary === undefined) return { value: 'CAST(NULL AS BINARY)', reason };
  const { pattern, group, decode } = encodings[rule.binary];
  const text = withoutBlanks(x, rule);
  return { value: `CASE WHEN ${matchesAll(text, pattern)} AND length(${text}) % ${group} = 0 THEN ${decode}(${text}) END`, reason };
};
