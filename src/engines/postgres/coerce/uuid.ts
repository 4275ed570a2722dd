import { invariant } from '../../../core/fault.ts';
import { literal } from '../quote.ts';
import { ignoresBlanks, trimBlanks } from './blanks.ts';
import { castable } from './levels.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

const shape = literal([8, 4, 4, 4, 12].map((count) => '_'.repeat(count)).join('-'));

/** Text to UUID: 8-4-4-4-12 hexadecimal digits, any case. */
export const uuidText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'uuid', 'uuidText renders UUIDs');
  const arms = [arm(x)];
  if (ignoresBlanks(rule)) arms.push(arm(trimBlanks(x)));
  return { value: `CASE ${arms.join(' ')} END`, reason: `'invalid_value'` };
};

/** The cast also takes braces, and hyphens in other places or none; with four hyphens in place, 36 characters leave no room for that. */
const arm = (text: string): string => `WHEN ${text} LIKE ${shape} THEN CASE WHEN ${castable(text, 'uuid')} THEN CAST(${text} AS uuid) END`;
