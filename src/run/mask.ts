/** What may be shown of values: masks of columns, and of everything that may hold the value of a masked column. */
import { createHash } from 'node:crypto';
import type { Job, Mask } from '../core/model/policy.ts';

/** Stands where a value or a text of the engine was taken out, and no shape or hash of it may be shown. */
export const hiddenText = '(masked)';

/** What may be shown of a value. `shape` keeps the kinds of characters: `AB-12` becomes `AA-99`. */
export function maskText(value: string, mask: Mask): string | null {
  if (mask === 'none') return value;
  if (mask === 'drop') return null;
  if (mask === 'hash') return `sha256:${createHash('sha256').update(value).digest('hex').slice(0, 12)}`;
  return value
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/\p{N}/gu, '9')
    .replace(/\p{M}/gu, '');
}

/** The same where something must stand in the place of the value. */
export const shownText = (value: string, mask: Mask): string => maskText(value, mask) ?? hiddenText;

const strength: Readonly<Record<Mask, number>> = { none: 0, shape: 1, hash: 2, drop: 3 };

function strongest(masks: readonly Mask[]): Mask {
  return masks.reduce<Mask>((worst, mask) => (strength[mask] > strength[worst] ? mask : worst), 'none');
}

/** Whether any column of the job is masked. */
export const hasMasks = (job: Job): boolean => maskOfRecord(job) !== 'none';

/**
 * The mask of texts that may hold several values at once, such as whole records and keys. Shapes of them give nothing away that the shape
 * of each value would not; a hash would only tell the same record again, so it is dropped too.
 */
export function maskOfRecord(job: Job): Mask {
  const mask = strongest([job.defaultRule.mask, ...[...job.columns.values()].map((rule) => rule.mask)]);
  return mask === 'hash' ? 'drop' : mask;
}

/**
 * The mask of a column or nested path: the strongest of its own, of the paths around it and of those inside it, as their values show
 * in its own; and of the columns that are filled from the same place of the source.
 */
export function maskOfPath(job: Job, path: string): Mask {
  const around = [...job.columns].filter(([name]) => isWithin(path, name));
  const own = around.length === 0 ? [job.defaultRule.mask] : around.map(([, rule]) => rule.mask);
  const within = [...job.columns].filter(([name]) => name !== path && isWithin(name, path)).map(([, rule]) => rule.mask);
  const places = new Set([rootOf(path), ...(job.columns.get(path)?.from ?? []).map(rootOf)]);
  const shared = [...job.columns].filter(([, rule]) => rule.from.some((from) => places.has(rootOf(from)))).map(([, rule]) => rule.mask);
  return strongest([...own, ...within, ...shared]);
}

/** A partition with the values of masked columns as they may be shown. */
export function maskedPartition<P extends { readonly values: Readonly<Record<string, string | null>> }>(partition: P, job: Job): P {
  const values = Object.entries(partition.values).map(([name, value]) => [
    name,
    value === null ? null : shownText(value, maskOfPath(job, name)),
  ]);
  return { ...partition, values: Object.fromEntries(values) };
}

/** Whether a path is another one or lies inside it. */
const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`);

/** The column of the source in which a path begins: `address` of `$.address.zip`. */
const rootOf = (path: string): string => path.replace(/^\$\.?/, '').split(/[.[]/, 1)[0] ?? path;
