/** What came of one row on one engine, and whether that is what the law says. */
import type { LogicalType } from '../../src/core/model/type.ts';
import { printType } from '../../src/core/model/type-text.ts';
import { type CaseType, parseCaseType } from '../harness/case-type.ts';
import { type Canonical, canonical, type PlainValue } from '../harness/case-value.ts';
import type { Expected, Fault } from './corpus.ts';

/** What an engine made of one value. */
export interface Outcome {
  /** What is stored; undefined when the record was refused. */
  readonly value: PlainValue | undefined;
  readonly faults: readonly (Fault & { readonly outcome: string })[];
}

/** An outcome as one comparable text: the stored value, or the refusals with their paths. */
export type Verdict = string;

/** The type in the grammar of the cases, which is not the product's. */
export function caseTypeOf(type: LogicalType): CaseType {
  return parseCaseType(printType(type));
}

const faultText = ({ code, path }: Fault): string => (path === 'v' ? code : `${code} at ${path}`);
const refused = (faults: readonly Fault[]): Verdict => `refused: ${faults.map(faultText).join(', ')}`;
const stored = (value: Canonical, altered: boolean): Verdict => `${altered ? 'altered' : 'stored'}: ${JSON.stringify(value)}`;

/** The verdict that the law asks for. */
export function expectedVerdict(type: CaseType, expected: Expected): Verdict {
  if (expected.kind === 'refused') return refused(expected.faults);
  return stored(canonical(type, expected.value), expected.kind === 'altered');
}

/** The verdict that an engine gave. */
export function givenVerdict(type: CaseType, outcome: Outcome): Verdict {
  if (outcome.value === undefined) return refused(outcome.faults.filter((fault) => fault.outcome === 'rejected'));
  return stored(canonical(type, outcome.value), outcome.faults.length > 0);
}
