import type { Session } from './driver.ts';
import { parquetSchema } from './reader.ts';

/** Names of the columns of a Parquet file as they stand in it. */
export async function parquetNames(session: Session, path: string): Promise<readonly string[]> {
  const elements = await session.rows(parquetSchema(path));
  const names: string[] = [];
  // The first element is the schema itself; `open` counts the elements that are still to come on each level.
  const open: number[] = [];
  for (const { name, num_children: children } of elements) {
    if (open.length === 1) names.push(String(name));
    if (open.length > 0) open[open.length - 1] = (open.at(-1) as number) - 1;
    if (Number(children ?? 0) > 0) open.push(Number(children));
    while (open.length > 0 && open.at(-1) === 0) open.pop();
  }
  return names;
}
