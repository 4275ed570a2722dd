/** The first level of the staging query: one raw value per source, from the table into which the records of a group were copied. */
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedSource, SourceColumn, SourceGroup } from '../../core/plan/plan.ts';
import { rawType } from './raw-types.ts';
import { ident, literal } from './quote.ts';
import { rawTable } from './stage-columns.ts';

export interface RawLevel {
  /** FROM clause that yields `n`, `file` and the columns named below: of all records, or of those with the numbers given. */
  readonly from: (numbers?: readonly number[]) => string;
  /** Column of a planned source. */
  readonly value: (source: PlannedSource) => string;
  /** Column of a source column that has no target. */
  readonly extra: (position: number) => string;
  /** Boolean: the planned source's key is absent from the record; `false` where that cannot be. */
  readonly absent: (source: PlannedSource) => string;
  /** The record as text, over the columns of the raw table. */
  readonly record: string;
  /** Whether records may be malformed: then `malformed` says why, and `line` is the record. */
  readonly isJson: boolean;
}

/** Columns of the raw table of a group. */
export function rawColumns(shape: SourceGroup): readonly { readonly name: string; readonly type: string }[] {
  if (shape.form === 'json')
    return [
      { name: 'line', type: 'text' },
      { name: 'malformed', type: 'text' },
      { name: 'unknown', type: 'text' },
    ];
  return shape.columns.map((column, i) => ({ name: `r${i}`, type: shape.form === 'typed' ? rawType(column.type) : 'text' }));
}

export function rawLevel(plan: Plan, group: number, nulMark: string | undefined): RawLevel {
  const shape = plan.groups[group];
  invariant(shape, 'a level belongs to a group');
  return shape.form === 'json' ? jsonLevel(plan, { shape, group, nulMark }) : flatLevel(shape, group, nulMark);
}

const picked = (numbers: readonly number[] | undefined): string =>
  numbers === undefined ? '' : ` WHERE r.n = ANY (ARRAY[${numbers.join(', ')}]::bigint[])`;

function flatLevel(shape: SourceGroup, group: number, nulMark: string | undefined): RawLevel {
  const pairs = shape.columns.map(({ name }, i) => `${literal(`${visibleName(name)}:`)} || coalesce(to_json(r${i})::text, 'null')`);
  const record = pairs.length === 0 ? `'{}'` : `'{' || array_to_string(ARRAY[${pairs.join(', ')}], ',') || '}'`;
  return {
    from: (numbers) => (numbers === undefined ? rawTable(group) : `(SELECT * FROM ${rawTable(group)} r${picked(numbers)} OFFSET 0) l1`),
    value: (source) => `r${source.index}`,
    extra: (position) => `r${position}`,
    absent: () => 'false',
    record: withNul(record, nulMark),
    isJson: false,
  };
}

/** The name as JSON: U+0000 is there as its escape. */
const visibleName = (name: string): string => JSON.stringify(name);

/** In JSON text the mark becomes the escape that it stands for. */
const withNul = (json: string, nulMark: string | undefined): string =>
  nulMark === undefined ? json : `replace(${json}, ${literal(nulMark)}, ${literal('\\u0000')})`;

interface JsonRequest {
  readonly shape: SourceGroup;
  readonly group: number;
  readonly nulMark: string | undefined;
}

/** Records are taken apart once, by `json_to_record`, which leaves the tokens of numbers and of nested values as they are written. */
function jsonLevel(plan: Plan, { shape, group, nulMark }: JsonRequest): RawLevel {
  const keys = shape.columns.map((column) => keyOf(column, nulMark));
  const sources = plan.columns.flatMap((column) => column.sources[group] ?? []);
  const extras = plan.extras.flatMap((extra) => extra.positions[group] ?? []);
  const named = new Set([...sources.map((source) => source.index), ...extras].filter((index) => isColumnName(keys[index] ?? '')));
  const definitions = [...named].map((index) => `${ident(keys[index] ?? '')} json`);
  const direct = (index: number): string => `CASE WHEN r.malformed IS NULL THEN r.line::json -> ${literal(keys[index] ?? '')} END`;
  const member = (index: number): string => (named.has(index) ? `x.${ident(keys[index] ?? '')}` : direct(index));
  const token = (json: string): string => `nullif((${json})::text, 'null')`;
  const place = new Map(sources.map((source, i) => [source, i]));
  const columns = [
    ...sources.flatMap((source, i) => {
      const json = below(member(source.index), source.below);
      // `json_to_record` makes no difference between a key that is absent and one that is null.
      const isAbsent = `r.malformed IS NULL AND (${json}) IS NULL AND (${below(direct(source.index), source.below)}) IS NULL`;
      return [`${token(json)} AS v${i}`, `(${isAbsent}) AS a${i}`];
    }),
    ...extras.map((position) => `${token(member(position))} AS x${position}`),
  ];
  const opened =
    definitions.length === 0
      ? ''
      : ` LEFT JOIN LATERAL json_to_record(CASE WHEN r.malformed IS NULL THEN r.line::json END) AS x(${definitions.join(', ')}) ON true`;
  const list = ['r.n', 'r.file', 'r.line', 'r.malformed', 'r.unknown', ...columns].join(', ');
  return {
    from: (numbers) => `(SELECT ${list} FROM ${rawTable(group)} r${opened}${picked(numbers)} OFFSET 0) l1`,
    value: (source) => `v${place.get(source)}`,
    extra: (position) => `x${position}`,
    absent: (source) => `a${place.get(source)}`,
    record: withNul('line', nulMark),
    isJson: true,
  };
}

/** A key as it is in the copied records. */
const keyOf = ({ name }: SourceColumn, nulMark: string | undefined): string => name.replaceAll('\0', nulMark ?? '\0');

/** A column of a record type has a name, of which 63 bytes are kept. */
const isColumnName = (key: string): boolean => key !== '' && Buffer.byteLength(key) <= 63;

function below(json: string, path: readonly (string | number)[] | undefined): string {
  if (path === undefined || path.length === 0) return json;
  return path.reduce<string>((inner, step) => `((${inner}) -> ${typeof step === 'number' ? String(step) : literal(step)})`, json);
}
