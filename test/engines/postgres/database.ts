/** A database of a test, and the command run against it. */
import type { Client } from 'pg';
import { makePlace, type Place } from '../../faults/place.ts';
import { type TestDatabase, testDatabase } from '../../harness/postgres-server.ts';

export interface Scene {
  readonly place: Place;
  readonly database: TestDatabase;
  readonly url: string;
  readonly client: Client;
  /** Statements, one after another. */
  readonly change: (...statements: readonly string[]) => Promise<void>;
  /** Rows as lists of texts. */
  readonly rows: (sql: string) => Promise<readonly (readonly (string | null)[])[]>;
  /** The single value of a query, as text. */
  readonly value: (sql: string) => Promise<string | null>;
  readonly end: () => Promise<void>;
}

export async function makeScene(): Promise<Scene> {
  const place = makePlace();
  const database = await testDatabase();
  const client = await database.connect();
  const rows = async (sql: string) => {
    const types = { getTypeParser: () => (value: unknown) => value };
    const result = await client.query({ text: sql, rowMode: 'array', types: types as never });
    return result.rows as (string | null)[][];
  };
  return {
    place,
    database,
    client,
    rows,
    url: database.url,
    change: async (...statements) => {
      for (const statement of statements) await client.query(statement);
    },
    value: async (sql) => (await rows(sql))[0]?.[0] ?? null,
    end: async () => {
      await database.drop();
      place.remove();
    },
  };
}

/** Tables, types and temporary tables that a run could have left: none may be there but the named ones. */
export const leftovers = (scene: Scene): Promise<readonly (readonly (string | null)[])[]> =>
  scene.rows(
    "SELECT relname FROM pg_class WHERE relname LIKE 'schemalign%' UNION ALL SELECT proname FROM pg_proc WHERE proname LIKE 'schemalign%'",
  );
