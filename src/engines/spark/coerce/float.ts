import { invariant } from '../../../core/fault.ts';
import { builtInRule } from '../../../core/model/policy.ts';
import type { FloatBits } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { matches } from './blanks.ts';
import type { NumberStyle } from './number-text.ts';
import { exponentPattern, numberStyle, plainText, pointed } from './number-text.ts';
import { exactWhole, isShortest } from './shortest.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

interface FloatFacts {
  readonly type: string;
  /** Whole numbers below this are all held. */
  readonly exactBelow: string;
}

const facts: { readonly [B in FloatBits]: FloatFacts } = {
  32: { type: 'FLOAT', exactBelow: '16777216' },
  64: { type: 'DOUBLE', exactBelow: '9007199254740992' },
};

const special = '[+-]?(?:[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)';

/**
 * Text to binary floating point: the nearest value. Whole numbers beyond 2^53 (2^24) must come back: they are held exactly, or
 * their digits are those of the shortest text of the value. `round` is the nearest value; `truncate` means nothing here.
 */
export const floatText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'float', 'floatText renders floating point');
  const { bits } = request.to;
  const { type, exactBelow } = facts[bits];
  const style = numberStyle(request);
  const read = `try_cast(${pointed(x, style)} AS ${type})`;
  const isNumber = matches(x, exponentPattern(style), style.rule);
  const bounded = `abs(${read}) < CAST('Infinity' AS ${type})`;
  // In a lambda: it is long, and numbers so large are rare.
  const tests = `${isShortest('sg_t', 'sg_v', bits)} OR ${isBroken('sg_t')} OR ${isHeld('sg_t', 'sg_v')}`;
  const inner = `transform(array(try_cast(sg_t AS ${type})), sg_v -> CASE WHEN abs(sg_v) < CAST('Infinity' AS ${type}) AND (${tests}) THEN sg_v END)[0]`;
  const large = `transform(array(${pointed(x, style)}), sg_t -> ${inner})[0]`;
  const quick = `${x} RLIKE ${literal('^-?[0-9]{1,15}(?:[.][0-9]{1,20})?(?:[eE]-[0-9]{1,3})?\\z')}`;
  // Fewer digits before the point than any type rounds.
  const common = style.mark === '.' && bits === 64 ? `WHEN ${quick} THEN try_cast(${x} AS ${type}) ` : '';
  return {
    value:
      `CASE ${common}WHEN ${isNumber} THEN CASE WHEN abs(${read}) < ${exactBelow} THEN ${read} ELSE ${large} END ` +
      `WHEN ${matches(x, special, style.rule)} THEN ${specialValue(x, type)} END`,
    reason: `CASE WHEN NOT ${isNumber} THEN 'invalid_value' WHEN ${bounded} THEN 'lossy_value' ELSE 'invalid_value:out_of_range' END`,
    round: `CASE WHEN ${isNumber} AND ${bounded} THEN ${read} END`,
  };
};

function specialValue(x: string, type: string): string {
  const word = `CASE WHEN ${x} RLIKE '[aA]' THEN 'NaN' WHEN contains(${x}, '-') THEN '-Infinity' ELSE 'Infinity' END`;
  return `CAST(${word} AS ${type})`;
}

/** Of a text that has been brought into plain style. */
const plainStyle: NumberStyle = { rule: { ...builtInRule, trim: 'never' }, mark: '.', group: undefined, exponent: true };

/** Boolean: the number has a fraction. */
const isBroken = (x: string): string => `${plainText(x, plainStyle)} RLIKE '[.][0-9]*[1-9]'`;

/** Boolean: the whole number is exactly the value. Beyond 2^126, where no decimal reaches, only the shortest text counts. */
function isHeld(x: string, value: string): string {
  const digits = `regexp_extract(${plainText(x, plainStyle)}, ${literal('^(-?[0-9]*)[.]')}, 1)`;
  return `coalesce(${exactWhole(`CAST(${value} AS DOUBLE)`)} = try_cast(${digits} AS DECIMAL(38,0)), false)`;
}
