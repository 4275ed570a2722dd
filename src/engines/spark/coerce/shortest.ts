/**
 * The shortest text that reads back as a double or a float, and of those the nearest. Before Java 19 a cast to STRING may give a digit too
 * many (2e23 comes out as 1.9999999999999998E23), and of whole numbers below 2^63 another last digit. JDK-4511638.
 */
import type { FloatBits } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';

interface FloatDigits {
  readonly type: string;
  /** Decimal digits that any value of the type keeps. */
  readonly kept: number;
  /** Digits that always tell a value from its neighbours. */
  readonly most: number;
  /** Whole numbers below this are all held. */
  readonly exactBelow: string;
}

const facts: { readonly [B in FloatBits]: FloatDigits } = {
  32: { type: 'FLOAT', kept: 6, most: 9, exactBelow: '16777216' },
  64: { type: 'DOUBLE', kept: 15, most: 17, exactBelow: '9007199254740992' },
};

/** SQL of the digits of a number text, without zeros at the ends. */
const significantDigits = (text: string): string => `btrim(regexp_replace(regexp_extract(${text}, '^[^eE]*', 0), '[^0-9]', ''), '0')`;

/** SQL over a value that is computed once. Names are the caller's own. */
const once = (value: string, name: string, use: string): string => `transform(array(${value}), ${name} -> ${use})[0]`;

/**
 * DECIMAL(38,0) of a whole double below 2^126, in two halves, each exact; NULL beyond. A cast of the whole would go by the text that Java prints.
 */
export function exactWhole(value: string): string {
  const [half, end] = ['9223372036854775808', '85070591730234615865843651857942052864D'];
  const high = `try_cast(abs(${value}) / ${half}D AS BIGINT)`;
  const low = `try_cast(abs(${value}) - CAST(${high} AS DOUBLE) * ${half}D AS BIGINT)`;
  const sum = `CAST(${high} AS DECIMAL(19,0)) * CAST(${half} AS DECIMAL(19,0)) + CAST(${low} AS DECIMAL(19,0))`;
  return `CASE WHEN abs(${value}) < ${end} THEN try_cast(sign(${value}) AS INT) * try_cast((${sum}) AS DECIMAL(38,0)) END`;
}

/** SQL of the digits `sf_n`, a DECIMAL of `sf_l` digits, rounded to `sf_c` of them, at the power `sf_x` of ten. */
function rounded(): string {
  const unit = `CAST(concat('1', repeat('0', sf_l - sf_c)) AS DECIMAL(38,0))`;
  const half = `CAST(concat('5', repeat('0', sf_l - sf_c - 1)) AS DECIMAL(38,0))`;
  const up = `CASE WHEN sf_n % sf_u >= ${half} THEN sf_u ELSE CAST(0 AS DECIMAL(38,0)) END`;
  const number = once(unit, 'sf_u', `CAST(try_cast(sf_n - sf_n % sf_u + ${up} AS DECIMAL(38,0)) AS STRING)`);
  return `concat('0.', lpad(${number}, sf_l + 1, '0'), 'E', sf_x + 2)`;
}

/** SQL of the decimal exponent of a printed number without sign, as if it had one digit before the point. */
function exponentOf(printed: string): string {
  const part = (pattern: string): string => `regexp_extract(${printed}, ${literal(pattern)}, 1)`;
  const whole = part('^0*([0-9]*)[.]');
  const inner = `CASE WHEN length(${whole}) > 0 THEN length(${whole}) - 1 ELSE -length(${part('^0[.](0*)')}) - 1 END`;
  return `(coalesce(try_cast(${part('E(.*)$')} AS INT), 0) + ${inner})`;
}

/** SQL of a number in scientific notation the way Java prints it. */
function tidy(text: string): string {
  const digits = significantDigits('sf_t');
  const scientific = `concat(left(${digits}, 1), '.', CASE WHEN length(${digits}) > 1 THEN substr(${digits}, 2) ELSE '0' END, 'E', sf_x)`;
  const plain = `regexp_replace(CAST(CAST(sf_t AS DECIMAL(38,25)) AS STRING), '([.][0-9]+?)0*$', '$1')`;
  return once(text, 'sf_t', `CASE WHEN sf_x BETWEEN -3 AND 6 THEN ${plain} ELSE ${scientific} END`);
}

/** SQL of the shortest text of a `value`: as Java prints it, but for the digits; `NaN`, `Infinity`. */
export function shortestText(value: string, bits: FloatBits): string {
  const { type, kept, most, exactBelow } = facts[bits];
  const counts = Array.from({ length: most - kept + 1 }, (_, i) => kept + i);
  const candidates = `transform(array(${counts.join(', ')}), sf_c -> ${rounded()})`;
  const found = once(`filter(${candidates}, sf_t -> try_cast(sf_t AS ${type}) = abs(sf_v))`, 'sf_f', tidy('get(sf_f, 0)'));
  const signed = `concat(CASE WHEN sf_v < 0 THEN '-' ELSE '' END, ${once(exponentOf('CAST(abs(sf_v) AS STRING)'), 'sf_x', found)})`;
  // The digits that Java prints, or all of a large whole number.
  const printed = `CAST(rpad(sf_d, ${most + 1}, '0') AS DECIMAL(38,0))`;
  const whole = `CASE WHEN abs(sf_v) >= ${exactBelow} THEN ${exactWhole('CAST(abs(sf_v) AS DOUBLE)')} END`;
  const shorter = once(`coalesce(${whole}, ${printed})`, 'sf_n', once('length(CAST(sf_n AS STRING))', 'sf_l', signed));
  const isLong = `length(sf_d) > ${kept} AND abs(sf_v) < CAST('Infinity' AS DOUBLE)`;
  const judged = `coalesce(CASE WHEN ${isLong} THEN ${shorter} END, CAST(sf_v AS STRING))`;
  return once(value, 'sf_v', once(significantDigits('CAST(sf_v AS STRING)'), 'sf_d', judged));
}

/**
 * Boolean: the digits of a number `text` are those of the shortest text of the `value` nearest to it. Texts of so few digits that all of
 * them differ as values are always.
 */
export function isShortest(text: string, value: string, bits: FloatBits): string {
  const digits = significantDigits(text);
  return `(length(${digits}) <= ${facts[bits].kept} OR ${digits} = ${significantDigits(shortestText(value, bits))})`;
}
