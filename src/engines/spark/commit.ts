/** A write that becomes one version of a Delta table, or none, and that can be found again by the run that made it. */
import { Fault } from '../../core/fault.ts';
import type { Row, Session } from './driver.ts';

/** The run that a version of a Delta table is of; undefined for those of others. */
export function runOf(metadata: unknown): string | undefined {
  if (typeof metadata !== 'string' || !metadata.startsWith('{"schemalign_run":')) return undefined;
  try {
    return String((JSON.parse(metadata) as { schemalign_run?: unknown }).schemalign_run);
  } catch {
    return undefined;
  }
}

export interface Commit {
  readonly version: number;
  readonly metrics: ReadonlyMap<string, number>;
}

const keys = {
  metadata: 'spark.databricks.delta.commitInfo.userMetadata',
  app: 'spark.databricks.delta.write.txnAppId',
  version: 'spark.databricks.delta.write.txnVersion',
} as const;

export interface Marked {
  readonly runId: string;
  /** Tells the writes of one run apart. */
  readonly step: number;
}

/**
 * Runs a statement whose commit names the run. A statement that comes to the server twice is done once: Delta keeps the last step of a run.
 * What the session does afterwards is marked no more.
 */
export async function marked(session: Session, { runId, step }: Marked, sql: string): Promise<readonly Row[]> {
  await session.client.setConfig({
    [keys.metadata]: JSON.stringify({ schemalign_run: runId }),
    [keys.app]: `schemalign/${runId}`,
    [keys.version]: String(step),
  });
  try {
    return await session.rows(sql);
  } finally {
    await session.client.unsetConfig(Object.values(keys));
  }
}

/** The version that a run has made of a table, the latest if there are several; undefined when there is none. */
export async function commitOf(session: Session, table: string, runId: string): Promise<Commit | undefined> {
  const rows = await session.hold(`DESCRIBE HISTORY ${table} LIMIT 1000`);
  const row = rows.find((one) => runOf(one['userMetadata']) === runId);
  if (row === undefined) return undefined;
  const metrics = (row['operationMetrics'] ?? []) as { key: string; value: string | null }[];
  return { version: Number(row['version']), metrics: new Map(metrics.map(({ key, value }) => [key, Number(value)])) };
}

/** Takes a table back to an earlier version, if nobody has written since. @throws Fault ENGINE_CONFLICT */
export async function takeBack(session: Session, table: string, { from, to }: { from: number; to: number }): Promise<void> {
  const latest = Number((await session.hold(`DESCRIBE HISTORY ${table} LIMIT 1`))[0]?.['version']);
  if (latest !== from) {
    throw new Fault(
      'ENGINE_CONFLICT',
      `the load is in the target as version ${from}, and others have written since, so that it cannot be taken back`,
      {
        fix: `Look at what was loaded; take it back by hand if need be: RESTORE TABLE ${table} TO VERSION AS OF ${to}.`,
      },
    );
  }
  await session.hold(`RESTORE TABLE ${table} TO VERSION AS OF ${to}`);
}
