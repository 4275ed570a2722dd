/** What the runner asks of an engine: a fresh target, its content, and a way back to a moment before. */
import type { CaseSpec } from './case-file.ts';
import { duckdbTarget } from './duckdb-target.ts';
import type { TableState } from './outcome.ts';

export interface Target {
  /** The entry under `connections` of the configuration. */
  readonly connection: Readonly<Record<string, string>>;
  /** Schema of the tables, where the case does not have a database to itself. */
  readonly schema?: string;
  /** The tables of the case; a bystander table that is gone is absent. */
  readTables(): Promise<TableState>;
  /** Rows in the quarantine table; of one run, or of all when the run is unknown. */
  countQuarantined(runId: string | undefined): Promise<number>;
  /** The single result of each probe as text. */
  ask(probes: readonly string[]): Promise<(string | null)[]>;
  /** Keeps the present state under a name. */
  save(name: string): Promise<void>;
  /** Back to the state kept under a name. */
  restore(name: string): Promise<void>;
  /** Takes away what is not below the folder. */
  drop?(): Promise<void>;
}

/** Makes a fresh target with the tables of the case; everything it needs on disk goes below `folder`. */
export type TargetFactory = (folder: string, spec: CaseSpec) => Promise<Target>;

/** One line per engine. What an engine needs is loaded when it is asked for. */
export const targets: Readonly<Record<string, TargetFactory>> = {
  duckdb: duckdbTarget,
  spark: async (folder, spec) => (await import('./spark-target.ts')).sparkTarget(folder, spec),
  postgres: async (folder, spec) => (await import('./postgres-target.ts')).postgresTarget(folder, spec),
};
