/** The first level of the staging query: one raw value per source, from the table in which the records of a group lie. */
import { invariant } from '../../core/fault.ts';
import type { Plan, PlannedSource, SourceGroup } from '../../core/plan/plan.ts';
import { tokenOf } from './coerce/json-tokens.ts';
import { literal } from './quote.ts';
import { rawTable } from './stage-columns.ts';

export interface RawLevel {
  /** FROM clause that yields `n`, `file`, `unknown` and the columns named below: of all records, or of those with the numbers given. */
  readonly from: (numbers?: readonly number[]) => string;
  /** Column of a planned source. */
  readonly value: (source: PlannedSource) => string;
  /** Column of a source column that has no target. */
  readonly extra: (position: number) => string;
  /** Boolean: the planned source's key is absent from the record; `false` where that cannot be. */
  readonly absent: (source: PlannedSource) => string;
  /** The record as text. */
  readonly record: string;
  /** Whether records may be malformed: then `malformed` says why, and `line` is the record. */
  readonly isJson: boolean;
}

export function rawLevel(plan: Plan, group: number): RawLevel {
  const shape = plan.groups[group];
  invariant(shape, 'a level belongs to a group');
  const from: RawLevel['from'] = (numbers) =>
    numbers === undefined ? rawTable(group) : `(SELECT * FROM ${rawTable(group)} WHERE n IN (${numbers.map((n) => `${n}L`).join(', ')}))`;
  if (shape.form !== 'json')
    return {
      from,
      value: (source) => `r${source.index}`,
      extra: (position) => `r${position}`,
      absent: () => 'false',
      record: recordSql(shape),
      isJson: false,
    };
  const place = new Map(jsonSources(plan, group).map((source, i) => [source, i]));
  const tokens = [...place.values()].map((i) => `, ${openToken(`v${i}`)} AS v${i}, a${i}`).join('');
  const extras = jsonExtras(plan, group)
    .map((position) => `, x${position}`)
    .join('');
  return {
    from: (numbers) => `(SELECT n, file, line, malformed, unknown${tokens}${extras} FROM ${from(numbers)})`,
    value: (source) => `v${place.get(source)}`,
    extra: (position) => `x${position}`,
    absent: (source) => `a${place.get(source)}`,
    record: 'line',
    isJson: true,
  };
}

/** Objects and arrays are taken apart in an encoded form. */
const openToken = (token: string): string => `CASE WHEN substr(${token}, 1, 1) IN ('{', '[') THEN ${tokenOf(token)} ELSE ${token} END`;

/** The planned sources of a group of JSON records, in the order of their columns. */
export const jsonSources = (plan: Plan, group: number): readonly PlannedSource[] =>
  plan.columns.flatMap((column) => column.sources[group] ?? []);

export const jsonExtras = (plan: Plan, group: number): readonly number[] => plan.extras.flatMap((extra) => extra.positions[group] ?? []);

/** Spark has no objects whose keys are equal or empty, so the text is put together here. */
function recordSql({ columns }: SourceGroup): string {
  const pairs = columns.map(({ name }, i) => `concat(${literal(`${JSON.stringify(name)}:`)}, ${jsonOf(`r${i}`)})`);
  return pairs.length === 0 ? `'{}'` : `concat('{', concat_ws(',', ${pairs.join(', ')}), '}')`;
}

/** JSON of one value, whatever its type. */
export const jsonOf = (value: string): string =>
  `coalesce(regexp_extract(to_json(struct(${value} AS v), map('ignoreNullFields', 'true')), '(?s)^[{]"v":(.*)[}]$', 1), 'null')`;
