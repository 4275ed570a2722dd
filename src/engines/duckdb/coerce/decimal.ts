import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { exactNumber } from './exact-number.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Digits of the widest decimal that DuckDB keeps in a machine word. */
const narrow = 18;

/** Text to decimals. A text that has more digits than the precision even without those beyond the scale is out of range. */
export const decimalText: ScalarRenderer = (x, request) => {
  invariant(request.to.kind === 'decimal', 'decimalText renders decimals');
  const { precision, scale } = request.to;
  const type = `DECIMAL(${precision},${scale})`;
  const wide = precision > narrow;
  // Half of the narrow digits at most go behind the point, else nothing would be left before it.
  const places = wide ? Math.min(narrow / 2, scale) : scale;
  const quickType = wide ? `DECIMAL(${narrow},${places})` : type;
  return exactNumber(x, request, {
    scale,
    lossy: 'lossy_value:scale',
    cast: (text) => `TRY_CAST(${text} AS ${type})`,
    ...(wide ? { castExact: (text: string) => wideCast(text, precision, scale) } : {}),
    quick: (text) => {
      const read = `TRY_CAST(${text} AS ${quickType})`;
      const others = spellings(text, places);
      const proofs = [`${read}::VARCHAR = ${text}`, ...(others === '' ? [] : [`${read}::VARCHAR IN (${others})`])];
      return { value: wide ? `TRY_CAST(${read} AS ${type})` : read, proofs };
    },
  });
};

/**
 * SQL list of the texts that print otherwise than `text` only in that their last places are filled up with zeros: one missing, two
 * there, none there. Equality with one of them proves that the cast neither rounded nor read anything leniently.
 */
function spellings(text: string, scale: number): string {
  if (scale === 0) return '';
  const missing = new Set([1, scale - 2, scale - 1].filter((count) => count > 0 && count < scale));
  const endings = [...[...missing].map((count) => '0'.repeat(count)), `.${'0'.repeat(scale)}`];
  return endings.map((ending) => `${text} || ${literal(ending)}`).join(', ');
}

/**
 * A number text without more places than `scale`, read into a decimal of more than 18 digits. DuckDB 1.5 takes 7 to 25 µs for
 * that cast, so the parts before and after the point are read apart, each into a narrow decimal where it fits.
 */
function wideCast(text: string, precision: number, scale: number): string {
  const type = `DECIMAL(${precision},${scale})`;
  if (scale === 0) return coalesceNarrow(text, precision);
  const beforePoint = `(regexp_extract(${text}, '^[\\t-\\r ]*[+-]?[0-9]*') || '.0')`;
  const whole = coalesceNarrow(beforePoint, Math.max(precision - scale, 1));
  const sign = `CASE WHEN contains(${text}, '-') THEN '-0.' ELSE '0.' END`;
  const fraction = `TRY_CAST(${sign} || regexp_extract(${text}, '[.](.*)', 1) AS DECIMAL(${scale},${scale}))`;
  return `TRY_CAST(TRY_CAST(${whole} AS ${type}) + TRY_CAST(${fraction} AS ${type}) AS ${type})`;
}

function coalesceNarrow(text: string, precision: number): string {
  const wide = `TRY_CAST(${text} AS DECIMAL(${precision},0))`;
  return precision <= narrow ? wide : `coalesce(TRY_CAST(${text} AS DECIMAL(${narrow},0))::DECIMAL(${precision},0), ${wide})`;
}
