import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
import { hasWholePairs } from './json-escapes.ts';
import { castable } from './levels.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/**
 * Text to JSON: valid by RFC 8259, kept as it is written, without the blanks around it unless `trim: never`.
 * An escape of half a surrogate pair, which no engine can store, is refused; so is, for a jsonb column, what jsonb cannot hold.
 */
export const jsonText: ScalarRenderer = (x, { to, rule, context: { jsonb, nulMark } }) => {
  invariant(to.kind === 'json', 'jsonText renders JSON');
  const text = withoutBlanks(x, rule);
  const marked = nulMark === undefined ? '' : ` AND strpos(${x}, ${literal(nulMark)}) = 0`;
  const sound = `${jsonb === true ? castable(text, 'jsonb') : hasWholePairs(text)}${marked}`;
  return {
    value: `CASE WHEN ${castable(text, 'json')} THEN CASE WHEN ${sound} THEN CAST(${text} AS json) END END`,
    reason: jsonReason(text, jsonb === true),
  };
};

const nul = literal('\\u0000');

/** Valid JSON that jsonb refuses has U+0000 in it, or numbers beyond all bounds. */
function jsonReason(text: string, jsonb: boolean): string {
  if (!jsonb) return `'invalid_value'`;
  const sound = `${castable(text, 'json')} AND ${hasWholePairs(text)}`;
  return (
    `CASE WHEN NOT (${sound}) THEN 'invalid_value' ` +
    `WHEN strpos(${text}, ${nul}) > 0 THEN 'invalid_value:nul_character' ELSE 'invalid_value:out_of_range' END`
  );
}
