import { invariant } from '../../../core/fault.ts';
import type { FloatBits } from '../../../core/model/type.ts';
import { trimBlanks, withoutBlanks } from './blanks.ts';
import { castable, fresh, inLevels } from './levels.ts';
import type { NumberStyle, Quick } from './number-text.ts';
import { exactNumeric, isNumber, numberStyle, pointed, quickNumber } from './number-text.ts';
import { shortestDigits } from './shortest.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

interface FloatFacts {
  readonly type: string;
  /** Whole numbers below this are all held. */
  readonly exactBelow: string;
  /** Characters of a plain number that is certainly below that. */
  readonly shortText: number;
}

const facts: { readonly [B in FloatBits]: FloatFacts } = {
  32: { type: 'real', exactBelow: '16777216', shortText: 7 },
  64: { type: 'double precision', exactBelow: '9007199254740992', shortText: 15 },
};

/**
 * Text to binary floating point: the nearest value. Whole numbers beyond 2^53 (2^24) must come back: they are held exactly, or
 * their digits are those of the shortest text of the value. `round` is the nearest value; `truncate` means nothing here.
 */
export const floatText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'float', 'floatText renders floating point');
  const { bits } = request.to;
  const { type, exactBelow, shortText } = facts[bits];
  const style = numberStyle(request);
  const number = isNumber(x, style, true);
  const isSmall = (value: string): string => `abs(${value}) < ${exactBelow}`;
  const [v, n] = [fresh(), fresh()];
  const careful = inLevels(
    [[[v, nearest(x, style, type)]], [[n, `CASE WHEN ${isSmall(v)} THEN NULL ELSE ${exactNumeric(x, style)} END`]]],
    `CASE WHEN ${isSmall(v)} OR ${n} <> trunc(${n}) OR ${n} = ${wholeValue(v)} OR ${n} = CAST(${shortestDigits(v, bits)} AS numeric) THEN ${v} END`,
  );
  const arms = [`WHEN ${number} THEN ${careful}`, `WHEN ${isSpecial(x, style)} THEN ${specialValue(x, type)}`];
  const [plain, quick] = [quickNumber(x, style, '.'), quickNumber(x, style, '.eE')];
  if (plain !== undefined && quick !== undefined) {
    const cast = `CAST(${quick.text} AS ${type})`;
    const tested = ({ when, text }: Quick): string => `${when} AND ${castable(text, type)}`;
    // So few digits stay below the bound by themselves, which spares the value another cast.
    arms.unshift(`WHEN octet_length(${x}) <= ${shortText} AND ${tested(plain)} THEN ${cast}`);
    arms.splice(1, 0, `WHEN ${isSmall(`CASE WHEN ${tested(quick)} THEN ${cast} END`)} THEN ${cast}`);
  }
  return {
    value: `CASE ${arms.join(' ')} END`,
    reason: `CASE WHEN NOT (${number}) THEN 'invalid_value' WHEN ${nearest(x, style, type)} IS NULL THEN 'invalid_value:out_of_range' ELSE 'lossy_value' END`,
    round: `CASE WHEN ${number} THEN ${nearest(x, style, type)} END`,
  };
};

/** The nearest value of a number text; NULL beyond the largest. The cast raises both there and where the nearest value is 0. */
function nearest(x: string, style: NumberStyle, type: string): string {
  const text = pointed(x, style);
  const vanishes = `abs(${exactNumeric(x, style)}) < 1`;
  return `CASE WHEN ${castable(text, type)} THEN CAST(${text} AS ${type}) WHEN ${vanishes} THEN 0 END`;
}

/** NUMERIC of a whole value, all digits of it. The cast to numeric keeps 15 of them; `to_char` prints all that are before the point. */
const wholeValue = (value: string): string => `CAST(to_char(CAST(${value} AS double precision), '${`FM${'9'.repeat(309)}`}') AS numeric)`;

const isSpecial = (x: string, style: NumberStyle): string =>
  `${withoutBlanks(x, style.rule)} ~ '^[+-]?([nN][aA][nN]|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$'`;

function specialValue(x: string, type: string): string {
  return `CAST(CASE WHEN ${x} ~ '[aA]' THEN 'NaN' WHEN ${trimBlanks(x)} LIKE '-%' THEN '-Infinity' ELSE 'Infinity' END AS ${type})`;
}
