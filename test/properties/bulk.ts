/** Many texts through one coercion in one query, against what each of them means by a reading of its own. */
import type { ColumnRule } from '../../src/core/model/policy.ts';
import type { LogicalType } from '../../src/core/model/type.ts';
import type { Expected } from '../conformance/corpus.ts';
import { duckdb } from '../conformance/engines/duckdb.ts';
import { postgres } from '../conformance/engines/postgres.ts';
import { spark } from '../conformance/engines/spark.ts';
import { caseTypeOf, expectedVerdict, givenVerdict } from '../conformance/verdict.ts';

/** Texts of a property. */
export const many = 20_000;

export interface Claim {
  readonly to: LogicalType;
  readonly texts: readonly string[];
  readonly rule?: Partial<ColumnRule>;
  readonly session?: string;
  readonly read: (text: string) => Expected;
}

const onSpark = await spark();

/** One line per engine. */
const engines = [duckdb, postgres, ...(onSpark === undefined ? [] : [onSpark])];

/** The first texts, with both verdicts, that some engine reads otherwise. */
export async function disagreements({ to, texts, rule = {}, session = 'America/New_York', read }: Claim): Promise<readonly string[]> {
  const rows = texts.map((given) => ({ given }));
  const type = caseTypeOf(to);
  const wanted = texts.map((text) => expectedVerdict(type, read(text)));
  const found: string[] = [];
  for (const { name, start } of engines) {
    const running = await start(session);
    const outcomes = await running.evaluate({ from: { form: 'text' }, to, rule, paths: {}, rows });
    await running.stop();
    texts.forEach((text, i) => {
      const outcome = outcomes[i];
      const given = outcome === undefined ? 'no answer' : givenVerdict(type, outcome);
      if (given !== wanted[i]) found.push(`${JSON.stringify(text)}: reading ${wanted[i]}, ${name} ${given}`);
    });
  }
  return found.slice(0, 20);
}

export const value = (value: string | number | boolean): Expected => ({ kind: 'value', value });
export const altered = (value: string): Expected => ({ kind: 'altered', value });
export const refused = (code: string): Expected => ({ kind: 'refused', faults: [{ code, path: 'v' }] });

/** Shares of the texts that are values and that are refused: a property of nothing but refusals proves little. */
export function shares(texts: readonly string[], read: (text: string) => Expected): { readonly values: number; readonly refusals: number } {
  const refusals = texts.filter((text) => read(text).kind === 'refused').length / texts.length;
  return { values: 1 - refusals, refusals };
}
