/** Reads the bytes of a file, and turns what the system says into faults. */
import { type FileHandle, open } from 'node:fs/promises';
import { Fault } from '../core/fault.ts';

/** A file, as people see it and as the system finds it. */
export interface FoundFile {
  /** As shown to people: as the user wrote it, forward slashes. */
  readonly path: string;
  readonly absolute: string;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** False: each chunk is overwritten by the next, so it must be done with before asking for it. Default true. */
  readonly fresh?: boolean;
  /** Bytes of one chunk. */
  readonly chunkSize?: number;
}

const defaultChunk = 512 * 1024;

const unreadable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links go in a circle',
  EISDIR: 'it is a folder',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an input error',
};

const missing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/** The system's code of an error, such as `ENOENT`; empty when it has none. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether an error says that no file has this name. */
export function isMissing(error: unknown): boolean {
  return missing.has(systemCode(error));
}

/** The fault for an error of the file system about a path. Faults pass unchanged. */
export function readFault(error: unknown, path: string): Fault {
  if (error instanceof Fault) return error;
  const code = systemCode(error);
  if (missing.has(code))
    return new Fault('SOURCE_NOT_FOUND', `${JSON.stringify(path)} does not exist`, { cause: error, place: { file: path } });
  const why = unreadable[code] ?? (error instanceof Error ? error.message : 'it cannot be read');
  return new Fault('SOURCE_UNREADABLE', `${JSON.stringify(path)} cannot be read: ${why}`, { cause: error, place: { file: path } });
}

/** Throws INTERRUPTED when the signal has been given. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Fault('INTERRUPTED', 'reading the source was interrupted', { cause: signal.reason });
}

/** The bytes of a file from its start to its end. @throws SOURCE_NOT_FOUND, SOURCE_UNREADABLE, INTERRUPTED. */
export async function* readBytes(file: FoundFile, options: ReadOptions = {}): AsyncGenerator<Buffer, void> {
  const chunkSize = options.chunkSize ?? defaultChunk;
  const fresh = options.fresh ?? true;
  const handle = await opened(file);
  try {
    let buffer = Buffer.allocUnsafeSlow(chunkSize);
    for (let position = 0; ; ) {
      checkSignal(options.signal);
      const { bytesRead } = await handle.read(buffer, 0, chunkSize, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
      if (fresh) buffer = Buffer.allocUnsafeSlow(chunkSize);
    }
  } catch (error) {
    throw readFault(error, file.path);
  } finally {
    await handle.close();
  }
}

/** Up to `length` bytes from `position`; fewer at the end of the file. */
export async function readSlice(file: FoundFile, position: number, length: number): Promise<Buffer> {
  const handle = await opened(file);
  try {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await handle.read(buffer, 0, length, Math.max(0, position));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw readFault(error, file.path);
  } finally {
    await handle.close();
  }
}

async function opened(file: FoundFile): Promise<FileHandle> {
  try {
    return await open(file.absolute, 'r');
  } catch (error) {
    throw readFault(error, file.path);
  }
}
