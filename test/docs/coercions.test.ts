import { expect, test } from 'vitest';
import type { PlainValue } from '../harness/case-value.ts';
import { readCorpus } from '../conformance/corpus.ts';
import { duckdb } from '../conformance/engines/duckdb.ts';
import { postgres } from '../conformance/engines/postgres.ts';
import { spark } from '../conformance/engines/spark.ts';
import { type Compared, coercionsReference } from '../conformance/reference.ts';
import { batchesOf, type ComparedRunning, type Harness } from '../conformance/suite.ts';

const groups = readCorpus();
const onSpark = await spark();

/** One line per engine, each with a column of the page. */
const engines: readonly Harness<ComparedRunning>[] = [duckdb, postgres, ...(onSpark === undefined ? [] : [onSpark])];

async function compared({ name, start }: Harness<ComparedRunning>): Promise<Compared> {
  const running = await start('UTC');
  const casts = new Map<string, PlainValue | undefined>();
  for (const batch of batchesOf(groups)) {
    const values = await running.plain(batch);
    batch.rows.forEach(({ id }, i) => {
      casts.set(id, values[i]);
    });
  }
  const engine = `${name} ${(await running.version()).replace(/^v/, '')}`;
  await running.stop();
  return { engine, cast: running.cast, casts };
}

// A page without one of its columns is another page.
test.skipIf(onSpark === undefined)(
  'docs/reference/coercions.md says what the corpus says, and what the casts of the pinned engines do',
  async () => {
    const found: Compared[] = [];
    for (const engine of engines) found.push(await compared(engine));
    await expect(coercionsReference(groups, found)).toMatchFileSnapshot('../../docs/reference/coercions.md');
  },
);
