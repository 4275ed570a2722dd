import type { VerbEntry } from './verb.ts';

/** Every verb; its module is imported only when it is the one asked for. */
export const verbs: readonly VerbEntry[] = [
  {
    name: 'inspect',
    summary: 'Show the schema of a file, folder, table, query or contract',
    load: async () => (await import('./commands/inspect.ts')).inspect,
  },
  { name: 'diff', summary: 'Show how two schemas differ', load: async () => (await import('./commands/diff.ts')).diff },
  {
    name: 'plan',
    summary: 'Show what a load would do, counted on the data, and write nothing',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    name: 'check',
    summary: 'Plan every job of a project and say what would fail, for a pull request',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'load',
    summary: 'Load a source into its target, exactly or not at all',
    load: async () => (await import('./commands/load.ts')).load,
  },
  { name: 'verify', summary: 'Check that a target holds what it should', load: async () => (await import('./commands/verify.ts')).verify },
  {
    name: 'history',
    summary: 'List earlier runs from the audit tables',
    load: async () => (await import('./commands/history.ts')).history,
  },
  { name: 'report', summary: 'Show the report of an earlier run', load: async () => (await import('./commands/report.ts')).report },
  {
    name: 'explain',
    summary: 'Explain the code of a divergence or a fault',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
];
