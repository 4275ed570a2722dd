/** What one place (defaults, a job, the flags) says about a job. Keys are spelled as in the file; every key may be absent. */
import type {
  Compression,
  Encoding,
  FailOn,
  IgnoreEntry,
  LoadMode,
  Mask,
  OnExtra,
  OnInvalid,
  OnLossy,
  OnMalformed,
  OnMissing,
  OnNull,
  SchemaChange,
  SourceFormat,
  Trim,
} from '../core/model/policy.ts';

export interface ColumnLayer {
  readonly from?: readonly string[];
  readonly on_invalid?: OnInvalid;
  readonly on_lossy?: OnLossy;
  readonly on_missing?: OnMissing;
  readonly on_null?: OnNull;
  readonly trim?: Trim;
  readonly formats?: readonly string[];
  readonly timezone?: string;
  readonly to_timezone?: string;
  readonly two_digit_year_range?: readonly [number, number];
  readonly null_budget?: number;
  readonly decimal?: string;
  readonly group?: string;
  readonly exponent?: boolean;
  readonly null_values?: readonly string[];
  readonly true_values?: readonly string[];
  readonly false_values?: readonly string[];
  readonly default?: string;
  readonly mask?: Mask;
  readonly binary?: 'hex' | 'base64';
}

export interface SourceLayer {
  readonly path?: string;
  readonly query?: string;
  readonly table?: string;
  readonly batch?: string;
  readonly format?: SourceFormat;
  readonly delimiter?: string;
  readonly quote?: string;
  readonly header?: boolean;
  readonly encoding?: Encoding;
  readonly compression?: Compression;
}

export interface TargetLayer {
  readonly connection?: string;
  readonly table?: string;
  readonly create?: boolean;
}

export interface MergeLayer {
  readonly on_duplicate_key?: 'error' | 'keep_latest';
  readonly order_by?: string;
  readonly on_null_key?: 'error' | 'quarantine';
}

export interface GuardLayer {
  readonly max_shrink?: number;
  readonly allow_empty?: boolean;
}

export interface PartitionLayer extends GuardLayer {
  readonly columns?: readonly string[];
  readonly values?: 'present' | readonly (string | readonly string[])[];
}

export interface JobLayer extends Omit<ColumnLayer, 'from'> {
  readonly source?: SourceLayer;
  readonly target?: TargetLayer;
  readonly mode?: LoadMode;
  readonly key?: readonly string[];
  readonly merge?: MergeLayer;
  readonly partition?: PartitionLayer;
  readonly replace?: GuardLayer;
  readonly on_malformed?: OnMalformed;
  readonly on_extra?: OnExtra;
  readonly schema_changes?: readonly SchemaChange[];
  readonly columns?: ReadonlyMap<string, ColumnLayer>;
  readonly ignore?: readonly IgnoreEntry[];
}

export interface EngineLayer {
  readonly memory_limit?: string;
  readonly session_timezone?: string;
}

export interface ConnectionLayer extends EngineLayer {
  readonly url: string;
}

export interface AuditLayer {
  readonly schema?: string;
  readonly prefix?: string;
  readonly max_examples?: number;
}

/** What the command line says. */
export interface Flags {
  readonly job: JobLayer;
  readonly engine: EngineLayer;
  readonly audit: AuditLayer;
  readonly failOn?: FailOn;
  readonly force: boolean;
}

export const noFlags: Flags = { job: {}, engine: {}, audit: {}, force: false };

const nested = ['source', 'target', 'merge', 'partition', 'replace'] as const;

/** Later layers win key by key, inside `source`, `target`, `merge`, `partition`, `replace` and each column too; `ignore` entries add up. */
export function mergeLayers(...layers: readonly JobLayer[]): JobLayer {
  return layers.reduce(mergeTwo, {});
}

function mergeTwo(below: JobLayer, above: JobLayer): JobLayer {
  const merged: Record<string, unknown> = { ...below, ...above };
  for (const key of nested) {
    if (below[key] !== undefined && above[key] !== undefined) merged[key] = { ...below[key], ...above[key] };
  }
  if (below.source !== undefined && above.source !== undefined) merged.source = mergeSources(below.source, above.source);
  if (below.columns !== undefined && above.columns !== undefined) merged.columns = mergeColumns(below.columns, above.columns);
  if (below.ignore !== undefined && above.ignore !== undefined) merged.ignore = [...below.ignore, ...above.ignore];
  return merged as JobLayer;
}

/** A layer that names another place to read from replaces the place named before. */
function mergeSources(below: SourceLayer, above: SourceLayer): SourceLayer {
  if (above.path === undefined && above.query === undefined && above.table === undefined) return { ...below, ...above };
  const { path: _path, query: _query, table: _table, ...kept } = below;
  return { ...kept, ...above };
}

function mergeColumns(below: ReadonlyMap<string, ColumnLayer>, above: ReadonlyMap<string, ColumnLayer>): ReadonlyMap<string, ColumnLayer> {
  const merged = new Map(below);
  for (const [name, rule] of above) merged.set(name, { ...merged.get(name), ...rule });
  return merged;
}
