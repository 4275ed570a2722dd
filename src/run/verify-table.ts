/** Holds a table as it is against a schema: its columns, and on its rows whether every value would fit. */
import { checkSchema } from '../core/compare/compare-schemas.ts';
import type { Divergence } from '../core/divergences/divergence.ts';
import { Fault } from '../core/fault.ts';
import { builtInRule, type Job } from '../core/model/policy.ts';
import type { Schema } from '../core/model/schema.ts';
import { planAlignment } from '../core/plan/plan-alignment.ts';
import { openEngine } from '../engines/registry.ts';
import type { Effects } from './effects.ts';
import { checkDatabase } from './missing-database.ts';

/** Rows whose value in one column does not fit what is expected there. */
export interface Misfit {
  readonly path: string;
  /** `invalid_value:out_of_range`, `nullability`, … */
  readonly code: string;
  readonly rows: number;
  readonly examples: readonly { readonly value: string | null; readonly row: number | null }[];
}

export interface TableVerdict {
  readonly divergences: readonly Divergence[];
  readonly rows: number;
  readonly misfits: readonly Misfit[];
}

export interface VerifyTableRequest {
  readonly url: string;
  readonly table: string;
  readonly expected: Schema;
  readonly maxExamples?: number;
  readonly signal?: AbortSignal;
}

/** Reads only. @throws Fault TARGET_MISSING and those of opening the engine. */
export async function verifyTable(request: VerifyTableRequest): Promise<TableVerdict> {
  const { url, table, expected } = request;
  const engine = await openEngine({ url, readOnly: true, mayCreate: false, ...(request.signal ? { signal: request.signal } : {}) });
  try {
    checkDatabase(engine);
    const actual = await engine.describe(table);
    if (actual === undefined)
      throw new Fault('TARGET_MISSING', `there is no table ${table}`, {
        fix: `Tables: ${(await engine.tables()).slice(0, 20).join(', ') || 'none'}.`,
      });
    const divergences = checkSchema(actual.schema, expected);
    const spec = { kind: 'query', table } as const;
    const source = { files: [], spec };
    const there = new Set(actual.schema.columns.map((column) => column.name));
    const target: Schema = { columns: expected.columns.filter((column) => there.has(column.name) && column.type.kind !== 'unknown') };
    const { plan } = planAlignment({
      job: checkingJob(request),
      target,
      groups: await engine.shapes(source),
      changes: [],
      defaultSql: () => 'NULL',
    });
    const effects = await engine.stage({ plan, source, maxExamples: request.maxExamples ?? 5 });
    return { divergences, rows: effects.read, misfits: misfitsOf(effects) };
  } finally {
    await engine.close();
  }
}

/** A job that only serves to judge values: each is refused or fits. */
function checkingJob({ url, table }: VerifyTableRequest): Job {
  return {
    name: table,
    source: { kind: 'query', table },
    target: { url, table, create: false },
    connection: {},
    mode: 'append',
    key: [],
    merge: { onDuplicateKey: 'error', onNullKey: 'error' },
    replace: { maxShrink: 1, allowEmpty: true },
    onMalformed: 'error',
    onExtra: 'ignore',
    schemaChanges: [],
    defaultRule: builtInRule,
    columns: new Map(),
    ignore: [],
    audit: { prefix: 'audit_schema_', maxExamples: 5 },
    failOn: 'error',
    force: false,
  };
}

function misfitsOf({ issues, examples }: Effects): readonly Misfit[] {
  const found = new Map<string, Misfit>();
  for (const { path, code, records } of issues) {
    if (path === null) continue;
    const key = JSON.stringify([path, code]);
    const shown = examples
      .filter((example) => example.path === path && example.code === code)
      .map(({ value, record }) => ({ value, row: record }));
    found.set(key, { path, code, rows: (found.get(key)?.rows ?? 0) + records, examples: shown });
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows || (a.path < b.path ? -1 : 1));
}
