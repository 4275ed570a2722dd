/** Finds the physical lines of the few examples by reading their files once more, as far as the last of them. */
import { scanCsv } from '../sources/scan-csv.ts';
import { scanJsonRecords, scanNdjson } from '../sources/scan-json.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { Effects } from './effects.ts';

export async function placeLines(effects: Effects, files: readonly SourceFile[], signal: AbortSignal | undefined): Promise<Effects> {
  const wanted = new Map<number, Set<number>>();
  for (const { file, record, line } of effects.examples) {
    if (file === null || record === null || line !== null) continue;
    wanted.set(file, (wanted.get(file) ?? new Set()).add(record));
  }
  const lines = new Map<number, ReadonlyMap<number, number>>();
  for (const [ordinal, records] of wanted) {
    const file = files[ordinal];
    if (file === undefined || file.format === 'parquet') continue;
    lines.set(
      ordinal,
      await linesOf(
        file,
        [...records].sort((a, b) => a - b),
        signal,
      ),
    );
  }
  const examples = effects.examples.map((example) => {
    const line = example.file === null || example.record === null ? undefined : lines.get(example.file)?.get(example.record);
    return line === undefined ? example : { ...example, line };
  });
  return { ...effects, examples };
}

async function linesOf(file: SourceFile, want: readonly number[], signal: AbortSignal | undefined): Promise<ReadonlyMap<number, number>> {
  const options = { want, linesOnly: true, ...(signal ? { signal } : {}) };
  if (file.format === 'csv') return (await scanCsv(file, { ...options, fields: file.csv?.header.length ?? 0 })).lines;
  if (file.json === 'lines') return (await scanNdjson(file, options)).lines;
  return (await scanJsonRecords(file, options)).lines;
}
