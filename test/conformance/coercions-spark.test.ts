/** The law on a real Spark, beside the other engines since each query takes a while to be planned. */
import { describe } from 'vitest';
import { readCorpus } from './corpus.ts';
import { spark } from './engines/spark.ts';
import { conformance } from './suite.ts';

const harness = await spark();

describe.skipIf(harness === undefined)('with Java 17 and Maven', () => {
  if (harness !== undefined) conformance(harness, readCorpus());
});
