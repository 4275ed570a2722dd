/** Many texts through one coercion in one query, against what each of them means by a reading of its own. */
import type { ColumnRule } from '../../src/core/model/policy.ts';
import type { LogicalType } from '../../src/core/model/type.ts';
import type { Expected } from '../conformance/corpus.ts';
import { duckdb } from '../conformance/engines/duckdb.ts';
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

/** The first texts, with both verdicts, that the engine reads otherwise. */
export async function disagreements({ to, texts, rule = {}, session = 'America/New_York', read }: Claim): Promise<readonly string[]> {
  const running = await duckdb.start(session);
  const rows = texts.map((given) => ({ given }));
  const outcomes = await running.evaluate({ from: { form: 'text' }, to, rule, paths: {}, rows });
  await running.stop();
  const type = caseTypeOf(to);
  const found = texts.flatMap((text, i) => {
    const outcome = outcomes[i];
    const given = outcome === undefined ? 'no answer' : givenVerdict(type, outcome);
    const wanted = expectedVerdict(type, read(text));
    return given === wanted ? [] : [`${JSON.stringify(text)}: reading ${wanted}, engine ${given}`];
  });
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
