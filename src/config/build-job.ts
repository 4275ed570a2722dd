/** From what was said to what holds: a job with every default filled in. */
import {
  builtInRule,
  type AuditOptions,
  type ColumnRule,
  type GuardOptions,
  type Job,
  type MergeOptions,
  type PartitionOptions,
  type SourceSpec,
} from '../core/model/policy.ts';
import { sharedColumnKeys, columnKeys } from './column-keys.ts';
import { tabWords } from './text-checks.ts';
import type { AuditLayer, ColumnLayer, EngineLayer, GuardLayer, JobLayer, MergeLayer, PartitionLayer, SourceLayer } from './layer.ts';

export interface JobParts {
  readonly name: string;
  readonly layer: JobLayer;
  readonly url: string;
  readonly table: string;
  /** Folder that a relative source path starts from. */
  readonly base: string;
  readonly engine: EngineLayer;
  readonly audit: AuditLayer;
  readonly failOn: Job['failOn'];
  readonly force: boolean;
  readonly origin?: Job['origin'];
}

export function buildJob(parts: JobParts): Job {
  const { layer } = parts;
  const partition = partitionOf(layer.partition);
  return {
    name: parts.name,
    source: sourceOf(layer.source ?? {}, parts.base),
    target: { url: parts.url, table: parts.table, create: layer.target?.create ?? false },
    connection: connectionOf(parts.engine),
    mode: layer.mode ?? (layer.key === undefined ? 'append' : 'merge'),
    key: layer.key ?? [],
    merge: mergeOf(layer.merge),
    ...(partition === undefined ? {} : { partition }),
    replace: guardOf(layer.replace),
    onMalformed: layer.on_malformed ?? 'error',
    onExtra: layer.on_extra ?? 'ignore',
    schemaChanges: layer.schema_changes ?? [],
    defaultRule: ruleOf(layer, sharedColumnKeys),
    columns: new Map([...(layer.columns ?? [])].map(([name, rule]) => [name, ruleOf({ ...layer, ...rule }, columnKeys)])),
    ignore: layer.ignore ?? [],
    audit: auditOf(parts.audit),
    failOn: parts.failOn,
    force: parts.force,
    ...(parts.origin === undefined ? {} : { origin: parts.origin }),
  };
}

/** The rule of a column: what the job says for all columns, then what the column says, on top of the built-in rule. */
function ruleOf(layer: ColumnLayer, keys: readonly { readonly name: string }[]): ColumnRule {
  const said = layer as Readonly<Record<string, unknown>>;
  const entries = keys.filter((key) => said[key.name] !== undefined).map((key) => [camel(key.name), said[key.name]]);
  return { ...builtInRule, ...(Object.fromEntries(entries) as Partial<ColumnRule>) };
}

export function camel(name: string): string {
  return name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function sourceOf(source: SourceLayer, base: string): SourceSpec {
  const { path, query, table, batch, ...reading } = source;
  if (path === undefined) {
    const place = query === undefined ? { table: table ?? '' } : { query };
    return { kind: 'query', ...place, ...(batch === undefined ? {} : { batch }) };
  }
  const tab = tabWords.includes(reading.delimiter ?? '') ? { delimiter: '\t' } : {};
  return { kind: 'files', path, base, ...reading, ...tab };
}

function connectionOf(engine: EngineLayer): Job['connection'] {
  return {
    ...(engine.memory_limit === undefined ? {} : { memoryLimit: engine.memory_limit }),
    ...(engine.session_timezone === undefined ? {} : { sessionTimezone: engine.session_timezone }),
  };
}

function mergeOf(merge: MergeLayer = {}): MergeOptions {
  return {
    onDuplicateKey: merge.on_duplicate_key ?? 'error',
    ...(merge.order_by === undefined ? {} : { orderBy: merge.order_by }),
    onNullKey: merge.on_null_key ?? 'error',
  };
}

function guardOf(guard: GuardLayer = {}): GuardOptions {
  return { maxShrink: guard.max_shrink ?? 0.5, allowEmpty: guard.allow_empty ?? false };
}

function partitionOf(partition: PartitionLayer | undefined): PartitionOptions | undefined {
  if (partition?.columns === undefined || partition.values === undefined) return undefined;
  const { columns, values } = partition;
  const lists = values === 'present' ? values : values.map((value) => (typeof value === 'string' ? [value] : value));
  return { ...guardOf(partition), columns, values: lists };
}

function auditOf(audit: AuditLayer): AuditOptions {
  return {
    ...(audit.schema === undefined ? {} : { schema: audit.schema }),
    prefix: audit.prefix ?? 'audit_schema_',
    maxExamples: audit.max_examples ?? 5,
  };
}
