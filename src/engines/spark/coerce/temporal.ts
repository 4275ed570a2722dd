/** Text into dates, times, timestamps and instants. */
import { columnFormats } from '../../../core/coercions/format-check.ts';
import { readAlike, shapesMeet } from '../../../core/coercions/format-overlap.ts';
import type { ParsedFormat, TemporalKind } from '../../../core/coercions/format.ts';
import type { ScalarRenderer, ScalarRequest, ScalarSql } from './sql-coercion.ts';
import { epochReader, exponentReader } from './temporal-epoch.ts';
import { isoReaders } from './temporal-iso.ts';
import { patternReader } from './temporal-pattern.ts';
import type { TemporalReader } from './temporal-reader.ts';
import { type TemporalTarget, temporalTargets } from './temporal-target.ts';

/** Renders text into each temporal type. Throws the faults of `columnFormats`. */
export const temporalText: { readonly [K in TemporalKind]: ScalarRenderer } = {
  date: (x, request) => render(x, 'date', request),
  time: (x, request) => render(x, 'time', request),
  timestamp: (x, request) => render(x, 'timestamp', request),
  timestamptz: (x, request) => render(x, 'timestamptz', request),
};

type TextRequest = Pick<ScalarRequest, 'rule' | 'number'>;

function render(x: string, to: TemporalKind, request: TextRequest): ScalarSql {
  const formats = columnFormats(request.rule, to);
  const readers = formats.flatMap((format) => readersOf(x, to, format, request));
  const target = temporalTargets[to](request.rule);
  const judged = readers.map((reader) => judge(reader, readers));
  const near = (up: boolean): string | undefined => nearSql(judged, target, up);
  const [round, truncate] = [near(true), near(false)];
  return {
    value: valueSql(judged, target),
    reason: reasonSql(judged, target),
    ...(round === undefined ? {} : { round }),
    ...(truncate === undefined ? {} : { truncate }),
  };
}

/** The way of one format; only epochs read JSON numbers. */
function readersOf(x: string, to: TemporalKind, format: ParsedFormat, { rule, number }: TextRequest): readonly TemporalReader[] {
  const ignoreBlanks = rule.trim !== 'never';
  if (format.kind === 'epoch') return [epochReader(x, format.unit, rule), ...(number ? [exponentReader(x, format.unit, rule)] : [])];
  if (number) return [];
  if (format.kind === 'iso') return isoReaders(x, to, ignoreBlanks);
  return format.alternatives.map((alternative) => patternReader(x, alternative, { to, ignoreBlanks, years: rule.twoDigitYearRange }));
}

/** A reader, and those that may read one of its texts differently. */
interface Judged {
  readonly reader: TemporalReader;
  readonly rivals: readonly TemporalReader[];
}

function judge(reader: TemporalReader, all: readonly TemporalReader[]): Judged {
  return { reader, rivals: all.filter((other) => other !== reader && mayDiffer(reader, other)) };
}

function mayDiffer(a: TemporalReader, b: TemporalReader): boolean {
  const numbers = a.epoch || b.epoch;
  return a.alternatives.some((left) => b.alternatives.some((right) => shapesMeet(left, right) && (numbers || !readAlike(left, right))));
}

/** Boolean, never NULL: some rival reads the text too, and as something else. */
function contested({ reader, rivals }: Judged): string {
  const tests = rivals.map((rival) => {
    const sameKind = (reader.zone === 'none') === (rival.zone === 'none');
    const differs = sameKind ? `${reader.reading} <> ${rival.reading}` : `${reader.reading} IS NOT NULL AND ${rival.reading} IS NOT NULL`;
    return `CASE WHEN ${rival.shape} THEN coalesce(${differs}, FALSE) ELSE FALSE END`;
  });
  return tests.join(' OR ');
}

/** Boolean: this reader is the one to judge the text. */
function decides(judged: Judged, shape: string): string {
  return judged.rivals.length === 0 ? shape : `${shape} AND ${judged.reader.reading} IS NOT NULL AND NOT (${contested(judged)})`;
}

function cases(whens: readonly (readonly [string, string])[], otherwise?: string): string {
  const branches = whens.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(' ');
  return `CASE ${branches}${otherwise === undefined ? '' : ` ELSE ${otherwise}`} END`;
}

function valueSql(judged: readonly Judged[], target: TemporalTarget): string {
  const fast: [string, string][] = [];
  const slow: [string, string][] = [];
  for (const one of judged) {
    const { reader, rivals } = one;
    const value = target.value(reader);
    if (value === undefined) continue;
    if (rivals.length === 0 && reader.fast !== undefined) fast.push([reader.fast.when, reader.fast.value]);
    slow.push([decides(one, reader.exact), value]);
  }
  const whens = [...fast, ...slow];
  return whens.length === 0 ? `CAST(NULL AS ${target.sqlType})` : cases(whens);
}

function reasonSql(judged: readonly Judged[], target: TemporalTarget): string {
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

function nearSql(judged: readonly Judged[], target: TemporalTarget, up: boolean): string | undefined {
  const whens = judged.flatMap((one): [string, string][] => {
    const near = target.near(one.reader, up);
    return near === undefined ? [] : [[decides(one, one.reader.shape), near]];
  });
  return whens.length === 0 ? undefined : cases(whens);
}
