/** How the readers of one column share its texts, in the words of SQL that all engines have. The readers and targets are each engine's own. */
import { readAlike, shapesMeet } from '../core/coercions/format-overlap.ts';
import type { Alternative } from '../core/coercions/format.ts';

/** What this needs to know of a way to read texts; all but the alternatives is SQL. */
export interface LawReader {
  readonly alternatives: readonly Alternative[];
  readonly epoch: boolean;
  readonly zone: string;
  readonly shape: string;
  readonly exact: string;
  readonly reading: string;
  readonly unreadable: string;
}

/** What becomes of a reading in one target type. */
export interface LawTarget<R> {
  readonly sqlType: string;
  readonly value: (reader: R) => string | undefined;
  readonly reason: (reader: R) => string;
  readonly near: (reader: R, up: boolean) => string | undefined;
}

type When = readonly [condition: string, result: string];

export interface LawSql {
  readonly value: string;
  readonly reason: string;
  readonly round?: string;
  readonly truncate?: string;
}

/** @param fast the cheap ways of a reader that no other contests, tried before all others */
export function temporalLaw<R extends LawReader>(
  readers: readonly R[],
  target: LawTarget<R>,
  fast: (reader: R) => readonly When[],
): LawSql {
  const judged = readers.map((reader) => judge(reader, readers));
  const near = (up: boolean): string | undefined => nearSql(judged, target, up);
  const [round, truncate] = [near(true), near(false)];
  return {
    value: valueSql(judged, target, fast),
    reason: reasonSql(judged, target),
    ...(round === undefined ? {} : { round }),
    ...(truncate === undefined ? {} : { truncate }),
  };
}

/** A reader, and those that may read one of its texts differently. */
interface Judged<R> {
  readonly reader: R;
  readonly rivals: readonly R[];
}

function judge<R extends LawReader>(reader: R, all: readonly R[]): Judged<R> {
  return { reader, rivals: all.filter((other) => other !== reader && mayDiffer(reader, other)) };
}

function mayDiffer(a: LawReader, b: LawReader): boolean {
  const numbers = a.epoch || b.epoch;
  return a.alternatives.some((left) => b.alternatives.some((right) => shapesMeet(left, right) && (numbers || !readAlike(left, right))));
}

/** Boolean, never NULL: some rival reads the text too, and as something else. */
function contested({ reader, rivals }: Judged<LawReader>): string {
  const tests = rivals.map((rival) => {
    const sameKind = (reader.zone === 'none') === (rival.zone === 'none');
    const differs = sameKind ? `${reader.reading} <> ${rival.reading}` : `${reader.reading} IS NOT NULL AND ${rival.reading} IS NOT NULL`;
    return `CASE WHEN ${rival.shape} THEN coalesce(${differs}, FALSE) ELSE FALSE END`;
  });
  return tests.join(' OR ');
}

/** Boolean: this reader is the one to judge the text. */
function decides(judged: Judged<LawReader>, shape: string): string {
  return judged.rivals.length === 0 ? shape : `${shape} AND ${judged.reader.reading} IS NOT NULL AND NOT (${contested(judged)})`;
}

function cases(whens: readonly When[], otherwise?: string): string {
  const branches = whens.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ');
  return `CASE ${branches}${otherwise === undefined ? '' : ` ELSE ${otherwise}`} END`;
}

function valueSql<R extends LawReader>(judged: readonly Judged<R>[], target: LawTarget<R>, fast: (reader: R) => readonly When[]): string {
  const quick: When[] = [];
  const slow: When[] = [];
  for (const one of judged) {
    const value = target.value(one.reader);
    if (value === undefined) continue;
    if (one.rivals.length === 0) quick.push(...fast(one.reader));
    slow.push([decides(one, one.reader.exact), value]);
  }
  const whens = [...quick, ...slow];
  return whens.length === 0 ? `CAST(NULL AS ${target.sqlType})` : cases(whens);
}

function reasonSql<R extends LawReader>(judged: readonly Judged<R>[], target: LawTarget<R>): string {
  const ambiguous = judged.flatMap((one): [string, string][] =>
    one.rivals.length === 0 ? [] : [[`${one.reader.shape} AND (${contested(one)})`, "'ambiguous_format'"]],
  );
  const decided = judged.map((one): [string, string] => [decides(one, one.reader.shape), target.reason(one.reader)]);
  const unreadable = judged.flatMap(({ reader, rivals }): [string, string][] =>
    rivals.length === 0 || reader.unreadable === 'invalid_value' ? [] : [[reader.shape, `'${reader.unreadable}'`]],
  );
  const whens = [...ambiguous, ...decided, ...unreadable];
  return whens.length === 0 ? "'invalid_value'" : cases(whens, "'invalid_value'");
}

function nearSql<R extends LawReader>(judged: readonly Judged<R>[], target: LawTarget<R>, up: boolean): string | undefined {
  const whens = judged.flatMap((one): [string, string][] => {
    const near = target.near(one.reader, up);
    return near === undefined ? [] : [[decides(one, one.reader.shape), near]];
  });
  return whens.length === 0 ? undefined : cases(whens);
}
