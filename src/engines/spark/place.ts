/** Where a run keeps what it stages: in a folder that it shares with the server, or in tables of the server. Both bear its name. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../core/fault.ts';
import type { Row } from './connect/client.ts';
import { mayLive, ownerOf, ownName, type Session } from './driver.ts';
import { sparkErrorOf } from './connect/spark-error.ts';
import { ident, literal } from './quote.ts';

export interface Place {
  /** Stores the rows of a query, names them by a temporary view, and answers the aggregates counted meanwhile. */
  readonly store: (view: string, query: string, count?: Readonly<Record<string, string>>) => Promise<Row>;
  /** Takes away what was stored. Never fails. */
  readonly drop: () => Promise<void>;
}

/** A folder below the one of the embedded reader, which is removed with it. */
export function sharedFolder(session: Session, folder: string): Place {
  let made = 0;
  return {
    store: async (view, query, count) => {
      made += 1;
      const path = join(folder, `stage-${made}`);
      const found = await session.client.save({ query, to: { path: fileUrl(path) }, format: 'parquet', mode: 'error', ...counted(count) });
      await viewOf(session, view, path);
      return found;
    },
    drop: async () => undefined,
  };
}

const counted = (count: Readonly<Record<string, string>> | undefined) => (count === undefined ? {} : { count });

/** The server's default file system may be another one. */
const fileUrl = (path: string): string => decodeURI(pathToFileURL(path).href);

/** A temporary view of the Parquet files in a folder. Spark reads their columns once, now. */
export async function viewOf(session: Session, view: string, path: string): Promise<void> {
  await session
    .run(`CREATE OR REPLACE TEMPORARY VIEW ${view} USING parquet OPTIONS (path ${literal(fileUrl(path))})`)
    .catch((error: unknown) => {
      const spark = sparkErrorOf(error);
      const unseen =
        spark?.is('PATH_NOT_FOUND') === true || spark?.is('UNABLE_TO_INFER_SCHEMA') === true || /denied/i.test(spark?.message ?? '');
      if (!unseen) throw error;
      throw new Fault('SOURCE_UNREADABLE', 'the Spark server does not see the folder in which the records are handed to it', {
        cause: error,
        fix: 'Let TMPDIR name a folder that this machine and the server share, or load from a table or query that the server reads: --query.',
      });
    });
}

/** Makes the folder that is shared with the server, which writes into it as its own user. */
export function makeShared(scratch: string): string {
  const folder = join(scratch, 'spark');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  return folder;
}

/** Tables in the schema of the target: for sources that the server alone sees. */
export function ownTables(session: Session, schema: string): Place {
  const made: string[] = [];
  return {
    store: async (view, query, count) => {
      const table = `${schema}.${ident(ownName('stage'))}`;
      made.push(table);
      // Rows are counted only on their way into a table that is there.
      await session.run(`CREATE TABLE ${table} USING parquet AS SELECT * FROM (${query}) WHERE false`);
      const found = await session.client.save({ query, to: { table }, format: 'parquet', mode: 'append', ...counted(count) });
      await session.run(`CREATE OR REPLACE TEMPORARY VIEW ${view} AS SELECT * FROM ${table}`);
      return found;
    },
    drop: async () => {
      for (const table of made) await session.hold(`DROP TABLE IF EXISTS ${table}`).catch(() => []);
    },
  };
}

/** Drops what runs have left that are no more. */
export async function dropLeftovers(session: Session, schema: string): Promise<void> {
  const rows = await session.rows(`SHOW TABLES IN ${schema} LIKE 'schemalign_stage_*'`).catch(() => []);
  for (const row of rows) {
    const owner = ownerOf(String(row['tableName']));
    if (row['isTemporary'] === true || owner === undefined || mayLive(owner)) continue;
    await session.run(`DROP TABLE IF EXISTS ${schema}.${ident(String(row['tableName']))}`).catch(() => undefined);
  }
}
