import type { FailOn } from '../core/model/policy.ts';
import type { AuditLayer, ConnectionLayer, JobLayer } from './layer.ts';
import type { Problem } from './problem.ts';
import type { Place } from './read-shape.ts';

/** A schemalign.yaml that was read and found right. */
export interface ConfigFile {
  /** As people see it, and as this process can open it: relative to the working folder where it lies below, else absolute. */
  readonly file: string;
  /** Absolute folder of the file: relative paths in it start here. */
  readonly folder: string;
  readonly connections: ReadonlyMap<string, ConnectionLayer>;
  readonly audit: AuditLayer;
  readonly defaults: JobLayer;
  readonly jobs: ReadonlyMap<string, JobLayer>;
  readonly failOn: FailOn;
  /** Environment variables that are not set, and where they are asked for: a fault only for a job that needs them. */
  readonly missing: readonly Problem[];
  /** Where each key and value stands, by JSON pointer. */
  readonly places: ReadonlyMap<string, { readonly key: Place; readonly value: Place }>;
}
