import { invariant } from '../../../core/fault.ts';
import type { FloatBits } from '../../../core/model/type.ts';
import { holdsNoBlank, ignoresBlanks, matches } from './blanks.ts';
import type { NumberStyle } from './number-text.ts';
import { exponentPattern, numberStyle, plainText, pointed, ungrouped } from './number-text.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

interface FloatFacts {
  readonly type: string;
  /** Whole numbers below this are all held. */
  readonly exactBelow: string;
  /** SQL of the shortest text that reads back as `value`. */
  readonly shortest: (value: string) => string;
}

const facts: { readonly [B in FloatBits]: FloatFacts } = {
  32: { type: 'FLOAT', exactBelow: '16777216', shortest: shortestFloat },
  64: { type: 'DOUBLE', exactBelow: '9007199254740992', shortest: shortestDouble },
};

const special = '(?i)[+-]?(?:nan|inf|infinity)';

/**
 * Text to binary floating point: the nearest value. Whole numbers beyond 2^53 (2^24) must come back: they are held exactly, or
 * their digits are those of the shortest text of the value. `round` is the nearest value; `truncate` means nothing here.
 */
export const floatText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'float', 'floatText renders floating point');
  const { type, exactBelow, shortest } = facts[request.to.bits];
  const style = numberStyle(request);
  const read = `TRY_CAST(${pointed(x, style)} AS ${type})`;
  const isNumber = matches(x, exponentPattern(style), style.rule);
  const isSmall = (value: string) => `abs(${value}) < ${exactBelow}::${type}`;
  const finite = `isfinite(${read})`;
  const kept = [
    isSmall(read),
    `${significantDigits(x)} = ${significantDigits(shortest(read))}`,
    `${wholeDigits(x, style)} IN ('', TRY_CAST(abs(${read})::DOUBLE AS UHUGEINT)::VARCHAR)`,
  ];
  // Besides what the law takes, the cast takes `1_000` and `+-5`; infinities and NaN are not small.
  const simple = ungrouped(x, style);
  const quickRead = `TRY_CAST(${simple.text} AS ${type})`;
  const quick = [isSmall(quickRead), `NOT contains(${x}, '_')`, `NOT contains(${x}, '+')`, simple.provided];
  if (!ignoresBlanks(style.rule)) quick.push(holdsNoBlank(x));
  return {
    value:
      `CASE WHEN ${quick.filter((part) => part !== undefined).join(' AND ')} THEN ${quickRead} ` +
      `WHEN ${isNumber} THEN CASE WHEN ${finite} AND coalesce(${kept.join(' OR ')}, false) THEN ${read} END ` +
      `WHEN ${matches(x, special, style.rule)} THEN ${specialValue(x, type)} END`,
    reason: `CASE WHEN NOT ${isNumber} THEN 'invalid_value' WHEN ${finite} THEN 'lossy_value' ELSE 'invalid_value:out_of_range' END`,
    round: `CASE WHEN ${finite} THEN ${read} END`,
  };
};

function specialValue(x: string, type: string): string {
  return `CASE WHEN contains(lower(${x}), 'nan') THEN 'NaN'::${type} WHEN contains(${x}, '-') THEN '-Infinity'::${type} ELSE 'Infinity'::${type} END`;
}

/** SQL of the digits of a number without fraction, no leading zeros; empty when there is a fraction. */
function wholeDigits(x: string, style: NumberStyle): string {
  return `regexp_extract(${plainText(x, style)}, '^-?0*([0-9]*)[.]0*$', 1)`;
}

/** SQL of the significant digits of a number text in any style. */
function significantDigits(text: string): string {
  return `trim(regexp_replace(regexp_extract(${text}, '^[^eE]*'), '[^0-9]', '', 'g'), '0')`;
}

/**
 * DuckDB 1.5 prints some doubles wrongly: 2^91 comes out as 4.951760157141521e+27, which is 2^92, and 8.535058474086213e242 with a
 * letter in it. Its JSON writer does not.
 */
function shortestDouble(value: string): string {
  return `to_json(${value})::VARCHAR`;
}

/** What DuckDB 1.5 prints for a FLOAT is not always the shortest text (822900000 comes out as 822899968.0). Nine digits always do. */
function shortestFloat(value: string): string {
  const texts = [6, 7, 8, 9].map((digits) => `format('{:.${digits - 1}e}', ${value}::DOUBLE)`);
  return `CASE ${texts.map((text) => `WHEN TRY_CAST(${text} AS FLOAT) = ${value} THEN ${text}`).join(' ')} END`;
}
