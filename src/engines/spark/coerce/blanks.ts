/**
 * ASCII blanks around values: space, tab, line feed, vertical tab, form feed, carriage return. The coercion law ignores these
 * and no others (NBSP and U+202F are part of the value). Spark's own casts skip all control characters besides.
 */
import type { ColumnRule } from '../../../core/model/policy.ts';
import { literal } from '../quote.ts';

const asciiBlanks = literal(' \t\n\v\f\r');

/** Java pattern of any run of ASCII blanks. */
export const blankRun = '[\\t-\\r ]*';

/** Whether blanks around a value other than text are ignored. */
function ignoresBlanks(rule: ColumnRule): boolean {
  return rule.trim !== 'never';
}

/** SQL of `x` without ASCII blanks at its ends. */
export const trimBlanks = (x: string): string => `btrim(${x}, ${asciiBlanks})`;

/** SQL of a value other than text, as the law compares it: without blanks, unless `trim: never`. */
export const withoutBlanks = (x: string, rule: ColumnRule): string => (ignoresBlanks(rule) ? trimBlanks(x) : x);

/** The same for a token written in the configuration. */
export function tokenWithoutBlanks(token: string, rule: ColumnRule): string {
  return ignoresBlanks(rule) ? token.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '') : token;
}

/** Boolean SQL: the Java `pattern` describes the whole of `x`. `\z`, since `$` also matches before a line feed at the end. */
export const matchesAll = (x: string, pattern: string): string => `(${x} RLIKE ${literal(`^(?:${pattern})\\z`)})`;

/** The same, with blanks around it where the rule ignores them. */
export function matches(x: string, pattern: string, rule: ColumnRule): string {
  return ignoresBlanks(rule) ? `(${x} RLIKE ${literal(`^${blankRun}(?:${pattern})${blankRun}\\z`)})` : matchesAll(x, pattern);
}
