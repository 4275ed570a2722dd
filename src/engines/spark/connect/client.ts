import { Fault } from '../../../core/fault.ts';
import { parseSparkAddress } from './address.ts';
import type { SparkClient, SparkClientOptions } from './spark-client.ts';

export type { Cell, Row, SparkClient, SparkClientOptions, Table } from './spark-client.ts';

const install = 'npm install @connectrpc/connect@2.1.2 @connectrpc/connect-node@2.1.2 @bufbuild/protobuf@2.17.0 @uwdata/flechette@2.6.0';

/**
 * Opens a session at the server of a connection string. The libraries it needs are loaded only now.
 * @throws Fault TARGET_URL, ENGINE_MISSING, ENGINE_CONNECT, ENGINE_REJECTED
 */
export async function openSpark(url: string, options: SparkClientOptions = {}): Promise<SparkClient> {
  const address = parseSparkAddress(url);
  const { openSession } = await loadSession();
  return openSession(address, options);
}

async function loadSession(): Promise<typeof import('./session.ts')> {
  try {
    return await import('./session.ts');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Fault('ENGINE_MISSING', 'the libraries for Spark Connect are not installed', { cause, fix: install });
  }
}
