/** Structs, lists and maps: taken apart as json, read part by part, and built anew. */
import type { Field, LogicalType, TypeOf } from '../../../core/model/type.ts';
import { literal } from '../quote.ts';
import { fromJson, jsonPiece } from './json-form.ts';
import { caseSql, fresh, inLevels } from './levels.ts';
import {
  anyRejected,
  issueSql,
  joinRejecting,
  jsonFallback,
  noIssues,
  ownRejecting,
  settled,
  settledIssues,
  settledValue,
} from './policy-sql.ts';
import type { NotePlace, Reading, Rejecting, Site } from './reading.ts';
import { structureCode } from './reading.ts';
import type { SqlNote } from './sql-coercion.ts';
import { isScalar, nullOf, sqlType } from './sql-type.ts';

/** How a value of some form is taken apart. All functions but `prep` get a prepared value. */
export interface Split {
  readonly prep: (t: string) => string;
  /** Boolean: the value, which is not NULL, has the outer shape of the target. */
  readonly fits: (p: string) => string;
  /** The value as json, for values that fit. */
  readonly open: (p: string) => string;
  /** The value as text for people. */
  readonly shown: (p: string) => string;
  readonly notes?: (place: NotePlace) => readonly SqlNote[];
}

/** A part of a nested value: how it is read, and how the value to be read is made of its json. */
export interface Part {
  readonly reading: Reading;
  readonly take: (json: string) => string;
}

/** What a shape does with json of the right outer shape. */
export interface Shape {
  /** The strict value as json, or NULL; from the name of a column of json. */
  readonly strict: (json: string) => string;
  /** The value under the policies and its issues, as of `Reading.settle`. */
  readonly settle: (json: string) => string;
  /** The strict value as an array, where that is the type. */
  readonly array?: (json: string) => string;
  readonly rejecting: readonly Rejecting[];
}

/** What the three shapes have in common. */
export function shaped(site: Site, split: Split, shape: Shape): Reading {
  const rejecting = joinRejecting([ownRejecting(site), ...shape.rejecting]);
  const isArray = !site.inside && shape.array !== undefined && sqlType(site.to) !== 'jsonb';
  const opened = (p: string): string => `CASE WHEN ${split.fits(p)} THEN ${split.open(p)} END`;
  const strict = (_t: string, p: string): string => {
    const j = fresh();
    if (isArray) return inLevels([[[j, opened(p)]]], (shape.array as Shape['strict'])(j));
    const value = inLevels([[[j, opened(p)]]], shape.strict(j));
    return site.inside ? value : `CAST(${value} AS jsonb)`;
  };
  const settle = (raw: string): string => {
    const [t, p, j] = [fresh(), fresh(), fresh()];
    const fault = issueSql(site, { code: literal(structureCode), value: split.shown(p) });
    return inLevels(
      [[[t, raw]], [[p, split.prep(t)]], [[j, `CASE WHEN ${p} IS NOT NULL THEN ${opened(p)} END`]]],
      caseSql(
        [
          [`${p} IS NULL`, settled('CAST(NULL AS json)', noIssues)],
          [`${j} IS NULL`, settled(jsonFallback(site), fault)],
        ],
        shape.settle(j),
      ),
    );
  };
  return {
    prep: split.prep,
    strict,
    settle,
    rejecting,
    relaxed: (t) => (rejecting === 'always' ? nullOf(site.to) : storedSql(site.to, settledValue(settle(t)))),
    rejects: (t) => (rejecting === 'some' ? anyRejected(settledIssues(settle(t))) : String(rejecting === 'always')),
    issues: (t) => settledIssues(settle(t)),
    notes: (place) => split.notes?.(place) ?? [],
  };
}

/** A value of the target's type out of its json, which may be the JSON null. */
function storedSql(to: LogicalType, json: string): string {
  if (to.kind !== 'list' || !isScalar(to.element)) return `CAST(nullif(CAST(${json} AS text), 'null') AS jsonb)`;
  const [v, e, n] = [fresh(), fresh(), fresh()];
  const array = `coalesce(array_agg(${fromJson(to.element, e)} ORDER BY ${n}), '{}')`;
  const elements = `(SELECT ${array} FROM json_array_elements(${v}) WITH ORDINALITY AS ${fresh()}(${e}, ${n}))`;
  return inLevels([[[v, json]]], `CASE WHEN json_typeof(${v}) = 'array' THEN ${elements} END`);
}

/** SQL of a named field. */
export interface FieldPart {
  readonly field: Field;
  /** How the field is read, or undefined when the source has no such field. */
  readonly part: Part | undefined;
}

const member = (json: string, name: string): string => `(${json} -> ${literal(name)})`;

