import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** What DuckDB's JSON reader takes beyond RFC 8259: NaN and infinities in any case, and a comma before a closing bracket. */
const lenient = literal('(?i)nan|inf|,[ \\t\\n\\r]*[\\]}]');

const anyString = literal('"(?:[^"\\\\]|\\\\.)*"');

/**
 * Text to JSON: valid by RFC 8259, kept as it is written, without the blanks around it unless `trim: never`.
 * An escape of half a surrogate pair, which no engine can store, is refused.
 */
export const jsonText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'json', 'jsonText renders JSON');
  const text = withoutBlanks(x, rule);
  const outsideStrings = `regexp_replace(${x}, ${anyString}, '""', 'g')`;
  const strict = `NOT regexp_matches(${x}, ${lenient}) OR NOT regexp_matches(${outsideStrings}, ${lenient})`;
  return { value: `CASE WHEN ${strict} THEN TRY_CAST(${text} AS JSON) END`, reason: `'invalid_value'` };
};
