/** Everything that Schemalign promises to programs. */
export { checkSchema } from './core/compare/compare-schemas.ts';
export { type CompareOptions, compareSchemas } from './core/compare/compare-schemas.ts';
export { type DifferingColumn, differingColumns } from './core/compare/compare-schemas.ts';
export { isWidening } from './core/compare/type-change.ts';
export { catalogue } from './core/divergences/catalogue.ts';
export type { Divergence, KindName } from './core/divergences/divergence.ts';
export { explainText } from './core/divergences/explain.ts';
export type { DivergenceKind } from './core/divergences/kind.ts';
export { Fault, type FaultCode, faults } from './core/fault.ts';
export {
  type AuditOptions,
  builtInRule,
  type ColumnRule,
  type FileSource,
  type Job,
  type JobOrigin,
  type LoadMode,
  type QuerySource,
  type SourceSpec,
} from './core/model/policy.ts';
export type { Column, Evidence, Schema } from './core/model/schema.ts';
export type { Field, LogicalType } from './core/model/type.ts';
export { parseType, printType } from './core/model/type-text.ts';
export type { Plan, SourceGroup } from './core/plan/plan.ts';
export { type Planned, planAlignment, type PlanRequest } from './core/plan/plan-alignment.ts';
export type { Severity } from './core/model/severity.ts';
export type { ConfigPlace, Example, Finding } from './core/record/finding.ts';
export type { RunRecord } from './core/record/run-record.ts';
export { parseDdl } from './core/schema-text/parse-ddl.ts';
export { parseJsonSchema } from './core/schema-text/parse-json-schema.ts';
export { printTree } from './core/schema-text/print-tree.ts';
export type { Flags, JobLayer } from './config/layer.ts';
export { loadConfig } from './config/load-config.ts';
export { jobFromOperands, resolveJob } from './config/resolve-job.ts';
export {
  alignTo,
  type AlignToOptions,
  castColumn,
  type CastOptions,
  type CastSql,
  connect,
  type Connection,
  type ConnectOptions,
  load,
  plan,
  verify,
} from './library.ts';
export { renderReport } from './reports/registry.ts';
export type { AlignOptions, AlignResult, Progress, SavedPlan } from './run/align.ts';
export { type Inspected, inspectAny as inspect, type InspectOptions } from './run/inspect.ts';
export { version } from './version.ts';