/** A struct from named parts. Built as text, since functions take no more than 100 arguments. */
export function structReading(site: Site, split: Split, fields: readonly FieldPart[]): Reading {
  const built = (value: (index: number, field: Field) => string): string => {
    const pieces = fields.map(({ field }, i) => `${literal(`${i === 0 ? '' : ','}${JSON.stringify(field.name)}:`)} || ${value(i, field)}`);
    return `CAST(${["'{'", ...pieces, "'}'"].join(' || ')} AS json)`;
  };
  const present = fields.flatMap(({ field, part }, index) => (part === undefined ? [] : [{ ...part, field, index }]));
  const fallible = present.filter(({ reading }) => reading.rejecting !== 'none');
  const columns = (): string[] => fields.map(() => fresh());
  const strict = (j: string): string => {
    const [t, p, s] = [columns(), columns(), columns()] as [string[], string[], string[]];
    const at = (names: string[], index: number): string => names[index] as string;
    const kept = fallible.map(({ index }) => ` AND (${at(s, index)} IS NOT NULL OR ${at(p, index)} IS NULL)`).join('');
    const value = built((i, { type }) => (fields[i]?.part === undefined ? `'null'` : jsonPiece(type, at(s, i))));
    if (present.length === 0) return `CASE WHEN ${j} IS NOT NULL THEN ${value} END`;
    return inLevels(
      [
        present.map(({ field, index, take }) => [at(t, index), take(member(j, field.name))] as const),
        present.map(({ reading, index }) => [at(p, index), reading.prep(at(t, index))] as const),
        present.map(({ reading, index }) => [at(s, index), reading.strict(at(t, index), at(p, index))] as const),
      ],
      `CASE WHEN ${j} IS NOT NULL${kept} THEN ${value} END`,
    );
  };
  const settle = (j: string): string => {
    const r = columns();
    const issues = fallible.map(({ index }) => settledIssues(r[index] as string)).join(' || ');
    const value = built((i) => (fields[i]?.part === undefined ? `'null'` : `CAST(${settledValue(r[i] as string)} AS text)`));
    if (present.length === 0) return settled(value, noIssues);
    return inLevels(
      [present.map(({ field, index, reading, take }) => [r[index] as string, reading.settle(take(member(j, field.name)))] as const)],
      settled(value, fallible.length === 0 ? noIssues : issues),
    );
  };
  return shaped(site, split, { strict, settle, rejecting: present.map(({ reading }) => reading.rejecting) });
}

/** Rows of json, and levels over them; each level sees the columns of those before it. */
export function overRows(rows: string, levels: readonly (readonly (readonly [string, string])[])[], use: string): string {
  const from = levels.reduce(
    (inner, columns) => `(SELECT *, ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(', ')} FROM ${inner} OFFSET 0) AS ${fresh()}`,
    rows,
  );
  return `(SELECT ${use} FROM ${from})`;
}

export const flattened = (lists: string): string => `coalesce(jsonb_path_query_array(${lists}, '$[*][*]'), ${noIssues})`;

/** A list from a list of parts. */
export function listReading(site: Site & { readonly to: TypeOf<'list'> }, split: Split, { reading, take }: Part): Reading {
  const { element } = site.to;
  const each = (j: string, finish: (names: { readonly n: string; readonly s: string }) => string): string => {
    const [e, n, t, p, s] = [fresh(), fresh(), fresh(), fresh(), fresh()];
    const all = reading.rejecting === 'none' ? 'true' : `coalesce(bool_and(${s} IS NOT NULL OR ${p} IS NULL), true)`;
    return overRows(
      `json_array_elements(${j}) WITH ORDINALITY AS ${fresh()}(${e}, ${n})`,
      [
        [
          [t, take(e)],
          [p, reading.prep(take(e))],
        ],
        [[s, reading.strict(t, p)]],
      ],
      `CASE WHEN ${j} IS NOT NULL AND ${all} THEN ${finish({ n, s })} END`,
    );
  };
  const text = (pieces: string, n: string): string => `CAST('[' || coalesce(string_agg(${pieces}, ',' ORDER BY ${n}), '') || ']' AS json)`;
  const settle = (j: string): string => {
    const [e, n, r] = [fresh(), fresh(), fresh()];
    const values = text(`CAST(${settledValue(r)} AS text)`, n);
    const issues = reading.rejecting === 'none' ? noIssues : flattened(`jsonb_agg(${settledIssues(r)} ORDER BY ${n})`);
    const rows = `json_array_elements(${j}) WITH ORDINALITY AS ${fresh()}(${e}, ${n})`;
    return overRows(rows, [[[r, reading.settle(take(e))]]], settled(values, issues));
  };
  return shaped(site, split, {
    strict: (j) => each(j, ({ n, s }) => text(jsonPiece(element, s), n)),
    ...(isScalar(element) ? { array: (j: string) => each(j, ({ n, s }) => `coalesce(array_agg(${s} ORDER BY ${n}), '{}')`) } : {}),
    settle,
    rejecting: [reading.rejecting],
  });
}

/** A value whose outer shape can never be that of the target. */
export function neverShaped(site: Site, split: Split): Reading {
  return shaped(
    site,
    { ...split, fits: () => 'false', open: () => 'CAST(NULL AS json)' },
    {
      strict: () => 'CAST(NULL AS json)',
      settle: () => settled(jsonFallback(site), noIssues),
      rejecting: [],
      array: () => nullOf(site.to),
    },
  );
}

export const elementPath = (path: string): string => `${path}[]`;
export const valuePath = (path: string): string => `${path}.*`;
export const fieldPath = (path: string, field: Field): string => `${path}.${field.name}`;

/** Types that are taken apart. */
export type NestedType = TypeOf<'struct' | 'list' | 'map'>;
export const isNested = (type: LogicalType): type is NestedType => !isScalar(type);
