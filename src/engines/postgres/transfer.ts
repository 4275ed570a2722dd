/** Rows from the embedded reader into a table of the server: as bytes, from one to the other, and no faster than the server takes them. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, createReadStream, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Session as Reader } from '../duckdb/driver.ts';
import { literal as readerLiteral } from '../duckdb/quote.ts';
import type { Session } from './driver.ts';
import { literal } from './quote.ts';

/** Signs that hardly any text holds, so that hardly any field needs quotes. NULL is an empty field, the empty text a quoted one. */
const delimiter = '\u0002';
const quote = '\u0001';

const written = `FORMAT csv, HEADER false, DELIMITER ${readerLiteral(delimiter)}, QUOTE ${readerLiteral(quote)}, ESCAPE ${readerLiteral(quote)}, NULLSTR '', USE_TMP_FILE false`;
const read = `FORMAT csv, DELIMITER ${literal(delimiter)}, QUOTE ${literal(quote)}, ESCAPE ${literal(quote)}, NULL ''`;

const chunkBytes = 262_144;

export interface Transfer {
  readonly reader: Reader;
  readonly session: Session;
  /** Query of the reader. */
  readonly select: string;
  /** Table and columns as they stand in a COPY. */
  readonly into: string;
  readonly onBytes?: (bytes: number) => void;
}

/** Answers the number of rows. Of a transfer that fails nothing stays. */
export async function transfer(request: Transfer): Promise<number> {
  const { session } = request;
  await session.run('BEGIN');
  try {
    const rows = await send(request);
    await session.run('COMMIT');
    return rows;
  } catch (error) {
    await session.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function send(request: Transfer): Promise<number> {
  const path = join(request.reader.scratch, 'transfer');
  return makePipe(path) ? throughPipe(request, path) : throughFile(request, path);
}

/** False where the system has no named pipes. */
function makePipe(path: string): boolean {
  if (process.platform === 'win32') return false;
  return existsSync(path) || spawnSync('mkfifo', ['-m', '600', path], { stdio: 'ignore' }).status === 0;
}

async function throughPipe({ reader, session, select, into, onBytes }: Transfer, path: string): Promise<number> {
  const writing = reader.run(`COPY (${select}) TO ${readerLiteral(path)} (${written})`).finally(() => releaseReader(path));
  const bytes = createReadStream(path, { highWaterMark: chunkBytes });
  if (onBytes) bytes.on('data', (chunk) => onBytes(chunk.length));
  const [copied, wrote] = await Promise.allSettled([session.copy(`COPY ${into} FROM STDIN (${read})`, bytes), writing]);
  // When the server breaks off, the reader fails for want of somebody to write to; that is no news.
  if (copied.status === 'rejected') throw copied.reason;
  if (wrote.status === 'rejected') throw wrote.reason;
  return copied.value;
}

/** A query that failed before it opened the pipe leaves its other end waiting for somebody who opens it. */
function releaseReader(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch (error) {
    // Nobody waits, which is the usual case.
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
  }
}

async function throughFile({ reader, session, select, into, onBytes }: Transfer, path: string): Promise<number> {
  try {
    await reader.run(`COPY (${select}) TO ${readerLiteral(path)} (${written})`);
    const bytes = createReadStream(path, { highWaterMark: chunkBytes });
    if (onBytes) bytes.on('data', (chunk) => onBytes(chunk.length));
    return await session.copy(`COPY ${into} FROM STDIN (${read})`, bytes);
  } finally {
    rmSync(path, { force: true });
  }
}
