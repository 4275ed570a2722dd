/** The law on a real Spark, beside the other engines since each query takes a while to be planned. */
import { describe, test } from 'vitest';
import { readCorpus } from './corpus.ts';
import { spark } from './engines/spark.ts';
import { conformance } from './suite.ts';

const harness = await spark();

if (harness === undefined) describe.skip('Spark', () => test('has no Java or no Maven here', () => {}));
else conformance(harness, readCorpus());
