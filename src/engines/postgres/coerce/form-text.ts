/** Values that arrive as text: null tokens, scalars by the law of their type, nested values as JSON text. */
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { jsonParts } from './form-json.ts';
import { hasWholePairs } from './json-escapes.ts';
import { castable } from './levels.ts';
import type { NestedType } from './nested.ts';
import { isNested } from './nested.ts';
import { leafReading } from './policy-sql.ts';
import type { Reading, Site } from './reading.ts';
import { isNullToken, shownText, textLeaf } from './text-leaf.ts';

export function textReading(site: Site): Reading {
  return isNested(site.to) ? nestedText(site, site.to) : leafReading(textLeaf(site), site);
}

function nestedText(site: Site, to: NestedType): Reading {
  const { rule, world } = site;
  const isNull = (t: string): string =>
    [isNullToken(t, rule, to), `(${trimBlanks(t)} COLLATE "C") = 'null'`].filter((test) => test !== undefined).join(' OR ');
  const text = (t: string): string => (rule.trim === 'never' ? t : trimBlanks(t));
  const { nulMark } = world.context;
  const noMark = (t: string): string => (nulMark === undefined ? '' : `strpos(${t}, ${literal(nulMark)}) = 0 AND `);
  return jsonParts(site, to, {
    prep: (t) => `CASE WHEN ${isNull(t)} THEN NULL ELSE ${t} COLLATE "C" END`,
    // A bare U+0000 is no JSON, though its mark would be.
    fits: (t) =>
      `(${noMark(t)}${trimBlanks(t)} LIKE '${to.kind === 'list' ? '[' : '{'}%' AND ${castable(text(t), 'json')} AND ${hasWholePairs(t)})`,
    json: text,
    shown: (t) => shownText(t, world.context),
  });
}
