/** Values that arrive as text: null tokens, scalars by the law of their type, nested values as JSON text. */
import { trimBlanks } from './blanks.ts';
import { jsonParts, openJson } from './form-json.ts';
import { encodedJson, isJson } from './json-tokens.ts';
import type { NestedType } from './nested.ts';
import { isNested } from './nested.ts';
import { leafReading } from './policy-sql.ts';
import type { Reading, Site } from './reading.ts';
import { isNullToken, textLeaf } from './text-leaf.ts';

export function textReading(site: Site): Reading {
  return isNested(site.to) ? nestedText(site, site.to) : leafReading(textLeaf(site), site);
}

function nestedText(site: Site, to: NestedType): Reading {
  const { rule } = site;
  const isNull = (t: string): string =>
    [isNullToken(t, rule, to), `${trimBlanks(t)} = 'null'`].filter((test) => test !== undefined).join(' OR ');
  const text = (t: string): string => (rule.trim === 'never' ? t : trimBlanks(t));
  return jsonParts(site, to, {
    prep: (t) => `CASE WHEN ${isNull(t)} THEN NULL ELSE ${t} END`,
    plain: false,
    fits: (t) => `(startswith(${trimBlanks(t)}, '${to.kind === 'list' ? '[' : '{'}') AND ${isJson(text(t))})`,
    open: (t) => openJson(to, encodedJson(text(t))),
    shown: (t) => t,
  });
}
