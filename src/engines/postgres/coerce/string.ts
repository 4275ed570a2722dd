import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { trimBlanks } from './blanks.ts';
import { halfPair } from './json-escapes.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to text: as it is, or refused. Blanks are part of it unless `trim: always`. */
export const stringText: ScalarRenderer = (x, { to, rule, context: { nulMark } }) => {
  invariant(to.kind === 'string', 'stringText renders text');
  const text = rule.trim === 'always' ? trimBlanks(x) : x;
  const holds = (part: string): string => `strpos(${text}, ${literal(part)}) > 0`;
  // `length` counts code points, as the encoding of the database is UTF-8.
  const faults = [
    ...(nulMark === undefined ? [] : [[holds(nulMark), 'nul_character'] as const]),
    ...(to.length === undefined ? [] : [[`length(${text}) > ${to.length}`, 'too_long'] as const]),
  ];
  const value = `${text} COLLATE "default"`;
  if (faults.length === 0) return { value, reason: `'invalid_value'` };
  const arms = faults.map(([fault, code]) => `WHEN ${fault} THEN 'invalid_value:${code}'`).join(' ');
  const broken = nulMark === undefined ? '' : `WHEN ${holds(halfPair(nulMark))} THEN 'invalid_value' `;
  return {
    value: `CASE WHEN NOT (${faults.map(([fault]) => fault).join(' OR ')}) THEN ${value} END`,
    reason: `CASE ${broken}${arms} ELSE 'invalid_value' END`,
  };
};
