/** What an open engine knows. */
import { invariant } from '../../core/fault.ts';
import type { AuditOptions } from '../../core/model/policy.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Effects } from '../../run/effects.ts';
import type { AuditWrite, OpenRequest, StageInput } from '../../run/engine.ts';
import type { Session as Reader } from '../duckdb/driver.ts';
import type { Commit } from './commit.ts';
import type { Session } from './driver.ts';
import type { Fates } from './fates.ts';
import type { TargetTable } from './introspect.ts';
import type { LoadContext } from './load.ts';
import type { Place } from './place.ts';
import type { Staged } from './stage.ts';
import { parseTableName, tableSql } from './table-name.ts';

/** What one run has staged. */
export interface Work {
  readonly plan: Plan;
  readonly staged: Staged;
  readonly fates: Fates;
  readonly effects: Effects;
  readonly input: StageInput;
  readonly place: Place;
  readonly known: LoadContext['known'];
}

/** A run that has said what it is about to write. */
export interface Announced {
  readonly audit: AuditOptions;
  readonly write: AuditWrite;
}

/** What an open engine knows. */
export interface State {
  readonly session: Session;
  readonly request: OpenRequest;
  /** Tables as they were described last, by the name that was asked for. */
  readonly tables: Map<string, TargetTable>;
  /** The embedded reader of files, opened when the first file is read. */
  readonly reader: () => Promise<Reader>;
  /** Stagings so far, for the names of their folders. */
  stagings: number;
  work?: Work;
  announced?: Announced;
  /** The target as it was when the run began to write. */
  base?: TargetTable | undefined;
  /** Latest version that is this run's: by changes of the schema, then by the load. */
  ours?: number;
  /** The version that the changes of the schema left. */
  changed?: number;
  commit?: Commit;
  /** A write to the target was begun, and whether it was done is not known yet. */
  isWriting?: boolean;
  /** The run that could not be taken back: what it has said of itself must stay, for the next run to end it. */
  stuck?: string;
  /** Audit rows that `commit` writes. */
  waiting: Announced[];
}

export function contextOf(state: State): LoadContext {
  const { session, work, tables, announced } = state;
  invariant(work, 'the source is staged before it is loaded');
  const { plan, staged, fates, effects, known } = work;
  return {
    session,
    plan,
    target: tableSql(parseTableName(plan.table, session.defaultSchema)),
    layout: staged.layout,
    fates,
    loaded: effects.loaded,
    table: announced === undefined ? tables.get(plan.table) : state.base,
    runId: announced?.write.record.run_id ?? '',
    known,
  };
}
