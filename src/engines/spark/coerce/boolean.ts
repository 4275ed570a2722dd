import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { tokenWithoutBlanks, withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to booleans: `true`, `false` and the listed tokens, in any case. A JSON number is never one. */
export const booleanText: ScalarRenderer = (x, { to, rule, number }) => {
  invariant(to.kind === 'boolean', 'booleanText renders booleans');
  const reason = `'invalid_value'`;
  if (number) return { value: 'CAST(NULL AS BOOLEAN)', reason };
  const listed = (tokens: readonly string[] = []) => tokens.map((token) => tokenWithoutBlanks(token, rule));
  const [truths, untruths] = [listed(rule.trueValues), listed(rule.falseValues)];
  const sides = [
    { tokens: withWord(truths, 'true', untruths), result: 'true' },
    { tokens: withWord(untruths, 'false', truths), result: 'false' },
  ].filter(({ tokens }) => tokens.length > 0);
  const arms = (text: string, tokenSql: (token: string) => string) =>
    sides.map(({ tokens, result }) => `WHEN ${text} IN (${tokens.map(tokenSql).join(', ')}) THEN ${result}`).join(' ');
  const anyCase = arms(`lower(${withoutBlanks(x, rule)})`, (token) => `lower(${literal(token)})`);
  return { value: `CASE ${arms(x, literal)} ${anyCase} END`, reason };
};

/** The tokens of one side with its own word, unless the word is listed already, on either side. */
function withWord(tokens: readonly string[], word: string, others: readonly string[]): readonly string[] {
  return [...tokens, ...others].some((token) => token.toLowerCase() === word) ? tokens : [...tokens, word];
}
