/** Which Parquet file it is that the engine cannot read: its own messages name neither the file nor the format. */
import { Fault } from '../../core/fault.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Session } from './driver.ts';
import { readParquet } from './reader.ts';

/** The fault for a Parquet file that the engine refuses. Other faults pass unchanged. */
export function parquetFault(file: Pick<SourceFile, 'path'>, cause: unknown): unknown {
  if (!(cause instanceof Fault) || cause.code !== 'ENGINE_REJECTED') return cause;
  const why = cause.message.replace(/^\[\w+\] (?:duckdb: )?/, '');
  return new Fault('SOURCE_UNREADABLE', `this Parquet file cannot be read to its end: ${why}`, {
    cause,
    place: { file: file.path },
    fix: 'Write the file anew, or get it again from its source.',
  });
}

/** Reads each file alone and to its end; the fault of the first that cannot be read, or the cause when all can. */
export async function unreadableParquet(session: Session, files: readonly SourceFile[], cause: unknown): Promise<unknown> {
  for (const file of files) {
    if (file.format !== 'parquet') continue;
    const whole = `SELECT count(hash(schemalign_row)) FROM ${readParquet([file.absolute])} schemalign_row`;
    const isRead = await session.rows(whole).then(
      () => true,
      () => false,
    );
    if (!isRead) return parquetFault(file, cause);
  }
  return cause;
}
