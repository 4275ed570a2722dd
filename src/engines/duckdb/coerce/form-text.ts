/** Values that arrive as text: null tokens, scalars by the law of their type, nested values as JSON text. */
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { jsonParts, openJson } from './form-json.ts';
import { jsonText } from './json.ts';
import type { NestedType } from './nested.ts';
import { isNested } from './nested.ts';
import { leafReading } from './policy-sql.ts';
import type { Reading, Site } from './reading.ts';
import { isNullToken, textLeaf } from './text-leaf.ts';

export function textReading(site: Site): Reading {
  return isNested(site.to) ? nestedText(site, site.to) : leafReading(textLeaf(site), site);
}

/**
 * Stands before number tokens in JSON text that is marked here. A text that holds it already is refused, so that no string of the
 * data can pass for a number.
 */
const ownMark = '#schemalign:number#';

/** Number tokens whose digits DuckDB's JSON functions would not give back: fractions, exponents and long numbers pass through a double. */
const fragileNumber = literal('[0-9][.eE][0-9+-]|[0-9]{16}');

/** Everything before the next number token that stands outside of strings, and that token. */
const untilNumber = literal('((?:"(?:[^"\\\\]|\\\\.)*"|[^"0-9-])*)(-?[0-9][0-9.eE+-]*)');

/**
 * JSON text with its number tokens made marked strings, where their digits are in danger.
 * The `0` added at the end lets the last match reach there; without it a search would begin anew inside the strings after the last number.
 */
function markNumbers(text: string): string {
  const marked = `regexp_replace(${text} || ' 0', ${untilNumber}, ${literal(`\\1"${ownMark}\\2"`)}, 'g')`;
  const tail = ` "${ownMark}0"`.length;
  return `CASE WHEN regexp_matches(${text}, ${fragileNumber}) THEN left(${marked}, -${tail}) ELSE ${text} END`;
}

/** Valid JSON text without escapes that could hide a mark. */
const spelledOut = (t: string): string => `CASE WHEN contains(${t}, '\\u') THEN CAST(json(${trimBlanks(t)}) AS VARCHAR) ELSE ${t} END`;

function nestedText(site: Site, to: NestedType): Reading {
  const { rule, world } = site;
  const isNull = (t: string): string =>
    [isNullToken(t, rule, to), `${trimBlanks(t)} = 'null'`].filter((test) => test !== undefined).join(' OR ');
  const valid = (t: string): string => jsonText(t, { to: { kind: 'json' }, rule, context: world.context, number: false }).value;
  const opening = to.kind === 'list' ? '[' : '{';
  return jsonParts(site, to, ownMark, {
    prep: (t) => `CASE WHEN ${isNull(t)} THEN NULL ELSE ${t} END`,
    plain: false,
    // The branches are in this order because `json` raises on text that is not JSON.
    fits: (t) =>
      `CASE WHEN starts_with(${trimBlanks(t)}, '${opening}') AND (${valid(t)}) IS NOT NULL ` +
      `THEN NOT contains(${spelledOut(t)}, '${ownMark}') ELSE false END`,
    open: (t) => openJson(to, world, markNumbers(trimBlanks(t))),
    shown: (t) => t,
  });
}
