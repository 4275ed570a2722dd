import { createHash } from 'node:crypto';
import type { Mask } from '../core/model/policy.ts';

/** What may be shown of a value. `shape` keeps the kinds of characters: `AB-12` becomes `AA-99`. */
export function maskText(value: string, mask: Mask): string | null {
  if (mask === 'none') return value;
  if (mask === 'drop') return null;
  if (mask === 'hash') return `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 12)}`;
  return value
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/\p{N}/gu, '9');
}
