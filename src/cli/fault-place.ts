import { locate } from '../config/load-config.ts';
import { pointerTo } from '../config/problem.ts';
import { Fault } from '../core/fault.ts';
import type { Job } from '../core/model/policy.ts';

/**
 * A fault about a column that a configuration file names, with the line of that name. The run side knows the file and no lines.
 * Anything else comes back as it is.
 */
export async function withPlace(thrown: unknown, job: Job): Promise<unknown> {
  const { origin } = job;
  if (origin === undefined || !(thrown instanceof Fault) || thrown.code !== 'CONFIG_UNKNOWN_COLUMN' || thrown.place.line !== undefined)
    return thrown;
  const pointer = concerned(thrown.message, job);
  if (pointer === undefined) return thrown;
  const place = await locate(origin.file, [origin.pointer + pointer, `/defaults${pointer}`]);
  const message = thrown.message.replace(`[${thrown.code}] `, '').replace(`${origin.file}: `, '');
  return new Fault(thrown.code, message, { cause: thrown, place, fix: thrown.fix });
}

/** The longest name that the message holds, as one column's name may begin another's. */
function concerned(message: string, job: Job): string | undefined {
  if (job.merge.orderBy !== undefined && message.includes(`merge.order_by names the column ${job.merge.orderBy},`))
    return '/merge/order_by';
  const named = [...job.columns.keys()].filter((name) => message.includes(`names the column ${name},`));
  const longest = named.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : pointerTo('/columns', longest);
}
