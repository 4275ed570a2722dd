import { invariant } from '../../../core/fault.ts';
import { matches, withoutBlanks } from './blanks.ts';
import type { ScalarRenderer } from './sql-coercion.ts';

const shape = [8, 4, 4, 4, 12].map((count) => `[0-9A-Fa-f]{${count}}`).join('-');

/** Text to UUID: 8-4-4-4-12 hexadecimal digits, any case. Spark has no such type, so the value is text in small letters. */
export const uuidText: ScalarRenderer = (x, { to, rule }) => {
  invariant(to.kind === 'uuid', 'uuidText renders UUIDs');
  return { value: `CASE WHEN ${matches(x, shape, rule)} THEN lower(${withoutBlanks(x, rule)}) END`, reason: `'invalid_value'` };
};
