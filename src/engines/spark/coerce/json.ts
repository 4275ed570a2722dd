import { invariant } from '../../../core/fault.ts';
import { withoutBlanks } from './blanks.ts';
import { isJson } from './json-tokens.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/**
 * Text to JSON: valid by RFC 8259, kept as it is written, without the blanks around it unless `trim: never`.
 * An escape of half a surrogate pair, which no engine can store, is refused.
 */
export const jsonText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'json', 'jsonText renders JSON');
  const text = withoutBlanks(x, rule);
  return { value: `CASE WHEN ${isJson(text)} THEN ${text} END`, reason: `'invalid_value'` };
};
