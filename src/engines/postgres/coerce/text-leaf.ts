/** Scalars that arrive as text. */
import type { ColumnRule } from '../../../core/model/policy.ts';
import type { LogicalType } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import type { Leaf, NotePlace, Site } from './reading.ts';
import type { CoerceContext, SqlNote } from './sql-coercion.ts';

/**
 * Boolean SQL: a text that is not NULL is one of the null tokens; undefined when there are none. Blanks around it are passed over, but for
 * targets of text, which keep theirs.
 */
export function isNullToken(x: string, rule: ColumnRule, to: LogicalType): string | undefined {
  // No text of PostgreSQL is a token with U+0000.
  const tokens = rule.nullValues.filter((token) => !token.includes('\0'));
  if (tokens.length === 0) return undefined;
  const text = keepsBlanks(rule, to) ? x : trimBlanks(x);
  const among = `(${text} COLLATE "C") IN (${tokens.map(literal).join(', ')})`;
  // A token with blanks of its own is also compared as it is.
  return text === x ? among : `(${among} OR (${x} COLLATE "C") IN (${tokens.map(literal).join(', ')}))`;
}

/** Whether blanks around a value are part of it. */
const keepsBlanks = (rule: ColumnRule, to: LogicalType): boolean => rule.trim === 'never' || (rule.trim === 'auto' && to.kind === 'string');

/** A text with the mark of U+0000, as people see it. */
export const shownText = (x: string, { nulMark }: CoerceContext): string =>
  nulMark === undefined ? x : `replace(${x}, ${literal(nulMark)}, '␀')`;

/** Text to a scalar, without policies. */
export function textLeaf(site: Pick<Site, 'to' | 'rule' | 'world'>): Leaf {
  const { to, rule, world } = site;
  const law = (p: string) => world.scalar(to)(p, { to, rule, context: world.context, number: false });
  const sample = law('x');
  const free = to.kind === 'string' && to.length === undefined && world.context.nulMark === undefined;
  return {
    prep: (t) => {
      const isNull = isNullToken(t, rule, to);
      return isNull === undefined ? `${t} COLLATE "C"` : `CASE WHEN ${isNull} THEN NULL ELSE ${t} COLLATE "C" END`;
    },
    strict: (_t, p) => law(p).value,
    reason: free ? undefined : (_t, p) => law(p).reason,
    round: sample.round === undefined ? undefined : (_t, p) => law(p).round ?? 'NULL',
    truncate: sample.truncate === undefined ? undefined : (_t, p) => law(p).truncate ?? 'NULL',
    shown: (_t, p) => shownText(p, world.context),
    notes: (place, path) => (isNumeric(to.kind) ? [leadingZeros(place, path)] : []),
  };
}

export const isNumeric = (kind: string): boolean => kind === 'int' || kind === 'decimal' || kind === 'float';

/** Digits that begin with 0 and are read as a number: perhaps a code, such as a postcode, whose zeros matter. */
function leadingZeros({ p, s }: NotePlace, path: string): SqlNote {
  // Only texts below '0:' can have one; those from '0' to '00' are `0`, `0.5` and the like. The collation is "C".
  const likely = `${s} IS NOT NULL AND ${p} < '0:' AND (${p} >= '00' OR ${p} < '0')`;
  return {
    code: 'type_mismatch',
    path,
    from: 'string',
    when: `CASE WHEN ${likely} THEN ${trimBlanks(p)} ~ '^[+-]?0[0-9]+$' ELSE false END`,
    value: p,
  };
}
