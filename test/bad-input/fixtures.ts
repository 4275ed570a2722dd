/** Bytes that are not what they should be, and those that are, to be broken. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';

export const good = 'id,name,amount\n3,new,3.50\n4,newer,4.50\n';

export const folder = (path: string): void => void mkdirSync(path);
export const linkTo =
  (target: string) =>
  (path: string): void =>
    symlinkSync(target, path);

/** @param path of at most about 100 bytes, as a socket's address allows no more; the socket stays when its server is gone. */
export async function socket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  server.unref();
}

export function pipe(path: string): void {
  const { status } = spawnSync('mkfifo', [path]);
  if (status !== 0) throw new Error('mkfifo is missing');
}

/** Bytes without any pattern, the same each time (a linear congruential generator). */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 12_345;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

/** Signatures of well-known formats, followed by noise. */
export const images: Readonly<Record<string, Buffer>> = {
  png: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), Buffer.from('IHDR'), noise(2000)]),
  zip: Buffer.concat([Buffer.from('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0', 'latin1'), Buffer.from('[Content_Types].xml'), noise(2000)]),
  pdf: Buffer.concat([Buffer.from('%PDF-1.7\n%\xb5\xb5\xb5\xb5\n1 0 obj\n<</Type/Catalog>>\nendobj\n', 'latin1'), noise(2000)]),
  noise: noise(4000),
};

/** Enough records that a compressed stream has a body to be broken in. */
export const many = `id,name,amount\n${Array.from({ length: 2000 }, (_, i) => `${i + 10},name ${i},${i}.25\n`).join('')}`;
export const gzipped = gzipSync(many);
/** `good` by the reference zstd 1.5, with checksum. */
export const zstd = Buffer.from('KLUv/SQnOQEAaWQsbmFtZSxhbW91bnQKMyxuZXcsMy41MAo0LG5ld2VyLDQuNTAKYBUScw==', 'base64');

export const flipped = (bytes: Buffer, at: number, mask = 0x10): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ mask;
  return copy;
};

/** The result of a query as a Parquet file. */
export const parquet =
  (query: string, broken: (bytes: Buffer) => Buffer = (bytes) => bytes) =>
  async (path: string): Promise<void> => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (${query}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
    writeFileSync(path, broken(readFileSync(path)));
  };

export const goodRows = "SELECT 3::BIGINT AS id, 'new' AS name, 3.50::DECIMAL(12,2) AS amount";
