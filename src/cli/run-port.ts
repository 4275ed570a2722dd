/** What the command asks of the run side, and how it gets there: every module is imported when it is first needed. */
import type { align } from '../run/align.ts';
import type { listRuns, previousRun, readRun } from '../run/history.ts';
import type { inspectAny } from '../run/inspect.ts';

export interface Ports {
  readonly align: typeof align;
  readonly inspectAny: typeof inspectAny;
  readonly listRuns: typeof listRuns;
  readonly readRun: typeof readRun;
  readonly previousRun: typeof previousRun;
}

/** Imports that name their module in full, so that the build and the boundary check see them. */
const modules: { readonly [K in keyof Ports]: () => Promise<Ports[K]> } = {
  align: async () => (await import('../run/align.ts')).align,
  inspectAny: async () => (await import('../run/inspect.ts')).inspectAny,
  listRuns: async () => (await import('../run/history.ts')).listRuns,
  readRun: async () => (await import('../run/history.ts')).readRun,
  previousRun: async () => (await import('../run/history.ts')).previousRun,
};

/** A function of the run side, or its stand-in. */
export async function port<K extends keyof Ports>(name: K, standIns: Partial<Ports> | undefined): Promise<Ports[K]> {
  return standIns?.[name] ?? modules[name]();
}
