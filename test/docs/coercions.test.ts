import { expect, test } from 'vitest';
import type { PlainValue } from '../harness/case-value.ts';
import { readCorpus } from '../conformance/corpus.ts';
import { duckdb } from '../conformance/engines/duckdb.ts';
import { coercionsReference } from '../conformance/reference.ts';
import { batchesOf } from '../conformance/suite.ts';

test('docs/reference/coercions.md says what the corpus says, and what the cast of the pinned engine does', async () => {
  const groups = readCorpus();
  const running = await duckdb.start('UTC');
  const casts = new Map<string, PlainValue | undefined>();
  for (const batch of batchesOf(groups)) {
    const values = await running.plain(batch);
    batch.rows.forEach(({ id }, i) => {
      casts.set(id, values[i]);
    });
  }
  const engine = `DuckDB ${(await running.version()).replace(/^v/, '')}`;
  await running.stop();
  await expect(coercionsReference(groups, casts, engine)).toMatchFileSnapshot('../../docs/reference/coercions.md');
});
