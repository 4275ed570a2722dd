/** Notices files that are written to while a run reads them: what was hashed and what was loaded would be two different things. */
import { stat } from 'node:fs/promises';
import { Fault } from '../core/fault.ts';
import type { FoundFile } from '../sources/read-bytes.ts';

/** A file as it stood before its first byte was read. */
export interface Stamp extends FoundFile {
  /** Size, time of change and identity; undefined when the file is not there. */
  readonly stamp: string | undefined;
}

export async function stampFile(file: FoundFile): Promise<Stamp> {
  const found = await stat(file.absolute, { bigint: true }).catch(() => undefined);
  return { path: file.path, absolute: file.absolute, stamp: found && `${found.size} ${found.mtimeNs} ${found.ino}` };
}

/** @throws Fault SOURCE_UNREADABLE when a file is not as it was. */
export async function checkSteady(stamps: readonly Stamp[]): Promise<void> {
  for (const before of stamps) {
    const { stamp } = await stampFile(before);
    if (stamp === before.stamp) continue;
    throw new Fault('SOURCE_UNREADABLE', `${JSON.stringify(before.path)} was changed while it was read`, {
      place: { file: before.path },
      fix: 'Run again when it is written to its end; have its writer write under another name and rename it.',
    });
  }
}
