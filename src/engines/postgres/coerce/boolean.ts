import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { tokenWithoutBlanks, withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to booleans: `true`, `false` and the listed tokens, in any case. A JSON number is never one. */
export const booleanText: ScalarRenderer = (x, { to, rule, number }) => {
  invariant(to.kind === 'boolean', 'booleanText renders booleans');
  const reason = `'invalid_value'`;
  if (number) return { value: 'CAST(NULL AS boolean)', reason };
  const listed = (tokens: readonly string[] = []) => tokens.map((token) => tokenWithoutBlanks(token, rule));
  const [truths, untruths] = [listed(rule.trueValues), listed(rule.falseValues)];
  const sides = [
    { tokens: withWord(truths, 'true', untruths), result: 'true' },
    { tokens: withWord(untruths, 'false', truths), result: 'false' },
  ];
  const arms = (tokenOf: (token: string) => string) =>
    sides.flatMap(({ tokens, result }) => tokens.map((token) => `WHEN ${literal(tokenOf(token))} THEN ${result}`)).join(' ');
  const foreign = foreignCapitals([...truths, ...untruths]);
  const anyCase = arms((token) => lowered(token, foreign));
  return {
    value: `CASE ${x} ${arms((token) => token)} ELSE CASE ${loweredSql(withoutBlanks(x, rule), foreign)} ${anyCase} END END`,
    reason,
  };
};

/** Capitals beyond ASCII in the tokens: what `lower` makes of those depends on the collation, which is "C" here. */
function foreignCapitals(tokens: readonly string[]): ReadonlyMap<string, string> {
  const signs = tokens.flatMap((token) => [...token]).filter((sign) => sign > '\x7f');
  const pairs = signs.map((sign) => [sign.toUpperCase(), sign.toLowerCase()] as const);
  return new Map(pairs.filter(([upper, lower]) => upper !== lower && [...upper].length === 1 && [...lower].length === 1));
}

const lowered = (token: string, foreign: ReadonlyMap<string, string>): string =>
  [...token].map((sign) => (sign <= '\x7f' ? sign.toLowerCase() : (foreign.get(sign) ?? sign))).join('');

function loweredSql(x: string, foreign: ReadonlyMap<string, string>): string {
  const ascii = `lower(${x} COLLATE "C")`;
  if (foreign.size === 0) return ascii;
  return `translate(${ascii}, ${literal([...foreign.keys()].join(''))}, ${literal([...foreign.values()].join(''))})`;
}

/** The tokens of one side with its own word, unless the word is listed already, on either side. */
function withWord(tokens: readonly string[], word: string, others: readonly string[]): readonly string[] {
  return [...tokens, ...others].some((token) => token.toLowerCase() === word) ? tokens : [...tokens, word];
}
