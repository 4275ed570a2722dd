import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { halfPair } from './json-tokens.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to text: as it is, or refused. Blanks are part of it unless `trim: always`. */
export const stringText: ScalarRenderer = (x, { to, rule, context }) => {
  invariant(to.kind === 'string', 'stringText renders text');
  const text = rule.trim === 'always' ? trimBlanks(x) : x;
  const holds = (part: string): string => `contains(${text}, ${literal(part)})`;
  // `length` counts code points.
  const faults: readonly (readonly [string, string])[] = [
    ...(context.nul ? [[holds('\0'), 'invalid_value:nul_character'] as const] : []),
    ...(context.json === true ? [[`startswith(${text}, ${literal(halfPair)})`, 'invalid_value'] as const] : []),
    ...(to.length === undefined ? [] : [[`length(${text}) > ${to.length}`, 'invalid_value:too_long'] as const]),
  ];
  if (faults.length === 0) return { value: text, reason: `'invalid_value'` };
  const arms = faults.map(([fault, code]) => `WHEN ${fault} THEN '${code}'`).join(' ');
  return {
    value: `CASE WHEN NOT (${faults.map(([fault]) => fault).join(' OR ')}) THEN ${text} END`,
    reason: `CASE ${arms} ELSE 'invalid_value' END`,
  };
};
