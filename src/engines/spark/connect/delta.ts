import { randomUUID } from 'node:crypto';
import { Fault } from '../../../core/fault.ts';
import type { SparkStruct } from './spark-type.ts';
import { sparkErrorOf } from './spark-error.ts';

/**
 * Whether a session takes Delta's statements: one of them is analysed, for a path where no table is. Delta says so in its own words;
 * without it, Spark looks for a table named `DETAIL`. Settings say less: those of a missing jar are overlooked, managed services have none.
 * @throws Fault when the server cannot be asked
 */
export async function hasDelta(schema: (sql: string) => Promise<SparkStruct>): Promise<boolean> {
  try {
    await schema(`DESCRIBE DETAIL delta.\`/schemalign-${randomUUID()}\``);
    return true;
  } catch (error) {
    const spark = sparkErrorOf(error);
    if (spark === undefined || (error instanceof Fault && error.code !== 'ENGINE_REJECTED')) throw error;
    return spark.errorClass?.startsWith('DELTA_') === true;
  }
}
