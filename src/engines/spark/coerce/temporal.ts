/** Text into dates, times, timestamps and instants. */
import { columnFormats } from '../../../core/coercions/format-check.ts';
import type { ParsedFormat, TemporalKind } from '../../../core/coercions/format.ts';
import { temporalLaw } from '../../temporal-law.ts';
import type { ScalarRenderer, ScalarRequest, ScalarSql } from './sql-coercion.ts';
import { epochReader, exponentReader } from './temporal-epoch.ts';
import { isoReaders } from './temporal-iso.ts';
import { patternReader } from './temporal-pattern.ts';
import type { TemporalReader } from './temporal-reader.ts';
import { temporalTargets } from './temporal-target.ts';

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
  return temporalLaw(readers, target, ({ fast }) => (fast === undefined ? [] : [[fast.when, fast.value]]));
}

/** The way of one format; only epochs read JSON numbers. */
function readersOf(x: string, to: TemporalKind, format: ParsedFormat, { rule, number }: TextRequest): readonly TemporalReader[] {
  const ignoreBlanks = rule.trim !== 'never';
  if (format.kind === 'epoch') return [epochReader(x, format.unit, rule), ...(number ? [exponentReader(x, format.unit, rule)] : [])];
  if (number) return [];
  if (format.kind === 'iso') return isoReaders(x, to, ignoreBlanks);
  return format.alternatives.map((alternative) => patternReader(x, alternative, { to, ignoreBlanks, years: rule.twoDigitYearRange }));
}
