import { readCorpus } from './corpus.ts';
import { duckdb } from './engines/duckdb.ts';
import { postgres } from './engines/postgres.ts';
import { conformance } from './suite.ts';

const groups = readCorpus();

/** One line per engine. */
for (const harness of [duckdb, postgres]) conformance(harness, groups);
