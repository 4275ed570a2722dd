import { invariant } from '../../../core/fault.ts';
import { trimRareBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

/** Text to text: as it is, or refused. Blanks are part of it unless `trim: always`. */
export const stringText: ScalarRenderer = (x, { to, rule, context }) => {
  invariant(to.kind === 'string', 'stringText renders text');
  const text = rule.trim === 'always' ? `(${trimRareBlanks(x)})` : x;
  const nul = context.nul ? [{ fault: `contains(${text}, chr(0))`, code: 'nul_character' }] : [];
  // `length` counts code points in DuckDB, not bytes and not graphemes.
  const long = to.length === undefined ? [] : [{ fault: `length(${text}) > ${to.length}`, code: 'too_long' }];
  const faults = [...nul, ...long];
  if (faults.length === 0) return { value: text, reason: `'invalid_value'` };
  const arms = faults.map(({ fault, code }) => `WHEN ${fault} THEN 'invalid_value:${code}'`).join(' ');
  return {
    value: `CASE WHEN NOT (${faults.map(({ fault }) => fault).join(' OR ')}) THEN ${text} END`,
    reason: `CASE ${arms} ELSE 'invalid_value' END`,
  };
};
