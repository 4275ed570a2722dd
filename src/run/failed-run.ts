import { Fault, type FaultCode } from '../core/fault.ts';
import type { AuditOptions } from '../core/model/policy.ts';
import type { AuditWrite, Engine } from './engine.ts';

/** Leaves the row of a run that changed nothing, in a transaction of its own. */
export async function auditedFailure(engine: Engine, audit: AuditOptions, write: AuditWrite): Promise<void> {
  await engine.begin();
  try {
    await engine.writeAudit(audit, write);
    await engine.commit();
  } catch (error) {
    await engine.rollback().catch(() => undefined);
    throw error;
  }
}

/** Whatever ends these runs also keeps their row from being written, or is none of the data's doing. */
const leavesNone: ReadonlySet<FaultCode> = new Set<FaultCode>(['INTERRUPTED', 'ENGINE_RESOURCES', 'BUG']);

/** Whether a fault in the middle of a load is told in the audit tables. */
export function leavesRow(error: unknown): error is Fault {
  return error instanceof Fault && !leavesNone.has(error.code);
}
