/**
 * JSON tokens exactly as written. Spark's JSON functions decode strings, forget which values were strings, and take numbers through a
 * double. So JSON text is first encoded: every string, number, `true` and `false` becomes a JSON string that holds the token itself,
 * quotes and escapes included (`{"a":"x","b":1.50}` becomes `{"\"a\"":"\"x\"","\"b\"":"1.50"}`; `null` stays). What `from_json` then
 * gives for a STRING is the token; for an object or array it is encoded JSON text again.
 *
 * Texts are rewritten by plain replacements and one pattern without loops over groups, for which Java takes stack. In between, characters
 * that no JSON text can hold stand for `\\`, `\"`, a quote of the token itself, and any other backslash.
 */
import { literal } from '../quote.ts';

const [pair, escapedQuote, ownQuote, slash] = ['\x01', '\x02', '\x03', '\x04'] as const;

const replace = (x: string, steps: readonly (readonly [string, string])[]): string =>
  steps.reduce((inner, [from, to]) => `replace(${inner}, ${literal(from)}, ${literal(to)})`, x);

const blank = '[ \\t\\n\\r]*';
const number = '-?(?:0|[1-9][0-9]*+)(?:[.][0-9]++)?+(?:[eE][+-]?[0-9]++)?+';
/** A string between marked quotes; or a bare token that is whole and valid, so that a wrong one stays bare and is refused. */
const token = literal(`"(${ownQuote})([^"]*)"${ownQuote}|(?<![^ \\t\\n\\r\\[{,:])(${number}|true|false)(?![^ \\t\\n\\r\\]},])`);

const marked = (x: string): string => `regexp_replace(${replace(x, [['"', `"${ownQuote}`]])}, ${token}, '"$1$2$3$1"')`;

/** No JSON: what becomes of text that is none, where the rewriting could make JSON of it. */
const never = `'?'`;
const foreign = literal(`[${pair}-${slash}]`);
const badEscape = literal('\\\\(?!["/bfnrt]|u[0-9a-fA-F]{4})');

/** SQL of the encoded form of the JSON text `x`, a column or variable. Text that is not JSON becomes text that is not JSON. */
export function encodedJson(x: string): string {
  const plain = replace(marked(x), [[ownQuote, '\\"']]);
  const spelled = replace(x, [
    ['\\\\', pair],
    ['\\"', escapedQuote],
    ['\\', slash],
  ]);
  const escaped = replace(marked(withPlainKeys(spelled)), [
    [ownQuote, '\\"'],
    [slash, '\\\\'],
    [escapedQuote, '\\\\\\"'],
    [pair, '\\\\\\\\'],
  ]);
  const isBad = `${replace(x, [['\\\\', pair]])} RLIKE ${badEscape}`;
  return `CASE WHEN ${x} RLIKE ${foreign} THEN ${never} WHEN NOT contains(${x}, '\\\\') THEN ${plain} WHEN ${isBad} THEN ${never} ELSE ${escaped} END`;
}

/** Keys with escapes are spelled out, as far as they need none; names are compared by `jsonKey`. */
function withPlainKeys(x: string): string {
  const inside = `[${pair}${escapedQuote}${slash}]`;
  // Possessive: a string of many escapes would be tried from each of them.
  const hasEscapedKey = `${x} RLIKE ${literal(`"[^"${pair}${escapedQuote}${slash}]*+${inside}[^"]*+"${blank}+:`)}`;
  const body = replace('sj_p', [
    [slash, '\\'],
    [escapedQuote, '\\"'],
    [pair, '\\\\'],
  ]);
  const spelled = `transform(array(from_json(concat('["', ${body}, '"]'), 'ARRAY<STRING>')[0]), sj_k -> CASE WHEN sj_k RLIKE ${literal('["\\\\\\x00-\\x1f]')} THEN sj_p ELSE sj_k END)[0]`;
  const isKey = `sj_i % 2 = 1 AND sj_p RLIKE ${literal(inside)} AND get(sj_l, sj_i + 1) RLIKE ${literal(`^${blank}:`)}`;
  const all = `transform(array(split(${x}, '"')), sj_l -> array_join(transform(sj_l, (sj_p, sj_i) -> CASE WHEN ${isKey} THEN ${spelled} ELSE sj_p END), '"'))[0]`;
  return `CASE WHEN ${hasEscapedKey} THEN ${all} ELSE ${x} END`;
}

/** Spark takes single quotes and NaN otherwise. */
const strictOptions = `map('allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')`;

/** SQL of encoded JSON text read into a type of STRING parts. */
export const fromEncoded = (encoded: string, type: string): string => `from_json(${encoded}, ${literal(type)}, ${strictOptions})`;

/** The name of a key as it stands in encoded text: the key's own token. */
export const jsonKey = (name: string): string => JSON.stringify(name);

/**
 * `from_json` stops at the end of the first value, so the text is put into an array before another element: whatever else it holds, that
 * element is then not the second. No token can be just `end`.
 */
const alone = (x: string): string => fromEncoded(`concat('[', ${encodedJson(x)}, ',"end"]')`, 'ARRAY<STRING>');

/** SQL of the whole of the JSON text `x` as a token: encoded, if it is an object or array; NULL for `null` and for what is not JSON. */
export const tokenOf = (x: string): string => `transform(array(${alone(x)}), sj_a -> CASE WHEN get(sj_a, 1) = 'end' THEN sj_a[0] END)[0]`;

/** Boolean SQL, never NULL: `x` is JSON by RFC 8259, without half surrogate pairs. */
export const isJson = (x: string): string => `(${hasWholePairs(x)} AND coalesce(get(${alone(x)}, 1) = 'end', false))`;

const wholePair = literal('\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}');
const half = literal('\\\\u[dD][89a-fA-F]');

/** Boolean: no slash in raw tokens stands for half a surrogate pair, which Spark would read as a question mark. */
export const hasWholePairs = (t: string): string =>
  `CASE WHEN contains(${t}, '\\\\u') THEN NOT (regexp_replace(${replace(t, [['\\\\', pair]])}, ${wholePair}, '') RLIKE ${half}) ELSE true END`;

/** Put before a text that cannot be read for its half surrogate pair. */
export const halfPair = '\uf8ffhalf\uf8ff';

/** SQL of the text of a string token. */
export function decodedString(t: string): string {
  const read = `from_json(concat('[', ${t}, ']'), 'ARRAY<STRING>')[0]`;
  const escaped = `CASE WHEN ${hasWholePairs(t)} THEN ${read} ELSE concat(${literal(halfPair)}, ${t}) END`;
  return `CASE WHEN contains(${t}, '\\\\') THEN ${escaped} ELSE substr(${t}, 2, length(${t}) - 2) END`;
}

/** SQL of encoded JSON text as it was written, but for blanks between tokens. */
export const plainJson = (encoded: string): string =>
  replace(encoded, [
    ['\\\\\\\\', pair],
    ['\\\\\\"', escapedQuote],
    ['\\\\', slash],
    ['\\"', ownQuote],
    ['"', ''],
    [ownQuote, '"'],
    [slash, '\\'],
    [escapedQuote, '\\"'],
    [pair, '\\\\'],
  ]);
