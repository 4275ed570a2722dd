import { Fault } from '../core/fault.ts';
import type { Engine, OpenRequest } from '../run/engine.ts';

/** An engine and how to open it. Its code, and the client it needs, are loaded only then. */
export interface EngineEntry {
  /** Whether an address belongs to this engine. */
  readonly accepts: (url: string) => boolean;
  readonly open: (request: OpenRequest) => Promise<Engine>;
}

export const engines: Readonly<Record<string, EngineEntry>> = {
  duckdb: {
    accepts: (url) => /^duckdb:/.test(url) || url === ':memory:' || /\.(duckdb|ddb|db)$/i.test(url),
    open: async (request) => (await import('./duckdb/engine.ts')).openDuckdb(request),
  },
  postgres: {
    accepts: (url) => /^postgres(ql)?:\/\//i.test(url),
    open: async (request) => (await import('./postgres/engine.ts')).openPostgres(request),
  },
  spark: {
    accepts: (url) => /^sc:\/\//i.test(url),
    open: async (request) => (await import('./spark/engine.ts')).openSparkEngine(request),
  },
};

/** @throws Fault TARGET_URL when no engine takes the address. */
export function openEngine(request: OpenRequest): Promise<Engine> {
  const entry = Object.values(engines).find((candidate) => candidate.accepts(request.url));
  if (entry === undefined) {
    throw new Fault('TARGET_URL', 'no engine of this version takes this address', {
      fix: `Name a database of one of these engines: ${Object.keys(engines).join(', ')}; a DuckDB file is named like warehouse.duckdb.`,
    });
  }
  return entry.open(request);
}
