/** Checks the two ends of a Parquet file: the rest is the engine's to read. */
import { Fault } from '../core/fault.ts';
import { signatureOf } from './file-format.ts';
import { type FoundFile, readSlice } from './read-bytes.ts';
import type { Damage } from './source-file.ts';

const magic = 'PAR1';
const encryptedMagic = 'PARE';
/** Magic, footer length, magic. */
const smallest = 12;

/** Damage of a Parquet file, if any. @throws SOURCE_FORMAT when it is no Parquet file at all, or is encrypted. */
export async function parquetDamage(file: FoundFile, size: number): Promise<Damage | undefined> {
  const head = await readSlice(file, 0, 512);
  const start = head.subarray(0, 4).toString('latin1');
  const place = { file: file.path };
  if (start === encryptedMagic) throw new Fault('SOURCE_FORMAT', 'this Parquet file is encrypted', { place });
  if (start !== magic.slice(0, start.length)) {
    throw new Fault('SOURCE_FORMAT', `this is no Parquet file; it seems to be ${signatureOf(head)?.name ?? 'something else'}`, { place });
  }
  const tail = await readSlice(file, size - 8, 8);
  if (size < smallest || tail.subarray(4).toString('latin1') !== magic) return truncated(size, 'its end is missing');
  const footer = tail.readUInt32LE(0);
  return footer === 0 || footer > size - smallest ? truncated(size, `its footer of ${footer} bytes does not fit into it`) : undefined;
}

function truncated(size: number, why: string): Damage {
  return { reason: 'truncated_file', message: `the Parquet file of ${size} bytes is not whole: ${why}`, offset: size };
}
