import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { tokenWithoutBlanks, withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to booleans, by the listed tokens in any case. A JSON number is never one. */
export const booleanText: ScalarRenderer = (x, { to, rule, number }) => {
  invariant(to.kind === 'boolean', 'booleanText renders booleans');
  const reason = `'invalid_value'`;
  if (number) return { value: 'CAST(NULL AS BOOLEAN)', reason };
  const listed = (tokens: readonly string[]) => tokens.map((token) => tokenWithoutBlanks(token, rule));
  const sides = [
    { tokens: listed(rule.trueValues ?? ['true']), result: 'true' },
    { tokens: listed(rule.falseValues ?? ['false']), result: 'false' },
  ];
  const arms = (tokenSql: (token: string) => string) =>
    sides.flatMap(({ tokens, result }) => tokens.map((token) => `WHEN ${tokenSql(token)} THEN ${result}`)).join(' ');
  const exact = arms(literal);
  if (exact === '') return { value: 'CAST(NULL AS BOOLEAN)', reason };
  const anyCase = arms((token) => `lower(${literal(token)})`);
  return { value: `CASE ${x} ${exact} ELSE CASE lower(${withoutBlanks(x, rule)}) ${anyCase} END END`, reason };
};
