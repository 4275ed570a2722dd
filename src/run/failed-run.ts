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
