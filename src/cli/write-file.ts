import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Fault } from '../core/fault.ts';

/** Writes a file whole or not at all: readers see the old text or the new one. Throws `USAGE` when it cannot. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(beside, text, { flag: 'wx' });
    await rename(beside, file);
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => undefined);
    throw new Fault('USAGE', `cannot write ${file} (${String((cause as { code?: unknown }).code)})`, {
      cause,
      fix: 'Name a file in a folder that exists and that you may write to.',
    });
  }
}
