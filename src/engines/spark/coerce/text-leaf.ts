/** Scalars that arrive as text. */
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { matches, trimBlanks } from './blanks.ts';
import type { Leaf, NotePlace, Site } from './reading.ts';
import { seldom } from './reading.ts';
import type { SqlNote } from './sql-coercion.ts';

/**
 * Boolean SQL: a text that is not NULL is one of the null tokens; undefined when there are none. Blanks around it are passed over, but for
 * targets of text, which keep theirs.
 */
export function isNullToken(x: string, rule: ColumnRule, to: LogicalType): string | undefined {
  if (rule.nullValues.length === 0) return undefined;
  const among = (text: string): string => `${text} IN (${rule.nullValues.map(literal).join(', ')})`;
  return keepsBlanks(rule, to) ? among(x) : `(${among(x)} OR ((${x} < '!' OR right(${x}, 1) < '!') AND ${among(trimBlanks(x))}))`;
}

/** Whether blanks around a value are part of it. */
export const keepsBlanks = (rule: ColumnRule, to: LogicalType): boolean =>
  rule.trim === 'never' || (rule.trim === 'auto' && to.kind === 'string');

/** Text to a scalar, without policies. */
export function textLeaf(site: Pick<Site, 'to' | 'rule' | 'world'>): Leaf {
  const { to, rule, world } = site;
  const law = (p: string) => world.scalar(to)(p, { to, rule, context: world.context, number: false });
  const sample = law('x');
  const token = isNullToken('x', rule, to);
  return {
    prep: (t) => (token === undefined ? t : `CASE WHEN ${isNullToken(t, rule, to)} THEN NULL ELSE ${t} END`),
    plain: token === undefined,
    strict: (_t, p) => law(p).value,
    reason: sample.value === 'x' ? undefined : (_t, p) => seldom(site, p, (x) => law(x).reason),
    round: sample.round === undefined ? undefined : (_t, p) => seldom(site, p, (x) => law(x).round ?? 'NULL'),
    truncate: sample.truncate === undefined ? undefined : (_t, p) => seldom(site, p, (x) => law(x).truncate ?? 'NULL'),
    shown: (_t, p) => p,
    notes: (place, path) => (isNumeric(to.kind) ? [leadingZeros(place, path, rule)] : []),
  };
}

export const isNumeric = (kind: string): boolean => kind === 'int' || kind === 'decimal' || kind === 'float';

/** Digits that begin with 0 and are read as a number: perhaps a code, such as a postcode, whose zeros matter. */
function leadingZeros({ p, s }: NotePlace, path: string, rule: ColumnRule): SqlNote {
  // Only texts below '0:' can have one; those from '0' to '00' are `0`, `0.5` and the like.
  const likely = `${s} IS NOT NULL AND ${p} < '0:' AND (${p} >= '00' OR ${p} < '0')`;
  return {
    code: 'type_mismatch',
    path,
    from: 'string',
    when: `CASE WHEN ${likely} THEN ${matches(p, '[+-]?0[0-9]+', rule)} ELSE false END`,
    value: p,
  };
}
