/** What a finding is made of before its derived parts are filled in, and what is looked up for it. */
import type { KindName } from '../core/divergences/divergence.ts';
import type { ColumnRule, Job } from '../core/model/policy.ts';
import { findPath } from '../core/model/path.ts';
import type { Schema } from '../core/model/schema.ts';
import type { Severity } from '../core/model/severity.ts';
import { printType } from '../core/model/type-text.ts';
import type { Plan, PlannedDivergence } from '../core/plan/plan.ts';
import type { Example, Outcome } from '../core/record/finding.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { Effects } from './effects.ts';

export interface FindingsRequest {
  readonly job: Job;
  readonly target: Schema;
  readonly plan: Plan;
  readonly divergences: readonly PlannedDivergence[];
  readonly files: readonly SourceFile[];
  /** Null when the run stopped before anything was read. */
  readonly effects: Effects | null;
  /** Today, `yyyy-MM-dd`, for entries that expire. */
  readonly today: string;
}

/** A finding before its derived parts are filled in. */
export interface Draft {
  readonly name: KindName;
  readonly reason?: string | null;
  readonly severity: Severity;
  readonly path: string | null;
  readonly position?: number;
  readonly expected?: string | null;
  readonly actual?: string | null;
  readonly count: number;
  readonly rows?: number;
  /** Positions in the files of the run. */
  readonly files?: readonly number[];
  readonly outcome: Outcome;
  readonly examples?: readonly Example[];
  readonly consequence: string;
  /** JSON pointer of the entry of the configuration that it is about, where it is about one. */
  readonly pointer?: string | null;
}

/** Records read of some files, or of all. */
export function readOf(effects: Effects | null, files: readonly number[] | undefined): number {
  if (effects === null) return 0;
  if (files === undefined || files.length === 0) return effects.read;
  return effects.files.filter((file) => files.includes(file.file)).reduce((sum, file) => sum + file.read, 0);
}

/** The rule of a nested path is that of the nearest path above it that has one. */
export function ruleOfPath(job: Job, path: string): ColumnRule {
  let rest = path;
  while (rest !== '') {
    const rule = job.columns.get(rest);
    if (rule) return rule;
    const cut = Math.max(rest.lastIndexOf('.'), rest.endsWith('[]') ? rest.length - 2 : -1);
    rest = cut <= 0 ? '' : rest.slice(0, cut);
  }
  return job.defaultRule;
}

/** The type of a column or nested path, as text. */
export function typeAt(schema: Schema, path: string): string | null {
  const column = schema.columns.find((candidate) => candidate.name === path);
  const type = column?.type ?? findPath(schema, path)?.type;
  return type === undefined ? null : printType(type);
}

/** An example that has a value but no place. */
export const placed = (value: string | null): Example => ({ value, masked: false, file: null, record: null, line: null });
